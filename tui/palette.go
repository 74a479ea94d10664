package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
	"moot/tui/theme"
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

// keyColumn is the width of the keys in the help.
const keyColumn = 13

// helpText lists the keys of the focused pane by what they are for, those of dialogs, and last the keys that do
// nothing now, by the reason.
func (m *Model) helpText(l *theme.Look) []pane.Part {
	return withoutDialogs(m, func() []pane.Part {
		var list []pane.Block
		var reasons []string
		off := map[string][]pane.Block{}
		here := m.places()
		add := func(section pane.Block, place Place, of *family) {
			var keys []pane.Block
			for i := range m.keys.table {
				b := &m.keys.table[i]
				if b.Place != place || !b.holds(m.focus) || of != nil && m.familyOf(b.Action) != of {
					continue
				}
				if place == OnSession && m.reviews() && m.shadowed(b) {
					continue // The review has another meaning for the key.
				}
				block := pane.Block{
					Indent: 1, Hang: keyColumn + 1, Lead: l.Bold.Span(l.Padded(b.Shown, keyColumn)), Body: l.Text.Span(b.Help),
				}
				if why := m.disabled(b.Action); why != "" && slices.Contains(here, place) {
					if off[why] == nil {
						reasons = append(reasons, why)
					}
					block.Lead.Style, block.Body.Style = l.Faint, l.Faint
					off[why] = append(off[why], block)
					continue
				}
				keys = append(keys, block)
			}
			if len(keys) > 0 {
				list = append(append(list, section), keys...)
			}
		}
		for _, place := range here {
			title := place.Title()
			if slices.Contains([]Place{OnSession, OnHome, OnBatch}, place) {
				title = ""
			}
			for i := range m.families {
				if place != Everywhere {
					add(pane.Block{Section: m.families[i].title, Right: l.Faint.Span(title)}, place, &m.families[i])
				}
			}
		}
		for _, place := range []Place{InFinding, InReader, InForm, InList, Everywhere} {
			add(pane.Block{Section: place.Title()}, place, nil)
		}
		for _, why := range reasons {
			list = append(append(list, pane.Block{Section: "Not now: " + why}), off[why]...)
		}
		return []pane.Part{{Blocks: list}}
	})
}
