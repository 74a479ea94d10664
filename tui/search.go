package tui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
	"moot/tui/form"
	"moot/tui/theme"
)

// search is what is looked for in the focused pane.
type search struct {
	input textinput.Model
	// active says that there is a search, typing that keys go into its line.
	active, typing bool
	// missed says that nothing holds the query.
	missed bool
}

func (s *search) on() bool { return s.active }

func (s *search) end() { *s = search{} }

func (s *search) query() string { return strings.TrimSpace(s.input.Value()) }

// searchFamily finds what is looked for.
func searchFamily() family {
	return family{
		title:   "Search",
		actions: []Action{ActionSearch, ActionSearchNext, ActionSearchPrevious, ActionSearchEnd},
		why: func(m *Model, a Action) string {
			switch {
			case oneOf(a, ActionSearchNext, ActionSearchPrevious) && !m.search.on():
				return "nothing is searched"
			case a == ActionSearch && m.layout.Panes[m.focus].Empty():
				return "there is no room for the pane that would be searched"
			}
			return ""
		},
		do: func(m *Model, a Action) tea.Cmd {
			switch {
			case m.atHome:
				m.home.EndFilter()
			case a == ActionSearch:
				m.search = search{input: form.NewInput("what to find"), active: true, typing: true}
			case a == ActionSearchEnd:
				m.search.end()
			default:
				m.find(a == ActionSearchNext, false)
			}
			return nil
		},
	}
}

// find goes to the next match, from the present item on.
func (m *Model) find(forwards, from bool) {
	r := m.layout.Panes[m.focus]
	m.search.missed = !m.paneOf(m.focus).Find(m.search.query(), forwards, from, r.W, r.H)
	m.followSelection()
}

// typing reports whether keys go into a line on the screen.
func (m *Model) typing() bool { return m.search.typing || m.atHome && m.home.Typing() }

// typeKey gives a key to the line that is typed into. It reports whether the
// key was taken.
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
		if _, everywhere := m.keys.find([]Place{Everywhere}, m.holds, key.String()); everywhere {
			return nil, false
		}
		if plain.Line(key.Text) == key.Text {
			m.typeInSearch(key)
		}
	}
	return nil, true
}

// typePaste gives a paste to the line that is typed into.
func (m *Model) typePaste(msg tea.PasteMsg) {
	if m.atHome {
		m.home.Type(msg)
		return
	}
	m.typeInSearch(msg)
}

func (m *Model) typeInSearch(msg tea.Msg) {
	m.search.input, _ = m.search.input.Update(msg)
	m.search.missed = false
	if m.search.query() != "" {
		m.find(true, true)
	}
}

// status says what is searched, and whether it is there.
func (s *search) status(l *theme.Look) (theme.Style, string) {
	text := "search: " + plain.Line(s.input.Value())
	if s.typing {
		text += "_"
	}
	if s.missed && s.query() != "" {
		return l.Warn, text + "  (not here)"
	}
	return l.Text, text
}

// mark shows where the query stands in drawn rows.
func (s *search) mark(l *theme.Look, rows []string) []string {
	query := strings.ToLower(s.query())
	if query == "" {
		return rows
	}
	marked := make([]string, len(rows))
	for i, row := range rows {
		marked[i] = markRow(l, row, query)
	}
	return marked
}

func markRow(l *theme.Look, row, query string) string {
	text := strings.ToLower(ansi.Strip(row))
	if !strings.Contains(text, query) {
		return row
	}
	var ranges []lipgloss.Range
	for from := 0; ; {
		i := strings.Index(text[from:], query)
		if i < 0 {
			break
		}
		begin := l.Width(text[:from+i])
		end := begin + l.Width(query)
		ranges = append(ranges, lipgloss.NewRange(begin, end, l.MatchStyle))
		from += i + len(query)
	}
	return lipgloss.StyleRanges(row, ranges...)
}
