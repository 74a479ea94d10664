package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// sessionOver says that a sitting's session does not run any more.
type sessionOver struct {
	of  *sitting
	err error
}

// told is a notice of the session of a sitting.
type told struct {
	by     *sitting
	notice protocol.Notice
}

// startSitting runs the session, unless it was started already.
func (m *Model) startSitting() {
	s := m.sitting
	if s.opened.Start == nil {
		return
	}
	s.start.Do(func() {
		ctx, cancel := context.WithCancel(context.Background())
		s.cancel = cancel
		go m.runSession(ctx, s)
	})
}

// runSession opens the session, runs it to its end, and lets go of it before it
// says so. A panic in it ends the program; what it had told is on disk.
func (m *Model) runSession(ctx context.Context, s *sitting) {
	var err error
	defer func() { m.inbox.push(sessionOver{s, err}) }()
	defer close(s.over)
	defer m.letGo(s)
	defer m.crash.catch(func() {})
	var session Session
	session, err = s.opened.Start(func(n protocol.Notice) { m.inbox.push(told{s, n}) })
	if err != nil {
		return
	}
	driven, stop := context.WithCancel(ctx)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		defer m.crash.catch(func() { m.inbox.push(crashed{}) })
		s.driver.drive(driven, session)
	}()
	defer func() {
		stop()
		<-finished
	}()
	err = session.Run(ctx)
}

// letGo lets go of the session's file.
func (m *Model) letGo(s *sitting) {
	defer m.crash.catch(func() { m.inbox.push(crashed{}) })
	if s.opened.Close != nil {
		s.opened.Close()
	}
}

// end cuts a session off and waits, not for ever, until it has let go.
func (m *Model) end(s *sitting) {
	s.cancel()
	s.start.Do(func() {
		m.letGo(s)
		close(s.over)
	})
	m.waitFor(s.over)
}

// present is what stands now, whatever is looked at.
func (m *Model) present() (state.State, []state.Ruling) {
	if m.replay != nil {
		return m.replay.present, m.replay.rulings
	}
	return m.state, m.rulings
}

// leaveFor ends the sitting, and then does what comes next: nil leaves the
// program.
func (m *Model) leaveFor(next func() tea.Cmd) tea.Cmd {
	m.next = next
	if m.ended {
		return m.left()
	}
	if m.leaving {
		// The second time nothing is waited for: all events are on disk.
		m.cancel()
		return when(next == nil, tea.Quit, nil)
	}
	m.leaving, m.dialogs, m.flash = true, nil, ""
	m.driver.order(func(ctx context.Context, s Session) { s.Leave(ctx) })
	inbox, s := m.inbox, m.sitting
	return m.command(func() tea.Msg {
		select {
		case <-time.After(m.patience):
			inbox.push(hurried{s})
		case <-inbox.closed:
		}
		return nil
	})
}

// left does what comes after the sitting.
func (m *Model) left() tea.Cmd {
	if m.next == nil {
		return tea.Quit
	}
	next, s := m.next, m.sitting
	m.next, m.leaving, m.gone = nil, false, s.over
	go m.end(s)
	return next()
}
