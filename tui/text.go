package tui

import (
	"strings"
	"unicode/utf8"

	"moot/figure"
	"moot/internal/plain"
)

// span is a text in one style. It is escaped when it is drawn.
type span struct {
	style style
	text  string
}

// span returns a text in this style.
func (s style) span(text string) span { return span{s, text} }

// line escapes a text for one row.
func (l *look) line(text string) string { return l.punctuation(plain.Line(text)) }

// lines escapes a text and keeps its line breaks.
func (l *look) lines(text string) string { return l.punctuation(plain.Text(text)) }

// punctuation replaces typographic quotes, ellipses and comparison signs in ASCII
// mode.
func (l *look) punctuation(text string) string {
	if !l.ascii || !strings.ContainsAny(text, "“”‘’…≤≥≠−") {
		return text
	}
	return strings.NewReplacer(
		"“", `"`, "”", `"`, "‘", "'", "’", "'", "…", "...", "≤", "<=", "≥", ">=", "≠", "!=", "−", "-",
	).Replace(text)
}

// width measures a text without escape sequences in cells.
func (l *look) width(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return l.method.StringWidth(s)
		}
	}
	return len(s)
}

// clip cuts an escaped text to the width. A text that was cut ends in an ellipsis.
func (l *look) clip(s string, width int) string {
	if width <= 0 {
		return ""
	}
	// A text never takes more cells than bytes.
	if len(s) <= width || l.width(s) <= width {
		return s
	}
	tail := l.glyphs.ellipsis
	if width <= l.width(tail) {
		tail = ""
	}
	return l.exact(l.method.Truncate(s, width, tail), width)
}

// exact drops the last characters while the text is too wide, which Truncate and
// Wrap leave if a wide character is alone in a narrow place.
func (l *look) exact(s string, width int) string {
	for s != "" && l.width(s) > width {
		runes := []rune(s)
		s = string(runes[:len(runes)-1])
	}
	return s
}

// row draws spans at the left and right edges, cut and padded to exactly the
// width. The right side gets at most half of it.
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

// write writes the spans that fit and returns their width.
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

// pad writes n spaces.
func pad(b *strings.Builder, n int) {
	const spaces = "                                                                "
	for n > 0 {
		k := min(n, len(spaces))
		b.WriteString(spaces[:k])
		n -= k
	}
}

// blank returns n spaces, or an empty string if n is negative.
func blank(n int) string { return strings.Repeat(" ", max(n, 0)) }

// wrap escapes a text and wraps it at words into lines of at most the width. Line
// breaks of the text are kept.
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

// The lines below the first are indented by the width of the lead, or by longHang
// if the lead is wider than maxHang.
const maxHang, longHang = 14, 8

// leastFirst is the least width of the first line of a text that is wrapped
// behind a lead.
const leastFirst = 8

// wrapBehind wraps a text whose first line is shorter than the others. If the
// first line is too short, it stays empty.
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

// paragraph draws a text that is wrapped behind a lead, with a hanging indent.
// The right spans are at the end of the first line. The text is cut after most
// rows, unless most is 0.
func (l *look) paragraph(width int, lead []span, body span, right []span, most int) []string {
	return l.hung(width, lead, body, right, 0, most)
}

