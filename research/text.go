package research

import (
	"bytes"
	"sort"

	"moot/internal/redact"
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
	lines int
	marks []mark
	// redactor is nil to keep secrets in excerpts.
	redactor *redact.Redactor
}

// mark is where line 1, 1+markEvery, … begins.
type mark struct{ raw, plain int }

// newText splits bytes into lines and normalises them: line ends (CRLF, CR, LF)
// and trailing blanks (space, tab), nothing else. Bytes are not decoded, so
// that two spellings of one character stay different.
func newText(raw []byte) *text {
	t := &text{raw: raw, plain: make([]byte, 1, len(raw)+2)}
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
func (t *text) window(span Span) (part []byte, offset int) {
	offset = t.plainStart(span.First) - 1
	return t.plain[offset:t.plainStart(span.Last+1)], offset
}
