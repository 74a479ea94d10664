package tui

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/state"
)

// Model is the one tea.Model of the screen: it owns layout, focus, keys and
// the dialogs. Panes are plain structs that it tells what to show.
type Model struct {
	options Options
	inbox   *inbox
	driver  *driver
	crash   crash
	keys    keymap
	// begin starts the session, once; cancel ends it.
	begin  func()
	start  sync.Once
	cancel context.CancelFunc

	appearance    appearance
	look          *look
	width, height int
	layout        Layout
	focus         Pane

	debate     *debatePane
	points     *pointsPane
	challenges *challengesPane
	ledger     *ledgerPane
	dialogs    []dialog

	// What the session told last.
	state   state.State
	rulings []state.Ruling
	calls   []*call
	stage   state.Stage
	ready   []protocol.Ask
	// told says that the session has told anything yet; idle that it waits for
	// the person.
	told     bool
	idle     bool
	waiting  bool
	forecast *protocol.Forecast
	ended    bool
	err      error

	auto bool
	// leaving says that the program ends as soon as the session has.
	leaving  bool
	exitCode int
	// signalled is the exit code of a signal that came, 0 before.
	signalled atomic.Int64
	// flash is said once, until the next key.
	flash     string
	flashWarn bool

	// requests are what the person is asked in a seat's place; arrived is when
	// the last question came by itself, armed that keys may answer it.
	requests []*request
	arrived  time.Time
	armed    bool
	lastKey  time.Time
	known    int

	ticking bool
	frame   int
	dirty   bool
	view    tea.View
}

func newModel(o Options, cancel context.CancelFunc) *Model {
	m := &Model{
		options: o, inbox: newInbox(), driver: newDriver(), keys: keymap{Bindings()}, cancel: cancel, auto: o.Auto,
		width: o.Width, height: o.Height, dirty: true, begin: func() {},
		appearance: appearance{mono: noColor(o), ascii: o.ASCII, still: o.NoAnimation},
	}
	m.look = newLook(m.appearance)
	m.debate, m.points = newDebatePane(m.look), newPointsPane(m.look)
	m.challenges, m.ledger = newChallengesPane(m.look), newLedgerPane(m.look)
	m.debate.transcript.add(o.Events)
	m.advance(o.State, o.Rulings)
	m.armed = true
	return m
}

// Init asks for the background's color and begins to listen; the session
// starts when the first frame is drawn.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.listenInbox)
}

// listenInbox waits for what happens outside.
func (m *Model) listenInbox() tea.Msg {
	if items := m.inbox.next(); items != nil {
		return items
	}
	return nil
}

// startOnce runs f unless the session was started already.
func (m *Model) startOnce(f func()) { m.start.Do(f) }

// Update takes a message. Nothing in it blocks.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.guard(func() tea.Cmd { return m.update(msg) })
	return m, cmd
}

// update routes a message by its family.
func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case delivery:
		m.dirty = true
		return m.deliver(msg)
	case tea.KeyPressMsg:
		m.dirty = true
		return m.press(msg)
	case tea.PasteMsg:
		m.dirty = true
		m.paste(msg)
	case tea.MouseMsg:
		m.dirty = true
		m.mouse(msg)
	case tick:
		m.dirty = true
		return m.tick()
	default:
		m.terminal(msg)
	}
	return nil
}

// terminal takes what the terminal says of itself.
func (m *Model) terminal(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.rearrange()
	case tea.BackgroundColorMsg:
		m.appear(func(a *appearance) { a.light = !msg.IsDark() })
	case tea.ModeReportMsg:
		// The library measures by graphemes from here on, and so must we.
		if msg.Mode == ansi.ModeUnicodeCore && (msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet) {
			m.appear(func(a *appearance) { a.method = ansi.GraphemeWidth })
		}
	}
}

// appear changes how things are drawn.
func (m *Model) appear(change func(*appearance)) {
	before := m.appearance
	change(&m.appearance)
	if m.appearance == before {
		return
	}
	m.look = newLook(m.appearance)
	m.debate.setLook(m.look)
	m.points.setLook(m.look)
	m.challenges.setLook(m.look)
	m.ledger.setLook(m.look)
	m.dirty = true
}

// rearrange lays the screen out anew; place and focus stay.
func (m *Model) rearrange() {
	m.layout = Arrange(m.width, m.height, Showing{
		Focus: m.focus, Note: modelless(&m.state, m.options.ModelessNote) != "", Questions: len(m.asking()) > 0,
		Status: m.statusHeight(),
	})
	m.points.setFocused(m.focus == PanePoints)
	m.challenges.setFocused(m.focus == PaneChallenges)
	m.ledger.setFocused(m.focus == PaneLedger)
	m.dirty = true
}

// View draws the screen, or returns what was drawn where nothing changed.
func (m *Model) View() (view tea.View) {
	defer m.crash.catch(func() {
		m.inbox.push(crashed{})
		view = tea.NewView("")
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
		// The terminal has told its size: the first frame goes out now.
		m.startOnce(m.begin)
	}
	return m.view
}
