package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/state"
	"moot/tui/batch"
	"moot/tui/home"
	"moot/tui/theme"
	"moot/tui/tty"
)

// Result describes how the screen was left.
type Result struct {
	// State and Rulings are the last ones that the session reported.
	State   *state.State
	Rulings []state.Ruling
	// Home says that the list of sessions was shown, or that of a batch.
	Home bool
	// Left says that the user left before the session closed. Resume is the command that continues it.
	Left   bool
	Resume string
	// ExitCode is 143 after SIGTERM, 129 after SIGHUP, 130 after SIGINT or ctrl-c, else 0.
	ExitCode int
	// Report is the crash report, or "".
	Report string
}

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

func newModel(o Options) *Model {
	if o.Themes == nil {
		o.Themes = theme.BuiltIn()
	}
	if o.Keys == nil {
		o.Keys = Bindings()
	}
	m := &Model{
		options: o, patience: patience, settling: settleTimeout, resting: restTime,
		inbox: &inbox{
			mailbox: mailbox[any]{wake: make(chan struct{}, 1), join: joinPieces}, closed: make(chan struct{}),
		},
		keys: keymap{o.Keys}, families: families(),
		width: o.Width, height: o.Height, dirty: true, armed: true,
		appearance: theme.Appearance{
			Mono: noColor(o), ASCII: o.ASCII, NoAnimation: o.NoAnimation, Theme: o.Theme, Themes: o.Themes,
			Profile: profile(o),
		},
	}
	m.look = theme.New(m.appearance)
	m.home, m.preview = home.New(m.look), home.NewPreview(m.look)
	if o.Home != nil && o.Home.Search == nil {
		m.home.NoSearch = cmp.Or(o.Home.NoSearch, "searching what was argued is disabled here")
	}
	m.batch = batch.New(m.look, "")
	if o.Batch != nil {
		m.batch = batch.New(m.look, o.Batch.Command)
	}
	if o.Opened == nil {
		m.session = newSession(Opened{State: &state.State{}}, m.look)
		m.goHome()
	} else {
		m.showSession(*o.Opened)
	}
	m.sayProblems()
	return m
}

// Init asks for the background color and starts listening. The session starts after
// the first frame.
func (m *Model) Init() tea.Cmd {
	return m.guarded(tea.Batch(tea.RequestBackgroundColor, m.inbox.next, m.readHome(""), m.followBatch()))
}

// Update handles a message. It never blocks.
func (m *Model) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer m.crash.catch(func() { model, cmd = m, tea.Quit })
	cmd = m.guarded(tea.Batch(m.update(msg), m.showPreview()))
	return m, cmd
}

// update routes a message by its type.
func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case delivery:
		m.dirty = true
		return m.deliver(msg)
	case answer:
		m.dirty = true
		defer m.rearrange()
		return msg(m)
	case tea.KeyPressMsg:
		m.dirty = true
		return m.press(msg)
	case tea.PasteMsg:
		m.dirty = true
		return m.paste(msg)
	case tea.MouseMsg:
		m.dirty = true
		return m.mouse(msg)
	case tick:
		m.dirty = true
		m.ticking = false
		m.frame++
		m.unsay()
		return m.startTicking()
	case lookDue:
		return m.lookAtBatch()
	case crashed:
		return tea.Quit
	default:
		return m.terminal(msg)
	}
}

// terminal handles reports of the terminal.
func (m *Model) terminal(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.rearrange()
		if m.appearance.Method == ansi.GraphemeWidth {
			// The library doesn't set the mode again after another program has used
			// the terminal.
			return tea.Raw(ansi.SetModeUnicodeCore)
		}
	case tea.BackgroundColorMsg:
		m.appear(func(a *theme.Appearance) { a.Light = !msg.IsDark() })
	case tea.ModeReportMsg:
		// From now on the library measures by graphemes.
		known := msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet
		if msg.Mode == ansi.ModeUnicodeCore && known {
			m.appear(func(a *theme.Appearance) { a.Method = ansi.GraphemeWidth })
		}
	}
	return nil
}

// View draws the screen, or returns the last one if nothing has changed.
func (m *Model) View() (view tea.View) {
	defer m.crash.catch(func() {
		m.inbox.push(crashed{})
		view = m.view
	})
	if m.dirty {
		m.view = tea.NewView(strings.Join(m.drawScreen(), "\n"))
		m.view.AltScreen = true
		if !m.options.NoMouse {
			m.view.MouseMode = tea.MouseModeCellMotion
		}
		m.dirty = false
	}
	if m.layout.Width > 0 {
		// The size of the terminal is known: this is the first frame.
		m.startSession()
	}
	return m.view
}

// families returns all families. A test checks that each action in the table of keys belongs to one.
func families() []family {
	return []family{
		turnFamily(), rulingFamily(), dialogFamily(), viewFamily(), moveFamily(),
		searchFamily(), outputFamily(), replayFamily(), homeFamily(), batchFamily(), programFamily(),
	}
}
