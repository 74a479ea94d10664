package workspace

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The weights of the rank: how much a term counts that is not on the line itself.
const (
	besideWeight    = 0.45 // on the next line; less with distance
	enclosingWeight = 0.35 // in the definition or under the heading that the line is in
	pathWeight      = 0.5  // in the path
	fileWeight      = 0.1  // anywhere in the file

	saturation = 0.9 // BM25's k: how soon a second occurrence stops to count
	lengthPart = 0.2 // BM25's b: how much a long line is held against it

	// enough is the share of the question's weight that a passage must hold, and it must
	// hold two of its words or an identifier.
	enough = 0.35
	// maxPassage is how many lines a passage has at most, mostOfFile how many passages
	// one file gives, beside how many lines around a line count.
	maxPassage = 6
	mostOfFile = 3
	beside     = 3
)

// terms holds a number for each term of a query.
type terms [maxTerms]float64

// mask is the set of the terms that are there.
func (t *terms) mask() uint32 {
	mask := uint32(0)
	for i, n := range t {
		if n > 0 {
			mask |= 1 << i
		}
	}
	return mask
}

// sum adds the numbers of a set.
func (t *terms) sum(mask uint32) float64 {
	total := 0.0
	for ; mask != 0; mask &= mask - 1 {
		total += t[bits.TrailingZeros32(mask)]
	}
	return total
}

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
	s.lines += bytes.Count(data, []byte("\n"))
	inPath := q.match([]byte(c.path))
	c.inPath = inPath.mask()
	if !q.mayOccur(data) {
		return c.named
	}
	for line := range bytes.Lines(data) {
		match := q.match(line)
		mask := match.mask()
		if mask != 0 && !slices.Contains(c.lines, mask) {
			c.lines = append(c.lines, mask)
		}
		c.all |= mask
		for ; mask != 0; mask &= mask - 1 {
			s.counts[bits.TrailingZeros32(mask)]++
		}
	}
	return c.named || c.all != 0
}

var buffers = sync.Pool{New: func() any { return new([]byte) }} //nolint:gochecknoglobals // it has no state

// mayOccur reports whether a form of a term is in a text. The parts of identifiers are
// terms, too.
func (q *query) mayOccur(text []byte) bool {
	lower := buffers.Get().(*[]byte) //nolint:forcetypeassert // it holds nothing else
	defer buffers.Put(lower)
	*lower = append((*lower)[:0], text...)
	for i, c := range *lower {
		if 'A' <= c && c <= 'Z' {
			(*lower)[i] = c + 'a' - 'A'
		}
	}
	return slices.ContainsFunc(q.terms, func(t term) bool {
		return slices.ContainsFunc(t.stems, func(stem string) bool { return bytes.Contains(*lower, []byte(stem)) })
	})
}

// match returns how often each term is on a line.
func (q *query) match(line []byte) terms {
	var found terms
	if line = line[:min(len(line), 1000)]; !q.mayOccur(line) {
		return found
	}
	for _, w := range splitWords(string(line)) {
		joined := strings.Join(w.parts, "")
		stems := make([]string, len(w.parts))
		for i, part := range w.parts {
			stems[i] = stemOf(part)
		}
		for t := range q.terms {
			if q.terms[t].joined == joined {
				found[t]++
			}
			for _, stem := range stems {
				if slices.Contains(q.terms[t].stems, stem) {
					found[t]++
				}
			}
		}
	}
	return found
}

