package tui

import (
	"context"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/report"
	"moot/state"
	"moot/tui/batch"
	"moot/tui/home"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// Options configure the screen. Now is required, and one of Opened, Home and Batch.
type Options struct {
	// Opened is the session to show first; nil shows the list of sessions.
	Opened *Opened
	// Home gives access to the other sessions. It may be nil.
	Home *Home
	// Batch shows a batch instead of the list of sessions. It may be nil.
	Batch    *Batch
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
	// Earlier returns the claims of earlier sessions that fit a question and still hold, by the names that Question.Earlier
	// takes, and sentences on those that no longer do, and on what was not
	// looked at. nil offers none.
	Earlier func(ctx context.Context, q home.Question) (holds []view.Choice, changed []string)
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
	home    *home.Pane
	preview *home.Preview
	// resting is how long the selection or the typing must rest before anything is read for it.
	resting time.Duration
	// findTurn counts the searches, so that the result of an earlier one is dropped; stopFinding ends the one under way.
	findTurn    int
	stopFinding context.CancelFunc
	// refreshing says that the list will be read again by itself.
	refreshing bool
	// batch are the lists of a batch, batchFocus is the one that had the focus last.
	batch      *batch.Pane
	batchFocus pane.ID
	// atHome says that no session is on the screen, but the list that they are opened from.
	atHome bool
	// question is the form for a new question, or nil before it was opened. It keeps what was typed.
	question *askForm
	// next is called once the session has ended: it opens another session, or goes
	// home; nil quits the program.
	next func() tea.Cmd
	// released is closed once the previous session has released its file. It is nil without a previous session.
	released <-chan struct{}

	dialogs []dialog

	// patience is how long a session may take to end, settling how long a terminal may take to reply before moot
	// leaves.
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
		s.Rows = func(p pane.ID, width, most int) int {
			switch p { //nolint:exhaustive // the others fill their places
			case pane.BucketsID:
				return m.buckets.Needs(width, most)
			case pane.ChallengesID:
				return m.challenges.Needs(width, most)
			case pane.LedgerID:
				return m.ledger.Needs(width, most)
			}
			return most
		}
	}
	s.Preview = m.atHome && m.options.Home != nil && m.options.Home.Preview != nil && m.home.Len() > 0
	if m.onBatch() {
		s.Batch = m.batchShowing
	}
	m.layout = Arrange(m.width, m.height, s)
	if m.layout.Kind == Wide && !m.atHome && m.layout.Panes[m.focus].Empty() {
		// The focused pane must be visible: beside the debate each pane has a place.
		m.before, m.main, m.zoom = m.main, pane.DebateID, false
		s.Main, s.Zoom = m.main, m.zoom
		m.layout = Arrange(m.width, m.height, s)
	}
	m.eachPane(func(id pane.ID, p pane.Pane) { p.SetFocused(id == m.focus) })
	m.dirty = true
}

// say shows a message until the next key. A warning stays until then; other messages give way to news of the session.
func (m *Model) say(text string, warn bool) {
	m.flash, m.flashWarn, m.said = text, warn, m.options.Now()
}

// sayTime is how long a message is shown before news of the session may replace it.
const sayTime = 5 * time.Second

// unsay removes a message that was shown long enough and is not a warning.
func (m *Model) unsay() {
	if !m.flashWarn && m.options.Now().Sub(m.said) >= sayTime {
		m.flash = ""
	}
}

func (m *Model) clock() pane.Clock { return pane.Clock{Now: m.options.Now(), Frame: m.frame} }

// paneOf returns the pane's struct.
func (m *Model) paneOf(p pane.ID) pane.Pane {
	switch {
	case p == pane.HomeID:
		return m.home
	case p == pane.PreviewID:
		return m.preview
	case p == pane.BatchID:
		return m.batch
	case p == pane.RunningID:
		return m.batch.Running
	}
	return m.panes[p]
}

// eachPane calls f with every pane.
func (m *Model) eachPane(f func(pane.ID, pane.Pane)) {
	for p := range pane.NumIDs {
		f(p, m.paneOf(p))
	}
}
