package tui

import (
	"fmt"
	"strings"
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
func (c *canvas) put(r Rect, rows []string) {
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
			pad(&b, p.x-x)
			b.WriteString(p.text)
			x = p.x + p.width
		}
		pad(&b, width-x)
		lines[y] = b.String()
	}
	return lines
}

// title is the name of a pane with its number key and a count.
func (m *Model) title(p Pane) string {
	name := fmt.Sprintf("%d %s", int(p)+1, p)
	switch p {
	case PanePoints:
		if n := len(m.rulings); n > 0 {
			name += fmt.Sprintf(" %d", n)
		}
	case PaneChallenges:
		if m.challenges.open > 0 {
			name += fmt.Sprintf(" %d open", m.challenges.open)
		}
	case PaneLedger:
		if m.ledger.n > 0 {
			name += fmt.Sprintf(" %d", m.ledger.n)
		}
	case PaneDebate, paneCount:
	}
	return name
}

// drawFrame draws the lines around and between the panes (wide).
func (m *Model) drawFrame(c *canvas, l *Layout) {
	g, f := &m.look.glyphs, l.Frame
	m.drawBorder(c, f.Y, [3]string{g.topLeft, g.teeDown, g.topRight}, PaneDebate, PanePoints)
	m.drawBorder(c, l.Split, [3]string{g.teeRight, g.cross, g.teeLeft}, PaneChallenges, PaneLedger)
	m.drawBorder(c, f.Y+f.H-1, [3]string{g.bottomLeft, g.teeUp, g.bottomRight}, -1, -1)
	bar := []string{m.look.border.paint(g.vertical)}
	for y := f.Y + 1; y < f.Y+f.H-1; y++ {
		if y == l.Split {
			continue
		}
		for _, x := range []int{f.X, l.Column, f.X + f.W - 1} {
			c.put(Rect{x, y, 1, 1}, bar)
		}
	}
}

// drawBorder draws a horizontal line with the titles of the panes below it.
func (m *Model) drawBorder(c *canvas, y int, corners [3]string, left, right Pane) {
	l := &m.layout
	spans := []span{{m.look.border, corners[0]}}
	spans = append(spans, m.titleSpans(left, l.Column-l.Frame.X-1)...)
	spans = append(spans, span{m.look.border, corners[1]})
	spans = append(spans, m.titleSpans(right, l.Frame.X+l.Frame.W-1-l.Column-1)...)
	spans = append(spans, span{m.look.border, corners[2]})
	c.put(Rect{l.Frame.X, y, l.Frame.W, 1}, []string{m.look.row(l.Frame.W, spans, nil)})
}

// titleSpans is a pane's title in a line of the width; no pane, no title.
func (m *Model) titleSpans(p Pane, width int) []span {
	line := m.look.glyphs.horizontal
	if p < 0 {
		return []span{{m.look.border, strings.Repeat(line, max(width, 0))}}
	}
	title, st := " "+m.title(p)+" ", m.look.bold
	if p == m.focus {
		title, st = " "+m.look.glyphs.pointer+" "+m.title(p)+" ", m.look.accent
	}
	title = m.look.clip(title, width-2)
	right := m.position(p)
	used := 1 + m.look.width(title) + m.look.width(right)
	return []span{
		{m.look.border, line},
		{st, title},
		{m.look.border, strings.Repeat(line, max(width-used, 0))},
		{m.look.faint, when(used <= width, right, "")},
	}
}

// position says that a pane, which is drawn already, goes on below what is seen.
func (m *Model) position(p Pane) string {
	more := m.debate.cached.more
	if l := m.listOf(p); l != nil {
		more = l.cached.more
	}
	return when(more, " "+m.look.glyphs.scrollDown+" more ", "")
}

// drawTabs draws the bar of tabs (compact): every pane is named in it.
func (m *Model) drawTabs(c *canvas, l *Layout) {
	full, short := []span{{text: " "}}, []span{{text: " "}}
	width := 1
	for _, p := range Panes() {
		st, mark := m.look.faint, "  "
		if p == m.focus {
			st, mark = m.look.accent, m.look.glyphs.pointer+" "
		}
		title := mark + m.title(p) + "  "
		width += m.look.width(title)
		full = append(full, span{st, title})
		short = append(short, span{st, strings.TrimPrefix(mark, "  ") + p.String() + " "})
	}
	c.put(l.Frame, []string{m.look.row(l.Frame.W, when(width <= l.Frame.W, full, short), nil)})
}
