package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// rulingFamily decides over everyone's head, in one key.
func rulingFamily() family {
	return family{
		actions: []Action{ActionAgree, ActionDismiss, ActionReopen, ActionFact, ActionOverride, ActionAnswer},
		why:     (*Model).whyNoRuling,
		do: func(m *Model, a Action) tea.Cmd {
			if oneOf(a, ActionAgree, ActionDismiss, ActionReopen) {
				m.overrule(a)
				return nil
			}
			return m.actDialog(a)
		},
	}
}

func (m *Model) whyNoRuling(a Action) string {
	switch {
	case a == ActionAnswer:
		return when(len(m.asking()) == 0, "nothing is asked", "")
	case m.ended:
		return "the session is not running"
	case m.replaying():
		return "an earlier event is shown; " + m.keyOf(ActionReplay) + " goes back to the present"
	case oneOf(a, ActionAgree, ActionDismiss, ActionReopen) && m.target() == "":
		return "select a point first"
	}
	return ""
}

// target is the point that overrides bear on, or "".
func (m *Model) target() string {
	if r, ok := m.dialog().(*reader); ok {
		return r.point
	}
	if m.atHome || m.focus == PaneDebate {
		return ""
	}
	return m.pointOf(m.paneOf(m.focus).selected())
}

// pointOf is the point that an id belongs to: its own, or that of a challenge or
// an evidence item; "" where there is none.
func (m *Model) pointOf(id string) string {
	if p := m.state.Point(id); p != nil {
		return p.ID
	}
	if c := m.state.Challenge(id); c != nil {
		return c.Point
	}
	if e := m.state.Item(id); e != nil {
		return e.Point
	}
	return ""
}

// overrule decides the selected point.
func (m *Model) overrule(a Action) {
	id := m.target()
	what, said := state.OverrideAgree, "Agreed"
	switch {
	case a == ActionDismiss:
		what, said = state.OverrideDismiss, "Dismissed"
	case a == ActionReopen:
		what, said = state.OverrideReopen, "open again"
	}
	m.override(protocol.RuleOn{Point: id, What: what}, fmt.Sprintf("%s is %s, by you", id, said))
}

// override passes a move of the user to the session and says what became of it.
func (m *Model) override(move protocol.UserMove, said string) {
	inbox := m.inbox
	m.driver.order(func(ctx context.Context, s Session) {
		if err := s.Override(ctx, move); err != nil {
			inbox.push(refused{err.Error()})
			return
		}
		inbox.push(done{said})
	})
}
