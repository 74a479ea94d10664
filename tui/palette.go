package tui

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
	"moot/tui/theme"
)

// openPalette lists every command that makes sense where one is.
func (m *Model) openPalette() {
	p := newPicker("Commands", func() []pick { return m.uncovered(m.commands) })
	p.Typed = m.jumps
	p.taken = func(one pick) { m.recall(one.ID) }
	m.push(p)
}

// uncovered makes picks as if no dialog were open: a command is carried out once
// the list is closed.
func (m *Model) uncovered(fill func() []pick) []pick {
	open := m.dialogs
	defer func() { m.dialogs = open }()
	m.dialogs = nil
	return fill()
}

// mostRecent is how many commands are remembered.
const mostRecent = 5

// recall notes that a command was used.
func (m *Model) recall(id string) {
	m.recent = slices.DeleteFunc(m.recent, func(old string) bool { return old == id })
	m.recent = append([]string{id}, m.recent[:min(len(m.recent), mostRecent-1)]...)
}

// commands are all there are: those used last first, then in the table's order,
// then the configuration where something is wrong in it, and the themes.
func (m *Model) commands() []pick {
	var list []pick
	seen := map[Action]bool{}
	for _, place := range m.places() {
		for i := range m.keys.table {
			b := &m.keys.table[i]
			if b.Place != place || !m.holds(b) || seen[b.Action] || wordless(b.Action) {
				continue
			}
			seen[b.Action] = true
			list = append(list, pick{
				ID: string(b.Action), Name: b.Action.words(), Detail: b.Help, Key: b.Shown, Why: m.disabled(b.Action),
				Do: func(m *Model) tea.Cmd { return m.act(b.Action) },
			})
		}
	}
	if len(m.options.Problems) > 0 {
		list = append(list, pick{
			ID: string(ActionProblems), Name: ActionProblems.words(), Detail: "what is wrong in the configuration",
			Do: func(m *Model) tea.Cmd { return m.act(ActionProblems) },
		})
	}
	list = append(list, m.themePicks()...)
	slices.SortStableFunc(list, func(a, b pick) int { return m.recency(a.ID) - m.recency(b.ID) })
	return list
}

// recency is how many commands were used since, mostRecent for long ago.
func (m *Model) recency(id string) int {
	if i := slices.Index(m.recent, id); i >= 0 {
		return i
	}
	return mostRecent
}

// words is the name of an action in words.
func (a Action) words() string { return strings.ReplaceAll(string(a), "-", " ") }

// wordless are actions that nobody would look for by name.
func wordless(a Action) bool {
	return oneOf(a, ActionPalette, ActionUp, ActionDown, ActionLeft, ActionRight, ActionPageUp, ActionPageDown, ActionHome, ActionEnd)
}

// themePicks are the themes to draw in.
func (m *Model) themePicks() []pick {
	now := theme.Auto
	if m.appearance.Theme != nil {
		now = m.appearance.Theme.Name
	}
	var list []pick
	for _, name := range m.options.Themes.Names() {
		list = append(list, pick{
			ID: "theme " + name, Name: "theme " + name, Detail: "draw in this theme" + when(name == now, ", as now", ""),
			Do: func(m *Model) tea.Cmd {
				if t, err := m.options.Themes.Find(name); err == nil {
					m.useTheme(t)
				}
				return nil
			},
		})
	}
	return list
}

// jumps are the places that an id leads to, where what is typed is one.
func (m *Model) jumps(query string) []pick {
	id := strings.ToUpper(query)
	if m.atHome || !regexp.MustCompile(`^([PCEFQ]|#)\d+$`).MatchString(id) {
		return nil
	}
	text := m.textOf(id)
	if text == "" {
		return nil
	}
	return []pick{{ID: "", Name: "go to " + id, Detail: text, Do: func(m *Model) tea.Cmd { return m.goTo(id) }}}
}

// textOf is what an id stands for, or "" where nothing has it.
func (m *Model) textOf(id string) string {
	s := &m.state
	if p := s.Point(id); p != nil {
		return p.Text
	}
	if c := s.Challenge(id); c != nil {
		return pane.ChallengeAbout(c) + ": " + c.Objection
	}
	if e := s.Item(id); e != nil {
		return string(e.Relation) + " " + e.Point + " " + e.Reference
	}
	if f := s.Fact(id); f != nil {
		return f.Text
	}
	if q := s.QuestionByID(id); q != nil {
		return q.Text
	}
	if seq, err := strconv.Atoi(strings.TrimPrefix(id, "#")); err == nil && seq >= 1 && seq <= len(m.shownEvents()) {
		return m.events[seq-1].Data.Kind()
	}
	return ""
}

// goTo shows what has the id, where it stands.
func (m *Model) goTo(id string) tea.Cmd {
	to := pane.RecordID
	switch id[0] {
	case 'P':
		m.setTopic(id)
		to = pane.PointID
	case 'C':
		to = pane.ChallengesID
	case 'E', 'F':
		to = pane.LedgerID
	case 'Q':
		m.openQuestion(m.state.QuestionByID(id))
		return nil
	}
	cmd := m.focusOn(to)
	m.paneOf(to).Choose(id)
	m.followSelection()
	return cmd
}
