package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"moot/state"
)

// turnFamily makes the session go on, wait or stop.
func turnFamily() family {
	return family{
		title:   "Turns",
		actions: []Action{ActionNext, ActionAuto, ActionStop, ActionCancel, ActionPreview, ActionEditPrompt},
		why:     (*Model).whyNoTurn,
		do:      (*Model).actTurn,
	}
}

// whyOver says why nothing can be done in a session that does not run, and what
// can be done about it.
func (m *Model) whyOver() string {
	now, _ := m.present()
	switch {
	case !now.Closed:
		return "the session is not running"
	case m.disabled(ActionFork) != "":
		return "the session is closed"
	}
	return "the session is closed; " + m.keyOf(ActionFork) + " forks it"
}

func (m *Model) whyNoTurn(a Action) string {
	switch {
	case m.ended:
		return m.whyOver()
	case m.replaying():
		return "an earlier event is shown; " + m.keyOf(ActionReplay) + " goes back to the present"
	case a == ActionNext && len(m.calls) > 0:
		return "a seat is speaking"
	case a == ActionNext && m.waiting:
		return "it waits for your answer"
	case a == ActionNext && m.auto && m.state.Paused == state.PauseNone:
		return "it goes on by itself"
	case a == ActionNext && !m.idle:
		return "the turn is under way"
	case a == ActionStop && !m.auto:
		return "it stops after each turn already"
	case a == ActionCancel && !m.busy():
		return "nothing is running"
	case a == ActionEditPrompt && !m.readsPrompt():
		return "no prompt is read here"
	case oneOf(a, ActionPreview, ActionEditPrompt) && len(m.ready) == 0:
		return "no prompt waits to go out"
	}
	return ""
}

// readsPrompt reports whether a prompt could be edited where one is: anywhere but
// in a dialog that shows something else.
func (m *Model) readsPrompt() bool {
	r, reads := m.dialog().(*reader)
	return !reads || r.prompt
}

// actTurn passes an order to the session.
func (m *Model) actTurn(a Action) tea.Cmd {
	switch {
	case a == ActionNext:
		m.idle, m.ready = false, nil
		m.driver.order(func(ctx context.Context, s Session) { s.Step(ctx) })
	case oneOf(a, ActionAuto, ActionStop):
		m.auto = a == ActionAuto && !m.auto
		on := m.auto
		if on {
			m.idle, m.ready = false, nil
		} else if m.speaking() {
			m.say("stops after this turn", false)
		}
		m.driver.order(func(ctx context.Context, s Session) { s.Auto(ctx, on) })
	case a == ActionCancel:
		m.auto = false
		if len(m.running()) > 0 {
			m.say("cancelled; what the command was to show is refused; "+m.keyOf(ActionNext)+" goes on", false)
		} else {
			m.say("cancelled; its reply is dropped; "+m.keyOf(ActionNext)+" asks again", false)
		}
		m.driver.order(func(ctx context.Context, s Session) { s.CancelCall(ctx) })
	case oneOf(a, ActionPreview, ActionEditPrompt):
		inbox, edit := m.inbox, a == ActionEditPrompt
		m.driver.order(func(ctx context.Context, s Session) { inbox.push(previewed{s.Preview(ctx), edit}) })
	}
	return nil
}
