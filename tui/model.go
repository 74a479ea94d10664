package tui

import (
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/state"
	"moot/tui/home"
	"moot/tui/pane"
	"moot/tui/theme"
)

// Model is the only tea.Model. It owns layout, focus, keys and dialogs; panes are
// plain structs.
type Model struct {
	options Options
	inbox   *inbox
	crash   crash
	// away says that another program has the terminal.
	away     atomic.Bool
	keys     keymap
	families []family

	appearance    theme.Appearance
	look          *theme.Look
	width, height int
	layout        Layout
	focus         pane.ID

	// session is the session on the screen; an empty one at home.
	*session
	home   *home.Pane
	atHome bool
	// question is the form for a new question, or nil before it was opened. It keeps what was typed.
	question *askForm
	// next is called once the session has ended: it opens another session, or goes
	// home; nil quits the program.
	next func() tea.Cmd
	// released is closed once the previous session has released its file. It is nil without a previous session.
	released <-chan struct{}

	dialogs []dialog

	// patience is how long a session may take to end, settling how long a terminal may take to reply before moot leaves.
	patience, settling time.Duration
	// leaving says that the session is about to end.
	leaving  bool
	exitCode int
	// signalled is the exit code of a received signal, or 0.
	signalled atomic.Int64
	// flash is a message that is shown until the next key. It was set at said.
	flash     string
	flashWarn bool
	said      time.Time

	// arrived is when the last question arrived; armed says that keys may answer it.
	arrived time.Time
	armed   bool
	lastKey time.Time

	ticking bool
	frame   int
	dirty   bool
	view    tea.View
}

func newModel(o Options) *Model {
	if o.Themes == nil {
		o.Themes = theme.BuiltIn()
	}
	if o.Keys == nil {
		o.Keys = Bindings()
	}
	m := &Model{
		options: o, patience: patience, settling: settleTimeout,
		inbox: &inbox{
			queue: queue[any]{wake: make(chan struct{}, 1), join: joinPieces}, closed: make(chan struct{}),
		},
		keys: keymap{o.Keys}, families: families(),
		width: o.Width, height: o.Height, dirty: true, armed: true,
		appearance: theme.Appearance{
			Mono: noColor(o), ASCII: o.ASCII, NoAnimation: o.NoAnimation, Theme: o.Theme, Themes: o.Themes,
			Profile: profile(o),
		},
	}
	m.look = theme.New(m.appearance)
	m.home = home.New(m.look)
	if o.Opened == nil {
		m.session = newSession(Opened{State: &state.State{}}, m.look)
		m.goHome()
	} else {
		m.showSession(*o.Opened)
	}
	m.sayProblems()
	return m
}

// showSession shows a session.
func (m *Model) showSession(o Opened) {
	m.session = newSession(o, m.look)
	m.atHome, m.leaving, m.next, m.dialogs = false, false, nil, nil
	m.focus = pane.DebateID
	if o.Person != nil {
		o.Person.attach(m.inbox)
	}
	if o.At > 0 {
		m.replayFrom(o.At)
	}
	if o.Note != "" {
		m.say(o.Note, false)
	}
	m.rearrange()
}

// Init asks for the background color and starts listening. The session starts after
// the first frame.
func (m *Model) Init() tea.Cmd {
	return m.guarded(tea.Batch(tea.RequestBackgroundColor, m.inbox.next, m.readHome("")))
}

// Update handles a message. It never blocks.
func (m *Model) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer m.crash.catch(func() { model, cmd = m, tea.Quit })
	cmd = m.guarded(m.update(msg))
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
		m.paste(msg)
		return nil
	case tea.MouseMsg:
		m.dirty = true
		return m.mouse(msg)
	case tick:
		m.dirty = true
		return m.tick()
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

// appear changes the appearance.
func (m *Model) appear(change func(*theme.Appearance)) {
	before := m.appearance
	change(&m.appearance)
	if m.appearance == before {
		return
	}
	m.look = theme.New(m.appearance)
	m.eachPane(func(_ pane.ID, p pane.Pane) { p.SetLook(m.look) })
	m.dirty = true
}

// rearrange updates the layout; scroll positions and focus are kept.
func (m *Model) rearrange() {
	s := Showing{Focus: m.focus, Main: m.main, Zoom: m.zoom, Status: m.statusHeight()}
	if !m.atHome {
		s.Note = pane.SessionNote(m.state, m.options.ModelessNote) != ""
		s.Questions = len(m.asking()) > 0
		s.Slider = m.replaying()
	}
	m.layout = Arrange(m.width, m.height, s)
	if m.layout.Kind == Wide && m.layout.Panes[m.focus].Empty() {
		// The focused pane must be visible: beside the debate each pane has a place.
		m.before, m.main, m.zoom = m.main, pane.DebateID, false
		s.Main, s.Zoom = m.main, m.zoom
		m.layout = Arrange(m.width, m.height, s)
	}
	m.eachPane(func(id pane.ID, p pane.Pane) { p.SetFocused(id == m.focus) })
	m.dirty = true
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
