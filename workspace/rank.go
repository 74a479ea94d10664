package workspace

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The weights of terms that are not on the line itself.
const (
	besideWeight    = 0.45 // on the next line; less with distance
	enclosingWeight = 0.35 // in the enclosing definition or heading
	pathWeight      = 0.5  // in the path
	fileWeight      = 0.1  // anywhere in the file

	saturation = 0.9 // BM25's k: how soon repeated terms stop counting
	lengthPart = 0.2 // BM25's b: the penalty for long lines

	// enough is the share of the question's weight that a passage must contain. It must also contain two words or an
	// identifier.
	enough = 0.35
	// mostAsked is that share for a question about opinions.
	mostAsked = 0.6
	// maxPassage is the maximum number of lines in a passage, mostOfFile the maximum number of passages per file, and
	// beside the number of lines around a line that count.
	maxPassage = 6
	mostOfFile = 3
	// literalScore ranks lines with the literal before all others. At most mostLiteral come from one file.
	literalScore = 1000
	mostLiteral  = 10
	beside       = 3
)

// terms counts the terms of a query.
type terms [maxTerms]uint8

// weights holds a number for each term.
type weights [maxTerms]float64

// sum returns the sum of the weights in a set.
func (w *weights) sum(mask uint64) float64 {
	total := 0.0
	for ; mask != 0; mask &= mask - 1 {
		total += w[bits.TrailingZeros64(mask)]
	}
	return total
}

// stats describes how common the terms are in the workspace.
type stats struct {
	lines, bytes int
	counts       [maxTerms]int
	words        words
}

func (s *stats) add(other *stats) {
	s.lines += other.lines
	s.bytes += other.bytes
	for i := range other.counts {
		s.counts[i] += other.counts[i]
	}
}

// scan counts the terms in a file, and reports whether it is worth the second pass.
func (s *stats) scan(q *query, c *candidate, data []byte) bool {
	s.bytes += len(data)
	s.lines += bytes.Count(data, []byte("\n"))
	_, c.inPath = q.match([]byte(c.path), &s.words)
	last := uint64(0)
	for line := range bytes.Lines(data) {
		if !q.mayMatch(line) {
			continue
		}
		_, mask := q.match(line, &s.words)
		if mask == 0 {
			continue
		}
		if mask != last && !slices.Contains(c.lines, mask) {
			c.lines = append(c.lines, mask)
		}
		last = mask
		c.all |= mask
		for ; mask != 0; mask &= mask - 1 {
			s.counts[bits.TrailingZeros64(mask)]++
		}
	}
	return c.named || c.all != 0
}

// mayMatch reports whether a word on a line starts like a term. Most lines have no such word.
func (q *query) mayMatch(line []byte) bool {
	before, first := byte(0), byte(0)
	for _, c := range line {
		if q.starts[first|0x20]>>(c&31)&1 != 0 && !(isLower(first) && isLetter(before)) || c >= 0x80 {
			return true
		}
		before, first = first, c
	}
	return false
}

// match counts the terms on a line, and returns their set.
func (q *query) match(line []byte, words *words) (found terms, mask uint64) {
	add := func(t int) {
		found[t] += min(1, math.MaxUint8-found[t])
		mask |= 1 << t
	}
	for words.rest = line[:min(len(line), 1000)]; words.next(); {
		if words.run != nil {
			if len(q.pairs) > 0 {
				q.matchRun(words.run, add)
			}
			continue
		}
		for _, part := range words.parts {
			// A stem is a prefix of its word.
			if len(part) < 2 || part[0] < 0x80 && part[1] < 0x80 && q.starts[part[0]|0x20]>>(part[1]&31)&1 == 0 {
				continue
			}
			for terms := words.terms(q, part); terms != 0; terms &= terms - 1 {
				add(bits.TrailingZeros64(terms))
			}
		}
		for _, t := range q.identifiers {
			if words.spell(q.terms[t].joined) {
				add(t)
			}
		}
	}
	return found, mask
}

// matchRun adds the pairs of characters in a run.
func (q *query) matchRun(run []byte, add func(t int)) {
	if !norm.NFKC.IsNormal(run) {
		run = norm.NFKC.Bytes(run)
	}
	pairsOf(run, func(pair []byte, _ bool) {
		if t, asked := q.pairs[string(pair)]; asked {
			add(t)
		}
		// A question may have a single character.
		if _, n := utf8.DecodeRune(pair); n < len(pair) {
			if t, asked := q.pairs[string(pair[n:])]; asked {
				add(t)
			}
		}
	})
	if _, n := utf8.DecodeRune(run); n < len(run) {
		if t, asked := q.pairs[string(run[:n])]; asked {
			add(t)
		}
	}
}

