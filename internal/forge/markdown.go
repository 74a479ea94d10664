package forge

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"moot/internal/plain"
)

// gap is a zero-width space. GitHub looks for mentions, references and links in the text that it shows, where an escape
// does not help and a gap does.
const gap = "\u200b"

var (
	// numbered matches the beginning of references such as GH-12, and of advisories.
	numbered = regexp.MustCompile(`(?i)\b(GH|GHSA|CVE)-`)
	// hash matches what GitHub may link as a commit: 7 digits or more.
	hash = regexp.MustCompile(`\b[0-9a-fA-F]{7,}\b`)
	site = regexp.MustCompile(`(?i)\bwww\.`)
	// emoji matches the rest of a code such as :tada:.
	emoji = regexp.MustCompile(`^[A-Za-z0-9_+-]+:`)
	lang  = regexp.MustCompile(`^[A-Za-z0-9_+#-]{1,20}$`)
)

// drawn are the languages of code blocks that GitHub draws or offers to apply.
func drawn(lang string) bool {
	switch strings.ToLower(lang) {
	case "mermaid", "geojson", "topojson", "stl", "math", "suggestion":
		return true
	}
	return false
}

// Escape puts foreign text on one line that GitHub shows as it is: no Markdown, no HTML, no mention, no reference to an
// issue or a commit, and no link works. It also holds inside HTML such as a summary, but for the backslashes.
func Escape(text string) string {
	text = plain.Line(strings.TrimSpace(text))
	text = numbered.ReplaceAllString(text, "${0}"+gap)
	text = site.ReplaceAllStringFunc(text, func(www string) string { return www[:3] + gap + www[3:] })
	text = hash.ReplaceAllStringFunc(text, func(digits string) string {
		const most = 6
		var b strings.Builder
		for ; len(digits) > most; digits = digits[most:] {
			b.WriteString(digits[:most] + gap)
		}
		return b.String() + digits
	})
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; c {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '#':
			b.WriteString(`\#` + gap)
		case '@':
			b.WriteString("@" + gap)
		case ':':
			b.WriteByte(c)
			if rest := text[i+1:]; strings.HasPrefix(rest, "//") || emoji.MatchString(rest) {
				b.WriteString(gap)
			}
		case '\\', '`', '*', '_', '[', ']', '|', '~', '$', '!':
			b.WriteString(`\` + string(c))
		case '+', '-', '=', '/':
			// These mean something only at the beginning of a line, the last one to robots.
			if i == 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		case '.', ')':
			// A number with one of these begins a list if a space follows.
			isNumber := i > 0 && i < 10 && strings.Trim(text[:i], "0123456789") == ""
			if isNumber && (i+1 == len(text) || text[i+1] == ' ') {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// CodeBlock returns foreign text as a block of code, which no line of it can end. A blank line comes before it, so that
// HTML does not swallow it. It has to stand outside of lists and quotes, since a line that is not indented ends those,
// and the block with them.
func CodeBlock(language, text string) string {
	if !lang.MatchString(language) || drawn(language) {
		language = ""
	}
	text = strings.TrimSuffix(plain.Text(text), "\n")
	run, longest := 0, 2
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return "\n\n" + fence + language + "\n" + text + "\n" + fence + "\n"
}

// Fit joins parts, the most important first, until the next one would make more than limit characters. It says how many
// it left out from the end.
func Fit(limit int, parts []string) (joined string, left int) {
	var b strings.Builder
	for i, part := range parts {
		if limit -= length(part); limit < 0 {
			return b.String(), len(parts) - i
		}
		b.WriteString(part)
	}
	return b.String(), 0
}

// length counts the characters of a text as UTF-16 does, which is never less than any forge counts.
func length(text string) int {
	n := utf8.RuneCountInString(text)
	for _, r := range text {
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
