package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
	"moot/tui/theme"
)

// drawScreen draws all rows of the screen, each exactly as wide as it.
func (m *Model) drawScreen() []string {
	l := &m.layout
	if l.Width == 0 || l.Height == 0 {
		return nil
	}
	c := newCanvas(l.Height)
	if l.Kind == TooSmall {
		need := fmt.Sprintf("moot needs %dx%d", smallWidth, smallHeight)
		for y, line := range m.look.Wrap(need, l.Width) {
			c.put(pane.Rect{X: 0, Y: y, W: l.Width, H: 1}, []string{m.look.Row(l.Width, []theme.Span{m.look.Text.Span(line)}, nil)})
		}
		return c.lines(l.Width)
	}
	m.drawPanes(c, l)
	if m.atHome {
		m.putRow(c, l.Header, m.homeHeader)
	} else {
		m.drawSitting(c, l)
	}
	if m.dialog() != nil {
		// What a dialog lies over cannot be clicked.
		m.hits = m.hits[:0]
	}
	c.put(l.Status, m.statusRows(l.Status.W))
	m.putRow(c, l.Footer, m.footer)
	return m.drawDialog(c.lines(l.Width))
}

// drawSitting draws what stands around the panes of a session.
func (m *Model) drawSitting(c *canvas, l *Layout) {
	switch l.Kind {
	case Compact:
		m.drawTabs(c, l)
	case Wide:
		m.drawFrame(c, l)
	case TooSmall:
	}
	h := pane.Header{Look: m.look, State: m.state, Stage: m.shownStage(), Note: pane.Modelless(&m.state, m.options.ModelessNote), Outcome: m.decision.Outcome, Rounds: m.decision.Rounds(), Clashes: m.telling.Conflicts(), Question: pane.QuestionRuling(&m.state, m.rulings)}
	m.putRow(c, l.Header, h.TitleLine)
	m.putRow(c, l.Phases, h.PhaseLine)
	m.putRow(c, l.Note, h.NoteLine)
	m.putRow(c, l.Slider, m.sliderLine)
	m.putRow(c, l.Questions, m.questionLine)
	m.hit(l.Questions, func() tea.Cmd { return m.act(ActionAnswer) })
}

// putRow draws a row where there is one.
func (m *Model) putRow(c *canvas, r pane.Rect, draw func(width int) string) {
	if !r.Empty() {
		c.put(r, []string{draw(r.W)})
	}
}

func (m *Model) drawPanes(c *canvas, l *Layout) {
	m.debate.SetLive(when(m.replaying(), nil, m.calls), m.clock(), m.blind())
	m.matrix.SetLive(when(m.replaying(), nil, m.calls), m.clock())
	for _, p := range l.Shown() {
		r := l.Panes[p]
		rows := m.paneOf(p).View(r.W, r.H)
		if p == m.focus && m.search.on() {
			rows = m.search.mark(m.look, rows)
		}
		c.put(r, rows)
	}
}

func (m *Model) clock() pane.Clock { return pane.Clock{Now: m.options.Now(), Frame: m.frame} }

// footer names the keys that do something now, as many as there is room for.
func (m *Model) footer(width int) string {
	if m.dialog() != nil {
		// Its frame names the keys.
		return theme.Blank(width)
	}
	if m.typing() {
		return m.typingHints(width)
	}
	right, room := m.fixedHints(width)
	return m.look.Row(width, append([]theme.Span{{Text: " "}}, m.keyHints(1, m.layout.Footer.Y, room-2)...), right)
}

// typingHints are the keys of the line that is typed into: all others are text.
func (m *Model) typingHints(width int) string {
	l := m.look
	what, enter := "ends the search", "goes there"
	if m.atHome {
		what, enter = "ends the filter", "opens"
	}
	hints := []theme.Span{l.Bold.Span(" esc "), l.Faint.Span(what), l.Bold.Span("  enter "), l.Faint.Span(enter)}
	return l.Row(width, hints, nil)
}

// leaveWidth is the width from which the footer always names the way out.
const leaveWidth = 60

