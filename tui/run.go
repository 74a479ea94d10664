package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"moot/protocol"
	"moot/report"
	"moot/state"
	"moot/tui/home"
	"moot/tui/theme"
	"moot/tui/tty"
)

// Options configure the screen. Now is required, and either Opened or Home.
type Options struct {
	// Opened is the session to show first; nil shows the list of sessions.
	Opened *Opened
	// Home gives access to the other sessions. It may be nil.
	Home     *Home
	Services Services
	// Now returns the current time.
	Now func() time.Time
	// Environ is the environment; nil is the process's. NO_COLOR with any value disables colors.
	Environ []string
	NoColor bool
	// ASCII draws borders and glyphs in ASCII.
	ASCII       bool
	NoAnimation bool
	NoMouse     bool
	// Theme is the theme to start with; nil follows the terminal. Themes are those to choose from; nil is BuiltIn.
	Theme  *theme.Theme
	Themes *theme.Themes
	// Keys is the table of keys; nil is Bindings.
	Keys []Binding
	// Problems are the problems of the configuration, one line each.
	Problems []string
	// ModelessNote is shown if no seat has a language model; "" uses moot's own text.
	ModelessNote string
	// Input and Output are the terminal; nil is the process's. Width and Height are its size if it can't be queried.
	Input         io.Reader
	Output        io.Writer
	Width, Height int
	// Signals are the signals to handle; nil is the process's own.
	Signals <-chan os.Signal
}

// Services give access to files, programs and other sessions. They are called on their own goroutines and may take
// time. The actions of those that are nil are disabled.
type Services struct {
	// Copy copies a text to the system's clipboard and says how: "the system clipboard, with xclip".
	Copy func(ctx context.Context, text string) (how string, err error)
	// OpenFile returns the command that opens a cited place of a workspace, "path:line", in the user's editor.
	OpenFile func(workspace, reference string) (*exec.Cmd, error)
	// Export writes a session to a new file and returns its path.
	Export func(ctx context.Context, e Export) (path string, err error)
	// Fork creates a session with the same events up to an event, counted from 1. For 0, it is the last event at which
	// the session can continue.
	Fork func(ctx context.Context, id string, at int) (Opened, error)
	// Replace returns the participant with the name, for a seat of the session with the ID.
	Replace func(ctx context.Context, id string, seat state.Seat, name string) (protocol.Participant, error)
	// Decide records decisions of the user in a session that is closed, and opens it again.
	Decide func(ctx context.Context, id string, moves []protocol.UserMove) (Opened, error)
	// Formats are the formats for new sessions; nil means all of moot's.
	Formats []protocol.Format
	// New opens a session on a question. A *view.FieldError says which value is wrong; no session exists then.
	New func(ctx context.Context, q home.Question) (Opened, error)
	// Found looks for participants. It ends soon, whatever it has to ask.
	Found func(ctx context.Context) home.Candidates
}

// Export describes a file to write.
type Export struct {
	// ID is the ID of the session.
	ID   string
	Form report.Form
	// Path is the file or folder; "" is a new file in the current folder.
	Path string
}

// Result describes how the screen was left.
type Result struct {
	// State and Rulings are the last ones that the session reported.
	State   *state.State
	Rulings []state.Ruling
	// Home says that the list of sessions was shown.
	Home bool
	// Left says that the user left before the session closed. Resume is the command that continues it.
	Left   bool
	Resume string
	// ExitCode is 143 after SIGTERM, 129 after SIGHUP, 130 after SIGINT or ctrl-c, else 0.
	ExitCode int
	// Report is the crash report, or "".
	Report string
}

// patience is how long moot waits for a session to end. It is longer than a program of a participant gets to end, so
// that none is left behind.
const patience = 5 * time.Second

// Run shows the screen until the user leaves or ctx ends. Sessions run in goroutines that have ended when Run returns,
// unless a participant ignores its canceled context for more than five seconds. The error says why the session or the
// screen failed; it is a *CrashError after a panic.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	return newModel(o).run(ctx)
}

// framesPerSecond is how often the library writes changes: a key is visible after two frames at most.
const framesPerSecond = 60

func (m *Model) run(ctx context.Context) (Result, error) {
	stopSignals := m.listen(ctx)
	defer stopSignals()
	o := &m.options
	options := []tea.ProgramOption{
		tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond), tea.WithEnvironment(o.Environ),
		tea.WithColorProfile(profile(m.options)),
	}
	var leave *leaver
	if terminal := o.terminal(); terminal != nil {
		leave = &leaver{input: tty.NewInput(terminal, m.hungUp), started: time.Now(), limit: m.settling}
		options = append(options, tea.WithInput(leave.input), tea.WithFilter(leave.filter))
	} else if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		options = append(options, tea.WithOutput(o.Output))
	}
	if o.Width > 0 {
		options = append(options, tea.WithWindowSize(o.Width, o.Height))
	}
	program := tea.NewProgram(m, options...)
	if leave != nil {
		leave.send = program.Send
	}
	// When ctx ends, the program quits as if the user had left: a killed program closes the terminal while it is
	// still being read.
	stopQuitting := context.AfterFunc(ctx, program.Quit)
	defer stopQuitting()
	_, err := program.Run()
	m.end(m.session)
	m.waitFor(m.released)
	m.inbox.close()
	return m.result(err)
}

// profile returns the colors that the terminal can show. The library parses NO_COLOR as a boolean, but any value except
// "" disables colors.
func profile(o Options) colorprofile.Profile {
	p := colorprofile.Env(o.Environ)
	if noColor(o) && p > colorprofile.ASCII {
		return colorprofile.ASCII
	}
	return p
}

func noColor(o Options) bool { return o.NoColor || environment(o.Environ, "NO_COLOR") != "" }

// result describes how the program ended. err is the error of the library.
func (m *Model) result(err error) (Result, error) {
	now, rulings := m.present()
	if n := len(m.veiled); n > 0 {
		now, rulings = m.veiled[n-1].State, m.veiled[n-1].Rulings()
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
	// If the terminal is gone, the program may end before it handles the signal.
	if code := int(m.signalled.Load()); code != 0 {
		r.ExitCode = code
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("draw the screen: %w; the session is saved", err)
	}
	return r, nil
}
