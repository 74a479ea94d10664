package research

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
)

// Bounds of quotes and excerpts, in bytes and characters.
const (
	// MaxQuote is how long a quote may be, in bytes. A longer one is no
	// quotation of what matters, and would make the nearest passage dear to find.
	MaxQuote = 16 << 10
	// MaxExcerpt bounds what a finding carries of the source, in bytes.
	MaxExcerpt = 4 << 10
	// MaxRest bounds what an excerpt holds of the quoted lines besides the quote, in bytes.
	MaxRest = 200
	// MinQuote is how many non-blank characters a quote needs to be searched
	// for; with fewer it must be the whole of the cited lines' text.
	MinQuote = 3
	// MaxShown is how many lines a citation without a quote shows.
	MaxShown = 12
)

// markEvery is the distance, in lines, between two remembered offsets: sparse
// enough that a file of 16 million empty lines costs one megabyte, close
// enough that a line is found at once.
const markEvery = 256

// text is the content of a file, raw and normalized.
type text struct {
	// file are the bytes of the file, raw the same as UTF-8.
	file, raw []byte
	// plain is a newline, then every line without its trailing blanks and with
	// "\n" as its end, whatever its end was. The newline in front lets a quote
	// that begins with a line end match at the first line.
	plain []byte
	// lines is their number; a last line need not have an end.
	lines int
	marks []mark
	// redactor is nil to keep secrets in excerpts. The name of the file says how its secrets are written.
	redactor *redact.Redactor
	name     string
	// official says that the user marked the file as an official document.
	official bool
}

// mark is where line 1, 1+markEvery, … begins.
type mark struct{ raw, plain int }

// newText splits bytes into lines and normalises them: line ends (CRLF, CR, LF)
// and trailing blanks (space, tab), nothing else, so that two spellings of one
// character stay different.
func newText(file []byte) *text {
	raw := decodeText(file)
	t := &text{file: file, raw: raw, plain: make([]byte, 1, len(raw)+2)}
	t.plain[0] = '\n'
	for start := 0; start < len(raw); t.lines++ {
		if t.lines%markEvery == 0 {
			t.marks = append(t.marks, mark{raw: start, plain: len(t.plain)})
		}
		end, next := lineEnd(raw, start)
		t.plain = append(t.plain, bytes.TrimRight(raw[start:end], " \t")...)
		t.plain = append(t.plain, '\n')
		start = next
	}
	return t
}

// decodeText turns UTF-16 with a byte order mark into UTF-8, and bytes that are not UTF-8 into the characters that they
// are in Latin-1, as Windows extends it.
func decodeText(file []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(file, []byte("\xfe\xff")):
		order = binary.BigEndian
	case utf8.Valid(file):
		return file
	}
	out := make([]byte, 0, len(file)+len(file)/8)
	if order != nil {
		units := make([]uint16, 0, len(file)/2)
		for rest := file[2:]; len(rest) > 1; rest = rest[2:] {
			units = append(units, order.Uint16(rest))
		}
		for _, c := range utf16.Decode(units) {
			out = utf8.AppendRune(out, c)
		}
		return out
	}
	for rest := file; len(rest) > 0; {
		c, size := utf8.DecodeRune(rest)
		if c == utf8.RuneError && size == 1 {
			c = charmap.Windows1252.DecodeByte(rest[0])
		}
		out, rest = utf8.AppendRune(out, c), rest[size:]
	}
	return out
}

// lineEnd returns where the line that begins at from ends, and where the next one begins. Lines end in LF, CRLF or CR.
func lineEnd(raw []byte, from int) (end, next int) {
	i := bytes.IndexAny(raw[from:], "\r\n")
	if i < 0 {
		return len(raw), len(raw)
	}
	end, next = from+i, from+i+1
	if raw[end] == '\r' && next < len(raw) && raw[next] == '\n' {
		next++
	}
	return end, next
}

// Lines returns the lines of a file as a check reads them: decoded, without their ends and trailing blanks.
func Lines(file []byte) []string { return newText(file).all() }

func (t *text) all() []string {
	if t.lines == 0 {
		return nil
	}
	return strings.Split(string(t.plain[1:len(t.plain)-1]), "\n")
}

