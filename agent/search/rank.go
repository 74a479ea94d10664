package search

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The weights of the rank: how much a term counts that is not on the line itself.
const (
	besideWeight    = 0.45 // on the next line; less with distance
	enclosingWeight = 0.35 // in the definition or under the heading that the line is in
	docWeight       = 0.5  // in the comment on the definition
	pathWeight      = 0.5  // in the path
	fileWeight      = 0.1  // anywhere in the file

	saturation = 0.9 // BM25's k: how soon a second occurrence stops to count
	lengthPart = 0.2 // BM25's b: how much a long line is held against it

	// enough is the share of the question's weight that a passage must hold, and it must
	// hold two of its words or an identifier.
	enough = 0.35
	// maxPassage is how many lines a passage has at most, mostOfFile how many passages
	// one file gives.
	maxPassage = 6
	mostOfFile = 3
)

// stats are how common the terms are in the workspace.
type stats struct {
	lines, bytes int
	counts       [maxTerms]int
}

func (s *stats) add(other *stats) {
	s.lines += other.lines
	s.bytes += other.bytes
	for i, n := range other.counts {
		s.counts[i] += n
	}
}

// scan counts the terms in a file, and reports whether the file is worth a second look.
func (s *stats) scan(q *query, c *candidate, data []byte) bool {
	s.bytes += len(data)
	c.inPath = maskOf(q.match([]byte(c.path)))
	lower := lowered(data)
	s.lines += bytes.Count(data, []byte("\n"))
	if !q.mayOccur(lower) {
		return c.named
	}
	for at := 0; at < len(data); {
		end := at + len(data[at:])
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := data[at:end]
		may := q.mayOccur(lower[at:end])
		at = end
		if !may {
			continue
		}
		mask := maskOf(q.match(line))
		if mask == 0 {
			continue
		}
		c.all |= mask
		if !slices.Contains(c.lines, mask) {
			c.lines = append(c.lines, mask)
		}
		for m := mask; m != 0; m &= m - 1 {
			s.counts[bits.TrailingZeros32(m)]++
		}
	}
	return c.named || c.all != 0
}

// mayOccur reports whether a form of a term is in a text in lower case. The parts of
// identifiers are terms, too.
func (q *query) mayOccur(lower []byte) bool {
	for i := range q.terms {
		for _, stem := range q.terms[i].stems {
			if bytes.Contains(lower, []byte(stem)) {
				return true
			}
		}
	}
	return false
}

// lowered is a text with its ASCII letters in lower case: offsets stay the same.
func lowered(data []byte) []byte {
	lower := bytes.Clone(data)
	for i, c := range lower {
		if isUpper(c) {
			lower[i] = c + 'a' - 'A'
		}
	}
	return lower
}

// match says how often each term is on a line.
func (q *query) match(line []byte) [maxTerms]float64 {
	var weights [maxTerms]float64
	var buffer [32]part
	parts := splitWords(buffer[:0], line[:min(len(line), 1000)])
	for i := 0; i < len(parts); {
		j := i
		joined := ""
		for ; j < len(parts) && parts[j].word == parts[i].word; j++ {
			word := bytes.ToLower(line[parts[j].start:parts[j].end])
			joined += string(word)
			stemmed := string(root(stem(word)))
			for t := range q.terms {
				if slices.Contains(q.terms[t].stems, stemmed) {
					weights[t]++
				}
			}
		}
		for t := range q.terms {
			if q.terms[t].joined != "" && q.terms[t].joined == joined {
				weights[t]++
			}
		}
		i = j
	}
	return weights
}

func maskOf(weights [maxTerms]float64) uint32 {
	mask := uint32(0)
	for t, w := range weights {
		if w > 0 {
			mask |= 1 << t
		}
	}
	return mask
}

// ranker knows what the terms of a query weigh in this workspace.
type ranker struct {
	*query
	weights [maxTerms]float64
	// required are the terms that have to be found, wanted is their weight.
	required uint32
	wanted   float64
	// identifiers are the terms that are a whole identifier: one is enough.
	identifiers uint32
	meanBytes   float64
}