// ranker ranks lines by the weights of the terms in this workspace.
type ranker struct {
	*query
	weights weights
	// required are the terms that must match, with the weight wanted.
	required, paired, absent uint64
	wanted                   float64
	// whole are the terms that are enough alone, such as an identifier.
	whole     uint64
	meanBytes float64
}

func newRanker(q *query, s *stats) *ranker {
	r := &ranker{query: q, meanBytes: float64(s.bytes) / float64(max(s.lines, 1))}
	for i := range q.terms {
		n, lines := float64(s.counts[i]), float64(s.lines)
		r.weights[i] = q.terms[i].weight * math.Log(1+(lines-min(n, lines)+0.5)/(n+0.5))
		if q.terms[i].pair != "" && n == 0 {
			// A pair that never occurs is the end of a word and the start of the next.
			r.weights[i] /= 2
			r.absent |= 1 << i
		}
		if q.terms[i].alone {
			r.whole |= 1 << i
		}
		if !q.terms[i].optional {
			r.required |= 1 << i
			r.wanted += r.weights[i]
		}
		if q.terms[i].pair != "" {
			r.paired |= 1 << i
		}
	}
	return r
}

// promising returns the files for the second pass: those whose best line, path and content match most.
func (r *ranker) promising(files []candidate) []candidate {
	sum := r.weights.sum
	for i := range files {
		c := &files[i]
		for _, mask := range c.lines {
			c.promise = max(c.promise, sum(mask)+0.4*sum(c.inPath&^mask)+0.2*sum(c.all&^mask))
		}
		if c.named {
			c.promise = 2*c.promise + r.wanted + 1
		}
		if c.literal {
			c.promise += literalScore
		}
		c.promise *= c.prior
	}
	slices.SortFunc(files, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.promise, a.promise), cmp.Compare(a.path, b.path))
	})
	return files[:min(len(files), mostRanked)]
}

// kind is the kind of a line.
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

// fileLine is a line in the second pass.
type fileLine struct {
	text   []byte
	kind   kind
	indent int
	match  terms
	mask   uint64
	// literal says that the shown line contains the literal; redacted secrets do not count.
	literal bool
	// parent is the enclosing definition or heading, or -1.
	parent int
}

// rank scores each line of a file and its context, and returns the best passages. shown has the redacted lines of a
// file that may contain the literal.
func (r *ranker) rank(c *candidate, data []byte, shown []string) []Passage {
	lines, most := r.lines(c.path, data), mostOfFile
	for i := range min(len(lines), len(shown)) {
		if lines[i].literal = r.literally([]byte(shown[i])); lines[i].literal {
			most = mostLiteral
		}
	}
	if at := r.line(c.path); at > 0 && at <= len(lines) && quotable(lines[at-1].text) && lines[at-1].kind != blank {
		text := string(lines[at-1].text)
		return []Passage{{Path: c.path, Line: at, EndLine: at, Text: text, Score: 1000}}
	}
	type place struct {
		line  int
		score float64
	}
	var places []place
	for i := range lines {
		if score := 0.0; lines[i].literal || lines[i].mask != 0 && quotable(lines[i].text) {
			if lines[i].mask != 0 {
				score = r.score(lines, i, c)
			}
			if lines[i].literal {
				score += literalScore
			}
			if score > 0 {
				places = append(places, place{i, score * c.prior})
			}
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.score, a.score) })
	taken := make([]bool, len(lines))
	var found []Passage
	for _, p := range places {
		near := func(q Passage) bool { return max(p.line+1-q.Line, q.Line-p.line-1) <= r.apart }
		if len(found) == most || taken[p.line] || r.apart > 0 && slices.ContainsFunc(found, near) {
			continue
		}
		last := extent(lines, p.line, taken)
		var text [][]byte
		for i := p.line; i <= last; i++ {
			taken[i] = true
			text = append(text, lines[i].text)
		}
		found = append(found, Passage{
			Path: c.path, Line: p.line + 1, EndLine: last + 1, Text: string(bytes.Join(text, []byte("\n"))),
			Score:   p.score,
			literal: lines[p.line].literal,
		})
	}
	return found
}

