package written

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"moot/ledger"
)

// Part is what a passage is.
type Part string

// The parts of a review.
const (
	PartHeading   Part = "heading"
	PartParagraph Part = "paragraph"
	PartItem      Part = "item"
	PartRow       Part = "row"
	PartCode      Part = "code"
)

// Passage is a part of a review with the places that it names. All passages of a review together have all that it says,
// also what is in no finding, such as a summary.
type Passage struct {
	Part Part
	// Level is that of a heading, 7 for a line in bold, or how deep an item is nested.
	Level int
	// Text has as many bytes as the passage in the review, with HTML blanked. Of a review in JSON it is the finding's text.
	Text     string
	Language string
	// Fix says that the code is proposed, and Quoted that it is given as the code of the place, as in a field "snippet".
	Fix, Quoted bool
	// Finding is the index of its finding, or -1.
	Finding int
	// Aligned says that offsets in the text are those in the review behind From.
	Aligned   bool
	Citations []Citation
	// From and To bound it in the text that was read.
	From, To int
}

// ReadPassages reads a review like Read, and everything else that the text says.
func ReadPassages(text string) (Review, []Passage) {
	r := Read(text)
	text = text[:r.read]
	if r.blocks == nil {
		passages := r.dataPassages(text)
		return r, passages
	}
	s := &scopes{text: text}
	proposed := map[int]bool{}
	for i := range r.Findings {
		for _, block := range r.Findings[i].Blocks {
			if block.Fix {
				proposed[block.From] = true
			}
		}
	}
	passages := make([]Passage, 0, len(r.blocks.list))
	next := 0
	for i := range r.blocks.list {
		b := &r.blocks.list[i]
		p := Passage{
			Part: b.kind.part(), Level: b.level, From: b.from, To: b.to, Text: r.blocks.source[b.from:b.to],
			Language: b.language, Fix: proposed[b.from], Finding: -1, Aligned: true,
		}
		for next < len(r.Findings) && r.Findings[next].To <= b.from {
			next++
		}
		if next < len(r.Findings) && r.Findings[next].From <= b.from {
			p.Finding = next
		}
		if s.enter(b); p.Part != PartCode {
			if p.Finding >= 0 {
				s.path = cmp.Or(s.path, r.Findings[p.Finding].Path)
			}
			p.Citations = s.cite(b)
			if p.Part == PartRow && p.Finding >= 0 && r.Findings[p.Finding].Path == "" {
				r.Findings[p.Finding].Path = s.path // the heading above a table with a column of lines
			}
		}
		passages = append(passages, p)
	}
	r.placeFindings(text, passages)
	return r, passages
}

func (k blockKind) part() Part {
	switch k {
	case heading:
		return PartHeading
	case item:
		return PartItem
	case row:
		return PartRow
	case code:
		return PartCode
	case paragraph:
	}
	return PartParagraph
}

// scopes knows which file was named before a place.
type scopes struct {
	text  string
	path  string
	named []scope
}

// paragraphLevel is the level of the file that a paragraph names.
const paragraphLevel = 8

// scope is a file that was named by a heading of a level, by a paragraph, or by an item, whose depth is added.
type scope struct {
	level int
	path  string
}

// enter leaves the scopes that end where a block begins.
func (s *scopes) enter(b *block) {
	level := paragraphLevel + b.level
	switch {
	case b.kind == heading:
		level = b.level
	case b.kind == item:
	case b.own:
		level++ // further paragraphs of an item
	default:
		level = paragraphLevel + 1
	}
	s.named = slices.DeleteFunc(s.named, func(n scope) bool { return n.level >= level })
	s.path = ""
	if n := len(s.named); n > 0 {
		s.path = s.named[n-1].path
	}
}

// name notes the file that a block names.
func (s *scopes) name(b *block, path string) {
	level := paragraphLevel + b.level
	if b.kind == heading {
		level = b.level
	}
	s.path = path
	// Below the heading of a file, a paragraph names another one for itself only.
	if level == paragraphLevel && slices.ContainsFunc(s.named, func(n scope) bool { return n.level < level }) {
		return
	}
	s.named = append(slices.DeleteFunc(s.named, func(n scope) bool { return n.level >= level }), scope{level, path})
}

