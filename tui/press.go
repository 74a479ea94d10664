package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/plain"
	"moot/protocol"
	"moot/state"
)

// quietTime is how long nothing may be typed before keys answer a question
// that came by itself.
const quietTime = 400 * time.Millisecond

// press takes a key: the table decides, then the open form.
func (m *Model) press(key tea.KeyPressMsg) tea.Cmd {
	defer m.rearrange()
	now := m.options.Now()
	if now.Sub(m.arrived) >= quietTime && now.Sub(m.lastKey) >= quietTime {
		m.armed = true
	}
	m.lastKey = now
	m.flash = ""
	place := OnScreen
	d := m.dialog()
	if d != nil {
		place = d.place()
	}
	if b, found := m.keys.find(place, key.String()); found {
		return m.act(b.Action)
	}
	if d != nil && m.open(d) && plain.Line(key.Text) == key.Text {
		return m.carryOut(d.key(key))
	}
	return nil
}

// open reports whether keys may go into the dialog: one that came by itself
// waits out a quiet moment.
func (m *Model) open(d dialog) bool {
	_, person := d.(*personForm)
	return !person || m.armed
}

// paste goes to the open form, without what could act on the screen.
func (m *Model) paste(msg tea.PasteMsg) {
	msg.Content = plain.Text(msg.Content)
	if d := m.dialog(); d != nil && d.place() == InForm && m.open(d) {
		d.key(msg)
	}
}

// dialog is the topmost dialog, or nil.
func (m *Model) dialog() dialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

// act does what a binding says, or says why it cannot be done.
func (m *Model) act(a Action) tea.Cmd {
	if why := m.disabled(a); why != "" && !m.always(a) {
		m.flash, m.flashWarn = why, true
		return nil
	}
	switch {
	case a == ActionInterrupt:
		m.exitCode = exitInterrupted
		return m.leave()
	case a == ActionQuit:
		return m.leave()
	case a == ActionSuspend:
		return tea.Suspend
	case a == ActionClose:
		m.dialogs = m.dialogs[:max(len(m.dialogs)-1, 0)]
	case a == ActionSend:
		if d := m.dialog(); d != nil && m.open(d) {
			return m.carryOut(d.send())
		}
	case oneOf(a, ActionNext, ActionAuto, ActionStop, ActionCancel, ActionPreview):
		m.drive(a)
	case oneOf(a, ActionAgree, ActionDismiss, ActionReopen):
		m.overrule(a)
	case oneOf(a, ActionFact, ActionAnswer, ActionOpen, ActionHelp):
		m.openDialog(a)
	default:
		m.navigate(a)
	}
	return nil
}

// always reports whether an action is never disabled inside of a dialog.
func (m *Model) always(a Action) bool { return a == ActionClose || a == ActionSend }

// drive passes an order to the session.
func (m *Model) drive(a Action) {
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
			m.flash, m.flashWarn = "stops after this turn", false
		}
		m.driver.order(func(ctx context.Context, s Session) { s.Auto(ctx, on) })
	case a == ActionCancel:
		m.auto = false
		m.flash, m.flashWarn = "cancelled; nothing is lost, space asks again", false
		m.driver.order(func(ctx context.Context, s Session) { s.CancelCall(ctx) })
	case a == ActionPreview:
		inbox := m.inbox
		m.driver.order(func(ctx context.Context, s Session) { inbox.push(previewed{s.Preview(ctx)}) })
	}
}

// target is the point that overrides bear on, or "".
func (m *Model) target() string {
	if r, ok := m.dialog().(*reader); ok {
		return r.point
	}
	switch m.focus {
	case PanePoints:
		return m.points.selected
	case PaneChallenges:
		return m.challenges.point()
	case PaneDebate, PaneLedger, paneCount:
	}
	return ""
}

// overrule decides the selected point over everyone's head.
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

// carryOut does what a form wants done, and closes the form.
func (m *Model) carryOut(i intent) tea.Cmd {
	switch i := i.(type) {
	case recordFact:
		m.override(protocol.RecordFact{Text: i.text}, "recorded as a fact of the user")
	case giveAnswer:
		m.override(protocol.AnswerQuestion{Question: i.question, Answer: i.answer}, i.question+" is answered")
	case giveReply:
		i.request.answer <- i.text
		m.withdraw(i.request)
		return nil
	default:
		return nil
	}
	m.dialogs = m.dialogs[:max(len(m.dialogs)-1, 0)]
	return nil
}

// navigate moves the focus, the selection and what is read.
func (m *Model) navigate(a Action) {
	if d := m.dialog(); d != nil {
		d.scroll(a, m.height)
		return
	}
	switch {
	case a == ActionNextPane:
		m.focusOn((m.focus + 1) % paneCount)
	case a == ActionPrevPane:
		m.focusOn((m.focus + paneCount - 1) % paneCount)
	case a == ActionDebate:
		m.focusOn(PaneDebate)
	case a == ActionPoints:
		m.focusOn(PanePoints)
	case a == ActionChallenge:
		m.focusOn(PaneChallenges)
	case a == ActionLedger:
		m.focusOn(PaneLedger)
	default:
		m.moveIn(m.focus, a)
	}
}

func (m *Model) focusOn(p Pane) {
	m.focus = p
	m.rearrange()
}

// listOf is the list of a pane, or nil for the debate.
func (m *Model) listOf(p Pane) *list {
	switch p {
	case PanePoints:
		return &m.points.list
	case PaneChallenges:
		return &m.challenges.list
	case PaneLedger:
		return &m.ledger.list
	case PaneDebate, paneCount:
	}
	return nil
}

// moveIn scrolls a pane, or moves its selection.
func (m *Model) moveIn(p Pane, a Action) {
	r := m.layout.Panes[p]
	if r.Empty() {
		return
	}
	by := map[Action]int{ActionUp: -1, ActionDown: 1, ActionPageUp: 1 - r.H, ActionPageDown: r.H - 1}[a]
	l := m.listOf(p)
	switch {
	case l == nil && (a == ActionHome || a == ActionEnd):
		m.debate.edge(a == ActionEnd)
	case l == nil:
		m.debate.scroll(by, r.W, r.H)
	case a == ActionHome || a == ActionEnd:
		l.edge(a == ActionEnd, r.W, r.H)
	default:
		l.move(by, r.W, r.H)
	}
}

// mouse scrolls the pane under the pointer, and focuses and selects by a click.
func (m *Model) mouse(msg tea.MouseMsg) {
	at := msg.Mouse()
	by := map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: 3}[at.Button]
	if d := m.dialog(); d != nil {
		for range max(by, -by) {
			d.scroll(when(by < 0, ActionUp, ActionDown), m.height)
		}
		return
	}
	p, ok := m.layout.PaneAt(at.X, at.Y)
	if !ok {
		return
	}
	r, l := m.layout.Panes[p], m.listOf(p)
	switch msg.(type) {
	case tea.MouseWheelMsg:
		if l == nil {
			m.debate.scroll(by, r.W, r.H)
		} else {
			l.scroll(by, r.W, r.H)
		}
	case tea.MouseClickMsg:
		m.focusOn(p)
		if l != nil {
			l.pick(l.itemAt(at.Y-r.Y, r.W, r.H))
		}
	}
}
