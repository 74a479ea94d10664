package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"

	tea "charm.land/bubbletea/v2"

	"moot/protocol/run"
)

// crash is a panic that was caught: what and where. The first one counts.
type crash struct {
	mutex sync.Mutex
	value any
	stack []byte
}

// catch notes a panic; to be deferred. It reports through then that there was
// one.
func (c *crash) catch(then func()) {
	if v := recover(); v != nil {
		c.note(v, debug.Stack())
		then()
	}
}

func (c *crash) note(value any, stack []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.value == nil {
		c.value, c.stack = value, stack
	}
}

// happened reports whether a panic was caught.
func (c *crash) happened() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.value != nil
}

// CrashError says that moot itself failed. The session on disk is whole: what
// was shown was written before.
type CrashError struct {
	// Value is what the panic said, Report the file that tells more, or "".
	Value  any
	Report string
	// Resume is the command that goes on, or "".
	Resume string
}

// Error says what happened, what was kept and what to do.
func (e *CrashError) Error() string {
	text := fmt.Sprintf("moot failed: %v; the session is saved", e.Value)
	if e.Report != "" {
		text += "; a report is in " + e.Report
	}
	if e.Resume != "" {
		text += "; go on with: " + e.Resume
	}
	return text
}

// report writes the crash to a file and returns the error that names it.
func (c *crash) report(o *Options, of *Opened) *CrashError {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	failure := &CrashError{Value: c.value, Resume: of.ResumeCommand}
	text := fmt.Sprintf("moot failed at %s\nsession %s\n\n%v\n\n%s", o.Now().Format("2006-01-02 15:04:05 -0700"), of.State.ID, c.value, c.stack)
	if of.ReportPath == "" || os.WriteFile(of.ReportPath, []byte(text), 0o600) != nil {
		failure.Report = writeAnywhere(text)
		return failure
	}
	failure.Report = of.ReportPath
	return failure
}

// writeAnywhere writes a report where the session has no place for it, and
// returns where, or "".
func writeAnywhere(text string) string {
	file, err := os.CreateTemp("", "moot-crash-*.txt")
	if err != nil {
		return ""
	}
	_, err = file.WriteString(text)
	if closed := file.Close(); err != nil || closed != nil {
		return ""
	}
	return file.Name()
}

// noteError notes a panic that the session caught itself.
func (c *crash) noteError(err error) {
	var panicked *run.PanicError
	if errors.As(err, &panicked) {
		c.note(panicked.Value, panicked.Stack)
	}
}

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
	hurried   struct{ of *session }
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
