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
	text = millions(text)
	if !ascii {
		text = norm.NFC.String(strings.Map(plainRune, spelledOut(norm.NFC.String(text))))
	}
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

// millions writes 10M as 10mn: in lower case it would be ten minutes.
func millions(text string) string {
	if strings.IndexByte(text, 'M') < 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text) + usual)
	for i := range len(text) {
		out.WriteByte(text[i])
		if text[i] != 'M' || i == 0 || isWord(byteAt(text, i+1)) || isCapital(byteAt(text, i+1)) {
			continue
		}
		if before := text[i-1]; isDigit(before) || before == ' ' && i > 1 && isDigit(text[i-2]) {
			out.WriteByte('n')
		}
	}
	return out.String()
}

func isCapital(b byte) bool { return b >= 'A' && b <= 'Z' }

// spelledOut writes the characters that say more than one character does: powers,
// fractions and numbers in circles, and letters with two ways to write them.
func spelledOut(text string) string {
	strange := func(r rune) bool {
		return r >= utf8.RuneSelf && (unicode.In(r, unicode.No, unicode.Nl) || strings.ContainsRune("ßẞ‰℃℉", r))
	}
	if strings.IndexFunc(text, strange) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch {
		case !strange(r):
			out.WriteRune(r)
		case r == 'ß' || r == 'ẞ':
			out.WriteString("ss")
		case r == '‰':
			out.WriteString(" permille")
		case strings.ContainsRune("℃℉", r):
			out.WriteString(norm.NFKC.String(string(r)))
		case strings.ContainsRune("¹²³⁰⁴⁵⁶⁷⁸⁹", r):
			out.WriteString("^" + norm.NFKC.String(string(r)))
		default:
			out.WriteString(" " + norm.NFKC.String(string(r)))
		}
	}
	return out.String()
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
	case '“', '”', '„', '‟', '«', '»', '″', '「', '」', '『', '』', '〝', '〞', '〟', '❝', '❞':
		return '"'
	case '‘', '’', '‚', '‛', '‹', '›', '′', '❛', '❜':
		return '\''
	case '×':
		return 'x'
	case '⁄':
		return '/'
	case '٪':
		return '%'
	case '٫':
		return '.'
	case 'ς':
		return 'σ'
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
		if begins(text, at) && (prefix || ends(text, end) && !goesOn(text, end, passage[0] == '-')) {
			return true
		}
		from = at + 1
	}
	return false
}

// goesOn reports whether a version goes on as one before its release, 1.2.3-rc1,
// or an option as a longer one: --force-with-lease.
func goesOn(text string, end int, option bool) bool {
	if byteAt(text, end) != '-' || !isWord(byteAt(text, end+1)) {
		return false
	}
	if option {
		return true
	}
	for _, stage := range [...]string{"alpha", "beta", "rc", "pre", "dev", "snapshot", "nightly", "canary"} {
		if isDigit(text[end-1]) && strings.HasPrefix(text[end+1:], stage) {
			return true
		}
	}
	return false
}

// joins are the signs that belong to the word that they touch: /tmp, --force, ../a.
const joins = `/\.-~=`

func begins(text string, at int) bool {
	if at == 0 {
		return true
	}
	if !isWord(text[at]) {
		return strings.IndexByte(joins, text[at]) < 0 || !isWord(text[at-1])
	}
	before := text[at-1]
	dotted := before == '.' && at > 1 && isDigit(text[at-2]) && isDigit(text[at])
	return !isWord(before) && !dotted
}

func ends(text string, end int) bool {
	if end == len(text) {
		return true
	}
	after := text[end]
	if !isWord(text[end-1]) {
		return strings.IndexByte(joins, text[end-1]) < 0 || !isWord(after)
	}
	dotted := after == '.' && end+1 < len(text) && isDigit(text[end+1]) && isDigit(text[end-1])
	return !isWord(after) && !dotted
}
