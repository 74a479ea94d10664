package tui

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
	"moot/tui/form"
	"moot/tui/pane"
	"moot/tui/theme"
)

// quietTime is how long the user must not type before keys answer a question that has just appeared.
const quietTime = 400 * time.Millisecond

// press handles a key: text inputs first, then the table of keys, then the dialog.
func (m *Model) press(key tea.KeyPressMsg) tea.Cmd {
	defer m.rearrange()
	now := m.options.Now()
	if now.Sub(m.arrived) >= quietTime && now.Sub(m.lastKey) >= quietTime {
		m.armed = true
	}
	m.lastKey = now
	m.flash = ""
	d := m.dialog()
	if d == nil && m.typing() {
		if cmd, used := m.typeKey(key); used {
			return cmd
		}
	}
	if b, found := m.keys.find(m.places(), m.focus, key.String()); found {
		return m.act(b.Action)
	}
	if d != nil && m.open(d) && typeable(key.Text) {
		return m.carryOut(d.key(key))
	}
	return nil
}

// paste passes a text to the dialog or the text input, without characters that could act on the terminal.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	msg.Content = plain.Typed(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(msg.Content))
	d := m.dialog()
	switch {
	case d != nil && d.place() != InReader && m.open(d):
		d.key(msg)
	case d != nil || !m.typing():
	case m.atHome:
		m.front().Type(msg)
		return m.searchSoon()
	default:
		m.typeInSearch(msg)
	}
	return nil
}

// typeable reports whether a text may be typed into a field. The parts of an emoji may come one by one, or some of them
// together, as "\ufe0f\u200d".
func typeable(text string) bool {
	text = strings.Trim(text, "\u200d\ufe0f")
	return plain.Typed(text) == text
}

// typing reports whether keys edit a text input outside of dialogs.
func (m *Model) typing() bool { return m.search.typing || m.atHome && m.front().Typing() }

// typeKey passes a key to the filter or the search. It reports whether the key was used.
func (m *Model) typeKey(key tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.atHome {
		return m.typeFilter(key)
	}
	switch key.String() {
	case "esc":
		m.search.end()
	case "enter":
		m.search.typing = false
		if m.search.query() == "" {
			m.search.end()
		}
	default:
		if _, everywhere := m.keys.find([]Place{Everywhere}, m.focus, key.String()); everywhere {
			return nil, false
		}
		if typeable(key.Text) {
			m.typeInSearch(key)
		}
	}
	return nil, true
}

// wheelRows is the number of rows that a step of the wheel scrolls.
const wheelRows = 3

// mouse handles clicks and the wheel.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	defer m.rearrange()
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		by := map[tea.MouseButton]int{tea.MouseWheelUp: -wheelRows, tea.MouseWheelDown: wheelRows}[at.Button]
		m.wheel(at.X, at.Y, by)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			m.flash = ""
			// The user aimed the click, so a question that is visible for a moment was seen.
			m.armed = m.armed || m.options.Now().Sub(m.arrived) >= quietTime
			return m.click(at.X, at.Y)
		}
	}
	return nil
}

func (m *Model) wheel(x, y, by int) {
	if d := m.dialog(); d != nil {
		action := ActionDown
		if by < 0 {
			action = ActionUp
		}
		for range max(by, -by) {
			d.scroll(action, m.height)
		}
		return
	}
	if p, ok := m.layout.PaneAt(x, y); ok {
		r := m.layout.Panes[p]
		m.paneOf(p).Wheel(by, r.W, r.H)
	}
}

// click focuses a pane and selects the item there. It closes a text if it is beside the text.
func (m *Model) click(x, y int) tea.Cmd {
	if d := m.dialog(); d != nil {
		if d.place() == InReader && !m.dialogRect(d).Contains(x, y) {
			return m.act(ActionClose)
		}
		return nil
	}
	if p, ok := m.layout.PaneAt(x, y); ok {
		if p == pane.PreviewID {
			return nil // It only shows what is selected in the list.
		}
		m.focusOn(p)
		r := m.layout.Panes[p]
		m.paneOf(p).Click(x-r.X, y-r.Y, r.W, r.H)
		m.followSelection()
	}
	return nil
}

// paneSearch is the search in the focused pane.
type paneSearch struct {
	input textinput.Model
	// active says that there is a search, typing that keys edit its query.
	active, typing bool
	// missed says that nothing matches.
	missed bool
}

func (s *paneSearch) on() bool { return s.active }

func (s *paneSearch) end() { *s = paneSearch{} }

func (s *paneSearch) query() string { return strings.TrimSpace(s.input.Value()) }

func searchFamily() family {
	return family{
		title:   "Search",
		actions: []Action{ActionSearch, ActionSearchNext, ActionSearchPrevious, ActionSearchEnd},
		why: func(m *Model, a Action) string {
			switch {
			case oneOf(a, ActionSearchNext, ActionSearchPrevious) && !m.search.on():
				return "there is no search"
			case a == ActionSearch && m.layout.Panes[m.focus].Empty():
				return "the pane to search is not visible"
			}
			return ""
		},
		do: func(m *Model, a Action) tea.Cmd {
			switch {
			case m.atHome:
				m.front().EndFilter()
				return m.searchSoon()
			case a == ActionSearch:
				m.search = paneSearch{input: form.NewInput("what to find"), active: true, typing: true}
			case a == ActionSearchEnd:
				m.search.end()
			default:
				m.find(a == ActionSearchNext, false)
			}
			return nil
		},
	}
}

// find selects the next match. from says whether the selected item counts.
func (m *Model) find(forwards, from bool) {
	r := m.layout.Panes[m.focus]
	m.search.missed = !m.paneOf(m.focus).Find(m.search.query(), forwards, from, r.W, r.H)
	m.followSelection()
}

func (m *Model) typeInSearch(msg tea.Msg) {
	form.UpdateInput(&m.search.input, msg)
	m.search.missed = false
	if m.search.query() != "" {
		m.find(true, true)
	}
}

// status shows the query, and whether something matches.
func (s *paneSearch) status(l *theme.Look) (theme.Style, string) {
	text := "search: " + plain.Line(s.input.Value())
	if s.typing {
		text += "_"
	}
	if s.missed && s.query() != "" {
		return l.Warn, text + "  (not found)"
	}
	return l.Text, text
}

// mark highlights the query in rows.
func (s *paneSearch) mark(l *theme.Look, rows []string) []string {
	query := strings.ToLower(s.query())
	if query == "" {
		return rows
	}
	marked := make([]string, len(rows))
	for i, row := range rows {
		text := strings.ToLower(ansi.Strip(row))
		var ranges []lipgloss.Range
		for from := 0; ; {
			at := strings.Index(text[from:], query)
			if at < 0 {
				break
			}
			begin := l.Width(text[:from+at])
			ranges = append(ranges, lipgloss.NewRange(begin, begin+l.Width(query), l.MatchStyle))
			from += at + len(query)
		}
		marked[i] = row
		if len(ranges) > 0 {
			marked[i] = lipgloss.StyleRanges(row, ranges...)
		}
	}
	return marked
}