func newRanker(q *query, s *stats) *ranker {
	r := &ranker{query: q, meanBytes: float64(s.bytes) / float64(max(s.lines, 1))}
	for i := range q.terms {
		n, lines := float64(s.counts[i]), float64(s.lines)
		r.weights[i] = q.terms[i].weight * math.Log(1+(lines-min(n, lines)+0.5)/(n+0.5))
		if q.terms[i].joined != "" {
			r.identifiers |= 1 << i
		}
		if !q.terms[i].optional {
			r.required |= 1 << i
			r.wanted += r.weights[i]
		}
	}
	return r
}

func (r *ranker) sum(mask uint32) float64 {
	total := 0.0
	for ; mask != 0; mask &= mask - 1 {
		total += r.weights[bits.TrailingZeros32(mask)]
	}
	return total
}

// promising returns the files that the second pass reads: those whose best line, path
// and content hold the most.
func (r *ranker) promising(files []candidate) []candidate {
	promise := func(c *candidate) float64 {
		top := 0.0
		for _, mask := range c.lines {
			top = max(top, r.sum(mask)+0.4*r.sum(c.inPath&^mask)+0.2*r.sum(c.all&^mask))
		}
		if c.named {
			top = 2*top + r.wanted + 1
		}
		return top * c.prior
	}
	slices.SortFunc(files, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(promise(&b), promise(&a)), cmp.Compare(a.path, b.path))
	})
	return files[:min(len(files), mostRanked)]
}

// scored is a passage with the terms that it holds.
type scored struct {
	Passage
	terms uint32
}

// kind classifies a line by its look.
type kind int

const (
	blank kind = iota
	code
	definition
	comment
	prose
	heading
	imports
)

// fileLine is a line of a file in the second pass.
type fileLine struct {
	text   []byte
	kind   kind
	indent int
	match  [maxTerms]float64
	mask   uint32
	// parent is the definition or heading around it, doc the first line of the comment
	// above a definition, or of a comment the definition below it; -1 for none.
	parent, doc int
}

// rank weighs each line of a file with what is around it, and returns the best passages.
func (r *ranker) rank(c *candidate, data []byte) []scored {
	lines := r.lines(c.path, data)
	if at := r.line(c.path); at > 0 && at <= len(lines) && quotable(lines[at-1].text) && lines[at-1].kind != blank {
		p := Passage{Path: c.path, Line: at, EndLine: at, Text: string(lines[at-1].text), Score: 1000}
		return []scored{{p, 0}}
	}
	type place struct {
		line  int
		score float64
		terms uint32
	}
	var places []place
	for i := range lines {
		if lines[i].mask == 0 || !quotable(lines[i].text) {
			continue
		}
		if score, terms := r.score(lines, i, c); score > 0 {
			places = append(places, place{i, score * c.prior, terms})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.score, a.score) })
	taken := make([]bool, len(lines))
	var found []scored
	for _, p := range places {
		if len(found) == mostOfFile {
			break
		}
		if taken[p.line] {
			continue
		}
		first, last := extent(lines, p.line, taken)
		var text [][]byte
		for i := first; i <= last; i++ {
			taken[i] = true
			text = append(text, lines[i].text)
		}
		quote := string(bytes.Join(text, []byte("\n")))
		found = append(found, scored{Passage{c.path, first + 1, last + 1, quote, p.score}, p.terms})
	}
	return found
}

// lines takes a file apart.
func (r *ranker) lines(name string, data []byte) []fileLine {
	isProse := isProse(name)
	hash := hashComments(name)
	var lines []fileLine
	for text := range bytes.Lines(data) {
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		l := fileLine{text: text, parent: -1, doc: -1}
		bare := bytes.TrimSpace(text)
		l.indent = len(text) - len(bytes.TrimLeft(text, " \t"))
		l.kind = kindOf(bare, isProse, hash)
		if len(text) <= 1000 && r.mayOccur(lowered(text)) {
			l.match = r.match(text)
			l.mask = maskOf(l.match)
		}
		lines = append(lines, l)
	}
	var open []int
	block := -1
	for i := range lines {
		l := &lines[i]
		if l.kind == blank {
			block = -1
			continue
		}
		if l.kind == heading {
			open = nil
		}
		for !isProse && len(open) > 0 && lines[open[len(open)-1]].indent >= l.indent {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			l.parent = open[len(open)-1]
		}
		if l.kind == comment {
			if block < 0 {
				block = i
			}
			continue
		}
		if block >= 0 {
			l.doc = block
			for j := block; j < i; j++ {
				lines[j].doc = i
			}
		}
		block = -1
		if l.kind == definition || l.kind == heading {
			open = append(open, i)
		}
	}
	return lines
}

