package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"
)

func (m *Model) whyNoFork() string {
	switch {
	case m.options.Services.Fork == nil:
		return "no session can be forked from here"
	case m.leaving:
		return "the session is being left"
	case m.speaking():
		return "a seat is speaking; wait, or cancel it with " + m.keyOf(ActionCancel)
	}
	return ""
}

// forkHere makes a session with the same past: up to the event that is shown, or
// from the present as far as it can go on. The screen leaves this session, which
// is saved, and sits at the other one.
func (m *Model) forkHere() tea.Cmd {
	at := 0
	if m.replaying() {
		at = m.state.Seq
	}
	id, fork, of := m.state.ID, m.options.Services.Fork, m.session
	m.say("forking the session", false)
	return m.outside(func() answer {
		o, err := fork(context.Background(), id, at)
		return func(m *Model) tea.Cmd {
			switch {
			case err != nil:
				m.say(err.Error(), true)
				return nil
			case m.session != of || m.leaving:
				// The person went elsewhere meanwhile; it is in the list.
				if o.Close != nil {
					o.Close()
				}
				return nil
			}
			return m.leaveFor(func() tea.Cmd {
				m.showSession(o)
				m.say(forked(&o, id, at), false)
				return nil
			})
		}
	})
}

// forked says where a session comes from. A step is taken or left whole, so that
// it may be another event than the one that was asked for.
func forked(o *Opened, id string, at int) string {
	from := o.State.Fork.Seq
	said := fmt.Sprintf("forked from %s at event %d; this is %s", id, from, o.State.ID)
	if at > 0 && at != from {
		said += fmt.Sprintf("; event %d is inside of a step, which is taken or left whole", at)
	}
	return said
}
