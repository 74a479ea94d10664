package tui

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
)

// crashed says that drawing failed; refused why an order was not carried out;
// previewed which prompts go out next.
type (
	crashed   struct{}
	refused   struct{ what string }
	done      struct{ what string }
	previewed struct {
		prompts map[state.Seat]protocol.Prompt
		edit    bool
	}
)

// deliver takes what happened outside, in its order.
func (m *Model) deliver(items delivery) tea.Cmd {
	var cmds []tea.Cmd
	for _, item := range items {
		switch item := item.(type) {
		case told:
			if item.by == m.session {
				cmds = append(cmds, m.notice(item.notice))
			}
		default:
			cmds = append(cmds, m.event(item))
		}
	}
	if m.leaving && m.ended {
		cmds = append(cmds, m.left())
	}
	m.watchCommands()
	m.rearrange()
	return tea.Batch(append(cmds, m.listenInbox, m.startTicking())...)
}

// notice takes what the session tells.
func (m *Model) notice(n protocol.Notice) tea.Cmd {
	m.told = true
	defer m.debate.Changed()
	switch n := n.(type) {
	case protocol.Advanced:
		return m.veil(n)
	case protocol.CallStarted:
		m.idle, m.waiting, m.ready = false, false, nil
		m.stage = n.Ask.Stage
		m.calls = append(m.calls, &pane.Call{Seat: n.Ask.Seat, Stage: n.Ask.Stage, Participant: n.Participant, Since: n.At})
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
	case protocol.TurnReady:
		m.unsay()
		m.calls, m.ready, m.idle, m.waiting = nil, n.Asks, true, false
		if len(n.Asks) > 0 {
			m.stage = n.Asks[0].Stage
		}
		return m.ring()
	case protocol.Waiting:
		m.unsay()
		// Nobody speaks next before the person does.
		m.calls, m.ready, m.idle, m.waiting, m.stage = nil, nil, true, true, ""
		m.waitsFor = n.Questions
		// What is asked is shown, or nothing would ever go on.
		return tea.Batch(m.unveil(), m.ring())
	case protocol.Ended:
		m.stop(n.Err)
		if protocol.Unseen(&n.State, mine) {
			return m.ring()
		}
		return tea.Batch(m.unveil(), m.advance(n.State, n.Rulings), m.ring())
	}
	return nil
}

// advanced takes over what happened, and what stands since.
func (m *Model) advanced(n protocol.Advanced) tea.Cmd {
	m.events = append(m.events, n.Events...)
	m.debate.Transcript.Add(n.Events)
	m.replied(n.Events)
	return m.advance(n.State, n.Rulings)
}

// callOf returns the call of a seat that is under way, or nil.
func (m *Model) callOf(seat state.Seat) *pane.Call {
	for _, c := range m.calls {
		if c.Seat == seat && !c.Done {
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
			m.calls = slices.DeleteFunc(m.calls, func(c *pane.Call) bool { return c.Seat == p.Seat && c.Done })
		case *state.SeatMissed:
			m.calls = slices.DeleteFunc(m.calls, func(c *pane.Call) bool { return c.Seat == p.Seat && c.Done })
		case *state.PromptEdited:
			delete(m.edited, p.Seat)
		case *state.SessionPaused:
			m.calls = slices.DeleteFunc(m.calls, func(c *pane.Call) bool { return c.Done })
		}
	}
}

// advance takes over what stands now. A replay goes on showing what stood.
func (m *Model) advance(s state.State, rulings []state.Ruling) tea.Cmd {
	if now, _ := m.present(); s.Seq == 0 && now.Seq > 0 {
		return nil
	}
	if s.Closed {
		m.stage = ""
	}
	if m.replay != nil {
		m.replay.present, m.replay.rulings = s, rulings
	} else {
		m.show(s, rulings)
	}
	if m.waiting && answeredAll(&s, m.waitsFor) {
		m.waiting, m.idle = false, false
	}
	m.refreshDialogs()
	m.debate.Changed()
	m.rearrange()
	if n := s.Questions.Len(); n > m.known {
		m.known = n
		m.ask()
		return m.ring()
	}
	return nil
}

