package dialectic

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold brings a text into the form in which texts are compared: NFC, lower case,
// white space as single blanks, and one way to write quotes, dashes, digits and
// full-width forms. What is not seen (zero-width and other format characters) is
// dropped.
func fold(text string) string {
	ascii, folded := inspect(text)
	if folded {
		return text
	}
	if !ascii {
		text = norm.NFC.String(strings.Map(plainRune, norm.NFC.String(text)))
	}
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

// inspect reports whether a text is ASCII, and whether it is folded as it is.
func inspect(text string) (ascii, folded bool) {
	ascii, folded = true, true
	before := byte(' ')
	for i := range len(text) {
		b := text[i]
		ascii = ascii && b < utf8.RuneSelf
		folded = folded && b >= ' ' && !(b >= 'A' && b <= 'Z') && !(b == ' ' && before == ' ')
		before = b
	}
	return ascii, ascii && folded && (before != ' ' || text == "")
}

// plainRune is one way to write what many characters say; -1 drops it.
func plainRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case r >= '！' && r <= '～':
		// The full-width forms stand in the order of ASCII.
		return r - '！' + '!'
	case unicode.Is(unicode.Nd, r):
		return '0' + digitValue(r)
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	switch r {
	case '‐', '‑', '‒', '–', '—', '―', '−', '﹣':
		return '-'
	case '“', '”', '„', '‟', '«', '»', '″':
		return '"'
	case '‘', '’', '‚', '‛', '‹', '›', '′':
		return '\''
	case 'μ', 'µ':
		return 'µ'
	case '€', '£', '¥', '°':
		return r
	}
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) {
		return r
	}
	// A sign that hides nothing: ≥, →, •.
	return ' '
}

// digitValue is the value of a decimal digit: they stand in runs of ten.
func digitValue(r rune) rune {
	first := r
	for unicode.Is(unicode.Nd, first-1) {
		first--
	}
	return (r - first) % 10
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// isWord reports whether a byte of folded text is part of a word. Bytes of
// characters beyond ASCII are, but for signs of currency and degree, which are
// looked for before.
func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || isDigit(b) || b == '_' || b >= utf8.RuneSelf
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= utf8.RuneSelf }

// occurs reports whether a folded text holds a folded passage as words of its
// own: no letter or digit goes on where the passage begins and ends with one,
// and no version number. A prefix may go on to the right.
func occurs(text, passage string, prefix bool) bool {
	for from := 0; passage != ""; {
		at := strings.Index(text[from:], passage)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(passage)
		if begins(text, at) && (prefix || ends(text, end)) {
			return true
		}
		from = at + 1
	}
	return false
}

func begins(text string, at int) bool {
	if at == 0 || !isWord(text[at]) {
		return true
	}
	before := text[at-1]
	dotted := before == '.' && at > 1 && isDigit(text[at-2]) && isDigit(text[at])
	return !isWord(before) && !dotted
}

func ends(text string, end int) bool {
	if end == len(text) || !isWord(text[end-1]) {
		return true
	}
	after := text[end]
	dotted := after == '.' && end+1 < len(text) && isDigit(text[end+1]) && isDigit(text[end-1])
	return !isWord(after) && !dotted
}
