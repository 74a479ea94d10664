package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// mine is what the person is called in a seat.
const mine = "me"

// blind reports whether the person still owes the first answer of a panelist:
// until it is given nothing of the other answers is shown.
func (s *sitting) blind() bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool {
		return !c.done && c.participant == mine && c.stage == state.StagePropose && c.seat.IsPanelist()
	})
}

// veil keeps back what came of other answers while the person is blind.
func (m *Model) veil(n protocol.Advanced) tea.Cmd {
	if m.blind() {
		m.veiled = append(m.veiled, n)
		return nil
	}
	return m.advanced(n)
}

// unveil shows what was kept back, once the person has answered or nobody waits
// for it any more.
func (m *Model) unveil() tea.Cmd {
	if m.blind() {
		return nil
	}
	var cmds []tea.Cmd
	for _, n := range m.veiled {
		cmds = append(cmds, m.advanced(n))
	}
	m.veiled = nil
	return tea.Batch(cmds...)
}
