package tui

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
)

// The exit codes after a signal.
const (
	exitInterrupted = 130
	exitHangup      = 129
	exitTerminated  = 143
)

// signalled says that a signal came that ends the program, hurried that the
// time to leave is over, stopped that a shell wants the program stopped, and
// continued that it goes on after it was stopped from outside.
type (
	signalled struct{ signal os.Signal }
	hurried   struct{ of *sitting }
	stopped   struct{}
	continued struct{}
)

// listen passes signals on until the returned function is called.
func (m *Model) listen(ctx context.Context) (stop func()) {
	signals := m.options.Signals
	unregister := func() {}
	if signals == nil {
		own := make(chan os.Signal, 4)
		signal.Notify(own, append(jobSignals(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)...)
		signals, unregister = own, func() { signal.Stop(own) }
		m.jobs.known = len(jobSignals()) > 0
	}
	ctx, cancel := context.WithCancel(ctx)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		for {
			select {
			case <-ctx.Done():
				return
			case s := <-signals:
				m.passOn(s)
			}
		}
	}()
	return func() {
		cancel()
		<-finished
		unregister()
	}
}

// passOn gives a signal to whom it is meant for. While another program has the
// terminal it is stopped and goes on together with that, and ctrl-c is not ours.
func (m *Model) passOn(s os.Signal) {
	away := m.jobs.away.Load()
	switch {
	case isStop(s) && away:
		stopProcess()
	case isStop(s):
		m.inbox.push(stopped{})
	case isContinue(s) && away:
		select {
		case m.jobs.goesOn <- struct{}{}:
		default:
		}
	case isContinue(s):
		m.inbox.push(continued{})
	case s == syscall.SIGINT && (away || m.jobs.justBack()):
	case m.signalled.Swap(int64(exitOf(s))) == exitHangup && s == syscall.SIGHUP:
		// It was seen before that the terminal is gone.
	default:
		m.inbox.push(signalled{s})
	}
}

// hungUp takes it that the terminal is gone: nothing can be read from it any
// more. The signal that says so does not reach every process.
func (m *Model) hungUp() {
	if m.signalled.CompareAndSwap(0, exitHangup) {
		m.inbox.push(signalled{syscall.SIGHUP})
	}
}

// signal leaves in order; a session that does not end in time is cut off. The
// record is whole all the same.
func (m *Model) signal(s os.Signal) tea.Cmd {
	m.exitCode = exitOf(s)
	return m.leaveFor(nil)
}

// exitOf is the exit code after a signal.
func exitOf(s os.Signal) int {
	switch s {
	case syscall.SIGTERM:
		return exitTerminated
	case syscall.SIGHUP:
		return exitHangup
	}
	return exitInterrupted
}
