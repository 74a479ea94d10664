package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
	"moot/tui/theme"
)

// canvas joins the parts of a screen. What is put on it lies inside of its
// rectangle: rows are exactly as wide.
type canvas struct {
	rows [][]piece
}

// piece is a part of a row.
type piece struct {
	x, width int
	text     string
}

func newCanvas(height int) *canvas { return &canvas{rows: make([][]piece, max(height, 0))} }

// put places rows into a rectangle.
func (c *canvas) put(r pane.Rect, rows []string) {
	for i, row := range rows {
		if y := r.Y + i; i < r.H && y >= 0 && y < len(c.rows) {
			c.rows[y] = append(c.rows[y], piece{r.X, r.W, row})
		}
	}
}

// lines joins the pieces of each row from left to right.
func (c *canvas) lines(width int) []string {
	lines := make([]string, len(c.rows))
	var b strings.Builder
	for y, row := range c.rows {
		b.Reset()
		x := 0
		for len(row) > 0 {
			next := 0
			for i := range row {
				if row[i].x < row[next].x {
					next = i
				}
			}
			p := row[next]
			row = append(row[:next:next], row[next+1:]...)
			theme.Pad(&b, p.x-x)
			b.WriteString(p.text)
			x = p.x + p.width
		}
		theme.Pad(&b, width-x)
		lines[y] = b.String()
	}
	return lines
}

// titled is a pane's title: its number key, its name, what counts in it.
func (m *Model) titled(p pane.ID) string {
	name := m.paneOf(p).Title()
	if p == pane.HomeID {
		return name
	}
	return m.key(p) + " " + name
}

// frameLines are the lines of a frame, a byte of directions for each cell. Where
// panes share a line their corners become tees.
func frameLines(l *Layout) []uint8 {
	lines := make([]uint8, l.Width*l.Height)
	for _, p := range l.Shown() {
		r := l.Panes[p].Outer()
		right, bottom := r.X+r.W-1, r.Y+r.H-1
		for x := r.X; x <= right; x++ {
			along := when[uint8](x > r.X, theme.LineLeft, 0) | when[uint8](x < right, theme.LineRight, 0)
			lines[r.Y*l.Width+x] |= along
			lines[bottom*l.Width+x] |= along
		}
		for y := r.Y; y <= bottom; y++ {
			along := when[uint8](y > r.Y, theme.LineUp, 0) | when[uint8](y < bottom, theme.LineDown, 0)
			lines[y*l.Width+r.X] |= along
			lines[y*l.Width+right] |= along
		}
	}
	return lines
}

// drawFrame draws the lines around and between the panes (wide), with the
// titles of the panes in the lines above them.
func (m *Model) drawFrame(c *canvas, l *Layout) {
	lines := frameLines(l)
	for y := l.Frame.Y; y < l.Frame.Y+l.Frame.H; y++ {
		for x := 0; x < l.Width; {
			if lines[y*l.Width+x] == 0 {
				x++
				continue
			}
			if p, found := l.titleAt(x, y); found {
				width := l.Panes[p].W
				m.hit(pane.Rect{X: x, Y: y, W: width, H: 1}, func() tea.Cmd { return m.focusOn(p) })
				c.put(pane.Rect{X: x, Y: y, W: width, H: 1}, []string{m.titleLine(p, width)})
				x += width
				continue
			}
			from := x
			var text strings.Builder
			for x < l.Width && lines[y*l.Width+x] != 0 {
				if _, found := l.titleAt(x, y); found && x > from {
					break
				}
				text.WriteString(m.look.Glyphs.Corner(lines[y*l.Width+x]))
				x++
			}
			c.put(pane.Rect{X: from, Y: y, W: x - from, H: 1}, []string{m.look.Border.Paint(text.String())})
		}
	}
}

// titleAt is the pane whose title begins at the cell.
func (l *Layout) titleAt(x, y int) (pane.ID, bool) {
	for p := range pane.NumIDs {
		if r := l.Panes[p]; !r.Empty() && r.X == x && r.Y == y+1 {
			return p, true
		}
	}
	return 0, false
}

