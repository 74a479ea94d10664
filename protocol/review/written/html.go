package written

import (
	"regexp"
	"slices"
	"strings"
)

// fold is a part of a text that a page shows folded: <details>. Its title is its summary.
type fold struct {
	from, to        int
	title, titleEnd int
	// severity and path are those of the section around it.
	severity, path string
}

var (
	altText   = regexp.MustCompile(`\balt=["']([^"'\n]{1,80})["']`)
	fenceLine = regexp.MustCompile("(?m)^[ \\t>]*(?:(?:[-*+]|\\d{1,3}[.)])[ \\t]+)?(```+|~~~+)")
	tag       = regexp.MustCompile(`(?i)^<(/?)(details|summary|blockquote|table|tbody|thead|tr|td|th|h[1-6]|p|div|br|hr|a|strong|b|em|i|code|` +
		`sub|sup|span|img|picture|source|ul|ol|li|kbd)(?:\s[^<>]*)?/?>`)
)

// maxTag bounds a tag, and maxLine what is read of the line before it.
const (
	maxTag  = 8192
	maxLine = 400
)

// masker blanks the HTML of a text.
type masker struct {
	out   []byte
	folds []*fold
	open  []*fold
	line  int // where the line begins that is read
}

// mask returns a text of the same length in which HTML outside of code is blank or Markdown, so that offsets stay, and
// the folds of the text in the order of their titles.
func mask(source string) (masked string, folds []*fold) {
	m := &masker{out: []byte(source)}
	fences := fencesOf(source)
	commentEnd := strings.LastIndex(source, "-->")
	for at := 0; at < len(source); {
		next := strings.IndexByte(source[at:], '<')
		if next < 0 {
			break
		}
		from := at + next
		for len(fences) > 0 && fences[0][1] <= from {
			fences = fences[1:]
		}
		if len(fences) > 0 && from >= fences[0][0] {
			at = fences[0][1]
			continue
		}
		if newline := strings.LastIndexByte(source[at:from], '\n'); newline >= 0 {
			m.line = at + newline + 1
		}
		line := source[max(m.line, from-maxLine):from]
		at = from + 1
		if strings.HasPrefix(source[from:], "<!--") && from < commentEnd {
			at = from + strings.Index(source[from:], "-->") + len("-->")
			const begins, ends = "<!-- LOCATIONS START", "LOCATIONS END -->"
			if inner := source[from:at]; strings.HasPrefix(inner, begins) && strings.HasSuffix(inner, ends) {
				m.fill(from, from+len(begins), "", '\n')
				m.fill(at-len(ends), at, "", '\n')
			} else {
				m.fill(from, at, "", padding(line))
			}
			continue
		}
		if t := tag.FindStringSubmatch(source[from:min(len(source), from+maxTag)]); t != nil && strings.Count(line, "`")%2 == 0 {
			at = from + len(t[0])
			m.tag(t, from, at, line)
		}
	}
	folds = slices.DeleteFunc(m.folds, func(f *fold) bool { return f.title == 0 })
	slices.SortFunc(folds, func(a, b *fold) int { return a.title - b.title })
	return strings.ReplaceAll(string(m.out), "&nbsp;", "      "), folds
}

// fill writes a text over the source, and pads it. Line breaks stay.
func (m *masker) fill(from, to int, with string, pad byte) {
	for i := from; i < to; i++ {
		if m.out[i] != '\n' {
			m.out[i] = pad
		}
	}
	if copy(m.out[from:to], with); pad == '\n' {
		m.line = to
	}
}

// tag writes Markdown over a tag, the matches of a pattern, or blanks it. line is what is before it in its line.
func (m *masker) tag(match []string, from, to int, line string) {
	closes, pad, n := match[1] != "", padding(line), len(m.open)
	switch name := strings.ToLower(match[2]); name {
	case "details":
		m.fill(from, to, "", '\n')
		if !closes {
			f := &fold{from: from, to: len(m.out)}
			m.folds, m.open = append(m.folds, f), append(m.open, f)
		} else if n > 0 {
			m.open[n-1].to, m.open = from, m.open[:n-1]
		}
	case "summary":
		if n == 0 || closes {
			m.fill(from, to, "", '\n')
		} else {
			m.fill(from, to, "\n\n###### ", ' ')
			m.open[n-1].title, m.open[n-1].titleEnd, m.line = from, len(m.out), from
		}
		if n > 0 && closes {
			m.open[n-1].titleEnd = from
		}
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if closes {
			m.fill(from, to, "", '\n')
		} else {
			m.fill(from, to, "\n## ", ' ')
			m.line = from
		}
	case "b", "strong":
		if closes {
			m.fill(from, to, "**", ' ')
		} else {
			m.fill(from, to, "", pad)
			copy(m.out[to-2:to], "**")
		}
	case "code", "kbd":
		if closes {
			m.fill(from, to, "`", ' ')
		} else {
			m.fill(from, to, "", pad)
			m.out[to-1] = '`'
		}
	case "a", "em", "i", "sub", "sup", "span", "img":
		if pad == '\n' && closes {
			pad = ' '
		}
		m.fill(from, to, "", pad)
		if alt := altText.FindStringSubmatch(match[0]); name == "img" && alt != nil {
			m.fill(from, to, "!["+alt[1]+"]()", ' ')
		}
	default:
		if strings.HasPrefix(strings.TrimSpace(line), "|") {
			m.fill(from, to, "", ' ') // in a row of a table
		} else {
			m.fill(from, to, "", '\n')
		}
	}
}

// padding blanks a tag: a line that begins with blanks would be code.
func padding(line string) byte {
	if strings.Trim(line, " \t>") == "" {
		return '\n'
	}
	return ' '
}

// fencesOf returns where the fenced blocks of a text are.
func fencesOf(source string) (fences [][2]int) {
	mark := ""
	for _, m := range fenceLine.FindAllStringSubmatchIndex(source, -1) {
		switch this := source[m[2]:m[3]]; {
		case mark == "":
			mark = this
			fences = append(fences, [2]int{m[0], len(source)})
		case this[0] == mark[0] && len(this) >= len(mark):
			mark = ""
			fences[len(fences)-1][1] = m[1]
		}
	}
	return slices.Clip(fences)
}