// plainStart returns the offset in plain of a line, 1 ≤ line ≤ lines+1.
func (t *text) plainStart(line int) int {
	if line > t.lines {
		return len(t.plain)
	}
	at := t.marks[(line-1)/markEvery].plain
	for range (line - 1) % markEvery {
		at += bytes.IndexByte(t.plain[at:], '\n') + 1
	}
	return at
}

// rawBounds returns the offsets in raw of a line without its end, 1 ≤ line ≤ lines.
func (t *text) rawBounds(line int) (start, end int) {
	start = t.marks[(line-1)/markEvery].raw
	for range (line - 1) % markEvery {
		_, start = lineEnd(t.raw, start)
	}
	end, _ = lineEnd(t.raw, start)
	return start, end
}

// lineAt returns the line that holds an offset of plain, at least 1.
func (t *text) lineAt(offset int) int {
	i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].plain > offset }) - 1
	if i < 0 {
		return 1
	}
	return i*markEvery + 1 + bytes.Count(t.plain[t.marks[i].plain:offset], []byte{'\n'})
}

// window returns the part of plain that holds some lines, with the newline
// before them and the one that ends them, and its offset.
func (t *text) window(span ledger.Span) (part []byte, offset int) {
	offset = t.plainStart(span.First) - 1
	return t.plain[offset:t.plainStart(span.Last+1)], offset
}

// check compares a quote with the cited lines, and looks for it elsewhere if it is not there; without a quote it
// shows the lines. It fills in the finding, or returns the reason to refuse it.
func (t *text) check(ctx context.Context, cited ledger.Reference, quote string, finding *ledger.Finding) string {
	wanted := cited.Spans
	spans, outside, note := t.within(wanted)
	if cited.Spans = spans; note != "" {
		finding.Reference = cited.String()
	}
	if strings.TrimSpace(quote) == "" {
		if outside != "" {
			return outside
		}
		refused := t.show(cited, finding)
		finding.Reason += note
		return refused
	}
	quoted, refused := newQuotation(quote)
	if refused != "" {
		return refused
	}
	readings := t.readings(quoted)
	for _, q := range readings {
		// Each span is a stretch of text: a quote never matches across a gap of a list.
		for _, span := range cited.Spans {
			part, offset := t.window(span)
			if i := bytes.Index(part, q.needle); i >= 0 {
				t.verify(finding, t.match(q, offset+i))
				finding.Reason += q.note + note
				return ""
			}
		}
	}
	if quoted.short {
		return cmp.Or(outside, fmt.Sprintf("the quote is too short to tell one place from another: with fewer than %d "+
			"visible characters it must be the whole cited line", MinQuote))
	}
	near := cited.Spans
	if len(near) == 0 {
		near = []ledger.Span{{First: max(t.lines, 1), Last: max(t.lines, 1)}}
	}
	for _, q := range readings {
		if found, ok := t.closest(q, near); ok {
			return t.move(finding, found, q, cited.Path, wanted, outside, note)
		}
	}
	return t.absent(ctx, quoted, cited, near[0], outside, finding)
}

// within returns the part of cited lines that exists: a range that ends behind the end of the text is cut to it, and
// the note says so. Outside says why lines do not exist, or is "".
func (t *text) within(wanted []ledger.Span) (spans []ledger.Span, outside, note string) {
	spans = slices.DeleteFunc(slices.Clone(wanted), func(s ledger.Span) bool { return s.First > t.lines })
	switch n, size := len(spans), plain.Counted(t.lines, "line"); {
	case t.lines == 0:
		outside = "the file is empty"
	case n == 0 && len(wanted) > 0:
		outside = fmt.Sprintf("line %d does not exist: the file has %s", wanted[len(wanted)-1].Last, size)
	case n > 0 && wanted[len(wanted)-1].Last > t.lines:
		spans[n-1].Last = min(spans[n-1].Last, t.lines)
		note = "; cut to the end of the file, which has " + size
	}
	return spans, outside, note
}

// move fills in a finding whose quote is at other lines than the wanted ones, or refuses a quote that is at several
// places if no line was cited.
func (t *text) move(
	finding *ledger.Finding, found passage, q *quotation, path string, wanted []ledger.Span, outside, note string,
) string {
	reason := fmt.Sprintf("found at other lines: %s → %s", ledger.Spans(wanted), found.lines)
	if len(wanted) == 0 {
		if first, _ := t.closest(q, []ledger.Span{{First: 1, Last: 1}}); first.start != found.start {
			return fmt.Sprintf("the reference names no line, and the quote is at %s and at %s: cite one",
				first.lines, found.lines)
		}
		reason = "no line was cited; found at " + found.lines.String()
	} else if outside != "" {
		reason += " (" + outside + ")"
	}
	t.verify(finding, found)
	finding.Moved, finding.Confidence = true, ledger.ConfidenceMoved
	finding.Reason = reason + q.note + note
	finding.Reference = ledger.Reference{Path: path, Spans: []ledger.Span{found.lines}}.String()
	return ""
}

