package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Short shortens the text of a seat to one short line.
func Short(text string) string { return Clip(text, 160) }

// MaxSaid is how much of what a participant said is kept, in characters.
const MaxSaid = 300

// FirstLine returns the first line of a foreign text that is not blank, bounded and without
// characters that a terminal obeys.
func FirstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = Line(Clip(line, MaxSaid)); line != "" {
			return Clip(line, MaxSaid)
		}
	}
	return ""
}

// Indent prepares untrusted text for an item of a fenced list: all lines but the first are
// indented, so that none of them looks like an item.
func Indent(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "\r\n\v\f\u0085\u2028\u2029") {
		// Most texts are one line, which needs no replacer.
		return text
	}
	return strings.NewReplacer("\r\n", "\n   | ", "\n", "\n   | ", "\r", "\n   | ", "\v", "\n   | ", "\f", "\n   | ",
		"\u0085", "\n   | ", "\u2028", "\n   | ", "\u2029", "\n   | ").Replace(text)
}

// OneLine joins the words of a text with single spaces.
func OneLine(text string) string {
	if !strings.ContainsFunc(text, unicode.IsSpace) {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// FirstNonBlank returns the first text that is not blank, or "".
func FirstNonBlank(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

// FirstSentence returns the first sentence of a text: a full stop, question or exclamation mark ends
// it if white space and a capital letter follow.
func FirstSentence(text string) string {
	text = strings.TrimSpace(text)
	for i := 0; i+2 < len(text); i++ {
		if !strings.ContainsRune(".!?", rune(text[i])) {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], " \t\r\n")
		if len(rest) == len(text)-i-1 || rest == "" {
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest)
		if unicode.IsUpper(next) && !Abbreviation(text[:i]) {
			return text[:i+1]
		}
	}
	return text
}

// Sentences splits a text into its sentences, each with the white space behind it, so that together they are the text. One
// of fewer than three words, such as "No.", belongs to the next.
func Sentences(text string) (sentences []string) {
	from := 0
	add := func(to int) {
		if SaysSomething(text[from:to]) {
			sentences, from = append(sentences, text[from:to]), to
		}
	}
	for i, c := range text {
		after := i + utf8.RuneLen(c)
		switch c {
		case '。', '！', '？':
			add(after)
			continue
		case '.', '!', '?':
		default:
			continue
		}
		closing := strings.TrimLeft(text[after:], "\"'”’)*_`")
		rest := strings.TrimLeft(closing, " \t\r\n")
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, "`*_(\"“"))
		if len(rest) < len(closing) && rest != "" && !unicode.IsLower(next) && !Abbreviation(text[:i]) {
			add(len(text) - len(rest))
		}
	}
	if rest := text[from:]; strings.TrimSpace(rest) != "" {
		if n := len(sentences); n > 0 && !SaysSomething(rest) {
			sentences[n-1] += rest
		} else {
			sentences = append(sentences, rest)
		}
	}
	return sentences
}

// SaysSomething reports whether a text has three words, or is in a script that has no blanks between them.
func SaysSomething(text string) bool {
	return len(strings.Fields(text)) > 2 || len(text) > 2*utf8.RuneCountInString(text)
}

// Abbreviation reports whether the text ends like "e.g" or "vs", so that the
// full stop behind it ends no sentence.
func Abbreviation(text string) bool {
	word := strings.ToLower(text[strings.LastIndexAny(text, " (\t\n")+1:])
	switch word {
	case "e.g", "i.e", "vs", "cf", "etc", "approx", "no", "fig":
		return true
	}
	return len(word) == 1
}

// Markdown puts text on one line that Markdown shows as it is: control characters
// become visible, and every character that could begin markup gets a backslash.
func Markdown(text string) string {
	text = Line(strings.TrimSpace(text))
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; c {
		case '\\', '`', '*', '_', '[', ']', '<', '>', '#', '|', '~', '$', '!', '&':
			b.WriteByte('\\')
		case '+', '-', '=':
			// These mean something only at the beginning of a line.
			if i == 0 {
				b.WriteByte('\\')
			}
		case '.', ')':
			// A number with one of these begins a list if a space follows.
			number := i > 0 && i < 10 && strings.Trim(text[:i], "0123456789") == ""
			if number && (i+1 == len(text) || text[i+1] == ' ') {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
