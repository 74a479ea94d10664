package tui

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/run"
	"moot/state"
	"moot/tui/pane"
)

// deliver handles messages from other goroutines in their order.
func (m *Model) deliver(items delivery) tea.Cmd {
	cmds := lists.Map(items, m.receiveItem)
	if m.leaving && m.ended {
		cmds = append(cmds, m.left())
	}
	switch {
	case len(m.running()) == 0:
		m.runningSince = time.Time{}
	case m.runningSince.IsZero():
		m.runningSince = m.options.Now()
	}
	m.rearrange()
	return tea.Batch(append(cmds, m.inbox.next, m.startTicking())...)
}

func (m *Model) receiveItem(item any) tea.Cmd {
	switch item := item.(type) {
	case notice:
		if item.by == m.session {
			return m.notice(item.Notice)
		}
	case answer:
		return item(m)
	case crashed:
		return tea.Quit
	case sessionOver:
		if m.crash.happened() {
			return tea.Quit
		}
		if item.of == m.session {
			m.stop(item.err)
		}
	case signalled:
		// A session that does not end in time is aborted; its file is complete all the same.
		m.exitCode = exitOf(item.signal)
		return m.leaveFor(nil)
	case expired:
		if m.leaving && item.of == m.session {
			m.cancel()
			return m.left()
		}
	case requested:
		r := item.request
		r.form = newReplyForm(r)
		m.requests = append(m.requests, r)
		m.ask()
		if len(m.dialogs) == 0 && !m.replaying() {
			m.push(r.form)
		}
	case withdrawn:
		m.withdraw(item.request)
	}
	return nil
}

// notice handles a notice of the session.
func (m *Model) notice(n protocol.Notice) tea.Cmd {
	m.reported = true
	defer m.debate.Changed()
	switch n := n.(type) {
	case protocol.Advanced:
		if protocol.Unseen(n.State, mine) {
			// The update contains other answers, which are hidden until the user has answered.
			m.veiled = append(m.veiled, n)
			return nil
		}
		m.unveil()
		m.advanced(n)
	case protocol.CallStarted:
		m.idle, m.waiting, m.ready = false, false, nil
		m.stage = n.Ask.Stage
		m.calls = append(m.calls,
			&pane.Call{Seat: n.Ask.Seat, Stage: n.Ask.Stage, Participant: n.Participant, Since: n.At})
	case protocol.Streamed:
		if c := m.callOf(n.Seat); c != nil {
			c.Stream(n.Text, n.Restart)
		}
	case protocol.Thinking:
		if c := m.callOf(n.Seat); c != nil {
			c.Think(n.Text)
		}
	case protocol.Reported:
		if c := m.callOf(n.Seat); c != nil {
			c.Note, c.Until = n.Text, n.Until
		}
	case protocol.CallEnded:
		if c := m.callOf(n.Seat); c != nil {
			c.End(m.options.Now(), n.Err)
		}
	case protocol.Forecast:
		m.forecast = &n
	case protocol.Stepping:
		m.auto = !n.On
	case protocol.TurnReady:
		m.unsay()
		m.calls, m.ready, m.idle, m.waiting = nil, n.Asks, true, false
		if len(n.Asks) > 0 {
			m.stage = n.Asks[0].Stage
		}
	case protocol.Waiting:
		m.unsay()
		m.calls, m.ready, m.idle, m.waiting, m.stage = nil, nil, true, true, ""
		m.waitsFor = n.Questions
		// The questions must be visible, or the session could not continue.
		m.unveil()
	case protocol.Ended:
		m.stop(n.Err)
		if protocol.Unseen(n.State, mine) {
			return nil
		}
		m.unveil()
		m.advance(n.State, n.Rulings)
		if n.State.Closed && oneOf(m.main, pane.DebateID, pane.FindingsID) && m.dialog() == nil {
			// The answer opens on top.
			return m.focusOn(pane.ResultID)
		}
	}
	return nil
}

// unveil shows the updates that were held back.
func (m *Model) unveil() {
	for _, n := range m.veiled {
		m.advanced(n)
	}
	m.veiled = nil
}

// advanced shows an update: its events, and the state after them.
func (m *Model) advanced(n protocol.Advanced) {
	m.events = append(m.events, n.Events...)
	m.debate.Transcript.Add(n.Events)
	// Calls whose replies are in the transcript are not shown anymore.
	drop := func(seat state.Seat) {
		m.calls = slices.DeleteFunc(m.calls, func(c *pane.Call) bool {
			return c.Done && (seat == "" || c.Seat == seat)
		})
	}
	for _, e := range n.Events {
		switch p := e.Data.(type) {
		case *state.ReplyReceived:
			drop(p.Seat)
		case *state.SeatMissed:
			drop(p.Seat)
		case *state.PromptEdited:
			delete(m.edited, p.Seat)
		case *state.SessionPaused:
			drop("")
		}
	}
	m.advance(n.State, n.Rulings())
}

// callOf returns the running call of a seat, or nil.
func (m *Model) callOf(seat state.Seat) *pane.Call {
	for _, c := range m.calls {
		if c.Seat == seat && !c.Done {
			return c
		}
	}
	return nil
}

// advance shows the current state. A replay continues to show an earlier one.
func (m *Model) advance(s *state.State, rulings []state.Ruling) {
	if now, _ := m.present(); s.Seq == 0 && now.Seq > 0 {
		return
	}
	if s.Closed {
		m.stage = ""
	}
	if m.replay != nil {
		m.replay.present, m.replay.rulings = s, rulings
	} else {
		m.show(s, rulings)
	}
	if m.waiting && answeredAll(s, m.waitsFor) {
		m.waiting, m.idle = false, false
	}
	m.refreshDialogs()
	m.debate.Changed()
	m.rearrange()
	if n := s.Questions.Len(); n > m.known {
		m.known = n
		m.ask()
	}
}

// refreshDialogs draws the dialogs again because the session has changed.
func (m *Model) refreshDialogs() {
	for _, d := range m.dialogs {
		if r, ok := d.(interface{ refresh() }); ok {
			r.refresh()
		}
	}
}

// ask records that a question has appeared. Keys answer it after a quiet moment.
func (m *Model) ask() { m.arrived, m.armed = m.options.Now(), false }

// stop records that the session does not run anymore. It is called twice: when the session ends, and when it has
// released its file. The user may be on the list of sessions by then.
func (m *Model) stop(err error) {
	if !m.flashWarn && !m.ended {
		// How the session ended is more important than the last message.
		m.flash = ""
	}
	m.ended, m.idle, m.waiting, m.calls, m.ready = true, false, false, nil, nil
	if m.err == nil && !errors.Is(err, protocol.ErrStopped) {
		m.err = err
	}
	if panicked, ok := errors.AsType[*run.PanicError](err); ok {
		// The session caught it itself.
		m.crash.note(panicked.Value, panicked.Stack)
	}
}

// tick redraws the spinner and the seconds of a call or a command.
type tick struct{}

// How often running work is redrawn, with and without animation.
const (
	animationTime = 125 * time.Millisecond
	stillTime     = time.Second
)

func (m *Model) startTicking() tea.Cmd {
	if m.ticking || !m.busy() {
		return nil
	}
	m.ticking = true
	interval := animationTime
	if m.look.NoAnimation {
		interval = stillTime
	}
	return tea.Tick(interval, func(time.Time) tea.Msg { return tick{} })
}