// absent returns the reason to refuse a quote that the text does not contain, and adds the nearest passage to the
// finding.
func (t *text) absent(
	ctx context.Context, quoted *quotation, cited ledger.Reference, near ledger.Span, outside string,
	finding *ledger.Finding,
) string {
	reason := "the file does not contain the quote or anything like it"
	if best, alike, err := t.nearest(ctx, quoted, near); err != nil {
		return ended(err)
	} else if alike {
		finding.Nearest, finding.Similarity = t.excerpt(best), best.similarity
		finding.NearestReference = ledger.Reference{Path: cited.Path, Spans: []ledger.Span{best.lines}}.String()
		reason = fmt.Sprintf("the file does not contain the quote; the nearest passage, at %s, is %d %% similar",
			finding.NearestReference, int(100*best.similarity))
	}
	joined := []byte{'\n'}
	for _, span := range cited.Spans {
		part, _ := t.window(span)
		joined = append(joined, part[1:]...)
	}
	switch {
	case outside != "":
		return outside + ", and " + reason
	case len(cited.Spans) > 1 && bytes.Contains(joined, quoted.needle):
		return "the quote joins lines that stand apart: quote each place by itself"
	}
	return reason
}

// show fills in a finding with the cited lines, for the seats to judge.
func (t *text) show(cited ledger.Reference, finding *ledger.Finding) string {
	var shown []string
	left := MaxShown
	for i, span := range cited.Spans {
		if left == 0 {
			cited.Spans = cited.Spans[:i]
			break
		}
		span.Last = min(span.Last, span.First+left-1)
		left -= span.Last - span.First + 1
		shown = append(shown, t.excerpt(passage{lines: span}))
		cited.Spans[i] = span
	}
	text := strings.Join(shown, "\n")
	if strings.TrimSpace(text) == "" {
		return "the cited lines are empty"
	}
	t.verify(finding, passage{lines: cited.Spans[0]})
	finding.Shown, finding.Excerpt, finding.Reference = true, text, cited.String()
	finding.Reason = "no quote; these are the lines"
	return ""
}

// verify fills in a finding whose quote is at the cited lines.
func (t *text) verify(finding *ledger.Finding, found passage) {
	finding.Verified, finding.Reason, finding.Excerpt = true, "verbatim at the cited lines", t.excerpt(found)
	ledger.PlaceKind().Stamp(finding)
	if t.official {
		finding.SourceKind, finding.Confidence = ledger.OfficialSource, ledger.ConfidenceOfficial
		finding.Reason += " of an official document"
	}
}

// quotation is a quote, normalised like a text, as it is searched for.
type quotation struct {
	// needle must occur in text.plain, byte by byte. So a part of one line matches; of several lines, the inner ones
	// match whole, the first as the end of a line, the last as the beginning of one.
	needle []byte
	// lead and tail are 1 where the needle begins or ends with a line end that
	// bounds the passage and is not part of it.
	lead, tail int
	// short says that the quote has fewer than MinQuote non-blank characters.
	// The needle then has both line ends, so that only whole lines match.
	short bool
	// block says that the quote is whole lines with their ends, as from a block of code.
	block bool
	// note says how the needle differs from the quote, or is "".
	note string
}