// hanging draws a paragraph with a hanging indent of hang cells, or as in
// paragraph if hang is 0.
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
	// The last column is left blank, so that no text touches a border.
	room, first := max(width-hang-1, 1), width-indent-1
	if rightWidth > 0 {
		first -= min(rightWidth, width/2) + 1
	}
	wrapped := room
	if most == 1 {
		wrapped = first
	}
	text := l.wrapBehind(body.text, first, wrapped)
	if most > 0 && len(text) > most {
		text = text[:most]
		text[most-1] = l.clip(text[most-1]+l.glyphs.ellipsis, max(wrapped, 1))
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

// padded escapes, cuts and pads a text to the width.
func (l *look) padded(text string, width int) string {
	text = l.clip(l.line(text), width)
	return text + blank(width-l.width(text))
}

// rule draws a horizontal line with a title.
func (l *look) rule(width int, title string) string { return l.sectionRule(width, title, nil) }

// sectionRule draws a horizontal line with a title on the left and spans on the right.
func (l *look) sectionRule(width int, title string, right []span) string {
	line := l.glyphs.horizontal
	left := []span{{l.border, line + line + " "}, {l.bold, title + " "}}
	used := 3 + l.width(l.line(title)) + 1
	for _, s := range right {
		used += l.width(l.line(s.text))
	}
	if len(right) > 0 {
		if used+1 >= width {
			return l.sectionRule(width, title, nil)
		}
		// A blank cell before the right side.
		used++
	}
	left = append(left, span{l.border, strings.Repeat(line, max(width-used, 0))})
	return l.row(width, left, right)
}

// cut makes a styled row exactly as wide as width. Truncating inside a grapheme
// may leave it too wide, so it is repeated.
func (l *look) cut(row string, width int) string {
	for k := width; k >= 0 && l.method.StringWidth(row) > width; k-- {
		row = l.method.Truncate(row, k, "")
	}
	return row + blank(width-l.method.StringWidth(row))
}

// cell cuts and pads a text of any length to a width.
func (l *look) cell(text string, width int) string { return l.padded(prefix(text, width), width) }

// prefix returns as much of a text as can fill the width, so that very long
// texts are not scanned to their end for one row.
func prefix(text string, width int) string {
	most := 16 * (width + 1)
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// reference shortens a path from the left, since the file name and line are what
// distinguishes references.
func (l *look) reference(path string, width int) string {
	short := path
	for l.width(plain.Line(short)) > width {
		_, rest, found := strings.Cut(strings.TrimPrefix(short, l.glyphs.ellipsis+"/"), "/")
		if !found {
			break
		}
		short = l.glyphs.ellipsis + "/" + rest
	}
	return short
}

// The directions in which lines leave a corner.
const (
	lineUp = 1 << iota
	lineDown
	lineLeft
	lineRight
)

// corner returns the glyph for a cell in which lines meet.
func (g *glyphs) corner(lines uint8) string {
	switch lines {
	case lineUp, lineDown, lineUp | lineDown:
		return g.vertical
	case lineDown | lineRight:
		return g.topLeft
	case lineDown | lineLeft:
		return g.topRight
	case lineUp | lineRight:
		return g.bottomLeft
	case lineUp | lineLeft:
		return g.bottomRight
	case lineUp | lineDown | lineRight:
		return g.teeRight
	case lineUp | lineDown | lineLeft:
		return g.teeLeft
	case lineDown | lineLeft | lineRight:
		return g.teeDown
	case lineUp | lineLeft | lineRight:
		return g.teeUp
	case lineUp | lineDown | lineLeft | lineRight:
		return g.cross
	}
	return g.horizontal
}

// role returns the style for a role of a figure.
func (l *look) role(r figure.Role) style {
	return [...]style{
		figure.RoleText: l.text, figure.RoleFaint: l.faint, figure.RoleBold: l.bold, figure.RoleBorder: l.border,
		figure.RoleSelected: l.accent, figure.RoleAgreed: l.agreed, figure.RoleDismissed: l.dismissed,
		figure.RoleUnresolved: l.unresolved, figure.RoleNotEvaluated: l.notEvaluated, figure.RoleOpen: l.open,
		figure.RoleAttack: l.attack, figure.RoleSupport: l.support, figure.RoleWarn: l.warn, figure.RoleUser: l.user,
		figure.RoleOrchestrator: l.orchestrator, figure.RoleConsultee: l.consultee, figure.RoleSeat: l.seat,
	}[r]
}

// painted draws the rows of a figure.
func (l *look) painted(rows []figure.Row) []string {
	lines := make([]string, len(rows))
	var b strings.Builder
	for i, row := range rows {
		b.Reset()
		for _, run := range row {
			b.WriteString(l.role(run.Role).paint(run.Text))
		}
		lines[i] = b.String()
	}
	return lines
}
