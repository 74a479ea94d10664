package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The index has tokens, which are made here and not by SQLite: its tokenizers find no part of camelCase, and no word in
// scripts without spaces.
//
//   - A word is a run of letters, digits and marks. Case and diacritics are folded: "Größe" is "grosse".
//   - The parts of camelCase are tokens of their own, in order. The whole is a token too, in a column of its own, so that
//     the parts stay next to each other. Anything else separates words, so snake_case and a/path.go:88 are words in a row.
//   - Characters of scripts without spaces are tokens of two: 数据库 is 数据, 据库 and, because it is the last one, 库.
//     So each character begins a token.

// maxToken is the most characters of a token; of a longer word only these are compared.
const maxToken = 64

// token is a word, or a part of one.
type token struct {
	text string
	// start and end delimit it in the text, in bytes.
	start, end int
	// whole says that it is all of a word whose parts are tokens too.
	whole bool
	// single says that it is the last character of a run of a script without spaces.
	single bool
}

// char is a character with its marks, folded.
type char struct {
	text       string
	start, end int
	class      class
	upper      bool
}

// class says how a character is made into tokens.
type class int

const (
	separator class = iota
	letter
	// spaceless is a character of a script without spaces between words, or of Hangul, whose words have endings.
	spaceless
)

// tokenize passes the tokens of a text to use, in order.
func tokenize(text string, use func(token)) {
	var run []char
	end := func() {
		if len(run) > 0 {
			if run[0].class == spaceless {
				pairs(run, use)
			} else {
				parts(run, use)
			}
		}
		run = run[:0]
	}
	for c := range chars(text) {
		if c.class == separator || len(run) > 0 && run[0].class != c.class {
			end()
		}
		switch first, _ := utf8.DecodeRuneInString(c.text); {
		case c.class == separator:
		case c.class == spaceless && len(run) > 0 && unicode.IsMark(first):
			// A vowel or a tone of Thai belongs to the consonant before it.
			run[len(run)-1].text += c.text
			run[len(run)-1].end = c.end
		default:
			run = append(run, c)
		}
	}
	end()
}

// pairs makes tokens of a run of a script without spaces.
func pairs(run []char, use func(token)) {
	last := len(run) - 1
	for i := range last {
		use(token{text: run[i].text + run[i+1].text, start: run[i].start, end: run[i+1].end})
	}
	use(token{text: run[last].text, start: run[last].start, end: run[last].end, single: last > 0})
}

// parts makes tokens of a word.
func parts(run []char, use func(token)) {
	from, several := 0, false
	for i := 1; i <= len(run); i++ {
		// A part begins at the first capital of HTTPServer's Server, and at that of getName's Name.
		if i < len(run) && (!run[i].upper || run[i-1].upper && (i+1 == len(run) || run[i+1].upper || !isLetter(run[i+1]))) {
			continue
		}
		several = several || i < len(run)
		use(word(run[from:i], false))
		from = i
	}
	if several {
		use(word(run, true))
	}
}

func isLetter(c char) bool {
	r, _ := utf8.DecodeRuneInString(c.text)
	return unicode.IsLetter(r)
}

func word(run []char, whole bool) token {
	t := token{start: run[0].start, end: run[len(run)-1].end, whole: whole}
	var b strings.Builder
	for _, c := range run[:min(len(run), maxToken)] {
		b.WriteString(c.text)
	}
	t.text = b.String()
	return t
}

// chars yields the characters of a text, folded.
func chars(text string) func(yield func(char) bool) {
	return func(yield func(char) bool) {
		for at := 0; at < len(text); {
			if b := text[at]; b < utf8.RuneSelf && (at+1 == len(text) || text[at+1] < utf8.RuneSelf) {
				c := char{start: at, end: at + 1}
				if b >= 'A' && b <= 'Z' {
					c.upper = true
					b += 'a' - 'A'
				}
				if b >= 'a' && b <= 'z' || b >= '0' && b <= '9' {
					c.class, c.text = letter, ascii[b:b+1]
				}
				if !yield(c) {
					return
				}
				at++
				continue
			}
			if r, size := utf8.DecodeRuneInString(text[at:]); r == utf8.RuneError { // A byte that is no text, or what replaced it.
				if !yield(char{start: at, end: at + size}) {
					return
				}
				at += size
				continue
			}
			size := max(1, norm.NFKC.NextBoundaryInString(text[at:], true))
			if !fold(text[at:at+size], at, yield) {
				return
			}
			at += size
		}
	}
}

// ascii is a string from which one-letter strings are cut without allocating.
const ascii = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18" +
	"\x19\x1a\x1b\x1c\x1d\x1e\x1f !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz"

// fold yields the characters of a piece of text that normalizes on its own.
func fold(piece string, at int, yield func(char) bool) bool {
	first, _ := utf8.DecodeRuneInString(piece)
	upper := unicode.IsUpper(first)
	var bare strings.Builder
	for _, r := range norm.NFKD.String(piece) {
		if !diacritic(r) {
			bare.WriteRune(r)
		}
	}
	var c char
	for _, r := range norm.NFKC.String(bare.String()) {
		text := foldCase(r)
		switch class := classOf(r); {
		case c.text != "" && unicode.IsMark(r):
			c.text += text
		case class == separator:
			if c.text != "" && !yield(c) || !yield(char{start: at, end: at + len(piece)}) {
				return false
			}
			c = char{}
		default:
			if c.text != "" && !yield(c) {
				return false
			}
			c = char{text: text, start: at, end: at + len(piece), class: class, upper: upper}
			upper = false
		}
	}
	return c.text == "" || yield(c)
}

// foldCase returns a character in lower case; two that have no other case are written out.
func foldCase(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'ς':
		return "σ"
	case 'ı':
		return "i"
	}
	return string(unicode.ToLower(r))
}

// diacritic reports whether a character is a mark that is left out of comparisons. The vowels of Indic scripts and Thai,
// and the voicing marks of Japanese, are letters for this purpose.
func diacritic(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r <= 0x36f, r >= 0x483 && r <= 0x489, r >= 0x1ab0 && r <= 0x1aff, r >= 0x1dc0 && r <= 0x1dff,
		r >= 0x20d0 && r <= 0x20ff, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfe20 && r <= 0xfe2f:
		return true
	case r >= 0x591 && r <= 0x5c7, r >= 0x610 && r <= 0x61a, r >= 0x64b && r <= 0x65f, r == 0x670:
		return unicode.Is(unicode.Mn, r)
	}
	return false
}

// classOf returns the class of a character.
func classOf(r rune) class {
	switch {
	case r == 'ー' || r == '々' || r == '〇':
		return spaceless
	case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !unicode.IsNumber(r):
		return separator
	case unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Bopomofo, unicode.Yi, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan):
		return spaceless
	case unicode.IsMark(r) && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan):
		return spaceless
	}
	return letter
}

// Tokens returns the different tokens of a text, folded, in the order in which they occur first.
func Tokens(text string) []string {
	var list []string
	known := map[string]bool{}
	tokenize(text, func(t token) {
		if !t.whole && !t.single && !known[t.text] {
			known[t.text] = true
			list = append(list, t.text)
		}
	})
	return list
}