// readings returns a quotation, and a block also as its lines stand in the text with another indentation, the same for
// all: prose often moves a block of code to the left.
func (t *text) readings(q *quotation) []*quotation {
	const most = 5
	readings := []*quotation{q}
	lines := bytes.Split(bytes.Trim(q.needle, "\n"), []byte{'\n'})
	if len(lines) < 2 || !q.block {
		return readings
	}
	common := lines[0][:len(lines[0])-len(bytes.TrimLeft(lines[0], " \t"))]
	for _, line := range lines {
		for len(line) > 0 && !bytes.HasPrefix(line, common) {
			common = common[:len(common)-1]
		}
	}
	first, seen := bytes.TrimPrefix(lines[0], common), map[string]bool{string(common): true}
	for at := 0; len(readings) < most; {
		i := bytes.Index(t.plain[at:], append(bytes.Clone(first), '\n'))
		if i < 0 {
			break
		}
		start := bytes.LastIndexByte(t.plain[:at+i], '\n') + 1
		indent := t.plain[start : at+i]
		at += i + 1
		if seen[string(indent)] || len(bytes.TrimLeft(indent, " \t")) > 0 {
			continue
		}
		seen[string(indent)] = true
		moved := make([][]byte, len(lines))
		for n, line := range lines {
			if moved[n] = line; len(line) > 0 {
				moved[n] = append(bytes.Clone(indent), bytes.TrimPrefix(line, common)...)
			}
		}
		readings = append(readings, &quotation{
			needle: bytes.Join(moved, []byte{'\n'}), note: ", with another indentation",
		})
	}
	return readings
}

// newQuotation normalises a quote, or refuses one that is empty or too long.
func newQuotation(quote string) (*quotation, string) {
	if len(quote) > MaxQuote {
		return nil, "the quote is over 16 KiB: quote only the lines that matter"
	}
	plain := newText([]byte(quote)).plain
	visible := countVisible(plain)
	if visible == 0 {
		return nil, "no quote to compare: cite the text of the lines"
	}
	q := &quotation{needle: plain[1:], short: visible < MinQuote}
	last := quote[len(quote)-1]
	if q.short {
		q.needle = plain
	} else if q.block = last == '\n'; !q.block && last != '\r' {
		q.needle = q.needle[:len(q.needle)-1]
	}
	if q.needle[0] == '\n' {
		q.lead = 1
	}
	if q.needle[len(q.needle)-1] == '\n' {
		q.tail = 1
	}
	return q, ""
}

// countVisible counts the characters that a reader sees: neither blanks nor
// controls nor marks without a width. A byte that is not UTF-8 counts.
func countVisible(b []byte) int {
	n := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) {
			n++
		}
		b = b[size:]
	}
	return n
}

// passage is a place in a text: offsets in plain, and the lines they lie in.
type passage struct {
	start, end int
	lines      ledger.Span
	// similarity is how much it is like a quote, 0 to 1, if it is the nearest passage: one minus the edit distance in
	// characters between both, normalised, divided by the quote's length in characters.
	similarity float64
}

// passageAt makes a passage of offsets in plain; start < end.
func (t *text) passageAt(start, end int) passage {
	return passage{start: start, end: end, lines: ledger.Span{First: t.lineAt(start), Last: t.lineAt(end - 1)}}
}

// closest looks for a quotation anywhere and returns the occurrence whose
// lines are closest to the cited ones; of two as close, the earlier.
func (t *text) closest(q *quotation, spans []ledger.Span) (passage, bool) {
	best, bestGap := passage{}, -1
	consider := func(i int, span ledger.Span) {
		found := t.match(q, i)
		gap := max(0, found.lines.First-span.Last, span.First-found.lines.Last)
		if bestGap < 0 || gap < bestGap || gap == bestGap && found.start < best.start {
			best, bestGap = found, gap
		}
	}
	for _, span := range spans {
		// The first occurrence from the cited line on, and the last before it:
		// no other is closer, and the file is read once.
		cited := t.plainStart(min(span.First, t.lines+1)) - 1
		if i := bytes.Index(t.plain[cited:], q.needle); i >= 0 {
			consider(cited+i, span)
		}
		before := min(len(t.plain), cited+len(q.needle)-1)
		if i := bytes.LastIndex(t.plain[:before], q.needle); i >= 0 {
			consider(i, span)
		}
	}
	return best, bestGap >= 0
}

// match is the passage of a needle that was found at an offset of plain.
func (t *text) match(q *quotation, at int) passage {
	return t.passageAt(at+q.lead, at+len(q.needle)-q.tail)
}

