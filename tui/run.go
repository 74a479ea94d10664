package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"moot/protocol"
	"moot/state"
)

// Options are what the screen is opened with. Start and Now are required.
type Options struct {
	// Start opens the session, whose watcher is watch. It is called after the
	// first frame, on a goroutine of its own.
	Start func(watch func(protocol.Notice)) (Session, error)
	// State and Rulings are those before the session runs, Events what led to
	// them; all may be empty.
	State   state.State
	Rulings []state.Ruling
	Events  []state.Event
	// Auto says that the session was started to go on by itself.
	Auto bool
	// Person is who is asked for the replies of a seat that the person fills.
	Person *Person
	// Now gives the time that progress is shown by.
	Now func() time.Time
	// Environ is the environment that colors are chosen by; nil is the
	// process's. NO_COLOR with any value forbids colors.
	Environ []string
	NoColor bool
	// ASCII draws borders and signs in ASCII.
	ASCII       bool
	NoAnimation bool
	NoMouse     bool
	// ModelessNote is said where no language model is at work in any seat; ""
	// is moot's own sentence.
	ModelessNote string
	// ResumeCommand and ShowCommand are the lines to type afterwards.
	ResumeCommand, ShowCommand string
	// ReportPath is the file that a crash is told in, "" for none.
	ReportPath string
	// Input and Output are the terminal; nil is the process's. Width and
	// Height are its size where it cannot be asked.
	Input         io.Reader
	Output        io.Writer
	Width, Height int
	// Signals are those to obey; nil is the process's own.
	Signals <-chan os.Signal
}

// Result is how the screen was left.
type Result struct {
	// State and Rulings are the last that were told.
	State   state.State
	Rulings []state.Ruling
	// Left says that the person left before the session closed; Resume is
	// then the line to type to go on.
	Left   bool
	Resume string
	// ExitCode is 143 after SIGTERM, 129 after SIGHUP, 130 after SIGINT or
	// ctrl-c, else 0: the caller knows how the session ended.
	ExitCode int
	// Report is the file that a crash was written to, or "".
	Report string
}

// The exit codes after a signal.
const (
	exitInterrupted = 130
	exitHangup      = 129
	exitTerminated  = 143
)

// patience is how long a session may take to end once it was left.
const patience = 3 * time.Second

// Run shows a session until the person leaves. The session runs in a goroutine
// of its own, which has ended when Run returns, unless a participant ignores
// its cancelled context for longer than three seconds. The error says why the
// session or the screen failed: *CrashError after a panic. Leaving is no error.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(o, cancel)
	if o.Person != nil {
		o.Person.attach(m.inbox)
	}
	sessionDone := make(chan struct{})
	m.begin = func() {
		go func() {
			defer close(sessionDone)
			m.runSession(ctx)
		}()
	}
	stopSignals := m.listen(ctx)
	defer stopSignals()
	_, err := tea.NewProgram(m, programOptions(o)...).Run()
	m.startOnce(func() { close(sessionDone) })
	cancel()
	m.inbox.close()
	select {
	case <-sessionDone:
	case <-time.After(patience):
	}
	return m.result(err)
}

// programOptions sets the program up: signals, panics and colors are ours.
func programOptions(o Options) []tea.ProgramOption {
	options := []tea.ProgramOption{
		tea.WithoutSignalHandler(), tea.WithFPS(30), tea.WithEnvironment(o.Environ),
		tea.WithColorProfile(profile(o)),
	}
	if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		options = append(options, tea.WithOutput(o.Output))
	}
	if o.Width > 0 {
		options = append(options, tea.WithWindowSize(o.Width, o.Height))
	}
	return options
}

// profile is the colors that the terminal can show. The library takes NO_COLOR
// for a boolean; any value but none forbids colors.
func profile(o Options) colorprofile.Profile {
	p := colorprofile.Env(o.Environ)
	if noColor(o) && p > colorprofile.ASCII {
		return colorprofile.ASCII
	}
	return p
}

func noColor(o Options) bool {
	value := ""
	for _, entry := range o.Environ {
		if v, found := strings.CutPrefix(entry, "NO_COLOR="); found {
			value = v
		}
	}
	return o.NoColor || value != ""
}

// runSession opens the session and runs it to its end. A panic in it ends the
// program; what it had told is on disk.
func (m *Model) runSession(ctx context.Context) {
	defer m.crash.catch(func() { m.inbox.push(sessionOver{}) })
	s, err := m.options.Start(m.inbox.watch)
	if err != nil {
		m.inbox.push(sessionOver{err})
		return
	}
	driven, stop := context.WithCancel(ctx)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		defer m.crash.catch(func() { m.inbox.push(sessionOver{}) })
		m.driver.drive(driven, s)
	}()
	defer func() {
		stop()
		<-finished
	}()
	m.inbox.push(sessionOver{s.Run(ctx)})
}

// sessionOver says that the session's goroutine ends.
type sessionOver struct{ err error }

// signalled says that a signal came, hurried that the time to leave is over.
type (
	signalled struct{ signal os.Signal }
	hurried   struct{}
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
				m.signalled.Store(int64(exitOf(s)))
				m.inbox.push(signalled{s})
			}
		}
	}()
	return func() {
		cancel()
		<-finished
		unregister()
	}
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

// result is how the program ended.
func (m *Model) result(err error) (Result, error) {
	r := Result{State: m.state, Rulings: m.rulings, ExitCode: m.exitCode, Left: !m.state.Closed}
	if r.Left {
		r.Resume = m.options.ResumeCommand
	}
	if m.crash.happened() {
		failure := m.crash.report(&m.options)
		r.Report = failure.Report
		return r, failure
	}
	if m.err != nil && !errors.Is(m.err, protocol.ErrStopped) {
		return r, m.err
	}
	// With the terminal gone the program may end before it reads of the signal.
	if code := int(m.signalled.Load()); code != 0 {
		r.ExitCode = code
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("draw the screen: %w; the session is saved", err)
	}
	return r, nil
}

// guard runs f; a panic in it ends the program in order.
func (m *Model) guard(f func() tea.Cmd) (cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			m.crash.note(v, debug.Stack())
			cmd = tea.Quit
		}
	}()
	return f()
}