// around returns how much the surroundings of a line hold of each term: the lines next to
// it, the definition or heading that it is in, and the comment that goes with it.
func (r *ranker) around(lines []fileLine, i int) [maxTerms]float64 {
	var around [maxTerms]float64
	raise := func(from, to int, factor float64) {
		for j := max(from, to-20, 0); j < to; j++ {
			for t := range r.terms {
				around[t] = max(around[t], min(lines[j].match[t], 1)*factor)
			}
		}
	}
	for _, step := range [2]int{-1, 1} {
		for distance := 1; distance <= 3; distance++ {
			j := i + step*distance
			if j < 0 || j >= len(lines) || lines[j].kind == blank {
				break
			}
			raise(j, j+1, besideWeight/float64(distance))
		}
	}
	if p := lines[i].parent; p >= 0 {
		raise(p, p+1, enclosingWeight)
		if d := lines[p].doc; d >= 0 {
			raise(d, p, docWeight/2)
		}
		if above := lines[p].parent; above >= 0 {
			raise(above, above+1, enclosingWeight/2)
		}
	}
	switch d := lines[i].doc; {
	case d > i:
		raise(d, d+1, docWeight)
	case d >= 0:
		raise(d, i, docWeight)
	}
	return around
}

// score weighs the line at i with what surrounds it, 0 if too little of the question is
// there.
func (r *ranker) score(lines []fileLine, i int, c *candidate) (float64, uint32) {
	around := r.around(lines, i)
	length := float64(len(lines[i].text)) / max(r.meanBytes, 1)
	norm := 1 - lengthPart + lengthPart*min(max(length, 0.7), 4)
	total, covered, near := 0.0, 0.0, lines[i].mask
	for t := range r.terms {
		here, beside := lines[i].match[t], around[t]
		if beside > 0 {
			near |= 1 << t
		}
		beside += pathWeight*float64(c.inPath>>t&1) + fileWeight*float64(c.all>>t&1)
		frequency := here + beside
		total += r.weights[t] * frequency * (saturation + 1) / (frequency + saturation*norm)
		if r.required>>t&1 != 0 {
			covered += r.weights[t] * min(1, here+0.8*beside)
		}
	}
	if r.wanted > 0 {
		held := (near | c.inPath) & r.required
		few := bits.OnesCount32(held) < min(2, bits.OnesCount32(r.required)) && held&r.identifiers == 0
		if !c.named && (few || r.sum(held) < enough*r.wanted) {
			return 0, 0
		}
		total *= 0.4 + 0.6*math.Sqrt(covered/r.wanted)
	}
	if c.named {
		total *= 1.6
	}
	factor := [...]float64{blank: 1, code: 1, definition: 1.1, comment: 1.1, prose: 1.05, heading: 0.9, imports: 0.4}
	return total * factor[lines[i].kind] * (1 + r.nameBonus(lines, i)), near
}

// nameBonus prefers the line that defines what the question names, and the comment on it.
func (r *ranker) nameBonus(lines []fileLine, i int) float64 {
	bonus := 0.4
	if lines[i].kind == comment && lines[i].doc > i {
		i, bonus = lines[i].doc, 0.32
	}
	if lines[i].kind != definition || r.wanted == 0 {
		return 0
	}
	return bonus * min(1, r.sum(maskOf(r.match(nameIn(lines[i].text))))/r.wanted)
}

