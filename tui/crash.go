package tui

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
)

// crash holds the first panic that was caught.
type crash struct {
	mutex sync.Mutex
	value any
	stack []byte
}

// catch must be deferred. After a panic it calls then.
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

// CrashError says that moot itself failed. The session on disk is complete: events are written before they are shown.
type CrashError struct {
	// Value is the value of the panic.
	Value any
	// Report is the file with the details, or "".
	Report string
	// Resume is the command that continues the session, or "".
	Resume string
}

// Error says what happened, what was kept and what to do.
func (e *CrashError) Error() string {
	text := fmt.Sprintf("moot failed: %v; the session is saved", e.Value)
	if e.Report != "" {
		text += "; a report is in " + e.Report
	}
	if e.Resume != "" {
		text += "; continue with: " + e.Resume
	}
	return text
}

// report writes the crash to the session's report file, or else to a temporary file.
func (c *crash) report(o *Options, of *Opened) *CrashError {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	failure := &CrashError{Value: c.value, Resume: of.ResumeCommand}
	text := fmt.Sprintf("moot failed at %s\nsession %s\n\n%v\n\n%s",
		o.Now().Format("2006-01-02 15:04:05 -0700"), of.State.ID, c.value, c.stack)
	if of.ReportPath != "" && os.WriteFile(of.ReportPath, []byte(text), 0o600) == nil {
		failure.Report = of.ReportPath
		return failure
	}
	file, err := os.CreateTemp("", "moot-crash-*.txt")
	if err != nil {
		return failure
	}
	_, err = file.WriteString(text)
	if closed := file.Close(); err == nil && closed == nil {
		failure.Report = file.Name()
	}
	return failure
}

// The exit codes after a signal.
const (
	exitInterrupted = 130
	exitHangup      = 129
	exitTerminated  = 143
)

// Items of the inbox about signals.
type (
	// signalled is a signal that ends the program.
	signalled struct{ signal os.Signal }
	// expired says that the time for a session to end is over.
	expired struct{ of *session }
)

// listen passes signals on until the returned function is called.
func (m *Model) listen(ctx context.Context) (stop func()) {
	signals := m.options.Signals
	unregister := func() {}
	if signals == nil {
		own := make(chan os.Signal, 4)
		signal.Notify(own, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		signals, unregister = own, func() { signal.Stop(own) }
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
				m.receive(s)
			}
		}
	}()
	return func() {
		cancel()
		<-finished
		// After a signal the process is about to end with its code: another one must not kill it first.
		if m.signalled.Load() == 0 {
			unregister()
		}
	}
}

// receive handles a signal. While another program has the terminal, ctrl-c is meant for that program.
func (m *Model) receive(s os.Signal) {
	if s == syscall.SIGINT && m.away.Load() {
		return
	}
	if m.signalled.Swap(int64(exitOf(s))) != exitHangup || s != syscall.SIGHUP {
		m.inbox.push(signalled{s})
	}
}

// hungUp ends moot because reading from the terminal failed. SIGHUP does not reach every process.
func (m *Model) hungUp() {
	if m.signalled.CompareAndSwap(0, exitHangup) {
		m.inbox.push(signalled{syscall.SIGHUP})
	}
}

func exitOf(s os.Signal) int {
	switch s {
	case syscall.SIGTERM:
		return exitTerminated
	case syscall.SIGHUP:
		return exitHangup
	}
	return exitInterrupted
}