// ranker knows what the terms of a query weigh in this workspace.
type ranker struct {
	*query
	weights terms
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

// promising returns the files that the second pass reads: those whose best line, path
// and content hold the most.
func (r *ranker) promising(files []candidate) []candidate {
	sum := r.weights.sum
	promise := func(c *candidate) float64 {
		top := 0.0
		for _, mask := range c.lines {
			top = max(top, sum(mask)+0.4*sum(c.inPath&^mask)+0.2*sum(c.all&^mask))
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
	match  terms
	mask   uint32
	// parent is the definition or heading around it, or -1.
	parent int
}

// rank weighs each line of a file with what is around it, and returns the best passages.
func (r *ranker) rank(c *candidate, data []byte) []Passage {
	lines := r.lines(c.path, data)
	if at := r.line(c.path); at > 0 && at <= len(lines) && quotable(lines[at-1].text) && lines[at-1].kind != blank {
		return []Passage{{Path: c.path, Line: at, EndLine: at, Text: string(lines[at-1].text), Score: 1000}}
	}
	type place struct {
		line  int
		score float64
	}
	var places []place
	for i := range lines {
		if lines[i].mask != 0 && quotable(lines[i].text) {
			if score := r.score(lines, i, c); score > 0 {
				places = append(places, place{i, score * c.prior})
			}
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.score, a.score) })
	taken := make([]bool, len(lines))
	var found []Passage
	for _, p := range places {
		if len(found) == mostOfFile || taken[p.line] {
			continue
		}
		first, last := extent(lines, p.line, taken)
		var text [][]byte
		for i := first; i <= last; i++ {
			taken[i] = true
			text = append(text, lines[i].text)
		}
		found = append(found, Passage{c.path, first + 1, last + 1, string(bytes.Join(text, []byte("\n"))), p.score})
	}
	return found
}

// lines takes a file apart.
func (r *ranker) lines(name string, data []byte) []fileLine {
	var lines []fileLine
	var open []int // The definitions around a line.
	for text := range bytes.Lines(data) {
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		l := fileLine{text: text, parent: -1, kind: kindOf(name, bytes.TrimSpace(text)), match: r.match(text)}
		l.indent, l.mask = len(text)-len(bytes.TrimLeft(text, " \t")), l.match.mask()
		isProse := l.kind == prose || l.kind == heading
		for len(open) > 0 && l.kind != blank {
			if l.kind != heading && (isProse || lines[open[len(open)-1]].indent < l.indent) {
				break
			}
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			l.parent = open[len(open)-1]
		}
		if l.kind == definition || l.kind == heading {
			open = append(open, len(lines))
		}
		lines = append(lines, l)
	}
	return lines
}

// score weighs the line at i with what surrounds it, 0 if too little of the question is
// there.
func (r *ranker) score(lines []fileLine, i int, c *candidate) float64 {
	var around terms
	raise := func(line *fileLine, factor float64) {
		for t := range r.terms {
			around[t] = max(around[t], min(line.match[t], 1)*factor)
		}
	}
	for _, step := range [2]int{-1, 1} {
		for distance := 1; distance <= beside; distance++ {
			j := i + step*distance
			if j < 0 || j >= len(lines) || lines[j].kind == blank {
				break
			}
			raise(&lines[j], besideWeight/float64(distance))
		}
	}
	if p := lines[i].parent; p >= 0 {
		raise(&lines[p], enclosingWeight)
	}
	length := float64(len(lines[i].text)) / max(r.meanBytes, 1)
	norm := 1 - lengthPart + lengthPart*min(max(length, 0.7), 4)
	total, covered := 0.0, 0.0
	for t := range r.terms {
		here := lines[i].match[t]
		other := around[t] + pathWeight*float64(c.inPath>>t&1) + fileWeight*float64(c.all>>t&1)
		frequency := here + other
		total += r.weights[t] * frequency * (saturation + 1) / (frequency + saturation*norm)
		if r.required>>t&1 != 0 {
			covered += r.weights[t] * min(1, here+0.8*other)
		}
	}
	if r.wanted > 0 {
		held := (lines[i].mask | around.mask() | c.inPath) & r.required
		few := bits.OnesCount32(held) < min(2, bits.OnesCount32(r.required)) && held&r.identifiers == 0
		if !c.named && (few || r.weights.sum(held) < enough*r.wanted) {
			return 0
		}
		total *= 0.4 + 0.6*math.Sqrt(covered/r.wanted)
	}
	if c.named {
		total *= 1.6
	}
	// The line that defines what the question names comes first, then the comment on it.
	named, bonus := i, 0.4
	for lines[i].kind == comment && named+1 < len(lines) && lines[named].kind == comment {
		named, bonus = named+1, 0.32
	}
	if lines[named].kind == definition && r.wanted > 0 {
		match := r.match(nameIn(lines[named].text))
		total *= 1 + bonus*min(1, r.weights.sum(match.mask())/r.wanted)
	}
	factor := [...]float64{blank: 1, code: 1, definition: 1.1, comment: 1.1, prose: 1.05, heading: 0.9, imports: 0.4}
	return total * factor[lines[i].kind]
}

// extent returns the lines to quote around a line: those near it that hold further terms,
// and the definition below a comment.
func extent(lines []fileLine, i int, taken []bool) (first, last int) {
	first, last = i, i
	fits := func(j int) bool {
		return j >= 0 && j < len(lines) && !taken[j] && lines[j].kind != blank && quotable(lines[j].text)
	}
	for distance := 1; distance <= beside; distance++ {
		for _, to := range [2]int{i - distance, i + distance} {
			more := fits(to) && (lines[to].mask&^lines[i].mask != 0 ||
				to > i && lines[i].kind == comment && lines[to].kind == definition)
			for more && last < to && last-first+1 < maxPassage && fits(last+1) {
				last++
			}
			for more && first > to && last-first+1 < maxPassage && fits(first-1) {
				first--
			}
		}
	}
	return first, last
}

// best returns the highest scores, without repeating a text.
func best(found []Passage, limit int) []Passage {
	slices.SortStableFunc(found, func(a, b Passage) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	var passages []Passage
	for _, p := range found {
		same := func(q Passage) bool { return strings.TrimSpace(q.Text) == strings.TrimSpace(p.Text) }
		if len(passages) < limit && !slices.ContainsFunc(passages, same) {
			passages = append(passages, p)
		}
	}
	return passages
}

var (
	proseFile = regexp.MustCompile(`(?i)\.(?:md|txt|rst|adoc|org|tex)$|(?:^|/)[^./]+$`)
	codeFile  = regexp.MustCompile(`(?i)(?:^|/)(?:makefile|dockerfile)$`)
	hashFile  = regexp.MustCompile(`(?i)\.(?:py|sh|bash|rb|pl|r|tf|ps1|mk|ya?ml|toml|ini|cfg|conf)$|(?:^|/)[^.]+$`)

	headingLine = regexp.MustCompile(`^#{1,4} `)
	// A sentence inside of a block comment has no mark on its line: several lower-case
	// words and no punctuation of code.
	commentLine = regexp.MustCompile(`^(?://|/\*|\* |\*/|<!--|"""|'''|-- )` +
		`|^[^{}\[\]=;<>|&\\"]*(?:\b[a-z]{2,}\b[^{}\[\]=;<>|&\\"]*){5,}$`)
	importLine = regexp.MustCompile(`^(?:import |from |#include|use |using |require\(|package )`)
)

// kindOf judges a line by its look. It errs on exotic code, and only weights depend on it.
func kindOf(name string, bare []byte) kind {
	isProse := proseFile.MatchString(name) && !codeFile.MatchString(name)
	switch {
	case len(bare) == 0:
		return blank
	case isProse && headingLine.Match(bare):
		return heading
	case isProse:
		return prose
	case commentLine.Match(bare) || bare[0] == '#' && hashFile.MatchString(name):
		return comment
	case importLine.Match(bare):
		return imports
	case len(nameIn(bare)) > 0:
		return definition
	}
	return code
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
