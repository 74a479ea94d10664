package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// drawScreen draws all rows of the screen, each exactly as wide as the screen.
func (m *Model) drawScreen() []string {
	l := &m.layout
	if l.Width == 0 || l.Height == 0 {
		return nil
	}
	c := make(canvas, l.Height)
	if l.Kind == TooSmall {
		for y, line := range m.look.Wrap(fmt.Sprintf("moot needs %dx%d", smallWidth, smallHeight), l.Width) {
			row := m.look.Row(l.Width, []theme.Span{m.look.Text.Span(line)}, nil)
			c.put(pane.Rect{X: 0, Y: y, W: l.Width, H: 1}, []string{row})
		}
		return c.lines(l.Width)
	}
	calls := m.calls
	if m.replaying() {
		calls = nil
	}
	m.debate.SetLive(calls, m.clock(), m.blind())
	m.findings.SetLive(calls, m.clock())
	for _, p := range l.Shown() {
		r := l.Panes[p]
		rows := m.paneOf(p).View(r.W, r.H)
		if p == m.focus && m.search.on() {
			rows = m.search.mark(m.look, rows)
		}
		c.put(r, rows)
	}
	switch {
	case m.onBatch():
		m.drawBatch(c, l)
	case m.atHome:
		m.putRow(c, l.Header, m.homeHeader)
		if r := l.Panes[pane.PreviewID]; !r.Empty() {
			bar := pane.Rect{X: r.X - 2, Y: r.Y, W: 1, H: r.H}
			c.put(bar, slices.Repeat([]string{m.look.Border.Paint(m.look.Glyphs.Vertical)}, r.H))
		}
	default:
		m.drawSession(c, l)
	}
	c.put(l.Status, m.statusRows(l.Status.W))
	m.putRow(c, l.Footer, m.footer)
	return m.drawDialog(c.lines(l.Width))
}

// drawSession draws what is around the panes of a session.
func (m *Model) drawSession(c canvas, l *Layout) {
	if l.Kind == Compact {
		m.drawTabs(c, l)
	} else {
		m.drawFrame(c, l)
	}
	h := pane.Header{
		Look: m.look, State: m.state, Stage: m.shownStage(), Note: pane.SessionNote(m.state, m.options.ModelessNote),
	}
	h.Status, h.Role = view.FormatOf(m.state).Status(m.state, m.rulings)
	m.putRow(c, l.Header, h.TitleLine)
	m.putRow(c, l.Phases, h.PhaseLine)
	m.putRow(c, l.Note, h.NoteLine)
	m.putRow(c, l.Slider, m.sliderLine)
	m.putRow(c, l.Questions, m.questionLine)
}

// homeHeader says what moot is.
func (m *Model) homeHeader(width int) string {
	l := m.look
	about := "models argue your question; code rules on each claim"
	for _, shorter := range []string{"models argue; code decides", "your sessions"} {
		if l.Width(about)+len(" moot   ") > width {
			about = shorter
		}
	}
	return l.Row(width, []theme.Span{l.Accent.Span(" moot"), l.Faint.Span("  " + about)}, nil)
}

// putRow draws a row if the layout has it.
func (m *Model) putRow(c canvas, r pane.Rect, draw func(width int) string) {
	if !r.Empty() {
		c.put(r, []string{draw(r.W)})
	}
}

// canvas holds the pieces of each row of the screen.
type canvas [][]piece

// piece is a part of a row, exactly as wide as its rectangle.
type piece struct {
	x, width int
	text     string
}

// put places rows into a rectangle.
func (c canvas) put(r pane.Rect, rows []string) {
	for i, row := range rows {
		if y := r.Y + i; i < r.H && y >= 0 && y < len(c) {
			c[y] = append(c[y], piece{r.X, r.W, row})
		}
	}
}

// lines joins the pieces of each row from left to right.
func (c canvas) lines(width int) []string {
	lines := make([]string, len(c))
	var b strings.Builder
	for y, row := range c {
		b.Reset()
		slices.SortStableFunc(row, func(a, b piece) int { return cmp.Compare(a.x, b.x) })
		x := 0
		for _, p := range row {
			theme.Pad(&b, p.x-x)
			b.WriteString(p.text)
			x = p.x + p.width
		}
		theme.Pad(&b, width-x)
		lines[y] = b.String()
	}
	return lines
}

// titled returns a pane's number key and its title.
func (m *Model) titled(p pane.ID) string {
	title := m.paneOf(p).Title()
	if p >= pane.HomeID {
		return title
	}
	return numberKey(p) + " " + title
}

