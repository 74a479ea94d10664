package research

import (
	"bytes"
	"encoding/binary"
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"moot/internal/redact"
	"moot/ledger"
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
