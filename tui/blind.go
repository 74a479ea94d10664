package tui

import (
	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// mine is what the person is called in a seat.
const mine = "me"

// blind reports whether the person still owes the first answer of a panelist, or the
// argument of a side in this turn of a hearing: until it is given nothing of the other
// answers is shown, also where the session is paused meanwhile.
func (s *sitting) blind() bool {
	if n := len(s.veiled); n > 0 {
		return protocol.Owes(&s.veiled[n-1].State, mine)
	}
	return protocol.Owes(&s.state, mine)
}

// veil keeps back what came of other answers while the person is blind.
func (m *Model) veil(n protocol.Advanced) tea.Cmd {
	if protocol.Unseen(&n.State, mine) {
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
// answer all before the first one that came, and what is kept back. In a hearing it
// owed one in earlier rounds as well: only the last time counts.
func seen(o *Opened) (state.State, []state.Ruling, []state.Event, []protocol.Advanced) {
	if o.Start == nil || !protocol.Unseen(&o.State, mine) {
		return o.State, o.Rulings, o.Events, nil
	}
	var before, shown state.State
	first, hidden := 0, false
	for i, e := range o.Events {
		next, err := state.Apply(before, e)
		if err != nil {
			return o.State, o.Rulings, o.Events, nil
		}
		now := protocol.Unseen(&next, mine)
		if now && !hidden {
			shown, first = before, i
		}
		before, hidden = next, now
	}
	return shown, nil, o.Events[:first:first], []protocol.Advanced{{Events: o.Events[first:], State: o.State, Rulings: o.Rulings}}
}
