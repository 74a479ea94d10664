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

// maxRecent is the number of commands that the palette remembers.
const maxRecent = 5

// openPalette lists the commands for where the user is. Recently used ones come first.
func (m *Model) openPalette() {
	p := newPicker("Commands", func() []pick { return withoutDialogs(m, m.commands) })
	p.Typed = m.jumps
	p.chosen = func(one pick) {
		m.recent = slices.DeleteFunc(m.recent, func(old string) bool { return old == one.ID })
		m.recent = append([]string{one.ID}, m.recent[:min(len(m.recent), maxRecent-1)]...)
	}
	m.push(p)
}

// commands returns the recently used commands, the others in the order of the table of keys, the problems of the
// configuration, and the themes.
func (m *Model) commands() []pick {
	var list []pick
	seen := map[Action]bool{}
	for _, place := range m.places() {
		for i := range m.keys.table {
			b := &m.keys.table[i]
			hidden := seen[b.Action] || isMove(b.Action) || b.Action == ActionPalette
			if b.Place != place || !b.holds(m.focus) || hidden {
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
			ID: string(ActionProblems), Name: ActionProblems.words(), Detail: "show the problems of the configuration",
			Do: func(m *Model) tea.Cmd { return m.act(ActionProblems) },
		})
	}
	current := theme.Auto
	if m.appearance.Theme != nil {
		current = m.appearance.Theme.Name
	}
	for _, name := range m.options.Themes.Names() {
		detail := "use this theme"
		if name == current {
			detail = "the current theme"
		}
		list = append(list, pick{
			ID: "theme " + name, Name: "theme " + name, Detail: detail,
			Do: func(m *Model) tea.Cmd {
				if t, err := m.options.Themes.Find(name); err == nil {
					m.useTheme(t)
				}
				return nil
			},
		})
	}
	age := func(id string) int {
		if i := slices.Index(m.recent, id); i >= 0 {
			return i
		}
		return maxRecent
	}
	slices.SortStableFunc(list, func(a, b pick) int { return age(a.ID) - age(b.ID) })
	return list
}

// words returns the name of an action with spaces.
func (a Action) words() string { return strings.ReplaceAll(string(a), "-", " ") }

// isMove reports whether an action moves the cursor. Nobody looks for these by name.
func isMove(a Action) bool {
	return oneOf(a, ActionUp, ActionDown, ActionLeft, ActionRight, ActionPageUp, ActionPageDown, ActionHome, ActionEnd)
}

var idPattern = regexp.MustCompile(`^([PCEFQ]|#)\d+$`)

// jumps returns a command that shows an item if the query is its ID.
func (m *Model) jumps(query string) []pick {
	id := strings.ToUpper(query)
	if m.atHome || !idPattern.MatchString(id) {
		return nil
	}
	text := m.textOf(id)
	if text == "" {
		return nil
	}
	return []pick{{ID: "", Name: "go to " + id, Detail: text, Do: func(m *Model) tea.Cmd { return m.goTo(id) }}}
}

// textOf describes the item with an ID. It is "" for an unknown ID.
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

// goTo shows the item with an ID in its pane.
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
