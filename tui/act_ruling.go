package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
)

// rulingFamily decides over everyone's head, in one key.
func rulingFamily() family {
	return family{
		title:   "What you decide",
		actions: []Action{ActionAgree, ActionDismiss, ActionReopen, ActionFact, ActionOverride, ActionAnswer},
		why:     (*Model).whyNoRuling,
		do: func(m *Model, a Action) tea.Cmd {
			if oneOf(a, ActionAgree, ActionDismiss, ActionReopen) {
				m.overrideByKey(a)
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
		return m.whyOver()
	case m.replaying():
		return "an earlier event is shown; " + m.keyOf(ActionReplay) + " goes back to the present"
	}
	return ""
}

// target is the point that overrides bear on, or "".
func (m *Model) target() string {
	if r, ok := m.dialog().(*reader); ok {
		return r.point
	}
	if m.atHome {
		return ""
	}
	return m.pointOf(m.paneOf(m.focus).Selected())
}

// pointOf is the point that an id belongs to: its own, or that of a challenge or
// an evidence item, or the first side of a conflict; "" where there is none.
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
	if c := m.state.Conflict(id); c != nil && m.telling.Conflicts() != nil {
		return m.telling.Conflicts().Sides(c)[0]
	}
	return ""
}

// refusable is a dialog whose move the session may refuse.
type refusable interface {
	dialog
	// setError shows at a field of it, or at its first one, why it was refused.
	setError(field, text string)
}

// overrideFrom passes moves of the user to the session and says what became of them. If a
// move is refused, the form is shown again with what was typed; otherwise its draft is
// dropped. The form may be nil.
func (m *Model) overrideFrom(form refusable, name string, moves []protocol.UserMove, done string) {
	if len(m.veiled) > 0 {
		// The screen does not change until the person has answered.
		done += "; it shows here once you have answered"
	}
	m.orderAll(form, name, done, func(ctx context.Context, s Session) error {
		for _, move := range moves {
			if err := s.Override(ctx, move); err != nil {
				return err
			}
		}
		return nil
	})
}

// orderAll has the session do something, and says what became of it.
func (m *Model) orderAll(form refusable, name, said string, order func(context.Context, Session) error) {
	if m.ended {
		m.refuse(form, "the session is not running any more; what you typed is kept")
		return
	}
	inbox, of := m.inbox, m.sitting
	m.driver.order(func(ctx context.Context, s Session) {
		err := order(ctx, s)
		inbox.push(answer(func(m *Model) tea.Cmd {
			switch {
			case m.sitting != of:
			case err == nil:
				delete(m.drafts, name)
				if !m.ended {
					m.say(said, false)
				}
			default:
				m.refuse(form, err.Error())
			}
			return nil
		}))
	})
}

// refuse says why nothing was made of a form, which is shown again; nil is none.
func (m *Model) refuse(form refusable, why string) {
	if form == nil {
		m.say(why, true)
		return
	}
	form.setError("", why)
	m.push(form)
}
