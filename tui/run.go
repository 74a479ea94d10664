package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"moot/protocol"
	"moot/state"
	"moot/tui/theme"
)

// Options are what the screen is opened with. Now is required, and one of
// Opened and Home.
type Options struct {
	// Opened is the session to show at once; nil begins at home.
	Opened *Opened
	// Home is where the other sessions are; nil where there is no way home.
	Home *Home
	// Services reach what lies outside of the screen.
	Services Services
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
	// NoNotify forbids to tell the terminal that moot waits.
	NoNotify bool
	// Theme is what is drawn in; nil goes by the terminal. Themes are those to
	// choose from; nil is BuiltIn.
	Theme  *theme.Theme
	Themes *theme.Themes
	// Keys is the table of keys; nil is Bindings.
	Keys []Binding
	// Problems are what is wrong with the configuration, a line each.
	Problems []string
	// ModelessNote is said where no language model is at work in any seat; ""
	// is moot's own sentence.
	ModelessNote string
	// Input and Output are the terminal; nil is the process's. Width and
	// Height are its size where it cannot be asked.
	Input         io.Reader
	Output        io.Writer
	Width, Height int
	// Signals are those to obey; nil is the process's own.
	Signals <-chan os.Signal
}

// bindings is the table of keys that holds.
func (o *Options) bindings() []Binding {
	if o.Keys != nil {
		return o.Keys
	}
	return Bindings()
}

// themes are those to choose from.
func (o *Options) themes() *theme.Themes {
	if o.Themes != nil {
		return o.Themes
	}
	return theme.BuiltIn()
}

// Result is how the screen was left.
type Result struct {
	// State and Rulings are the last that were told.
	State   state.State
	Rulings []state.Ruling
	// Home says that it was left from the home screen.
	Home bool
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

// patience is how long moot waits for what may never come to an end: for a session
// once it was left. It is longer than a program of a participant is given to end when it
// is asked to, so that none is left behind.
const patience = 5 * time.Second

// Run shows the screen until the person leaves. A session runs in a goroutine
// of its own, which has ended when Run returns, unless a participant ignores
// its cancelled context for longer than five seconds. When ctx ends the screen
// is left. The error says why the session or the screen failed: *CrashError
// after a panic. Leaving is no error.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	return newModel(o).run(ctx)
}

func (m *Model) run(ctx context.Context) (Result, error) {
	stopSignals := m.listen(ctx)
	defer stopSignals()
	m.saveTitle(m.output())
	program := tea.NewProgram(m, m.programOptions()...)
	// The end of the context leaves the screen as a person does: a program that is
	// killed closes the terminal while it is still read.
	stopQuitting := context.AfterFunc(ctx, program.Quit)
	defer stopQuitting()
	_, err := program.Run()
	m.restoreTitle(m.output())
	m.end(m.session)
	m.waitFor(m.released)
	m.inbox.close()
	return m.result(err)
}

// framesPerSecond is how often the library writes what changed: a key is on the
// screen within two of them at the worst. What streams in is joined to fewer
// deliveries.
const framesPerSecond = 60

// programOptions sets the program up: signals, panics and colors are ours.
func (m *Model) programOptions() []tea.ProgramOption {
	o := &m.options
	options := []tea.ProgramOption{
		tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond), tea.WithEnvironment(o.Environ),
		tea.WithColorProfile(profile(m.options)),
	}
	if in := m.input(); in != nil {
		options = append(options, tea.WithInput(in))
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

func noColor(o Options) bool { return o.NoColor || environment(o.Environ, "NO_COLOR") != "" }

// result is how the program ended.
func (m *Model) result(err error) (Result, error) {
	now, rulings := m.present()
	if n := len(m.veiled); n > 0 {
		now, rulings = m.veiled[n-1].State, m.veiled[n-1].Rulings
	}
	r := Result{State: now, Rulings: rulings, ExitCode: m.exitCode, Home: m.atHome, Left: !m.atHome && !now.Closed}
	if r.Left {
		r.Resume = m.opened.ResumeCommand
	}
	if m.crash.happened() {
		failure := m.crash.report(&m.options, &m.opened)
		r.Report = failure.Report
		return r, failure
	}
	if m.err != nil && !m.atHome && !errors.Is(m.err, protocol.ErrStopped) {
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
