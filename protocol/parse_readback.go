package protocol

import (
	"strings"
	"unicode"
)

// readBack reads a proposal, which is JSON, against the damaged source: each text,
// word and number of it must stand there, in that order and with nothing between.
// Marks alone may be more or fewer.
type readBack struct {
	source, proposal []rune
	// at and in are the places in source and proposal.
	at, in  int
	open    []rune
	last    rune
	repairs repairs
	// added says that the last mark was a comma that the source lacks.
	added bool
	// broke says that a list or an inner object was closed where the source had
	// ended; closed that the outermost object was.
	broke, closed bool
}

func (b *readBack) run() bool {
	for b.in < len(b.proposal) {
		c := b.proposal[b.in]
		var ok bool
		switch {
		case unicode.IsSpace(c):
			b.in++
			continue
		case strings.ContainsRune("{}[],:", c):
			ok = b.mark(c)
		case c == '"':
			ok = b.text()
		default:
			ok = b.word()
		}
		if !ok {
			return false
		}
		b.added = b.added && c == ','
		b.last = c
	}
	return b.rest()
}

// here is the character of the source that is next, 0 at its end.
func (b *readBack) here() rune {
	if b.at < len(b.source) {
		return b.source[b.at]
	}
	return 0
}

// blanks skips blanks and comments.
func (b *readBack) blanks() {
	for b.at < len(b.source) {
		rest := b.source[b.at:]
		switch {
		case unicode.IsSpace(rest[0]):
			b.at++
		case len(rest) > 1 && rest[0] == '/' && rest[1] == '/':
			b.repairs.note(mendedComment)
			for b.at < len(b.source) && b.source[b.at] != '\n' {
				b.at++
			}
		case len(rest) > 1 && rest[0] == '/' && rest[1] == '*':
			b.repairs.note(mendedComment)
			for b.at += 2; b.at < len(b.source) && (b.source[b.at] != '/' || b.source[b.at-1] != '*'); {
				b.at++
			}
			b.at = min(b.at+1, len(b.source))
		default:
			return
		}
	}
}

// mark reads a bracket, a comma or a colon.
func (b *readBack) mark(c rune) bool {
	b.in++
	before := b.at
	b.blanks()
	opens, closes := strings.ContainsRune("{[", c), strings.ContainsRune("}]", c)
	if b.here() == ',' && (closes || opens && b.last == 0) {
		b.repairs.note(mendedComma)
		b.at++
		b.blanks()
	}
	found := b.here() == c
	if found {
		b.at++
	}
	switch {
	case opens:
		b.open = append(b.open, c)
		return found
	case closes:
		b.open = b.open[:max(0, len(b.open)-1)]
		if !found {
			b.repairs.note(mendedBracket)
			b.ended(c)
		}
	case !found:
		// Without a blank or a bracket before it, a mark may have stood in a text.
		b.added = true
		b.repairs.note(mendedMissing)
		return c == ',' && (b.at > before || b.last == '}' || b.last == ']')
	}
	return true
}

// ended says what it means that a bracket is missing where the source has ended:
// only an object whose list is closed cannot have had more to say.
func (b *readBack) ended(c rune) {
	if b.at < len(b.source) {
		return
	}
	if c == '}' && len(b.open) == 0 && b.last == ']' {
		b.closed = true
		return
	}
	b.broke = true
}

// text reads a text: between quotation marks of one kind, or a single word
// without any.
func (b *readBack) text() bool {
	said, ok := b.proposed()
	if !ok {
		return false
	}
	b.blanks()
	mark := b.here()
	if quoteKind(mark) == 0 {
		return b.bare(said)
	}
	if mark != '"' {
		b.repairs.note(mendedQuotes)
	}
	b.at++
	inner := false
	for _, c := range said {
		if b.here() != c || b.at >= len(b.source) {
			return false
		}
		switch {
		case c < ' ':
			b.repairs.note(mendedBreak)
		case c == '"' && mark == '"':
			b.repairs.note(mendedInner)
			inner = true
		}
		b.at++
	}
	if inner && swallows(said) {
		return false
	}
	closes := closesQuote(mark, b.here())
	b.at++
	return closes
}

// swallows reports whether a text with stray quotation marks looks as if it held
// the next field.
func swallows(said []rune) bool {
	_, after, found := strings.Cut(string(said), `"`)
	for ; found; _, after, found = strings.Cut(after, `"`) {
		if next := strings.TrimLeft(after, " \t\r\n"); next != "" && strings.ContainsRune(":,{}[]", rune(next[0])) {
			return true
		}
	}
	return false
}

// proposed is the text that the proposal has next.
func (b *readBack) proposed() (said []rune, ok bool) {
	for b.in++; b.in < len(b.proposal); b.in++ {
		c := b.proposal[b.in]
		switch {
		case c == '"':
			b.in++
			return said, true
		case c == '\\' && b.in+1 < len(b.proposal):
			b.in++
			at := strings.IndexRune(`"\/bfnrt`, b.proposal[b.in])
			if at < 0 {
				return nil, false
			}
			said = append(said, rune("\"\\/\b\f\n\r\t"[at]))
		default:
			said = append(said, c)
		}
	}
	return nil, false
}

// bare reads a word without quotation marks.
func (b *readBack) bare(said []rune) bool {
	for _, c := range said {
		if b.here() != c || !isWordRune(c) {
			return false
		}
		b.at++
	}
	if len(said) == 0 || b.added || isWordRune(b.here()) || quoteKind(b.here()) != 0 {
		return false
	}
	b.repairs.note(mendedWord)
	return true
}

func isWordRune(c rune) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// word reads a number, true, false or null.
func (b *readBack) word() bool {
	from := b.in
	for b.in < len(b.proposal) && (isWordRune(b.proposal[b.in]) || b.proposal[b.in] == '+') {
		b.in++
	}
	proposed := string(b.proposal[from:b.in])
	b.blanks()
	from = b.at
	for b.at < len(b.source) && (isWordRune(b.source[b.at]) || b.source[b.at] == '+') {
		b.at++
	}
	written := string(b.source[from:b.at])
	switch {
	case proposed == "":
		return false
	case proposed == written:
		return true
	case written == "True" && proposed == "true", written == "False" && proposed == "false", written == "None" && proposed == "null":
		b.repairs.note(mendedPython)
		return true
	case strings.HasSuffix(written, ".") && proposed == written+"0":
		b.repairs.note(mendedNumber)
		return true
	}
	return false
}

// rest reads what follows the value: brackets and marks of a fence alone.
func (b *readBack) rest() bool {
	for b.blanks(); b.at < len(b.source); b.blanks() {
		switch b.here() {
		case '}', ']':
			b.repairs.note(mendedTooMany)
		case ',':
			b.repairs.note(mendedComma)
		case '`':
		default:
			return false
		}
		b.at++
	}
	return true
}

// quoteKind tells quotation marks that may close one another: " for double ones,
// ' for single ones, 0 for what is none.
func quoteKind(c rune) rune {
	switch c {
	case '"', '“', '”':
		return '"'
	case '\'', '‘', '’', '`', '´':
		return '\''
	}
	return 0
}

// closesQuote reports whether a quotation mark may end what another began: a
// straight one ends what a straight one began.
func closesQuote(begun, c rune) bool {
	if begun == '"' || begun == '\'' {
		return c == begun
	}
	return quoteKind(c) == quoteKind(begun)
}
