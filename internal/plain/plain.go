// Package plain makes foreign text safe to print: nothing in it can move the cursor, change a color, reorder a line
// or hide. Removed characters are shown as ASCII escapes. Clip, Counted and ShellWord are shared helpers that do not
// escape anything. The package is pure. Start at Line and Text.
package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// tabWidth is how many columns a tab takes in Text.
const tabWidth = 4

// maxMarks is how many combining marks in a row are shown as marks; more of
// them only cover the lines around.
const maxMarks = 4

// Line returns s as one line: line breaks and tabs become spaces, and whatever
// else is not graphic is shown as an escape such as \x1b or \u202e.
func Line(s string) string {
	if harmless(s) {
		return s
	}
	return escape(s, false, false)
}

// Text is Line for several lines: line breaks stay, as "\n" alone, and tabs
// become four spaces.
func Text(s string) string {
	if harmless(s) {
		return s
	}
	return escape(s, true, false)
}

// Typed is Text for what the user types: emoji keep the invisible characters that join their parts.
func Typed(s string) string {
	if harmless(s) {
		return s
	}
	return escape(s, true, true)
}

// Exact returns s in printable ASCII, so that no character passes for another: every other one is written as its code,
// as in <U+0430>, and so are line breaks, tabs, and blanks at the ends. Several blanks in a row are counted, as in
// <3 blanks>. Legend says which characters the codes stand for.
func Exact(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		blanks := len(s[i:]) - len(strings.TrimLeft(s[i:], " "))
		switch {
		case r == utf8.RuneError && size == 1:
			hexByte(&b, s[i])
		case blanks > 1:
			fmt.Fprintf(&b, "<%d blanks>", blanks)
			size = blanks
		case blanks == 1 && (i == 0 || i+1 == len(s)), r < ' ', r > '~':
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// ExactLines is Exact for a text of several lines, such as a diff: line ends stay, tabs and blanks before the first word
// of a line are blanks (a tab is four), and so are up to eight blanks between words.
func ExactLines(s string) string {
	const tab, most, deepest = 4, 8, 80
	var b strings.Builder
	for line := range strings.Lines(s) {
		line, ended := strings.CutSuffix(line, "\n")
		if line != "" && strings.ContainsRune("+- ", rune(line[0])) { // A diff marks its lines.
			b.WriteByte(line[0])
			line = line[1:]
		}
		words := strings.TrimLeft(line, " \t")
		if indent := strings.ReplaceAll(line[:len(line)-len(words)], "\t", strings.Repeat(" ", tab)); words != "" &&
			len(indent) <= deepest {
			b.WriteString(indent)
			line = words
		}
		for at := 0; at < len(line); {
			blanks := len(line[at:]) - len(strings.TrimLeft(line[at:], " "))
			if blanks > 0 && blanks <= most && at+blanks < len(line) {
				b.WriteString(line[at : at+blanks])
				at += blanks
				continue
			}
			_, size := utf8.DecodeRuneInString(line[at:])
			size = max(size, blanks)
			b.WriteString(Exact(line[at : at+size]))
			at += size
		}
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// maxLegend is how many characters a Legend explains.
const maxLegend = 8

// Legend explains the codes in Exact(s) of characters that are not ASCII, each once: "<U+0430> is а (Cyrillic)". It
// is empty for ASCII. Characters that draw nothing, or that change the order of others, are not shown.
func Legend(s string) string {
	var parts []string
	seen := map[rune]bool{}
	for _, r := range s {
		if r <= '~' || seen[r] {
			continue
		}
		seen[r] = true
		script := "of no known script"
		for name, table := range unicode.Scripts {
			if unicode.Is(table, r) {
				script = name
			}
		}
		part := fmt.Sprintf("<U+%04X> is invisible or a control (%s)", r, script)
		switch turned := unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko); {
		case r == utf8.RuneError || turned:
			part = fmt.Sprintf("<U+%04X> (%s)", r, script)
		case unicode.Is(unicode.M, r):
			part = fmt.Sprintf("<U+%04X> is a mark on the character before it (%s)", r, script)
		case shown(0, r, 0) && !unicode.IsSpace(r):
			part = fmt.Sprintf("<U+%04X> is %c (%s)", r, r, script)
		}
		parts = append(parts, part)
	}
	if more := len(parts) - maxLegend; more > 0 {
		parts = append(parts[:maxLegend], fmt.Sprintf("and %d more characters", more))
	}
	return strings.Join(parts, ", ")
}

// JSON returns a JSON text with \u escapes for the characters that a terminal obeys, hides or reorders by: controls,
// zero-width characters and marks of direction. It has the same meaning.
func JSON(text string) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch high, low := utf16.EncodeRune(r); {
		case !hidden(r):
			b.WriteRune(r)
		case high != unicode.ReplacementChar:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// hidden reports whether a character of a JSON text is neither graphic nor part of its layout.
func hidden(r rune) bool { return r > '~' && !unicode.IsGraphic(r) }

// harmless reports whether s is printable ASCII only.
func harmless(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func escape(s string, lines, keep bool) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	before, marks := rune(0), 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		after, _ := utf8.DecodeRuneInString(s[i+size:])
		if flag := subdivision(s[i:]); flag != "" {
			if keep {
				b.WriteString(flag)
			} else {
				b.WriteRune(r)
			}
			before, marks = r, 0
			i += len(flag)
			continue
		}
		switch {
		case r == utf8.RuneError && size == 1:
			hexByte(&b, s[i])
		case r == '\r' && after == '\n':
			// The line break follows.
		case r == '\n' && lines:
			b.WriteByte('\n')
		case r == '\t' && lines:
			b.WriteString(strings.Repeat(" ", tabWidth))
		case r == '\n', r == '\t':
			b.WriteByte(' ')
		case !shown(before, r, after):
			visible(&b, r)
		case dropped(before, r, after) && !keep:
		case unicode.Is(unicode.M, r) && marks >= maxMarks:
			visible(&b, r)
		default:
			b.WriteRune(r)
		}
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		before = r
		i += size
	}
	return b.String()
}

// shown reports whether r may stand as it is between its neighbours.
func shown(before, r, after rune) bool {
	switch r {
	case '\u200c', '\u200d':
		return joins(before) && joins(after) || dropped(before, r, after)
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u034f', '\u17b4', '\u17b5':
		return false
	}
	if selector(r) {
		return dropped(before, r, after)
	}
	return unicode.IsGraphic(r)
}

// selector reports whether r is a variation selector; they draw nothing.
func selector(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// dropped reports whether r only chooses between a sign's text and its picture, or joins pictures to one. Terminals
// disagree about the width of such a picture, so the text and the parts are shown.
func dropped(before, r, after rune) bool {
	if r == '\u200d' {
		return (unicode.IsSymbol(before) || selector(before)) && unicode.Is(unicode.So, after)
	}
	return (r == '\ufe0f' || r == '\ufe0e') && (unicode.IsSymbol(before) || unicode.IsPunct(before) ||
		after == '\u20e3')
}

// subdivision returns the flag of England, Scotland or Wales at the beginning of s, or "". Its letters are invisible
// characters, which hide text anywhere else.
func subdivision(s string) string {
	if !strings.HasPrefix(s, "\U0001f3f4\U000e0067\U000e0062") {
		return ""
	}
	for _, letters := range [...]string{
		"\U000e0065\U000e006e\U000e0067", "\U000e0073\U000e0063\U000e0074", "\U000e0077\U000e006c\U000e0073",
	} {
		flag := "\U0001f3f4\U000e0067\U000e0062" + letters + "\U000e007f"
		if strings.HasPrefix(s, flag) {
			return flag
		}
	}
	return ""
}

// joins reports whether r is of a script that is written with joiners.
func joins(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar)
}

func hexByte(b *strings.Builder, c byte) {
	const digits = "0123456789abcdef"
	b.WriteString(`\x`)
	b.WriteByte(digits[c>>4])
	b.WriteByte(digits[c&15])
}

func visible(b *strings.Builder, r rune) {
	if r < 0x80 {
		hexByte(b, byte(r)) //nolint:gosec // a rune that was ranged over is not negative
		return
	}
	// QuoteRuneToASCII yields '\u202e' or '\U000e0001', in quotes.
	quoted := strconv.QuoteRuneToASCII(r)
	b.WriteString(quoted[1 : len(quoted)-1])
}

// Clip is a text on one line of at most so many characters, 1 or more: longer ones
// end in "…". White space is folded, and nothing is escaped.
func Clip(text string, most int) string {
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "\uFFFD")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	return string(runes[:boundary(runes, most-1)]) + "…"
}

// Cut shortens a text to so many bytes, of whole characters, and "…".
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	runes := []rune(text)
	return string(runes[:boundary(runes, utf8.RuneCountInString(strings.ToValidUTF8(text[:most], "")))]) + "…"
}

// maxParts is how many code points of one character are kept together.
const maxParts = 16

// boundary returns the last place up to at where no character is split: marks, and the parts of an emoji, stay
// together.
func boundary(runes []rune, at int) int {
	for i := at; i > max(0, at-maxParts); i-- {
		r, before := runes[i], runes[i-1]
		switch {
		case unicode.Is(unicode.M, r), selector(r), r == '\u200d', before == '\u200d',
			r >= '\U0001f3fb' && r <= '\U0001f3ff', r >= '\U000e0020' && r <= '\U000e007f':
			continue
		case regional(r) && regional(before):
			n := i
			for n > 0 && regional(runes[n-1]) {
				n--
			}
			if (i-n)%2 != 0 {
				continue
			}
		}
		return i
	}
	if at <= maxParts {
		return 0
	}
	return at
}

// regional reports whether r is half of a flag.
func regional(r rune) bool { return r >= '\U0001f1e6' && r <= '\U0001f1ff' }

// ShellWord quotes a word of a command to copy, if a shell would interpret it. Nothing is escaped.
func ShellWord(word string) string {
	if word != "" && strings.Trim(word,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Counted is a number with what it counts, a noun whose plural ends in s: "1 call",
// "2 calls".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
