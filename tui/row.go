package tui

import (
	"strings"

	"moot/internal/plain"
)

// span is a text in one style, not yet escaped.
type span struct {
	style style
	text  string
}

// line escapes a text that stands in one row.
func (l *look) line(text string) string { return l.inSigns(plain.Line(text)) }

// lines escapes a text whose line breaks stay.
func (l *look) lines(text string) string { return l.inSigns(plain.Text(text)) }

// inSigns writes the quotation marks, ellipses and comparisons of sentences in
// ASCII, where that is asked for.
func (l *look) inSigns(text string) string {
	if !l.ascii || !strings.ContainsAny(text, "“”‘’…≤≥≠−") {
		return text
	}
	return strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'", "…", "...", "≤", "<=", "≥", ">=", "≠", "!=", "−", "-").Replace(text)
}

// width measures a text without escape sequences, in cells.
func (l *look) width(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return l.method.StringWidth(s)
		}
	}
	return len(s)
}

// clip cuts an escaped text to the width, with an ellipsis where it was cut.
func (l *look) clip(s string, width int) string {
	if width <= 0 {
		return ""
	}
	// A text takes no more cells than bytes.
	if len(s) <= width || l.width(s) <= width {
		return s
	}
	tail := l.glyphs.ellipsis
	if width <= l.width(tail) {
		tail = ""
	}
	return l.exact(l.method.Truncate(s, width, tail), width)
}

// exact drops what still exceeds the width, which a wide character alone in a
// narrow place does.
func (l *look) exact(s string, width int) string {
	for s != "" && l.width(s) > width {
		runes := []rune(s)
		s = string(runes[:len(runes)-1])
	}
	return s
}

// row draws spans from the left and others at the right end, cut and padded to
// exactly the width. The right side gets at most half of it.
func (l *look) row(width int, left, right []span) string {
	if width <= 0 {
		return ""
	}
	var tail strings.Builder
	tailWidth := l.write(&tail, right, width/2)
	room := width
	if tailWidth > 0 {
		room = width - tailWidth - 1
	}
	var b strings.Builder
	used := l.write(&b, left, room)
	pad(&b, width-tailWidth-used)
	b.WriteString(tail.String())
	return b.String()
}

// write adds the spans as far as they fit and returns the cells they take.
func (l *look) write(b *strings.Builder, spans []span, room int) int {
	used := 0
	for _, s := range spans {
		if used >= room {
			break
		}
		text := l.line(s.text)
		if w := l.width(text); w <= room-used {
			used += w
		} else {
			text = l.clip(text, room-used)
			used += l.width(text)
			b.WriteString(s.style.paint(text))
			break
		}
		b.WriteString(s.style.paint(text))
	}
	return used
}

// pad adds n spaces.
func pad(b *strings.Builder, n int) {
	const spaces = "                                                                "
	for n > 0 {
		k := min(n, len(spaces))
		b.WriteString(spaces[:k])
		n -= k
	}
}

// blank is an empty row.
func blank(width int) string { return strings.Repeat(" ", max(width, 0)) }

// wrap breaks a text at words into lines of at most the width. Line breaks of
// the text stay; it is escaped here.
func (l *look) wrap(text string, width int) []string {
	if width <= 0 {
		return nil
	}
	text = l.lines(text)
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		if len(paragraph) <= width {
			lines = append(lines, paragraph)
			continue
		}
		for line := range strings.SplitSeq(l.method.Wrap(paragraph, width, ""), "\n") {
			lines = append(lines, l.exact(line, width))
		}
	}
	return lines
}

// A lead of more than maxHang cells does not indent what follows it; longHang
// does.
const maxHang, longHang = 14, 8

// leastFirst is the room that a text which does not fit needs to begin in a line
// that holds something else, too.
const leastFirst = 8

// wrapBehind wraps a text whose first line has less room than the others: what
// belongs to it stands there as well. It begins below where there is too little.
func (l *look) wrapBehind(text string, first, room int) []string {
	lines := l.wrap(text, max(first, 1))
	opening, _, _ := strings.Cut(l.lines(text), "\n")
	switch {
	case len(lines) == 0:
		return []string{""}
	case first >= room || len(lines) == 1:
		return lines
	case first < leastFirst && l.width(opening) > first:
		return append([]string{""}, l.wrap(text, room)...)
	}
	rest, found := strings.CutPrefix(l.lines(text), lines[0])
	if !found {
		return lines
	}
	rest = strings.TrimPrefix(strings.TrimLeft(rest, " "), "\n")
	return append(lines[:1], l.wrap(rest, room)...)
}

// paragraph draws a wrapped text behind a lead: the lead stands in the first
// line, the others are indented as far, or a little where the lead is long. The
// right side stands in the first line as well. More rows than most are cut, where most is not 0.
func (l *look) paragraph(width int, lead []span, body span, right []span, most int) []string {
	return l.hung(width, lead, body, right, 0, most)
}

// hanging draws a paragraph whose lines below the first are indented by hang
// cells, or as in paragraph where hang is 0.
func (l *look) hanging(width int, lead []span, body span, right []span, hang int) []string {
	return l.hung(width, lead, body, right, hang, 0)
}

func (l *look) hung(width int, lead []span, body span, right []span, hang, most int) []string {
	indent, rightWidth := 0, 0
	for _, s := range lead {
		indent += l.width(l.line(s.text))
	}
	for _, s := range right {
		rightWidth += l.width(l.line(s.text))
	}
	switch {
	case hang > 0:
		hang = min(hang, width/2)
	case indent > maxHang:
		hang = min(longHang, width/2)
	default:
		hang = min(indent, width/2)
	}
	// The last column stays free, so that no text touches a border.
	room, first := max(width-hang-1, 1), width-indent-1
	if rightWidth > 0 {
		first -= min(rightWidth, width/2) + 1
	}
	text := l.wrapBehind(body.text, first, when(most == 1, first, room))
	if most > 0 && len(text) > most {
		text = text[:most]
		text[most-1] = l.clip(text[most-1]+l.glyphs.ellipsis, when(most == 1, max(first, 1), room))
	}
	rows := make([]string, 0, len(text))
	for i, t := range text {
		if i == 0 {
			rows = append(rows, l.row(width, append(lead[:len(lead):len(lead)], span{body.style, t}), right))
			continue
		}
		rows = append(rows, l.row(width, []span{{text: blank(hang)}, {body.style, t}}, nil))
	}
	return rows
}

// padded is a text cut and padded to the width.
func (l *look) padded(text string, width int) string {
	text = l.clip(l.line(text), width)
	return text + blank(width-l.width(text))
}
