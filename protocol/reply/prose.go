package reply

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/internal/plain"
)

// mostSentences is how many sentences of the first paragraph of an answer are points.
const mostSentences = 7

// prose reads the sentences of a paragraph that name a place in a file as points.
func (r *lineReader) prose(b body) {
	b = withoutHeadings(b)
	for _, sentence := range sentencesOf(b) {
		if len(r.cite(sentence, false)) > 0 {
			r.move(&head{wordForm: r.words["RAISE"][0]}, sentence)
		}
	}
}

// firstParagraph reads the sentences of the first paragraph that says something as points: that of an answer without
// any point. Headings, code, tables and a line that only leads over to what follows are passed over.
func (r *lineReader) firstParagraph() {
	start := 0
	for start < len(r.text) {
		end := len(r.text)
		if at := blankLine.FindStringIndex(r.text[start:]); at != nil {
			end = start + at[1]
		}
		b := withoutHeadings(body{text: r.text[start:end], mask: r.mask[start:end]})
		start = end
		if strings.Trim(b.mask, "\x00 \t\r\n") == "" || headingLine.MatchString(b.text) || strings.HasPrefix(b.text, "|") ||
			strings.HasSuffix(b.text, ":") || strings.HasSuffix(b.text, "：") ||
			!saysSomething(b.mask) {
			continue
		}
		for i, sentence := range sentencesOf(b) {
			if i == mostSentences {
				break
			}
			r.move(&head{wordForm: r.words["RAISE"][0]}, sentence)
		}
		if r.number > 0 {
			return
		}
	}
}

// withoutHeadings cuts the headings and rules that a paragraph begins with.
func withoutHeadings(b body) body {
	b = b.trim(" \t\r\n")
	for {
		line, _, more := strings.Cut(b.text, "\n")
		if !more || !headingLine.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "---") {
			return b
		}
		b = b.cut(len(line)+1, len(b.text)).trim(" \t\r\n")
	}
}

var blankLine = regexp.MustCompile(`\n[ \t\r]*\n`)

// sentencesOf splits a paragraph into its sentences. One of fewer than three words, such as "No.", belongs to the next.
func sentencesOf(b body) (sentences []body) {
	from := 0
	add := func(to int) {
		one := b.cut(from, to).trim(" \t\r\n")
		if saysSomething(one.mask) {
			sentences = append(sentences, one)
			from = to
		}
	}
	for i, c := range b.mask {
		after := i + utf8.RuneLen(c)
		switch c {
		case '。', '！', '？':
			add(after)
			continue
		case '.', '!', '?':
		default:
			continue
		}
		rest := strings.TrimLeft(b.mask[after:], "\"'”’)*_`")
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \t\r\n\x00`*_(\"“"))
		spaced := rest != "" && unicode.IsSpace(rune(rest[0]))
		if spaced && !unicode.IsLower(next) && !plain.Abbreviation(b.mask[:i]) {
			add(len(b.mask) - len(rest))
		}
	}
	if rest := b.cut(from, len(b.mask)).trim(" \t\r\n"); saysSomething(rest.mask) {
		sentences = append(sentences, rest)
	}
	return sentences
}