// titleLine is the line above a pane.
func (m *Model) titleLine(p pane.ID, width int) string {
	line := m.look.Glyphs.Horizontal
	title, st := " "+m.titled(p)+" ", m.look.Title
	if p == m.focus {
		title, st = " "+m.look.Glyphs.Pointer+" "+m.titled(p)+" ", m.look.Accent
	}
	title = m.look.Clip(title, width-2)
	more := when(m.paneOf(p).More(), " "+m.look.Glyphs.ScrollDown+" more ", "")
	others, wide := []theme.Span(nil), 0
	if p == m.main {
		r := m.layout.Panes[p]
		others, wide = m.otherPanes(r.X, r.Y-1, width-m.look.Width(more), width-m.look.Width(title)-m.look.Width(more)-2)
	}
	used := 1 + m.look.Width(title) + wide + m.look.Width(more)
	if used > width {
		more, used = "", used-m.look.Width(more)
	}
	spans := append([]theme.Span{m.look.Border.Span(line), st.Span(title), m.look.Border.Span(strings.Repeat(line, max(width-used, 0)))}, others...)
	return m.look.Row(width, append(spans, m.look.Faint.Span(more)), nil)
}

// otherPanes names the panes that are not on the screen, as far as there is
// room, and what they take. The names end at a cell of the line; each can be
// clicked.
func (m *Model) otherPanes(x, y, end, room int) (spans []theme.Span, width int) {
	hidden := m.layout.Hidden(m.views())
	// The metrics give way first.
	fewer := slices.DeleteFunc(slices.Clone(hidden), func(p pane.ID) bool { return p == pane.MetricsID })
	for _, try := range []struct {
		panes []pane.ID
		name  func(pane.ID) string
	}{{hidden, m.countedTab}, {hidden, m.numberedTab}, {fewer, m.numberedTab}} {
		width = 0
		for _, p := range try.panes {
			width += m.look.Width(try.name(p)) + 2
		}
		if width == 0 || width > room {
			continue
		}
		at := x + end - width + 1
		for _, p := range try.panes {
			spans = append(spans, m.look.Faint.Span(" "+try.name(p)+" "))
			m.hit(pane.Rect{X: at, Y: y, W: m.look.Width(try.name(p)), H: 1}, func() tea.Cmd { return m.focusOn(p) })
			at += m.look.Width(try.name(p)) + 2
		}
		return spans, width
	}
	const text = " 1-9 0 views "
	if width == 0 || m.look.Width(text) > room {
		return nil, 0
	}
	return []theme.Span{m.look.Faint.Span(text)}, m.look.Width(text)
}

// countedTab names a pane with its number, and the challenges with those that
// are open.
func (m *Model) countedTab(p pane.ID) string {
	return when(p == pane.ChallengesID, m.titled(p), m.numberedTab(p))
}

// drawTabs draws the bar of tabs (compact): every pane is named in it, with as
// many words as there is room for.
func (m *Model) drawTabs(c *canvas, l *Layout) {
	names := []func(pane.ID) string{m.titled, m.numberedTab, pane.ID.String, m.lastShort(1), m.lastShort(2), m.shortTab}
	at := slices.IndexFunc(names, func(name func(pane.ID) string) bool {
		width := 1
		for _, p := range m.views() {
			width += m.look.Width(m.tab(p, name)) + 1
		}
		return width <= l.Frame.W
	})
	m.putTabs(c, l, names[when(at < 0, len(names)-1, at)])
}

// numberedTab names a pane with its number.
func (m *Model) numberedTab(p pane.ID) string { return m.key(p) + " " + p.String() }

// lastShort names the last n views by their numbers, and the others whole.
func (m *Model) lastShort(n int) func(pane.ID) string {
	views := m.views()
	last := views[len(views)-n:]
	return func(p pane.ID) string {
		if slices.Contains(last, p) {
			return m.shortTab(p)
		}
		return p.String()
	}
}

// shortTab names the focused pane whole and the others by their number.
func (m *Model) shortTab(p pane.ID) string {
	if p == m.focus {
		return p.String()
	}
	return m.key(p)
}

// tab is a tab's text: the focused one is marked.
func (m *Model) tab(p pane.ID, name func(pane.ID) string) string {
	if p == m.focus {
		return m.look.Glyphs.Pointer + " " + name(p)
	}
	return name(p)
}

func (m *Model) putTabs(c *canvas, l *Layout, name func(pane.ID) string) {
	spans, x := []theme.Span{{Text: " "}}, 1
	for _, p := range m.views() {
		text := m.tab(p, name)
		spans = append(spans, when(p == m.focus, m.look.Accent, m.look.Faint).Span(text), theme.Span{Text: " "})
		m.hit(pane.Rect{X: l.Frame.X + x, Y: l.Frame.Y, W: m.look.Width(text), H: 1}, func() tea.Cmd { return m.focusOn(p) })
		x += m.look.Width(text) + 1
	}
	c.put(l.Frame, []string{m.look.Row(l.Frame.W, spans, nil)})
}
