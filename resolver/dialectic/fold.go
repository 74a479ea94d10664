package dialectic

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold brings a text into the form in which texts are compared: NFKC, lower case, white space as single blanks, and
// one way to write quotes, dashes and digits. Zero-width and other format characters are dropped.
func fold(text string) string {
	text = millions(text)
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			continue
		}
		// Quotes and dashes come before NFKC, which takes some of them for other signs.
		text = strings.NewReplacer(
			"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-", "−", "-", "﹣", "-",
			"“", `"`, "”", `"`, "„", `"`, "‟", `"`, "«", `"`, "»", `"`, "″", `"`, "「", `"`, "」", `"`, "『", `"`,
			"』", `"`, "〝", `"`, "〞", `"`, "〟", `"`, "❝", `"`, "❞", `"`,
			"‘", "'", "’", "'", "‚", "'", "‛", "'", "‹", "'", "›", "'", "′", "'", "❛", "'", "❜", "'",
			"⁰", "^0", "¹", "^1", "²", "^2", "³", "^3", "⁴", "^4", "⁵", "^5", "⁶", "^6", "⁷", "^7", "⁸", "^8",
			"⁹", "^9",
			"×", "x", "⁄", "/", "٪", "%", "٫", ".", "ß", "ss", "ẞ", "ss", "‰", " permille",
		).Replace(norm.NFC.String(text))
		text = strings.Map(plainRune, strings.ReplaceAll(norm.NFKC.String(text), "⁄", "/"))
		break
	}
	return strings.ReplaceAll(strings.Join(strings.Fields(strings.ToLower(text)), " "), "ς", "σ")
}

// plainRune drops format characters (-1), writes all decimal digits as ASCII, and takes other signs for blanks.
func plainRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf, strings.ContainsRune("€£¥°", r):
		return r
	case unicode.Is(unicode.Nd, r):
		// Decimal digits come in runs of ten.
		first := r
		for unicode.Is(unicode.Nd, first-1) {
			first--
		}
		return '0' + (r-first)%10
	case unicode.Is(unicode.Cf, r):
		return -1
	case r == 'μ':
		return 'µ'
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return r
	}
	return ' '
}

// millions writes 10M as 10mn: in lower case it would be ten minutes.
func millions(text string) string {
	var out strings.Builder
	for i := range len(text) {
		out.WriteByte(text[i])
		if text[i] != 'M' || i == 0 || isWord(byteAt(text, i+1)) || byteAt(text, i+1) >= 'A' &&
			byteAt(text, i+1) <= 'Z' {
			continue
		}
		if before := text[i-1]; isDigit(before) || before == ' ' && i > 1 && isDigit(text[i-2]) {
			out.WriteByte('n')
		}
	}
	return out.String()
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// isWord reports whether a byte of folded text is part of a word. Bytes of
// characters beyond ASCII are, but for signs of currency and degree, which are
// looked for before.
func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || isDigit(b) || b == '_' || b >= utf8.RuneSelf
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= utf8.RuneSelf }

// occurs reports whether a folded text contains a folded passage as whole words: no letter, digit or version number
// continues at its ends. A prefix may continue to the right.
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

// goesOn reports whether a version continues with its stage, 1.2.3-rc1, or an option as a longer one: --force-with-
// lease.
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
