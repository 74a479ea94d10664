package theme

import (
	"strings"

	"moot/internal/plain"
)

// Span is a text in one style. It is escaped when it is drawn.
type Span struct {
	Style Style
	Text  string
}

// Span returns a text in this style.
func (s Style) Span(text string) Span { return Span{s, text} }

// Line escapes a text for one row.
func (l *Look) Line(text string) string { return l.punctuation(plain.Line(text)) }

// lines escapes a text and keeps its line breaks.
func (l *Look) lines(text string) string { return l.punctuation(plain.Text(text)) }

// punctuation replaces typographic quotes, ellipses and comparison signs in ASCII
// mode.
func (l *Look) punctuation(text string) string {
	if !l.ASCII || !strings.ContainsAny(text, "“”‘’…≤≥≠−") {
		return text
	}
	return strings.NewReplacer(
		"“", `"`, "”", `"`, "‘", "'", "’", "'", "…", "...", "≤", "<=", "≥", ">=", "≠", "!=", "−", "-",
	).Replace(text)
}

// Row draws spans at the left and right edges, cut and padded to exactly the
// width. The right side gets at most half of it.
func (l *Look) Row(width int, left, right []Span) string {
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
	Pad(&b, width-tailWidth-used)
	b.WriteString(tail.String())
	return b.String()
}

// write writes the spans that fit and returns their width.
func (l *Look) write(b *strings.Builder, spans []Span, room int) int {
	used := 0
	for _, s := range spans {
		if used >= room {
			break
		}
		text := l.Line(s.Text)
		if w := l.Width(text); w <= room-used {
			used += w
		} else {
			text = l.Clip(text, room-used)
			used += l.Width(text)
			b.WriteString(s.Style.Paint(text))
			break
		}
		b.WriteString(s.Style.Paint(text))
	}
	return used
}

// Pad writes n spaces.
func Pad(b *strings.Builder, n int) {
	const spaces = "                                                                "
	for n > 0 {
		k := min(n, len(spaces))
		b.WriteString(spaces[:k])
		n -= k
	}
}

// Blank returns n spaces, or an empty string if n is negative.
func Blank(n int) string { return strings.Repeat(" ", max(n, 0)) }

// Wrap escapes a text and wraps it at words into lines of at most the width. Line
// breaks of the text are kept.
func (l *Look) Wrap(text string, width int) []string {
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
		for line := range strings.SplitSeq(l.Method.Wrap(paragraph, width, ""), "\n") {
			lines = append(lines, l.Exact(line, width))
		}
	}
	return lines
}

// The lines below the first are indented by the width of the lead, or by longHang
// if the lead is wider than maxHang.
const maxHang, longHang = 14, 8

// leastFirst is the least width of the first line of a text that is wrapped
// behind a lead.
const leastFirst = 8

// wrapBehind wraps a text whose first line is shorter than the others. If the
// first line is too short, it stays empty.
func (l *Look) wrapBehind(text string, first, room int) []string {
	lines := l.Wrap(text, max(first, 1))
	opening, _, _ := strings.Cut(l.lines(text), "\n")
	switch {
	case len(lines) == 0:
		return []string{""}
	case first >= room || len(lines) == 1:
		return lines
	case first < leastFirst && l.Width(opening) > first:
		return append([]string{""}, l.Wrap(text, room)...)
	}
	rest, found := strings.CutPrefix(l.lines(text), lines[0])
	if !found {
		return lines
	}
	rest = strings.TrimPrefix(strings.TrimLeft(rest, " "), "\n")
	return append(lines[:1], l.Wrap(rest, room)...)
}

// Paragraph draws a text that is wrapped behind a lead, with a hanging indent.
// The right spans are at the end of the first line. The text is cut after most
// rows, unless most is 0.
func (l *Look) Paragraph(width int, lead []Span, body Span, right []Span, most int) []string {
	return l.hung(width, lead, body, right, 0, most)
}