// refreshDialogs draws what is read anew: what it says has changed.
func (m *Model) refreshDialogs() {
	for _, d := range m.dialogs {
		if r, ok := d.(interface{ refresh() }); ok {
			r.refresh()
		}
	}
}

// ask notes that a question came by itself: keys answer it after a quiet
// moment only.
func (m *Model) ask() {
	m.arrived, m.armed = m.options.Now(), false
}

// stop notes that the session does not run any more. It is told twice: by the session,
// and when that let go of its file. By then the way may have gone home.
func (m *Model) stop(err error) {
	if !m.flashWarn && !m.ended {
		// How it ended matters more than what was done last.
		m.flash = ""
	}
	m.ended, m.idle, m.waiting, m.calls, m.ready = true, false, false, nil, nil
	if m.err == nil && !errors.Is(err, protocol.ErrStopped) {
		m.err = err
	}
	m.crash.noteError(err)
}

// event takes what is not told by the session.
func (m *Model) event(item any) tea.Cmd {
	switch item := item.(type) {
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
		return m.signal(item.signal)
	case stopped:
		return m.suspend()
	case continued:
		return m.regain()
	case expired:
		if m.leaving && item.of == m.session {
			m.cancel()
			return m.left()
		}
	case refused:
		m.say(item.what, true)
	case done:
		m.say(item.what, false)
	case previewed:
		if !m.leaving && !m.atHome {
			m.openPreview(item)
		}
	case requested:
		return m.request(item.request)
	case withdrawn:
		m.withdraw(item.request)
	}
	return nil
}

// request takes a question to the person in a seat.
func (m *Model) request(r *request) tea.Cmd {
	r.form = newReplyForm(r)
	m.requests = append(m.requests, r)
	m.ask()
	if len(m.dialogs) == 0 && !m.replaying() {
		m.dialogs = append(m.dialogs, r.form)
	}
	return m.ring()
}

// withdraw drops a request that nobody waits for any more.
func (m *Model) withdraw(r *request) {
	m.requests = slices.DeleteFunc(m.requests, func(o *request) bool { return o == r })
	m.dialogs = slices.DeleteFunc(m.dialogs, func(d dialog) bool {
		f, ok := d.(*formDialog)
		return ok && f.request == r
	})
}

// answer is what is done on the screen once something outside is done.
type answer func(m *Model) tea.Cmd

// outside does what may take time, and then what it answers.
func (m *Model) outside(work func() answer) tea.Cmd {
	return m.command(func() tea.Msg {
		if a := work(); a != nil {
			return a
		}
		return nil
	})
}

// command is a tea.Cmd whose panic ends the program in order.
func (m *Model) command(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer m.crash.catch(func() { msg = crashed{} })
		return f()
	}
}

// guarded is a command with all that it batches: a panic in one of them ends the
// program in order.
func (m *Model) guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return m.command(func() tea.Msg {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = m.guarded(batch[i])
			}
		}
		return msg
	})
}

// tick moves the sign of work and the seconds while a call or a command is under
// way.
type tick struct{}

// How often what is under way is drawn anew: for the sign, or for the seconds.
const (
	animationTime = 125 * time.Millisecond
	stillTime     = time.Second
)

func (m *Model) startTicking() tea.Cmd {
	if m.ticking || !m.busy() {
		return nil
	}
	m.ticking = true
	return tea.Tick(when(m.look.NoAnimation, stillTime, animationTime), func(time.Time) tea.Msg { return tick{} })
}

func (m *Model) tick() tea.Cmd {
	m.ticking = false
	m.frame++
	m.unsay()
	return m.startTicking()
}

// busy reports whether a seat speaks or a command runs.
func (m *Model) busy() bool { return m.speaking() || len(m.running()) > 0 }

func (m *Model) speaking() bool {
	return slices.ContainsFunc(m.calls, func(c *pane.Call) bool { return !c.Done })
}
