package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// family is a group of actions that one file carries out. A key, a click on
// the footer and the palette all end here.
type family struct {
	// title names the group where its keys are shown.
	title   string
	actions []Action
	// why says why an action cannot be done now, or "".
	why func(m *Model, a Action) string
	do  func(m *Model, a Action) tea.Cmd
}

// families are all there are; a test demands that each action of the table of
// keys has one.
func families() []family {
	return []family{
		turnFamily(), rulingFamily(), dialogFamily(), viewFamily(), moveFamily(),
		searchFamily(), takeFamily(), replayFamily(), homeFamily(), programFamily(),
	}
}

// familyOf finds the family of an action.
func (m *Model) familyOf(a Action) *family {
	for i := range m.families {
		if oneOf(a, m.families[i].actions...) {
			return &m.families[i]
		}
	}
	return nil
}

// disabled says why an action cannot be done now, or "".
func (m *Model) disabled(a Action) string {
	f := m.familyOf(a)
	switch {
	case f == nil:
		return "moot cannot do that"
	case m.whyNotAtHome(a) != "":
		return m.whyNotAtHome(a)
	case f.why == nil:
		return ""
	}
	return f.why(m, a)
}

// act does what an action says, or says why it cannot be done.
func (m *Model) act(a Action) tea.Cmd {
	if m.atHome && m.dialog() == nil && m.home.Selecting() && onSession(a) {
		// It is meant for the session that will be selected then.
		m.afterRead = a
		return nil
	}
	if why := m.disabled(a); why != "" {
		m.say(why, true)
		return nil
	}
	return m.familyOf(a).do(m, a)
}

// say puts a sentence into the status, until the next key; warn draws the eye.
// What does not warn gives way to news of the session, too.
func (m *Model) say(what string, warn bool) {
	m.flash, m.flashWarn, m.said = what, warn, m.options.Now()
}

// sayTime is how long a sentence is read before news of the session takes its
// place.
const sayTime = 5 * time.Second

// unsay takes back a sentence that was read by now, where it does not warn.
func (m *Model) unsay() {
	if !m.flashWarn && m.options.Now().Sub(m.said) >= sayTime {
		m.flash = ""
	}
}

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
	inbox, of := m.inbox, m.session
	m.driver.order(func(ctx context.Context, s Session) {
		err := order(ctx, s)
		inbox.push(answer(func(m *Model) tea.Cmd {
			switch {
			case m.session != of:
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

// programFamily is what concerns the program whole.
func programFamily() family {
	return family{
		title:   "The program",
		actions: []Action{ActionQuit, ActionInterrupt, ActionSuspend, ActionTheme, ActionMouse, ActionProblems},
		why: func(m *Model, a Action) string {
			switch {
			case a == ActionProblems && len(m.options.Problems) == 0:
				return "the configuration has no problems"
			case a == ActionMouse && m.options.NoMouse:
				return "the mouse was switched off at the start"
			}
			return ""
		},
		do: (*Model).actProgram,
	}
}

func (m *Model) actProgram(a Action) tea.Cmd {
	switch {
	case a == ActionInterrupt:
		m.exitCode = exitInterrupted
		return m.leaveFor(nil)
	case a == ActionQuit && !m.atHome && m.options.Home != nil:
		return m.leaveFor(m.goHome)
	case a == ActionQuit:
		return m.leaveFor(nil)
	case a == ActionSuspend:
		return m.suspend()
	case a == ActionTheme:
		m.nextTheme()
	case a == ActionMouse:
		m.mouseOn = !m.mouseOn
		m.say(when(m.mouseOn, "moot has the mouse again", "the terminal has the mouse: mark and copy as usual"), false)
	case a == ActionProblems:
		m.push(&reader{heading: "Configuration", blocks: m.problemBlocks})
	}
	return nil
}

// nextTheme draws in the next theme.
func (m *Model) nextTheme() { m.useTheme(m.options.Themes.Next(m.appearance.Theme)) }

// useTheme draws in a theme, and says which.
func (m *Model) useTheme(t *theme.Theme) {
	m.appear(func(a *theme.Appearance) { a.Theme = t })
	m.say("theme: "+t.Name+when(m.appearance.Mono, ", without its colors, since NO_COLOR is set", ""), false)
}

// sayProblems says how many problems the configuration has, and where they are
// shown; what was said before stays before it.
func (m *Model) sayProblems() {
	n := len(m.options.Problems)
	if n == 0 {
		return
	}
	said := fmt.Sprintf("the configuration has %d problem%s; the command %s shows what", n, when(n == 1, "", "s"), ActionProblems.words())
	m.say(when(m.flash == "", said, m.flash+"; "+said), true)
}

func (m *Model) problemBlocks(l *theme.Look) []pane.Block {
	var list []pane.Block
	for _, p := range m.options.Problems {
		list = append(list, pane.Block{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Text.Span(p)})
	}
	return append(list, pane.Block{}, pane.Block{Body: l.Faint.Span("What is wrong is left out; the default holds in its place.")})
}