// Hanging draws a paragraph with a hanging indent of hang cells, or as in
// paragraph if hang is 0.
func (l *Look) Hanging(width int, lead []Span, body Span, right []Span, hang int) []string {
	return l.hung(width, lead, body, right, hang, 0)
}

func (l *Look) hung(width int, lead []Span, body Span, right []Span, hang, most int) []string {
	indent, rightWidth := 0, 0
	for _, s := range lead {
		indent += l.Width(l.Line(s.Text))
	}
	for _, s := range right {
		rightWidth += l.Width(l.Line(s.Text))
	}
	switch {
	case hang > 0:
		hang = min(hang, width/2)
	case indent > maxHang:
		hang = min(longHang, width/2)
	default:
		hang = min(indent, width/2)
	}
	// The last column is left blank, so that no text touches a border.
	room, first := max(width-hang-1, 1), width-indent-1
	if rightWidth > 0 {
		first -= min(rightWidth, width/2) + 1
	}
	wrapped := room
	if most == 1 {
		wrapped = first
	}
	text := l.wrapBehind(body.Text, first, wrapped)
	if most > 0 && len(text) > most {
		text = text[:most]
		text[most-1] = l.Clip(text[most-1]+l.Glyphs.Ellipsis, max(wrapped, 1))
	}
	rows := make([]string, 0, len(text))
	for i, t := range text {
		if i == 0 {
			rows = append(rows, l.Row(width, append(lead[:len(lead):len(lead)], Span{body.Style, t}), right))
			continue
		}
		rows = append(rows, l.Row(width, []Span{{Text: Blank(hang)}, {body.Style, t}}, nil))
	}
	return rows
}

// Padded escapes, cuts and pads a text to the width.
func (l *Look) Padded(text string, width int) string {
	text = l.Clip(l.Line(text), width)
	return text + Blank(width-l.Width(text))
}

// Rule draws a horizontal line with a title.
func (l *Look) Rule(width int, title string) string { return l.SectionRule(width, title, nil) }

// SectionRule draws a horizontal line with a title on the left and spans on the right.
func (l *Look) SectionRule(width int, title string, right []Span) string {
	line := l.Glyphs.Horizontal
	left := []Span{{l.Border, line + line + " "}, {l.Bold, title + " "}}
	used := 3 + l.Width(l.Line(title)) + 1
	for _, s := range right {
		used += l.Width(l.Line(s.Text))
	}
	if len(right) > 0 {
		if used+1 >= width {
			return l.SectionRule(width, title, nil)
		}
		// A blank cell before the right side.
		used++
	}
	left = append(left, Span{l.Border, strings.Repeat(line, max(width-used, 0))})
	return l.Row(width, left, right)
}

// Cut makes a styled row exactly as wide as width. Truncating inside a grapheme
// may leave it too wide, so it is repeated.
func (l *Look) Cut(row string, width int) string {
	for k := width; k >= 0 && l.Method.StringWidth(row) > width; k-- {
		row = l.Method.Truncate(row, k, "")
	}
	return row + Blank(width-l.Method.StringWidth(row))
}

// The directions of the lines that meet in a cell.
const (
	LineUp = 1 << iota
	LineDown
	LineLeft
	LineRight
)

// Corner returns the glyph for a cell in which lines meet.
func (g *glyphs) Corner(lines uint8) string {
	return [...]string{
		LineUp: g.Vertical, LineDown: g.Vertical, LineUp | LineDown: g.Vertical,
		LineLeft: g.Horizontal, LineRight: g.Horizontal, LineLeft | LineRight: g.Horizontal,
		LineDown | LineRight: g.TopLeft, LineDown | LineLeft: g.TopRight,
		LineUp | LineRight: g.BottomLeft, LineUp | LineLeft: g.BottomRight,
		LineUp | LineDown | LineRight: g.teeRight, LineUp | LineDown | LineLeft: g.teeLeft,
		LineDown | LineLeft | LineRight: g.teeDown, LineUp | LineLeft | LineRight: g.teeUp,
		LineUp | LineDown | LineLeft | LineRight: g.cross,
	}[lines]
}
