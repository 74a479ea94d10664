package audit

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/ledger"
)

// Bounds of a comparison.
const (
	// enough is the share of a block's lines that must stand in a place.
	enough = 0.6
	// minAccusing is how many characters without blanks a quote needs so that another place of it accuses.
	minAccusing = 12
	// gap is how many lines may stand between two lines of a block, and elided how many if the block leaves some out.
	gap, elided = 4, 400
	// commonLine is how often a line may occur so that a search begins at it, and maxStarts bounds the searches.
	commonLine, maxStarts = 30, 400
	// maxBlock is how many lines of a block are compared.
	maxBlock = 200
)

// source is a version of a file.
type source struct {
	// full are the lines with their comments and without white space, bare those without trailing comments, and raw all.
	full, bare, raw []string
	// byBare has the lines, counted from 0, by their text.
	byBare map[string][]int
	// whole are all bare lines in one text, and starts where each begins in it.
	whole  string
	starts []int
}

// squeezer removes white space and trailing comments from lines. Versions of a file share most of theirs.
type squeezer map[string][2]string

func (z squeezer) source(lines []string) *source {
	s := &source{raw: lines, full: make([]string, len(lines)), bare: make([]string, len(lines))}
	for i, line := range lines {
		known, ok := z[line]
		if !ok {
			known = [2]string{squeeze(line), squeeze(withoutComment(line))}
			z[line] = known
		}
		s.full[i], s.bare[i] = known[0], known[1]
	}
	return s
}

// squeeze removes all white space.
func squeeze(line string) string {
	if !strings.ContainsFunc(line, unicode.IsSpace) {
		return line
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, line)
}

// trailing begins a comment behind code.
var trailing = regexp.MustCompile(`[ \t](?://|#|--|/\*|<!--|;;)(?:[ \t!*-].*|)$|[;,{})][ \t]*//.*$`)

// withoutComment removes a comment behind code. A line that is nothing but a comment stays.
func withoutComment(line string) string {
	at := trailing.FindStringIndex(line)
	if at == nil || strings.TrimSpace(line[:at[0]]) == "" {
		return line
	}
	if line[at[0]] != ' ' && line[at[0]] != '\t' {
		return line[:at[0]+1]
	}
	return line[:at[0]]
}

// index prepares a search in all lines.
func (s *source) index() {
	if s.byBare != nil {
		return
	}
	s.byBare = map[string][]int{}
	var whole strings.Builder
	for i, line := range s.bare {
		s.starts = append(s.starts, whole.Len())
		if line != "" {
			s.byBare[line] = append(s.byBare[line], i)
		}
		whole.WriteString(line)
	}
	s.whole = whole.String()
}

// lineAt returns the line, counted from 0, that holds an offset of the whole text.
func (s *source) lineAt(offset int) int {
	at, found := slices.BinarySearch(s.starts, offset)
	if !found {
		return at - 1
	}
	for at+1 < len(s.starts) && s.starts[at+1] == offset {
		at++ // behind empty lines
	}
	return at
}

// quote is a text that a review gives as that of a file.
type quote struct {
	lines []quoted
	// block says that it is a fenced block, and direct that the review says that it is at the place. Else it may be
	// about something else, and accuses nobody.
	block, direct bool
	// sole says that it belongs to one place, and adjacent that the place is directly before it.
	sole, adjacent bool
	from, to       int
	raw            string
}

// quoted is a line of a quote.
type quoted struct {
	full, bare string
	// pieces are its parts between elisions, if it has some.
	pieces []string
	// weight is 0 for a line such as "}", which tells nothing.
	weight int
	// after says that lines are left out before it.
	after bool
	// least is how long a part of a line must be to tell something.
	least int
}

var (
	// elision is a line that stands for others.
	elision = regexp.MustCompile(`^(?://|#|/\*|--|<!--|;)?\s*(?:[\[(<{]\s*)?(?:\.\.\.|…|⋮|\.\.\s)[^\pL\d]*(?:[\pL\d ,_'-]{0,60}(?:\.\.\.|…)?[^\pL\d]*)?$|^\.{3,}$`)
	// numberedLine has the number of the line before it, as in "12: x", "> 12 | x" and "12→x".
	numberedLine = regexp.MustCompile(`^[\s>*]*(\d{1,6})(?:\s*[:|│→]\s?|\t|\s{2,}|\s(?:[-+ ])?\s)(.*)$`)
	// inside is an elision within a line.
	inside = regexp.MustCompile(`\.{3}|…|/\*\s*…?\s*\*/|<snip>`)
)

// redacted replaces a secret; files do not have it.
const redacted = "[REDACTED"

