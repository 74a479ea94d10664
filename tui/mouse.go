package tui

import (
	"moot/tui/pane"

	tea "charm.land/bubbletea/v2"
)

// hit is a part of the screen that does something when it is clicked.
type hit struct {
	at pane.Rect
	do func() tea.Cmd
}

// hit notes what a click does; the last one noted lies on top.
func (m *Model) hit(at pane.Rect, do func() tea.Cmd) {
	if !at.Empty() {
		m.hits = append(m.hits, hit{at, do})
	}
}

// wheelRows is how far a step of the wheel scrolls.
const wheelRows = 3

// mouse scrolls what is under the pointer, and clicks what is there: a dialog, a
// key in the footer, a title, a pane.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	defer m.rearrange()
	at := msg.Mouse()
	if m.slide(msg) {
		m.flash = ""
		return nil
	}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		m.wheel(at.X, at.Y, map[tea.MouseButton]int{tea.MouseWheelUp: -wheelRows, tea.MouseWheelDown: wheelRows}[at.Button])
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			m.flash = ""
			// A click is aimed: what came a moment ago was seen.
			m.armed = m.armed || m.options.Now().Sub(m.arrived) >= quietTime
			return m.click(at.X, at.Y)
		}
	}
	return nil
}

func (m *Model) wheel(x, y, by int) {
	if d := m.dialog(); d != nil {
		for range max(by, -by) {
			d.scroll(when(by < 0, ActionUp, ActionDown), m.height)
		}
		return
	}
	if p, ok := m.layout.PaneAt(x, y); ok {
		r := m.layout.Panes[p]
		m.paneOf(p).Wheel(by, r.W, r.H)
	}
}

func (m *Model) click(x, y int) tea.Cmd {
	for i := len(m.hits) - 1; i >= 0; i-- {
		if m.hits[i].at.Contains(x, y) {
			return m.hits[i].do()
		}
	}
	if d := m.dialog(); d != nil {
		return m.clickDialog(d, x, y)
	}
	p, ok := m.layout.PaneAt(x, y)
	if !ok {
		return nil
	}
	r, before := m.layout.Panes[p], m.paneOf(p).Selected()
	focused := m.focus == p && pane.CanOpen(m.paneOf(p), x-r.X, y-r.Y, r.W, r.H)
	m.focusOn(p)
	m.paneOf(p).Click(x-r.X, y-r.Y, r.W, r.H)
	m.followSelection()
	if now := m.paneOf(p).Selected(); focused && now != "" && now == before {
		// What is selected already is opened by another click.
		return m.act(ActionOpen)
	}
	return nil
}

// clickDialog gives a click to the dialog; outside of it it closes one that is
// only read.
func (m *Model) clickDialog(d dialog, x, y int) tea.Cmd {
	r := m.dialogRect(d)
	if !r.Contains(x, y) {
		if d.place() == InReader {
			return m.act(ActionClose)
		}
		return nil
	}
	w, h := dialogInside(r)
	if c, ok := d.(clickable); ok && m.open(d) {
		return m.carryOut(c.click(x-r.X-2, y-r.Y-1, w, h))
	}
	return nil
}

// clickable is a dialog with something to click in it.
type clickable interface {
	// click takes a click at a cell of its inside and returns what the dialog
	// wants done, or nil.
	click(x, y, width, height int) intent
}