// fixedHints are the keys that the footer always names, at its end: the ways to
// all commands, out, and to all keys, as far as the width allows. Room is what
// they leave.
func (m *Model) fixedHints(width int) (spans []theme.Span, room int) {
	named := m.fixed(width)
	words := map[Action]string{ActionPalette: "commands  ", ActionQuit: "leave  ", ActionHelp: "help "}
	for _, a := range named {
		spans = append(spans, m.look.Bold.Span(m.keyOf(a)+" "), m.look.Faint.Span(words[a]))
	}
	room = width
	for i := len(named) - 1; i >= 0; i-- {
		wide := m.look.Width(spans[2*i].Text + spans[2*i+1].Text)
		room -= wide
		m.hit(pane.Rect{X: room, Y: m.layout.Footer.Y, W: wide, H: 1}, func() tea.Cmd { return m.act(named[i]) })
	}
	return spans, room
}

// fixed are the actions at the end of the footer.
func (m *Model) fixed(width int) []Action {
	switch {
	case width < leaveWidth:
		return []Action{ActionHelp}
	case width < pane.WideWidth:
		return []Action{ActionQuit, ActionHelp}
	}
	return []Action{ActionPalette, ActionQuit, ActionHelp}
}

// keyOf is the key of an action where the screen has the keys.
func (m *Model) keyOf(a Action) string {
	for _, place := range m.places() {
		for i := range m.keys.table {
			if b := &m.keys.table[i]; b.Place == place && b.Action == a && m.holds(b) && !m.shadowed(b) {
				return b.Shown
			}
		}
	}
	return ""
}

// keyHints names the keys of the present places from a cell on, as far as there
// is room; each can be clicked. The first one is named in a word where there is
// room for no more.
func (m *Model) keyHints(x, y, room int) []theme.Span {
	var spans []theme.Span
	for _, place := range m.places() {
		for i := range m.keys.table {
			b := &m.keys.table[i]
			if b.Place != place || !m.named(b) || !m.holds(b) || m.shadowed(b) || m.disabled(b.Action) != "" {
				continue
			}
			gap := when(len(spans) == 0, "", "  ")
			key, what := b.Shown+" ", when(b.Action == ActionAuto && m.auto, "auto off", b.Footer)
			if word, _, found := strings.Cut(what, " "); found && gap == "" && x+m.look.Width(key+what) > room {
				what = word
			}
			width := m.look.Width(key + what)
			if x+len(gap)+width > room {
				continue
			}
			m.hit(pane.Rect{X: x + len(gap), Y: y, W: width, H: 1}, func() tea.Cmd { return m.act(b.Action) })
			x += len(gap) + width
			spans = append(spans, theme.Span{Text: gap}, m.look.Bold.Span(key), m.look.Faint.Span(what))
		}
	}
	return spans
}

// named reports whether the footer names a key beside those at its end. Exports and replays
// are named once the session is over and nothing else is left to do, rulings while a point is
// selected.
func (m *Model) named(b *Binding) bool {
	switch {
	case b.Footer == "" || oneOf(b.Action, m.fixed(m.width)...):
		return false
	case oneOf(b.Action, ActionExport, ActionReplay):
		return m.atHome || m.ended
	case oneOf(b.Action, ActionAgree, ActionDismiss, ActionReopen):
		return m.target() != ""
	}
	return true
}

// shadowed reports whether another binding takes the first key of this one now.
func (m *Model) shadowed(b *Binding) bool {
	if len(b.Keys) == 0 {
		return true
	}
	found, ok := m.keys.find(m.places(), m.holds, b.Keys[0])
	return ok && found != b
}

// questionLine says what is asked of the person.
func (m *Model) questionLine(width int) string {
	asking := m.asking()
	if len(asking) == 0 {
		return theme.Blank(width)
	}
	mark := fmt.Sprintf(" %s %d asked ", m.look.Glyphs.Unresolved, len(asking))
	var right []theme.Span
	if key := m.keyOf(ActionAnswer); key != "" {
		right = []theme.Span{m.look.Bold.Span(key + " "), m.look.Faint.Span("answers ")}
	}
	return m.look.Row(width, []theme.Span{m.look.Warn.Span(mark), m.look.Text.Span(" " + asking[0].text())}, right)
}
