package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// commands returns the commands in the order of the table of keys, the problems of the configuration, and the points to
// go to.
func (m *Model) commands() []pick {
	var list []pick
	// Nobody looks for the motions of the cursor by name.
	seen := map[Action]bool{ActionPalette: true}
	for _, a := range moveFamily().actions {
		seen[a] = true
	}
	for _, place := range m.places() {
		for i := range m.keys.table {
			b := &m.keys.table[i]
			if b.Place != place || !b.holds(m.focus) || seen[b.Action] {
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
	if m.atHome {
		return list
	}
	for _, point := range m.state.Points.All() {
		list = append(list, pick{
			ID: point.ID, Name: "go to " + point.ID, Detail: point.Text,
			Do: func(m *Model) tea.Cmd { return m.openPoint(point.ID) },
		})
	}
	return list
}

// words returns the name of an action with spaces.
func (a Action) words() string { return strings.ReplaceAll(string(a), "-", " ") }
