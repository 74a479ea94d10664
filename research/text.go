package research

import (
	"bytes"
	"sort"

	"moot/ledger"
)

// markEvery is the distance, in lines, between two remembered offsets: sparse
// enough that a file of 16 million empty lines costs one megabyte, close
// enough that a line is found at once.
const markEvery = 256

// text is the content of a file, raw and normalized.
type text struct {
	// raw are the bytes of the file.
	raw []byte
	// plain is a newline, then every line without its trailing blanks and with
	// "\n" as its end, whatever its end was. The newline in front lets a quote
	// that begins with a line end match at the first line.
	plain []byte
	// lines is their number; a last line need not have an end.
	lines  int
	digest string
	marks  []mark
}

// mark is where line 1, 1+markEvery, … begins.
type mark struct{ raw, plain int }

// newText splits bytes into lines and normalises them: line ends (CRLF, CR, LF)
// and trailing blanks (space, tab), nothing else. Bytes are not decoded, so
// that two spellings of one character stay different.
func newText(raw []byte) *text {
	t := &text{raw: raw, plain: make([]byte, 1, len(raw)+2)}
	t.plain[0] = '\n'
	split := splitter{bytes: raw}
	for split.next() {
		if t.lines%markEvery == 0 {
			t.marks = append(t.marks, mark{raw: split.start, plain: len(t.plain)})
		}
		t.plain = append(t.plain, bytes.TrimRight(raw[split.start:split.end], " \t")...)
		t.plain = append(t.plain, '\n')
		t.lines++
	}
	return t
}

// newFileText is newText with the digest of the bytes.
func newFileText(raw []byte) *text {
	t := newText(raw)
	t.digest = ledger.Digest(raw)
	return t
}

// splitter walks over lines that end in LF, CRLF or CR.
type splitter struct {
	bytes []byte
	// start and end bound the present line without its end; after is where the
	// next one begins.
	start, end, after int
	// feed and carriage are the next LF and CR at or behind start, so that
	// each byte is looked at once for each.
	feed, carriage int
	begun          bool
}

// next goes to the next line and reports whether there is one.
func (s *splitter) next() bool {
	if s.after >= len(s.bytes) {
		return false
	}
	if !s.begun {
		s.begun = true
		s.feed, s.carriage = s.seek('\n', s.after), s.seek('\r', s.after)
	}
	s.start = s.after
	if s.feed < s.start {
		s.feed = s.seek('\n', s.start)
	}
	if s.carriage < s.start {
		s.carriage = s.seek('\r', s.start)
	}
	s.end = min(s.feed, s.carriage)
	s.after = s.end + 1
	if s.carriage+1 == s.feed && s.end == s.carriage {
		s.after++
	}
	return true
}

// seek returns the place of a byte at or behind from, or the text's length.
func (s *splitter) seek(b byte, from int) int {
	if i := bytes.IndexByte(s.bytes[from:], b); i >= 0 {
		return from + i
	}
	return len(s.bytes)
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
	from := t.marks[(line-1)/markEvery].raw
	split := splitter{bytes: t.raw[from:]}
	for range (line-1)%markEvery + 1 {
		split.next()
	}
	return from + split.start, from + split.end
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
func (t *text) window(span Span) (part []byte, offset int) {
	offset = t.plainStart(span.First) - 1
	return t.plain[offset:t.plainStart(span.Last+1)], offset
}
