package search

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"path"
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
	files, lines, bytes int
	counts              [maxTerms]int
}

func (s *stats) add(other *stats) {
	s.files += other.files
	s.lines += other.lines
	s.bytes += other.bytes
	for i, n := range other.counts {
		s.counts[i] += n
	}
}

// scan counts the terms in a file, and reports whether the file is worth a second look.
func (s *stats) scan(q *query, c *candidate, data []byte) bool {
	s.files++
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

// kind is what a line is, as far as its look tells.
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
		found = append(found, scored{Passage{c.path, first + 1, last + 1, string(bytes.Join(text, []byte("\n"))), p.score}, p.terms})
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

// score weighs the line at i with what surrounds it, 0 if too little of the question is
// there.
func (r *ranker) score(lines []fileLine, i int, c *candidate) (float64, uint32) {
	var around [maxTerms]float64
	raise := func(j int, factor float64) {
		if j < 0 || lines[j].mask == 0 {
			return
		}
		for t := range r.terms {
			around[t] = max(around[t], min(lines[j].match[t], 1)*factor)
		}
	}
	for _, step := range [2]int{-1, 1} {
		for distance := 1; distance <= 3; distance++ {
			j := i + step*distance
			if j < 0 || j >= len(lines) || lines[j].kind == blank {
				break
			}
			raise(j, besideWeight/float64(distance))
		}
	}
	if p := lines[i].parent; p >= 0 {
		raise(p, enclosingWeight)
		if d := lines[p].doc; d >= 0 && d < p {
			for j := max(d, p-20); j < p; j++ {
				raise(j, docWeight/2)
			}
		}
		raise(lines[p].parent, enclosingWeight/2)
	}
	if d := lines[i].doc; d > i {
		raise(d, docWeight)
	} else if d >= 0 {
		for j := max(d, i-20); j < i; j++ {
			raise(j, docWeight)
		}
	}
	length := float64(len(lines[i].text)) / max(r.meanBytes, 1)
	norm := 1 - lengthPart + lengthPart*min(max(length, 0.7), 4)
	total, covered, near := 0.0, 0.0, lines[i].mask
	for t := range r.terms {
		here, beside := lines[i].match[t], around[t]
		if beside > 0 {
			near |= 1 << t
		}
		if c.inPath>>t&1 != 0 {
			beside += pathWeight
		}
		if c.all>>t&1 != 0 {
			beside += fileWeight
		}
		frequency := here + beside
		if frequency == 0 {
			continue
		}
		total += r.weights[t] * frequency * (saturation + 1) / (frequency + saturation*norm)
		if !r.terms[t].optional {
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
	switch lines[i].kind {
	case definition, comment:
		total *= 1.1
	case prose:
		total *= 1.05
	case heading:
		total *= 0.9
	case imports:
		total *= 0.4
	case blank, code:
	}
	return total * (1 + r.nameBonus(lines, i)), near
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

// extent is what is quoted around a line: the lines of its block that hold terms, a
// definition with the end of its comment, a comment with what it is about.
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
	case ".py", ".sh", ".bash", ".rb", ".pl", ".r", ".tf", ".ps1", ".mk", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", "":
		return true
	}
	return false
}

func isDefiner(word string) bool {
	switch word {
	case "func", "fn", "def", "class", "type", "struct", "interface", "enum", "trait", "impl", "const", "var", "let",
		"function", "module", "namespace", "table", "index", "view", "trigger", "procedure", "#define", "message",
		"service", "rpc", "record", "macro", "union", "typedef", "val", "fun", "object":
		return true
	}
	return false
}

func isModifier(word string) bool {
	switch word {
	case "export", "default", "pub", "public", "private", "protected", "internal", "static", "abstract", "async", "final",
		"readonly", "unsafe", "extern", "inline", "override", "create", "unique", "if", "not", "exists", "or", "replace", "declare":
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

// nameIn returns the name that a line of code defines, or none: what stands behind
// "func", "class" and the like, or before ":" or "=".
func nameIn(text []byte) []byte {
	rest := bytes.TrimSpace(text)
	defines := false
	for range 8 {
		end := 0
		for end < len(rest) && (isLetter(rest[end]) || isDigit(rest[end]) || rest[end] == '_' || end == 0 && (rest[0] == '#' || rest[0] == '"')) {
			end++
		}
		word, after := rest[:end], bytes.TrimLeft(rest[end:], " \t")
		lower := strings.ToLower(string(word))
		switch {
		case end == 0 && defines && len(rest) > 0 && rest[0] == '(':
			// The receiver of a method.
			at := bytes.IndexByte(rest, ')')
			if at < 0 {
				return nil
			}
			rest = bytes.TrimLeft(rest[at+1:], " ")
			continue
		case end == 0:
			return nil
		case isDefiner(lower) && len(after) > 0 && (isLetter(after[0]) || after[0] == '('):
			defines = true
		case isModifier(lower) && len(after) > 0:
		case defines:
			return word
		case len(after) > 0 && (after[0] == ':' || after[0] == '=' && !bytes.HasPrefix(after, []byte("=="))):
			return word
		default:
			return nil
		}
		rest = after
	}
	return nil
}
