package tui

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// crashed says that drawing failed; refused why an order was not carried out;
// previewed which prompts go out next.
type (
	crashed   struct{}
	refused   struct{ what string }
	done      struct{ what string }
	previewed struct {
		prompts map[state.Seat]protocol.Prompt
	}
)

// deliver takes what happened outside, in its order.
func (m *Model) deliver(items delivery) tea.Cmd {
	var cmds []tea.Cmd
	for _, item := range items {
		if n, ok := item.(protocol.Notice); ok {
			m.notice(n)
		} else if cmd := m.event(item); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	if m.leaving && m.ended {
		return tea.Quit
	}
	m.rearrange()
	return tea.Batch(append(cmds, m.listenInbox, m.startTicking())...)
}

// notice takes what the session tells.
func (m *Model) notice(n protocol.Notice) {
	m.told = true
	switch n := n.(type) {
	case protocol.Advanced:
		m.debate.transcript.add(n.Events)
		m.replied(n.Events)
		m.advance(n.State, n.Rulings)
	case protocol.CallStarted:
		m.idle, m.waiting, m.ready = false, false, nil
		m.stage = n.Ask.Stage
		m.calls = append(m.calls, &call{seat: n.Ask.Seat, stage: n.Ask.Stage, participant: n.Participant, since: n.At})
	case protocol.Streamed:
		if c := m.callOf(n.Seat); c != nil {
			c.stream(n.Text, n.Restart)
		}
	case protocol.Reported:
		if c := m.callOf(n.Seat); c != nil {
			c.note = n.Text
		}
	case protocol.CallEnded:
		if c := m.callOf(n.Seat); c != nil {
			c.done = true
		}
	case protocol.Forecast:
		m.forecast = &n
	case protocol.TurnReady:
		m.calls, m.ready, m.idle, m.waiting = nil, n.Asks, true, false
		if len(n.Asks) > 0 {
			m.stage = n.Asks[0].Stage
		}
	case protocol.Waiting:
		m.calls, m.ready, m.idle, m.waiting = nil, nil, true, true
	case protocol.Ended:
		m.end(n.Err)
		m.advance(n.State, n.Rulings)
	}
	m.debate.changed()
}

// callOf returns the call of a seat that is under way, or nil.
func (m *Model) callOf(seat state.Seat) *call {
	for _, c := range m.calls {
		if c.seat == seat && !c.done {
			return c
		}
	}
	return nil
}

// replied takes away the calls whose replies are on the transcript now.
func (m *Model) replied(events []state.Event) {
	for _, e := range events {
		switch p := e.Data.(type) {
		case *state.ReplyReceived:
			m.calls = slices.DeleteFunc(m.calls, func(c *call) bool { return c.seat == p.Seat && c.done })
		case *state.SessionPaused:
			m.calls = slices.DeleteFunc(m.calls, func(c *call) bool { return c.done })
		}
	}
}

// advance takes over what stands now.
func (m *Model) advance(s state.State, rulings []state.Ruling) {
	if s.Seq == 0 && m.state.Seq > 0 {
		return
	}
	m.state, m.rulings = s, rulings
	if s.Closed {
		m.stage = ""
	}
	m.points.setState(s, rulings)
	m.challenges.setState(s)
	m.ledger.setState(s)
	for _, d := range m.dialogs {
		if r, ok := d.(*reader); ok {
			r.refresh()
		}
	}
	if n := s.Questions.Len(); n > m.known {
		m.known = n
		m.ask()
	}
	m.debate.changed()
	m.rearrange()
}

// ask notes that a question came by itself: keys answer it after a quiet
// moment only.
func (m *Model) ask() {
	m.arrived, m.armed = m.options.Now(), false
}

// end notes that the session does not run any more.
func (m *Model) end(err error) {
	m.ended, m.idle, m.waiting, m.calls, m.ready = true, false, false, nil, nil
	if m.err == nil && !errors.Is(err, protocol.ErrStopped) {
		m.err = err
	}
	m.crash.noteError(err)
}

// event takes what is not told by the session.
func (m *Model) event(item any) tea.Cmd {
	switch item := item.(type) {
	case crashed:
		return tea.Quit
	case sessionOver:
		if m.crash.happened() {
			return tea.Quit
		}
		m.end(item.err)
	case signalled:
		return m.signal(item.signal)
	case hurried:
		m.cancel()
		return tea.Quit
	case refused:
		m.flash, m.flashWarn = item.what, true
	case done:
		m.flash, m.flashWarn = item.what, false
	case previewed:
		m.openPreview(item.prompts)
	case requested:
		item.request.form = newPersonForm(item.request)
		m.requests = append(m.requests, item.request)
		m.ask()
		if len(m.dialogs) == 0 {
			m.dialogs = append(m.dialogs, item.request.form)
		}
	case withdrawn:
		m.withdraw(item.request)
	}
	return nil
}

// withdraw drops a request that nobody waits for any more.
func (m *Model) withdraw(r *request) {
	m.requests = slices.DeleteFunc(m.requests, func(o *request) bool { return o == r })
	m.dialogs = slices.DeleteFunc(m.dialogs, func(d dialog) bool {
		f, ok := d.(*personForm)
		return ok && f.request == r
	})
}

// signal leaves in order; a session that does not end in time is cut off. The
// record is whole all the same.
func (m *Model) signal(s os.Signal) tea.Cmd {
	m.exitCode = exitOf(s)
	return m.leave()
}

// leave ends the session and then the program.
func (m *Model) leave() tea.Cmd {
	if m.ended {
		return tea.Quit
	}
	if m.leaving {
		m.cancel()
		return tea.Quit
	}
	m.leaving = true
	m.dialogs = nil
	m.flash = ""
	m.driver.order(func(ctx context.Context, s Session) { s.Leave(ctx) })
	inbox := m.inbox
	return m.command(func() tea.Msg {
		select {
		case <-time.After(patience):
			inbox.push(hurried{})
		case <-inbox.closed:
		}
		return nil
	})
}

// command is a tea.Cmd whose panic ends the program in order.
func (m *Model) command(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer m.crash.catch(func() { msg = delivery{crashed{}} })
		return f()
	}
}

// tick moves the sign of work and the seconds while a call is under way.
type tick struct{}

// How often a call under way is drawn anew: for the sign, or for the seconds.
const (
	animationTime = 125 * time.Millisecond
	stillTime     = time.Second
)

func (m *Model) startTicking() tea.Cmd {
	if m.ticking || !m.speaking() {
		return nil
	}
	m.ticking = true
	return tea.Tick(when(m.look.still, stillTime, animationTime), func(time.Time) tea.Msg { return tick{} })
}

func (m *Model) tick() tea.Cmd {
	m.ticking = false
	m.frame++
	return m.startTicking()
}

func (m *Model) speaking() bool {
	return slices.ContainsFunc(m.calls, func(c *call) bool { return !c.done })
}