// newQuote prepares the lines of a quote.
func newQuote(text string) *quote {
	q := &quote{raw: text}
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	lines = unnumbered(lines[:min(len(lines), maxBlock)])
	after := false
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		if elision.MatchString(trimmed) || strings.Contains(trimmed, redacted) {
			after = true
			continue
		}
		one := quoted{full: squeeze(line), bare: squeeze(withoutComment(line)), after: after, least: minAccusing}
		if inside.MatchString(trimmed) && !strings.Contains(trimmed, "...)") || strings.Contains(trimmed, "…") || strings.HasSuffix(trimmed, "...") {
			for _, piece := range inside.Split(line, -1) {
				if piece = squeeze(piece); piece != "" {
					one.pieces = append(one.pieces, piece)
				}
			}
		}
		if visible(one.bare) > 2 && strings.ContainsFunc(one.bare, isWordRune) {
			one.weight = 1
		}
		q.lines, after = append(q.lines, one), false
	}
	if q.weight() == 0 {
		for i := range q.lines {
			q.lines[i].weight = 1
		}
	}
	return q
}

// unnumbered removes the numbers before lines if all of them have some, in their order.
func unnumbered(lines []string) []string {
	bare := make([]string, len(lines))
	last, count := 0, 0
	for i, line := range lines {
		m := numberedLine.FindStringSubmatch(line)
		if m == nil {
			trimmed := strings.TrimSpace(line)
			number := strings.Trim(trimmed, "0123456789:|│→>") == "" && trimmed != ""
			if trimmed != "" && !number && !elision.MatchString(trimmed) {
				return lines
			}
			if !number {
				bare[i] = line
			}
			continue
		}
		n := 0
		for _, c := range m[1] {
			n = 10*n + int(c-'0')
		}
		if n <= last {
			return lines
		}
		last, bare[i] = n, m[2]
		count++
	}
	if count == 0 {
		return lines
	}
	return bare
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func visible(text string) int { return utf8.RuneCountInString(text) }

// weight is how many lines of a quote tell something.
func (q *quote) weight() int {
	n := 0
	for i := range q.lines {
		n += q.lines[i].weight
	}
	return n
}

// size is how many characters without blanks a quote has.
func (q *quote) size() int {
	n := 0
	for i := range q.lines {
		n += visible(q.lines[i].bare)
	}
	return n
}

// is reports whether a line of a file is the quoted one.
func (l *quoted) is(full, bare string) bool {
	switch {
	case full == "":
		return false
	case l.full == full || l.bare == bare:
		return true
	case l.pieces != nil:
		rest := full
		for _, piece := range l.pieces {
			at := strings.Index(rest, piece)
			if at < 0 {
				return false
			}
			rest = rest[at+len(piece):]
		}
		return len(l.pieces) > 0
	}
	// A part of a line, which must be long enough to tell something.
	return len(l.bare) >= l.least && strings.Contains(full, l.bare)
}

// span returns lines counted from 1.
func span(first, last int) ledger.Span { return ledger.Span{First: first + 1, Last: last + 1} }

// stands reports whether a version has a quote at some lines: enough of its lines, in their order, and some of them
// within those lines.
func (s *source) stands(q *quote, at ledger.Span) (found ledger.Span, ok bool) {
	around := len(q.lines) + gap
	for i := range q.lines {
		if q.lines[i].after {
			around += elided / 4
		}
	}
	from, to := max(0, at.First-1-around), min(len(s.full), at.Last+around)
	if from >= to {
		return found, false
	}
	for i := range q.lines {
		if q.lines[i].weight == 0 {
			continue
		}
		for n := from; n < to; n++ {
			if !q.lines[i].is(s.full[n], s.bare[n]) {
				continue
			}
			if found, share := s.follow(q, i, n); share >= enough && overlap(found, at) {
				return found, true
			}
		}
	}
	return s.wrapped(q, at)
}

// wrapped finds a quote whose lines are broken elsewhere than those of the version.
func (s *source) wrapped(q *quote, at ledger.Span) (found ledger.Span, ok bool) {
	if len(q.joined()) < minAccusing {
		return found, false
	}
	from, to := max(0, at.First-1-2*len(q.lines)-gap), min(len(s.full), at.Last+2*len(q.lines)+gap)
	if from >= to {
		return found, false
	}
	for _, text := range q.wraps() {
		lines := s.full
		window := strings.Join(lines[from:to], "")
		for start := 0; start < len(window); {
			i := strings.Index(window[start:], text)
			if i < 0 {
				break
			}
			begin, end := start+i, start+i+len(text)
			found, pos := ledger.Span{}, 0
			for n := from; n < to; n++ {
				if next := pos + len(lines[n]); next > begin && pos < end {
					if found.First == 0 {
						found.First = n + 1
					}
					found.Last = n + 1
					pos = next
				} else {
					pos = next
				}
			}
			if overlap(found, at) {
				return found, true
			}
			start += i + 1
		}
	}
	return ledger.Span{}, false
}

// wraps are the spellings of a quote without line ends: as it is, and without the commas that end the last argument of
// a call on several lines. There is none if parts of it are left out.
func (q *quote) wraps() []string {
	text := q.joined()
	if one := strings.NewReplacer(",)", ")", ",}", "}", ",]", "]").Replace(text); one != text {
		return []string{text, one}
	}
	return []string{text}
}

func (q *quote) joined() string {
	var text strings.Builder
	for i := range q.lines {
		if q.lines[i].after && i > 0 || q.lines[i].pieces != nil {
			return ""
		}
		text.WriteString(q.lines[i].full)
	}
	return text.String()
}

func overlap(a, b ledger.Span) bool { return a.First <= b.Last && b.First <= a.Last }

// follow compares the lines of a quote around one that is at a line, and returns the lines that it covers and the
// share of its lines that are there.
func (s *source) follow(q *quote, anchor, at int) (found ledger.Span, share float64) {
	matched, first, last := q.lines[anchor].weight, at, at
	reach := 0
	for i, n := anchor+1, at; i < len(q.lines); i++ {
		reach += gap
		if q.lines[i].after {
			reach = elided
		}
		for next := n + 1; next < len(s.full) && next <= n+reach; next++ {
			if q.lines[i].is(s.full[next], s.bare[next]) {
				n, reach = next, 0
				matched += q.lines[i].weight
				last = n
				break
			}
		}
	}
	reach = 0
	for i, n := anchor-1, at; i >= 0; i-- {
		reach += gap
		if q.lines[i+1].after {
			reach = elided
		}
		for before := n - 1; before >= 0 && before >= n-reach; before-- {
			if q.lines[i].is(s.full[before], s.bare[before]) {
				n, reach = before, 0
				matched += q.lines[i].weight
				first = n
				break
			}
		}
	}
	return span(first, last), float64(matched) / float64(max(1, q.weight()))
}

// places returns where a quote is in a version, each place once. sure is false if there may be more.
func (s *source) places(q *quote) (found []ledger.Span, sure bool) {
	s.index()
	starts, common := 0, 0
	add := func(place ledger.Span) {
		for i := range found {
			if overlap(found[i], place) {
				return
			}
		}
		found = append(found, place)
	}
	if text := q.joined(); len(text) >= minAccusing {
		for from := 0; len(found) < 3; {
			i := strings.Index(s.whole[from:], text)
			if i < 0 {
				break
			}
			add(span(s.lineAt(from+i), s.lineAt(from+i+len(text)-1)))
			from += i + len(text)
		}
	}
	for i := range q.lines {
		if q.lines[i].weight == 0 {
			continue
		}
		at := s.lines(&q.lines[i])
		if len(at) > commonLine {
			common += q.lines[i].weight
			continue
		}
		for _, n := range at {
			if starts++; starts > maxStarts {
				return found, false
			}
			if place, share := s.follow(q, i, n); share >= enough {
				add(place)
			}
		}
	}
	slices.SortFunc(found, func(a, b ledger.Span) int { return a.First - b.First })
	return found, float64(common) < enough*float64(q.weight())
}

// lines returns the lines of a version, counted from 0, that are a quoted one.
func (s *source) lines(l *quoted) []int {
	s.index()
	if at := s.byBare[l.bare]; len(at) > 0 && l.pieces == nil {
		return at
	}
	var at []int
	if l.pieces == nil && (len(l.bare) < l.least || !strings.Contains(s.whole, l.bare)) && !slices.Contains(s.full, l.full) {
		return nil
	}
	for n := range s.full {
		if l.is(s.full[n], s.bare[n]) {
			at = append(at, n)
		}
	}
	return at
}

// has reports whether a version has any line of a quote.
func (s *source) has(q *quote) bool {
	for i := range q.lines {
		if q.lines[i].weight > 0 && len(s.lines(&q.lines[i])) > 0 {
			return true
		}
	}
	// A line that is broken elsewhere, or a part of one that was edited, is a line of the file, too.
	const leastHalf = 8
	for i := range q.lines {
		text := q.lines[i].bare
		half := len(text) / 2
		for half > 0 && !utf8.RuneStart(text[half]) {
			half--
		}
		if half >= leastHalf && (strings.Contains(s.whole, text[:half]) || strings.Contains(s.whole, text[half:])) {
			return true
		}
	}
	return false
}