// frameLines returns the directions of the lines in each cell. Where panes share a line their corners become tees.
func frameLines(l *Layout) []uint8 {
	lines := make([]uint8, l.Width*l.Height)
	for _, p := range l.Shown() {
		r := l.Panes[p].Outer()
		right, bottom := r.X+r.W-1, r.Y+r.H-1
		for x := r.X; x < right; x++ {
			for _, y := range []int{r.Y, bottom} {
				lines[y*l.Width+x] |= theme.LineRight
				lines[y*l.Width+x+1] |= theme.LineLeft
			}
		}
		for y := r.Y; y < bottom; y++ {
			for _, x := range []int{r.X, right} {
				lines[y*l.Width+x] |= theme.LineDown
				lines[(y+1)*l.Width+x] |= theme.LineUp
			}
		}
	}
	return lines
}

// drawFrame draws the lines around the panes of the wide layout, with the titles in the lines above them.
func (m *Model) drawFrame(c canvas, l *Layout) {
	lines := frameLines(l)
	for y := l.Frame.Y; y < l.Frame.Y+l.Frame.H; y++ {
		for x := 0; x < l.Width; x++ {
			at := lines[y*l.Width+x]
			if at == 0 {
				continue
			}
			r, row := pane.Rect{X: x, Y: y, W: 1, H: 1}, m.look.Border.Paint(m.look.Glyphs.Corner(at))
			if p, found := l.titleAt(x, y); found {
				r.W = l.Panes[p].W
				row = m.titleLine(p, r.W)
			}
			c.put(r, []string{row})
			x += r.W - 1
		}
	}
}

// titleAt returns the pane whose title begins at a cell.
func (l *Layout) titleAt(x, y int) (pane.ID, bool) {
	for p := range pane.NumIDs {
		if r := l.Panes[p]; !r.Empty() && r.X == x && r.Y == y+1 {
			return p, true
		}
	}
	return 0, false
}

// titleLine draws the line above a pane.
func (m *Model) titleLine(p pane.ID, width int) string {
	line := m.look.Glyphs.Horizontal
	title, style := " "+m.titled(p)+" ", m.look.Title
	if p == m.focus {
		title, style = " "+m.look.Glyphs.Pointer+" "+m.titled(p)+" ", m.look.Accent
	}
	title = m.look.Clip(title, width-2)
	more := ""
	if m.paneOf(p).More() {
		more = " " + m.look.Glyphs.ScrollDown + " more "
	}
	others, othersWidth := []theme.Span(nil), 0
	if p == m.main {
		others, othersWidth = m.otherPanes(width - m.look.Width(more+title) - 2)
	}
	used := 1 + m.look.Width(title) + othersWidth + m.look.Width(more)
	if used > width {
		more, used = "", used-m.look.Width(more)
	}
	rest := m.look.Border.Span(strings.Repeat(line, max(width-used, 0)))
	spans := append([]theme.Span{m.look.Border.Span(line), style.Span(title), rest}, others...)
	return m.look.Row(width, append(spans, m.look.Faint.Span(more)), nil)
}

// otherPanes names the hidden panes at the end of a title line, if there is room.
func (m *Model) otherPanes(room int) (spans []theme.Span, width int) {
	text := ""
	for _, p := range m.layout.Hidden(m.views()) {
		if p != pane.ResultID {
			text += " " + numbered(p) + " "
		}
	}
	if m.look.Width(text) > room {
		text = " 1-9 0 views "
	}
	if text == "" || m.look.Width(text) > room {
		return nil, 0
	}
	return []theme.Span{m.look.Faint.Span(text)}, m.look.Width(text)
}

// numbered returns a pane's number key and its name.
func numbered(p pane.ID) string { return numberKey(p) + " " + p.String() }

// drawTabs draws the tab bar of the compact layout. It names every pane if there is room, else all but the focused one
// by their numbers.
func (m *Model) drawTabs(c canvas, l *Layout) {
	short := func(p pane.ID) string {
		if p == m.focus {
			return p.String()
		}
		return numberKey(p)
	}
	var spans []theme.Span
	for _, name := range []func(pane.ID) string{m.titled, numbered, pane.ID.String, short} {
		spans = []theme.Span{{Text: " "}}
		width := 1
		for _, p := range m.views() {
			text, style := name(p), m.look.Faint
			if p == m.focus {
				text, style = m.look.Glyphs.Pointer+" "+text, m.look.Accent
			}
			spans = append(spans, style.Span(text), theme.Span{Text: " "})
			width += m.look.Width(text) + 1
		}
		if width <= l.Frame.W {
			break
		}
	}
	c.put(l.Frame, []string{m.look.Row(l.Frame.W, spans, nil)})
}