// extent returns the lines to quote around a line: those of its block that hold terms, the
// definition below a comment, the end of the comment above a definition.
func extent(lines []fileLine, i int, taken []bool) (first, last int) {
	first, last = i, i
	fits := func(j int) bool {
		return j >= 0 && j < len(lines) && !taken[j] && lines[j].kind != blank && quotable(lines[j].text)
	}
	reach := func(to int) {
		for last < to && last-first+1 < maxPassage && fits(last+1) {
			last++
		}
		for first > to && last-first+1 < maxPassage && fits(first-1) {
			first--
		}
	}
	if d := lines[i].doc; d >= 0 {
		reach(d)
	}
	for _, step := range [2]int{-1, 1} {
		for distance := 1; distance < 4; distance++ {
			if j := i + step*distance; fits(j) && lines[j].mask&^lines[i].mask != 0 {
				reach(j)
			}
		}
	}
	return first, last
}

// best returns the highest scores, without repeating a text.
func best(found []scored, limit int) []Passage {
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	var passages []Passage
	for _, p := range found {
		same := func(q Passage) bool { return strings.TrimSpace(q.Text) == strings.TrimSpace(p.Text) }
		if len(passages) < limit && !slices.ContainsFunc(passages, same) {
			passages = append(passages, p.Passage)
		}
	}
	return passages
}

func isProse(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".txt", ".rst", ".adoc", ".org", ".tex", "":
		base := strings.ToLower(path.Base(name))
		return base != "makefile" && base != "dockerfile" && !strings.HasPrefix(base, ".")
	}
	return false
}

// hashComments reports whether "#" begins a comment.
func hashComments(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".sh", ".bash", ".rb", ".pl", ".r", ".tf", ".ps1", ".mk", ".yaml", ".yml", ".toml", ".ini",
		".cfg", ".conf", "":
		return true
	}
	return false
}

// kindOf judges a line by its look. It errs on exotic code, and only weights hang on it.
func kindOf(bare []byte, isProse, hash bool) kind {
	if len(bare) == 0 {
		return blank
	}
	has := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return bytes.HasPrefix(bare, []byte(p)) })
	}
	switch {
	case isProse && has("# ", "## ", "### ", "#### "):
		return heading
	case isProse:
		return prose
	case has("//", "/*", "* ", "*/", "<!--", `"""`, "'''", "-- ") || hash && bare[0] == '#' || isSentence(bare):
		return comment
	case has("import ", "from ", "#include", "use ", "using ", "require(", "package "):
		return imports
	case len(nameIn(bare)) > 0:
		return definition
	}
	return code
}

// isSentence finds the prose inside block comments and docstrings, which has no marker on
// its line: several lower-case words and no punctuation of code.
func isSentence(bare []byte) bool {
	if bytes.ContainsAny(bare, "{}[]=;<>|&\\\"") {
		return false
	}
	plain := 0
	for word := range bytes.FieldsSeq(bare) {
		word = bytes.TrimRight(word, ".,:;")
		if len(word) > 1 && !bytes.ContainsFunc(word, func(c rune) bool { return c < 'a' || c > 'z' }) {
			plain++
		}
	}
	return plain >= 5
}

var (
	defining = regexp.MustCompile(`(?i)^(?:(?:export|default|pub(?:\([a-z]+\))?|public|private|protected|internal|` +
		`static|abstract|async|final|readonly|unsafe|extern|inline|override|` +
		`create|unique|if|not|exists|or|replace|declare)\s+)*` +
		`(?:func|fn|def|class|type|struct|interface|enum|trait|impl|const|var|let|function|module|namespace|table|` +
		`index|view|trigger|procedure|#define|message|service|rpc|record|macro|union|typedef|val|fun|object)\s+` +
		`(?:\([^)]*\)\s*|if\s+not\s+exists\s+)?([\pL_]\w*)`)
	assigning = regexp.MustCompile(`^"?([\pL_][\w-]*)"?\s*(?::|:?=(?:[^=]|$))`)
)

// nameIn returns the name that a line of code defines, or nothing: the one after "func",
// "class" and the like, or before ":" or "=".
func nameIn(text []byte) []byte {
	bare := bytes.TrimSpace(text)
	for _, pattern := range []*regexp.Regexp{defining, assigning} {
		if found := pattern.FindSubmatch(bare[:min(len(bare), 200)]); found != nil {
			return found[1]
		}
	}
	return nil
}
