package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/tui/theme"
)

// barWidth is how many cells the bar has at least before words beside it are
// left out.
const barWidth = 8

// slider is where one stands in the events, to be drawn and to be clicked.
type slider struct {
	at, count int
	rounds    []int
	// label stands before the bar, about behind it.
	label, about string
	// x is where the bar begins, width how many cells it has.
	x, width int
}

// sliderOf lays the slider out on a row: what there is no room for is said
// shorter, or not at all.
func (m *Model) sliderOf(width int) slider {
	s := slider{at: m.replay.at, count: len(m.events), rounds: m.roundStarts()}
	for _, words := range m.sliderWords() {
		s.label, s.about = words[0], words[1]
		s.x = 3 + m.look.Width(s.label)
		s.width = width - s.x - 3
		if s.about != "" {
			s.width -= 1 + m.look.Width(s.about)
		}
		if s.width >= barWidth {
			break
		}
	}
	s.width = max(s.width, 1)
	return s
}

// sliderWords are what stands beside the bar, from the longest to the shortest.
// They keep their width from event to event, so that the bar stays where it is.
func (m *Model) sliderWords() [][2]string {
	at, count := m.replay.at, len(m.events)
	padded := func(text, widest string) string { return text + theme.Blank(m.look.Width(widest)-m.look.Width(text)) }
	long := padded(fmt.Sprintf("#%d of %d ", at, count), fmt.Sprintf("#%d of %d ", count, count))
	short := padded(fmt.Sprintf("#%d ", at), fmt.Sprintf("#%d ", count))
	round, separator, stage := "before the rounds", m.look.Glyphs.Separator, string(m.shownStage())
	if m.state.Round > 0 {
		round = strings.TrimSpace(fmt.Sprintf("round %d %s", m.state.Round, stage))
	}
	widest := "before the rounds"
	clock := m.events[at-1].At.In(m.options.Now().Location()).Format("15:04:05")
	return [][2]string{
		{long, padded(round+separator+clock, widest+separator+clock)}, {long, padded(round, widest)}, {long, ""}, {short, ""}, {"", ""},
	}
}

// cell is the cell of the bar at which an event stands.
func (s *slider) cell(event int) int {
	if s.count <= 1 || s.width <= 1 {
		return 0
	}
	return ((event-1)*(s.width-1) + (s.count-1)/2) / (s.count - 1)
}

// event is the event that a cell of the bar stands for. Of many it is the one
// that is shown, then the beginning of a round.
func (s *slider) event(cell int) int {
	cell = min(max(cell, 0), s.width-1)
	if s.cell(s.at) == cell {
		return s.at
	}
	if i := slices.IndexFunc(s.rounds, func(start int) bool { return s.cell(start) == cell }); i >= 0 {
		return s.rounds[i]
	}
	if s.width <= 1 {
		return s.at
	}
	return 1 + (cell*(s.count-1)+(s.width-1)/2)/(s.width-1)
}

// bar draws the bar: what lies before, the knob, what lies ahead, and the
// rounds.
func (s *slider) bar(l *theme.Look) []theme.Span {
	g := &l.Glyphs
	knob := s.cell(s.at)
	cells := func(from, to int, sign string) string {
		parts := make([]string, max(to-from, 0))
		for i := range parts {
			parts[i] = sign
		}
		for _, start := range s.rounds {
			if c := s.cell(start); c >= from && c < to {
				parts[c-from] = g.Mark
			}
		}
		return strings.Join(parts, "")
	}
	return []theme.Span{
		l.Accent.Span(cells(0, knob, g.Passed)), l.User.Span(g.Knob), l.Border.Span(cells(knob+1, s.width, g.Ahead)),
	}
}

// sliderLine draws the slider over the events.
func (m *Model) sliderLine(width int) string {
	s, l := m.sliderOf(width), m.look
	spans := append([]theme.Span{l.Bold.Span(" " + l.Glyphs.Earlier + " "), l.Text.Span(s.label)}, s.bar(l)...)
	if s.about != "" {
		spans = append(spans, l.Faint.Span(" "+s.about))
	}
	return l.Row(width, append(spans, l.Bold.Span(" "+l.Glyphs.Later+" ")), nil)
}

// slide takes what the mouse does to the slider, and reports whether it was
// meant for it: a click goes to an event, and so does what follows while the
// button is held.
func (m *Model) slide(msg tea.MouseMsg) bool {
	if !m.replaying() {
		return false
	}
	at, r := msg.Mouse(), m.layout.Slider
	s := m.sliderOf(r.W)
	switch msg.(type) {
	case tea.MouseReleaseMsg:
		held := m.replay.dragged
		m.replay.dragged = false
		return held
	case tea.MouseMotionMsg:
		if m.replay.dragged && at.Button == tea.MouseLeft {
			m.seek(s.event(at.X - r.X - s.x))
		}
		return true
	}
	if m.dialog() != nil || !r.Contains(at.X, at.Y) {
		return false
	}
	switch x := at.X - r.X; {
	case at.Button == tea.MouseWheelUp:
		m.seek(s.at - 1)
	case at.Button == tea.MouseWheelDown:
		m.seek(s.at + 1)
	case at.Button != tea.MouseLeft:
	case x < 3:
		m.seek(s.at - 1)
	case x >= r.W-3:
		m.seek(s.at + 1)
	case x >= s.x && x < s.x+s.width:
		m.replay.dragged = true
		m.seek(s.event(x - s.x))
	}
	return true
}