var (
	// fileName is a name that may be a file, with nothing behind it that makes it a place.
	fileName = regexp.MustCompile(`[\pL\d_@.+~/\\$-]*[\pL\d_-]\.[A-Za-z][A-Za-z0-9]{0,11}\b`)
	// shortLines are lines of the file that was named before: L12, (L12-L18), "Line: 12".
	shortLines = regexp.MustCompile("(?:^|[\\s(*_`\\[,:])(?:L(\\d{1,9})(?:[-–]L?(\\d{1,9}))?|(?i:" + lineWords + ")[*_]*[:：][*_]*[ ]?`?(\\d{1,9})(?:[ ]?[-–][ ]?(\\d{1,9}))?" +
		"|(?i:" + lineWords + ") \\+(\\d{1,9})(?: to \\+(\\d{1,9}))?)\\b|第 ?(\\d{1,9})(?: ?行?(?:[-–至到]| 至 )第? ?(\\d{1,9}))? ?行")
	// linesFirst begins a line below a file: "12: the lock leaks", "**12-18** — …".
	linesFirst = regexp.MustCompile("^[\\s>*_`(\\[-]*(\\d{1,6})(?:[-–](\\d{1,6}))?[`*_)\\]]*(?:[:：]| [–—-]) ")
)

// longLine is how much of a line is read at once, in bytes.
const longLine = 2000

// cite returns the places of a block, line by line.
func (s *scopes) cite(b *block) (found []Citation) {
	at := b.from
	for line := range strings.Lines(s.text[b.from:b.to]) {
		begins := at
		at += len(line)
		// A file may be named before the place in the same line.
		names := fileName.FindAllStringIndex(line, -1)
		mention := func(before int) {
			for len(names) > 0 && names[0][1] <= before {
				name := cleanPath(line[names[0][0]:names[0][1]])
				link := strings.Contains(name, "//") || names[0][0] > 0 && strings.HasSuffix(line[:names[0][0]], ":")
				if !link && (ledger.IsFile(name) || b.kind == heading && strings.Contains(name, "/")) {
					s.name(b, name)
				}
				names = names[1:]
			}
		}
		for _, p := range s.places(b, line) {
			mention(p.From)
			c := Citation{Reference: p.Reference, From: begins + p.From, To: begins + p.To}
			c.Weak = p.Weak
			if c.Path = cleanPath(c.Path); c.Path == "" || strings.ContainsAny(c.Path, `"=;,`) && !ledger.IsFile(c.Path) {
				c.Path, c.Inherited = s.path, true
			}
			if c.Path == "" {
				continue
			}
			if !c.Inherited && !c.Weak {
				s.name(b, c.Path)
			}
			found = append(found, c)
			for len(names) > 0 && names[0][0] < p.To {
				names = names[1:]
			}
		}
		mention(len(line))
	}
	return found
}

