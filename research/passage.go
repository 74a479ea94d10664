package research

import (
	"bytes"
	"unicode"
	"unicode/utf8"

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
)

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

// indented returns readings of a block whose lines stand in the text with another indentation, the same for all: prose
// often moves a block of code to the left.
func (t *text) indented(q *quotation) (readings []*quotation) {
	const most = 4
	lines := bytes.Split(bytes.Trim(q.needle, "\n"), []byte{'\n'})
	if len(lines) < 2 || !q.block {
		return nil
	}
	common := indentation(lines[0])
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
		if seen[string(indent)] || len(indentation(indent)) != len(indent) {
			continue
		}
		seen[string(indent)] = true
		moved := make([][]byte, len(lines))
		for n, line := range lines {
			if moved[n] = line; len(line) > 0 {
				moved[n] = append(bytes.Clone(indent), bytes.TrimPrefix(line, common)...)
			}
		}
		readings = append(readings, &quotation{needle: bytes.Join(moved, []byte{'\n'}), note: ", with another indentation"})
	}
	return readings
}

// indentation returns the blanks at the beginning of a line.
func indentation(line []byte) []byte { return line[:len(line)-len(bytes.TrimLeft(line, " \t"))] }

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
}

// passageAt makes a passage of offsets in plain; start < end.
func (t *text) passageAt(start, end int) passage {
	return passage{start: start, end: end, lines: ledger.Span{First: t.lineAt(start), Last: t.lineAt(end - 1)}}
}

// findClosest looks for a quotation anywhere and returns the occurrence whose
// lines are closest to the cited ones; of two as close, the earlier.
func (t *text) findClosest(q *quotation, spans []ledger.Span) (passage, bool) {
	best, bestGap := passage{}, -1
	consider := func(i int, span ledger.Span) {
		found := t.matchAt(q, i)
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

// matchAt is the passage of a needle that was found at an offset of plain.
func (t *text) matchAt(q *quotation, at int) passage {
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