// excerpt returns the whole lines of the source that hold a passage, without the last line end. Over MaxExcerpt bytes
// it is the passage alone, and over that its beginning.
func (t *text) excerpt(p passage) string {
	start, firstEnd := t.rawBounds(p.lines.First)
	lastStart, end := start, firstEnd
	if p.lines.Last != p.lines.First {
		lastStart, end = t.rawBounds(p.lines.Last)
	}
	if p.end > 0 {
		// Normalising only takes bytes off the end of a line: columns are the same.
		from := min(start+p.start-t.plainStart(p.lines.First), firstEnd)
		to := min(lastStart+p.end-t.plainStart(p.lines.Last), end)
		if end-start > MaxExcerpt {
			start, end = from, to
		}
		// Half of MaxRest may stand before the quote, and half behind it.
		start, end = max(start, from-MaxRest/2), min(end, to+MaxRest/2)
		for start < from && !utf8.RuneStart(t.raw[start]) {
			start++
		}
		for end > to && end < len(t.raw) && !utf8.RuneStart(t.raw[end]) {
			end--
		}
	}
	if t.redactor != nil {
		return cut(t.redactor.Part(t.name, string(t.raw), start, end), MaxExcerpt)
	}
	return cut(string(t.raw[start:min(end, start+MaxExcerpt+utf8.UTFMax)]), MaxExcerpt)
}

// cut returns at most limit bytes of a text, whole characters.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return text[:whole(text, limit)]
}

