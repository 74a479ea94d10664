package tui

import (
	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// mine is what the person is called in a seat.
const mine = "me"

// blind reports whether the person still owes the first answer of a panelist:
// until it is given nothing of the other answers is shown, also where the session
// is paused meanwhile.
func (s *sitting) blind() bool {
	if n := len(s.veiled); n > 0 {
		return s.veiled[n-1].State.Owes(mine)
	}
	return s.state.Owes(mine)
}

// veil keeps back what came of other answers while the person is blind.
func (m *Model) veil(n protocol.Advanced) tea.Cmd {
	if n.State.Unseen(mine) {
		m.veiled = append(m.veiled, n)
		return nil
	}
	return tea.Batch(m.unveil(), m.advanced(n))
}

// unveil shows what was kept back.
func (m *Model) unveil() tea.Cmd {
	var cmds []tea.Cmd
	for _, n := range m.veiled {
		cmds = append(cmds, m.advanced(n))
	}
	m.veiled = nil
	return tea.Batch(cmds...)
}

// seen is what the person may see of a session that goes on: where it owes an
// answer all before the first one that came, and what is kept back.
func seen(o *Opened) (state.State, []state.Ruling, []state.Event, []protocol.Advanced) {
	if o.Start == nil || !o.State.Unseen(mine) {
		return o.State, o.Rulings, o.Events, nil
	}
	var before state.State
	for i, e := range o.Events {
		next, err := state.Apply(before, e)
		if err != nil {
			break
		}
		if next.Unseen(mine) {
			return before, nil, o.Events[:i:i], []protocol.Advanced{{Events: o.Events[i:], State: o.State, Rulings: o.Rulings}}
		}
		before = next
	}
	return o.State, o.Rulings, o.Events, nil
}
