package detect

import (
	"strings"
	"unicode/utf8"
)

// word is one word of a fact: lower case, letters, digits and $.
type word struct {
	text []byte
	// segment counts what phrases do not reach over: elements of lists, members of
	// objects.
	segment int32
}

// text is what the words of one fact are read into. It is used anew for each fact.
type text struct {
	words  []word
	buffer []byte
	// segment is that of the next word.
	segment int32
	// camel says that a word was seen that consists of several, as CommandLine.
	camel bool
}

func (t *text) reset() {
	t.words, t.buffer, t.segment, t.camel = t.words[:0], t.buffer[:0], 0, false
}

// read adds the words of a name, or of a value in JSON as it stands. Within an object
// a comma, a bracket or a brace ends a segment; the key and its value are one.
func (t *text) read(raw string, split bool) {
	quoted := false
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case isPunctuation(raw, i):
			i += len("–")
			continue
		case isWordByte(c):
			i = t.word(raw, i, split)
			continue
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i += escaped(raw, i)
			continue
		case !quoted && (c == ',' || c == '[' || c == ']' || c == '{' || c == '}'), quoted && c == ';':
			t.segment++
		}
		i++
	}
}

// name reads the words of a name, as they stand and, where that differs, taken apart at
// capitals. The two do not follow each other.
func (t *text) name(name string) []word {
	t.reset()
	t.read(name, false)
	if t.camel {
		t.segment++
		t.read(name, true)
	}
	return t.words
}

// escaped is the length of an escape in a JSON string. In a name, which is no JSON, a
// backslash may stand before any letter, of which no part is left.
func escaped(raw string, at int) int {
	const unicodeEscape = 6
	isASCII := func(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 }
	switch {
	case at+1 == len(raw) || raw[at+1] >= utf8.RuneSelf:
		return len(`\`)
	case raw[at+1] == 'u' && at+unicodeEscape <= len(raw) && isASCII(raw[at:at+unicodeEscape]):
		return unicodeEscape
	}
	return len(`\n`)
}

// word adds the word that begins at a place, and returns where it ends. With split,
// a capital after a small letter begins another word.
func (t *text) word(raw string, at int, split bool) int {
	begin := len(t.buffer)
	lower := false
	for ; at < len(raw) && (isWordByte(raw[at]) && !isPunctuation(raw, at) || isPoint(raw, at)); at++ {
		c := raw[at]
		capital := c >= 'A' && c <= 'Z'
		if capital && lower {
			t.camel = true
			if split {
				break
			}
		}
		lower = !capital
		if capital {
			// Of HTTPServer the last capital begins the second word.
			if split && at+1 < len(raw) && at > 0 && len(t.buffer) > begin && isSmall(raw[at+1]) && isCapital(raw[at-1]) {
				break
			}
			c += 'a' - 'A'
		}
		t.buffer = append(t.buffer, c)
	}
	if string(t.buffer[begin:]) == "no" && at+1 < len(raw) && raw[at] == '"' && raw[at+1] == ':' {
		// As a key it is the number of a ticket, and denies nothing.
		t.buffer = append(t.buffer[:begin], "number"...)
	}
	t.words = append(t.words, word{text: t.buffer[begin:len(t.buffer):len(t.buffer)], segment: t.segment})
	return at
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

func isSmall(c byte) bool { return c >= 'a' && c <= 'z' }

// isWordByte reports whether a byte belongs to a word. Bytes of letters beyond ASCII
// do.
func isWordByte(c byte) bool {
	return isSmall(c) || isCapital(c) || c >= '0' && c <= '9' || c == '$' || c >= 0x80
}

// isPunctuation reports whether a dash or a quotation mark beyond ASCII stands there.
func isPunctuation(raw string, at int) bool {
	return raw[at] == 0xE2 && at+2 < len(raw) && raw[at+1] == 0x80
}

// isPoint reports whether a dot stands there that belongs to a number with a fraction,
// and not to an address or a version.
func isPoint(raw string, at int) bool {
	if raw[at] != '.' || at == 0 || at+1 == len(raw) || !isDigit(raw[at-1]) || !isDigit(raw[at+1]) {
		return false
	}
	end := at + 1
	for end < len(raw) && isDigit(raw[end]) {
		end++
	}
	if end < len(raw) && (raw[end] == '.' && end+1 < len(raw) && isDigit(raw[end+1]) || isSmall(raw[end]) || isCapital(raw[end])) {
		return false
	}
	begin := at
	for begin > 0 && isDigit(raw[begin-1]) {
		begin--
	}
	return begin == 0 || raw[begin-1] != '.' && !isSmall(raw[begin-1]) && !isCapital(raw[begin-1])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