// whole moves an offset to the beginning of a character.
func whole(text string, at int) int {
	for at < len(text) && at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// ended is the refusal of a check that was not let finish.
func ended(err error) string { return fmt.Sprintf("the check did not finish: %v", err) }

// Bounds of the search for the nearest passage.
const (
	// candidates is how many places are compared exactly. For long quotes, where that takes time, there are fewer:
	// some comparedBytes in all, and at least one.
	candidates    = 12
	comparedBytes = 16 << 10
	// shortNeedle is the length, in bytes, below which pairs of bytes are
	// counted instead of groups of four: one altered byte spoils four groups.
	shortNeedle = 32
)

// nearest finds the passage of a text that is most like a quotation. It counts for overlapping parts of the text how
// many groups of bytes they share with the quote, and compares the best parts exactly. Of equally good places the one
// closest, in bytes, to the cited lines wins. Found is false when nothing is alike at all. The error is the context's.
func (t *text) nearest(ctx context.Context, q *quotation, cited ledger.Span) (best passage, found bool, err error) {
	// The end of a passage whose middle is the middle of the cited lines.
	first, past := t.plainStart(min(cited.First, t.lines+1)), t.plainStart(min(cited.Last, t.lines)+1)
	near := (first + past + len(q.needle)) / 2
	step := max(len(q.needle)/2, shortNeedle)
	places, err := rank(ctx, t.plain, q.needle, near, step)
	if err != nil {
		return best, false, err
	}
	align := &aligner{}
	for needle := q.needle; len(needle) > 0; {
		character, width := decode(needle)
		align.needle, needle = append(align.needle, character), needle[width:]
	}
	for _, place := range places {
		if err := ctx.Err(); err != nil {
			return best, false, err
		}
		from, to := max(0, place.start-step/2), min(len(t.plain), place.start+3*step+step/2)
		start, end, distance := align.align(t.plain[from:to], near-from)
		start, end = t.tighten(q, from+start, from+end)
		if start == end {
			continue
		}
		if tight := t.plain[start:end]; len(tight) < to-from {
			_, _, distance = align.align(tight, len(tight))
		}
		// The share of the quote's characters that no edit touches.
		similarity := max(0, 1-float64(distance)/float64(len(align.needle)))
		if similarity > best.similarity || similarity == best.similarity && closer(end, best.end, near) {
			best = t.passageAt(start, end)
			best.similarity = similarity
		}
	}
	return best, best.similarity > 0, nil
}

// tighten takes the line ends off both ends of a stretch of plain. If it has
// more lines than the quote, scraps of a neighbouring line go too: what is less
// than a quote may be, like the brace that happens to stand before a line whose
// indentation was altered.
func (t *text) tighten(q *quotation, start, end int) (tightStart, tightEnd int) {
	for start < end && t.plain[start] == '\n' {
		start++
	}
	for start < end && t.plain[end-1] == '\n' {
		end--
	}
	stretch := t.plain[start:end]
	if bytes.Count(stretch, []byte{'\n'}) <= bytes.Count(q.needle, []byte{'\n'}) {
		return start, end
	}
	if i := bytes.LastIndexByte(stretch, '\n'); countVisible(stretch[i:]) < MinQuote {
		return t.tighten(q, start, start+i)
	}
	if i := bytes.IndexByte(stretch, '\n'); countVisible(stretch[:i]) < MinQuote {
		return t.tighten(q, start+i, end)
	}
	return start, end
}

// place is a part of the text that begins at an offset, and how many groups of bytes it shares with the quote.
type place struct{ start, shared int }

// rank returns the places of a text that share the most groups of bytes with a needle, best first, and of equally good
// ones those closer to near first. A place has the length of three steps, and the next begins one step later. Groups
// are identified by a 16-bit hash; a collision only makes a place look better, and the best are compared exactly.
func rank(ctx context.Context, text, needle []byte, near, step int) ([]place, error) {
	group := 4
	if len(needle) < shortNeedle {
		group = 2
	}
	// Fibonacci hashing: Knuth, TAOCP 3, 6.4.
	slot := func(b []byte) uint32 {
		value := uint32(0)
		for _, c := range b[:group] {
			value = value<<8 | uint32(c)
		}
		return (value * 2654435769) >> 16
	}
	// seen holds, for each group of the needle, the number of the last place that has it, and -1 for other groups.
	seen := slices.Repeat([]int{-1}, 1<<16)
	for i := range max(0, len(needle)-group+1) {
		seen[slot(needle[i:])] = 0
	}
	var places []place
	for from, number := 0, 1; from < len(text); from, number = from+step, number+1 {
		if number%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		part, shared := text[from:min(len(text), from+3*step)], 0
		for i := range max(0, len(part)-group+1) {
			if at := slot(part[i:]); seen[at] >= 0 && seen[at] < number {
				seen[at] = number
				shared++
			}
		}
		if shared > 0 {
			places = append(places, place{from, shared})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(b.shared-a.shared, abs(a.start-near)-abs(b.start-near))
	})
	return places[:min(len(places), candidates, max(1, comparedBytes/(2*step)))], ctx.Err()
}

// closer reports whether a is closer to near than b is.
func closer(a, b, near int) bool { return abs(a-near) < abs(b-near) }

func abs(n int) int { return max(n, -n) }

// aligner finds the part of a text that is most like a needle, character by character. Insertions, deletions and
// substitutions count 1 each.
type aligner struct{ needle []rune }

// decode is utf8.DecodeRune, but takes a byte that is not UTF-8 for a character of its own.
func decode(b []byte) (character rune, width int) {
	character, width = utf8.DecodeRune(b)
	if character == utf8.RuneError && width == 1 {
		character = utf8.MaxRune + 1 + rune(b[0])
	}
	return character, width
}

// cell is an entry of the table of edit distances: the distance of a prefix of the needle to the part of the text that
// begins at start.
type cell struct{ distance, start int32 }

// align returns the bounds, in bytes, of the part of a text that has the smallest edit distance to the needle, and
// that distance. Of several such parts it is the one whose end is closest to near. The part may be empty.
func (a *aligner) align(text []byte, near int) (start, end, distance int) {
	// The columns of the table are the characters of the text; a part may begin at any of them.
	column := make([]cell, len(a.needle)+1)
	for i := range column {
		column[i].distance = int32(i)
	}
	last := len(a.needle)
	best := column[last]
	for at := 0; at < len(text); {
		character, width := decode(text[at:])
		at += width
		diagonal := column[0]
		column[0].start = int32(at) //nolint:gosec // the windows of texts are short
		for i, wanted := range a.needle {
			next := diagonal
			if character != wanted {
				next.distance++
			}
			for _, c := range [2]cell{column[i], column[i+1]} {
				// Of equal distances the part that begins later is shorter.
				if c.distance++; c.distance < next.distance || c.distance == next.distance && c.start > next.start {
					next = c
				}
			}
			diagonal, column[i+1] = column[i+1], next
		}
		if c := column[last]; c.distance < best.distance || c.distance == best.distance && closer(at, end, near) {
			best, end = c, at
		}
	}
	return min(int(best.start), end), end, int(best.distance)
}

// Contains reports for each quote whether the text of a file has it, at whatever lines, compared as Citation does.
func Contains(file []byte, quotes []string) []bool {
	t := newText(file)
	has := make([]bool, len(quotes))
	for i, quote := range quotes {
		quoted, refused := newQuotation(quote)
		if refused != "" {
			continue
		}
		has[i] = slices.ContainsFunc(t.readings(quoted), func(q *quotation) bool {
			return bytes.Contains(t.plain, q.needle)
		})
	}
	return has
}