// lines splits a file into lines.
func (r *ranker) lines(name string, data []byte) []fileLine {
	var lines []fileLine
	var open []int // enclosing definitions
	var words words
	file := fileKindOf(name)
	for text := range bytes.Lines(data) {
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		l := fileLine{text: text, parent: -1, kind: file.kindOf(bytes.TrimSpace(text))}
		l.match, l.mask = r.match(text, &words)
		l.indent = len(text) - len(bytes.TrimLeft(text, " \t"))
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

// score scores the line at i and its context. It returns 0 if too little of the question matches.
func (r *ranker) score(lines []fileLine, i int, c *candidate) float64 {
	var around weights
	near := uint64(0)
	raise := func(line *fileLine, factor float64) {
		near |= line.mask
		for mask := line.mask; mask != 0; mask &= mask - 1 {
			t := bits.TrailingZeros64(mask)
			around[t] = max(around[t], factor)
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
		here := float64(lines[i].match[t])
		other := around[t] + pathWeight*float64(c.inPath>>t&1) + fileWeight*float64(c.all>>t&1)
		frequency := here + other
		total += r.weights[t] * frequency * (saturation + 1) / (frequency + saturation*norm)
		if r.required>>t&1 != 0 {
			covered += r.weights[t] * min(1, here+0.8*other)
		}
	}
	if r.wanted > 0 {
		held := (lines[i].mask | near | c.inPath) & r.required
		all := r.count(r.required)
		few := r.count(held) < min(3, all-all/3) && held&r.whole == 0
		share := r.weights.sum(held) / r.wanted
		if !c.named && (few || share < enough) {
			return 0
		}
		if r.judges != nil && !r.judged(lines, i, share, r.count(held)) {
			return 0
		}
		total *= 0.4 + 0.6*math.Sqrt(covered/r.wanted)
	}
	if c.named {
		total *= 1.6
	}
	// The definition of what the question names comes first, then its comment.
	named, bonus := i, 0.4
	for lines[i].kind == comment && named+1 < len(lines) && lines[named].kind == comment {
		named, bonus = named+1, 0.32
	}
	if lines[named].kind == definition && r.wanted > 0 {
		_, match := r.match(nameIn(lines[named].text), &words{})
		total *= 1 + bonus*min(1, r.weights.sum(match)/r.wanted)
	}
	factor := [...]float64{blank: 1, code: 1, definition: 1.1, comment: 1.1, prose: 1.05, heading: 0.9, imports: 0.4}
	return total * factor[lines[i].kind]
}

// count returns twice the number of terms in a set. A pair of characters counts as half a word, and an absent one as
// less.
func (r *ranker) count(set uint64) int {
	return 2*bits.OnesCount64(set&^r.paired) + bits.OnesCount64(set&r.paired) - bits.OnesCount64(set&r.absent)/2
}

// judged reports whether a line answers a question for an opinion, given its share of the weight and its number of
// terms. It must have most of the question and a judging word near it, or all of a longer question. Sharing a word is
// not enough.
func (r *ranker) judged(lines []fileLine, i int, share float64, terms int) bool {
	if share > 0.99 && terms >= 6 {
		return true
	}
	if share < mostAsked {
		return false
	}
	first, last := i, i
	for first > max(0, i-beside) && lines[first-1].kind != blank {
		first--
	}
	for last < min(len(lines)-1, i+beside) && lines[last+1].kind != blank {
		last++
	}
	var near []string
	for _, line := range lines[first : last+1] {
		near = append(near, string(line.text))
	}
	return says(strings.Join(near, " "), r.judges)
}

// extent returns the last line of the passage that starts at line i. It includes nearby lines with more terms, and
// the definition below a comment.
func extent(lines []fileLine, i int, taken []bool) (last int) {
	last = i
	fits := func(j int) bool {
		return j < len(lines) && !taken[j] && lines[j].kind != blank && quotable(lines[j].text)
	}
	for to := i + 1; to <= i+beside && fits(to); to++ {
		if lines[to].mask&^lines[i].mask != 0 || lines[i].kind == comment && lines[to].kind == definition {
			for last < to && last-i+1 < maxPassage && fits(last+1) {
				last++
			}
		}
	}
	return last
}

// best returns the passages with the highest scores. It drops repeated texts, also inside longer ones, unless they
// contain the literal.
func best(found []Passage, limit int) []Passage {
	slices.SortStableFunc(found, func(a, b Passage) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	var passages []Passage
	var texts []string
	const short = 40 // a few words may also occur in another sentence
	for _, p := range found {
		text := " " + strings.Join(strings.Fields(p.Text), " ") + " "
		same := func(other string) bool {
			return text == other || min(len(text), len(other)) > short &&
				(strings.Contains(other, text) || strings.Contains(text, other))
		}
		if len(passages) < limit && (p.literal || !slices.ContainsFunc(texts, same)) {
			passages, texts = append(passages, p), append(texts, text)
		}
	}
	return passages
}

var (
	proseFile = regexp.MustCompile(`(?i)\.(?:md|txt|rst|adoc|org|tex)$|(?:^|/)[^./]+$`)
	codeFile  = regexp.MustCompile(`(?i)(?:^|/)(?:makefile|dockerfile)$`)
	hashFile  = regexp.MustCompile(`(?i)\.(?:py|sh|bash|rb|pl|r|tf|ps1|mk|ya?ml|toml|ini|cfg|conf)$|(?:^|/)[^.]+$`)
)

// fileKind says how to classify the lines of a file: as prose, and with "#" for comments.
type fileKind struct{ prose, hash bool }

func fileKindOf(name string) fileKind {
	return fileKind{proseFile.MatchString(name) && !codeFile.MatchString(name), hashFile.MatchString(name)}
}

// hasPrefix reports whether a text starts with one of the prefixes, which are separated by "|".
func hasPrefix(text []byte, prefixes string) bool {
	for prefix := range strings.SplitSeq(prefixes, "|") {
		if len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix {
			return true
		}
	}
	return false
}

// kindOf classifies a line by its form. It may be wrong for unusual code, but only weights depend on it.
func (f fileKind) kindOf(bare []byte) kind {
	switch {
	case len(bare) == 0:
		return blank
	case f.prose && hasPrefix(bare, "# |## |### |#### "):
		return heading
	case f.prose:
		return prose
	case hasPrefix(bare, `//|/*|* |*/|<!--|"""|'''|-- `) || bare[0] == '#' && f.hash || isSentence(bare):
		return comment
	case hasPrefix(bare, "import |from |#include|use |using |require(|package "):
		return imports
	case len(nameIn(bare)) > 0:
		return definition
	}
	return code
}

// isSentence reports whether a line looks like text in a block comment: five lower-case words and no punctuation of
// code.
func isSentence(bare []byte) bool {
	if bytes.ContainsAny(bare, "{}[]=;<>|&\\\"") {
		return false
	}
	count := 0
	for word := range bytes.FieldsSeq(bare) {
		letters := 0
		for letters < len(word) && isLower(word[letters]) {
			letters++
		}
		if letters > 1 {
			count++
		}
	}
	return count >= 5
}

const (
	modifiers = `export|default|pub|public|private|protected|internal|static|abstract|async|final|readonly|` +
		`unsafe|extern|inline|override|create|unique|if|not|exists|or|replace|declare`
	definers = `func|fn|def|class|type|struct|interface|enum|trait|impl|const|var|let|function|module|namespace|` +
		`table|index|view|trigger|procedure|define|message|service|rpc|record|macro|union|typedef|val|fun|object`
)

var defining = regexp.MustCompile(`(?i)^(?:(?:` + modifiers + `)(?:\([a-z]+\))?\s+)*#?(?:` + definers + `)\s+` +
	`(?:\([^)]*\)\s*|if\s+not\s+exists\s+)?([\pL_]\w*)`)

// nameIn returns the name that a line of code defines, or nil: the one after "func", "class" and the like, or before
// ":" or "=".
func nameIn(text []byte) []byte {
	bare := bytes.TrimSpace(text)
	bare = bare[:min(len(bare), 200)]
	other := func(c rune) bool { return !unicode.IsLetter(c) }
	word, _, _ := strings.Cut(string(bytes.TrimPrefix(bare, []byte("#"))), " ")
	if cut := strings.IndexFunc(word, other); cut >= 0 {
		word = word[:cut]
	}
	starts := "|" + modifiers + "|" + definers + "|"
	if word != "" && strings.Contains(starts, "|"+strings.ToLower(word)+"|") {
		if found := defining.FindSubmatch(bare); found != nil {
			return found[1]
		}
	}
	name := bytes.TrimPrefix(bare, []byte(`"`))
	n := 0
	for n < len(name) && (isLetter(name[n]) || name[n] == '_' || n > 0 && (isDigit(name[n]) || name[n] == '-')) {
		n++
	}
	after := bytes.TrimLeft(bytes.TrimPrefix(name[n:], []byte(`"`)), " \t")
	if n > 0 && (hasPrefix(after, ":") || hasPrefix(after, "=") && !hasPrefix(after, "==")) {
		return name[:n]
	}
	return nil
}