// places returns the places in a line, however many, and those that only count below a file.
func (s *scopes) places(b *block, line string) (found []ledger.Place) {
	for from := 0; from < len(line); {
		// A long line is read in pieces, which end between words.
		to := len(line)
		if to-from > longLine {
			to = from + longLine
			if blank := strings.LastIndexByte(line[from:to], ' '); blank > 0 {
				to = from + blank + 1
			}
		}
		part := findPlaces(line[from:to])
		for _, p := range part {
			p.From, p.To = p.From+from, p.To+from
			found = append(found, p)
		}
		if from = to; len(part) == maxCitations {
			from = found[len(found)-1].To
		}
	}
	add := func(from, to int, first, last string) {
		span := ledger.Span{}
		span.First, _ = strconv.Atoi(first)
		span.Last, _ = strconv.Atoi(cmp.Or(last, first))
		at, _ := slices.BinarySearchFunc(found, from, func(p ledger.Place, from int) int { return p.From - from })
		taken := at > 0 && found[at-1].To > from || at < len(found) && found[at].From < to
		if !taken && span.First > 0 && span.Last >= span.First {
			place := ledger.Place{From: from, To: to}
			place.Spans = []ledger.Span{span}
			found = slices.Insert(found, at, place)
		}
	}
	sub := func(m []int, i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return line[m[2*i]:m[2*i+1]]
	}
	for _, m := range shortLines.FindAllStringSubmatchIndex(line, -1) {
		from := m[0] + len(line[m[0]:m[1]]) - len(strings.TrimLeft(line[m[0]:m[1]], " \t\r\n(*_`[,:"))
		add(from, m[1], sub(m, 1)+sub(m, 3)+sub(m, 5)+sub(m, 7), sub(m, 2)+sub(m, 4)+sub(m, 6)+sub(m, 8))
	}
	if m := also.FindStringSubmatchIndex(line); m != nil && s.path != "" && len(found) == 0 {
		for _, n := range numbers.FindAllStringSubmatchIndex(line[m[2]:m[3]], maxCitations) {
			at := line[m[2]:]
			last := ""
			if n[4] >= 0 {
				last = at[n[4]:n[5]]
			}
			add(m[2]+n[0], m[2]+n[1], at[n[2]:n[3]], last)
		}
	}
	if m := linesFirst.FindStringSubmatchIndex(line); m != nil && s.path != "" && (b.kind == item || b.kind == paragraph) &&
		!numbered(s.text, b.from) && strings.ContainsAny(line[:m[2]]+line[m[3]:m[1]], "*`[(") {
		add(m[2], m[1], sub(m, 1), sub(m, 2))
	}
	return found
}

// placeFindings adds the places of findings that are spread over fields: labels, the columns of a table, a file above
// the lines.
func (r *Review) placeFindings(text string, passages []Passage) {
	last := -1
	for i := range passages {
		f := passages[i].Finding
		if f < 0 || f == last {
			continue
		}
		last = f
		finding := &r.Findings[f]
		if finding.Path == "" || finding.Line == 0 {
			continue
		}
		same := func(c Citation) bool { return len(c.Spans) > 0 && c.Spans[0].First == finding.Line }
		at, known := -1, false
		for j := i; j < len(passages) && passages[j].Finding == f; j++ {
			p := &passages[j]
			known = known || slices.ContainsFunc(p.Citations, same)
			if at < 0 && p.Part != PartCode && strings.Contains(p.Text, strconv.Itoa(finding.Line)) {
				at = j
			}
		}
		if known {
			continue
		}
		p := &passages[max(at, i)]
		to := p.From + len(firstLine(text[p.From:p.To]))
		p.Citations = slices.Insert(p.Citations, 0, Citation{
			Reference: finding.reference(), From: p.From, To: to,
			Inherited: !strings.Contains(text[finding.From:finding.To], finding.Path),
		})
	}
}

func (f *Finding) reference() ledger.Reference {
	return ledger.Reference{Path: f.Path, Spans: []ledger.Span{{First: f.Line, Last: max(f.Line, f.End)}}}
}

// dataPassages returns the passages of a review in JSON: the text of each finding, and its code.
func (r *Review) dataPassages(text string) (passages []Passage) {
	for i := range r.Findings {
		f := &r.Findings[i]
		p := Passage{Part: PartParagraph, Text: f.What + "\n\n" + f.Why, Finding: i, From: f.From, To: f.To}
		if f.Path != "" && f.Line > 0 {
			at := max(0, strings.Index(text[f.From:f.To], f.Path))
			p.Citations = append(p.Citations, Citation{Reference: f.reference(), From: f.From + at, To: f.To})
		}
		for _, c := range f.Citations {
			if len(c.Spans) > 0 && (c.Path != f.Path || c.Spans[0].First != f.Line) {
				p.Citations = append(p.Citations, c)
			}
		}
		passages = append(passages, p)
		for _, block := range f.Blocks {
			passages = append(passages, Passage{
				Part: PartCode, Text: block.Text, Language: block.Language, Fix: block.Fix, Quoted: block.Quoted,
				Finding: i, From: block.From, To: block.To,
			})
		}
	}
	return passages
}

// cutText returns how many bytes of a text are read: at most MaxText, of whole characters.
func cutText(text string) int {
	if len(text) <= MaxText {
		return len(text)
	}
	end := MaxText
	for end > MaxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}
