package tui

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/state/store"
)

// Home is where the other sessions are. Its functions are called on goroutines
// of their own and may take their time; Open and New are required.
type Home struct {
	// List reads the sessions, the newest first.
	List func(ctx context.Context) ([]store.Summary, error)
	// Open opens a session by its id: to go on with it, or to look at it where
	// replay is set or where it is finished.
	Open func(ctx context.Context, id string, replay bool) (Opened, error)
	// Delete deletes a session.
	Delete func(ctx context.Context, id string) error
}

// homePane is the list of sessions.
type homePane struct {
	list
	sessions []store.Summary
	typing   bool
	filter   textinput.Model
}

func newHomePane(l *look) *homePane {
	p := &homePane{list: list{look: l, at: -1}}
	p.draw = func(int, int, span) []string { return nil }
	p.key = func(i int) string { return p.sessions[i].ID }
	p.text = func(i int) string { return p.sessions[i].Question }
	return p
}

func (p *homePane) title() string { return PaneHome.String() }

func (p *homePane) endFilter() {}

func (p *homePane) typeKey(tea.KeyPressMsg) tea.Cmd { return nil }

func (p *homePane) typePaste(tea.PasteMsg) {}

// goHome shows the sessions.
func (m *Model) goHome() tea.Cmd {
	m.atHome, m.focus = true, PaneHome
	m.rearrange()
	return m.readHome()
}

// readHome reads the sessions anew.
func (m *Model) readHome() tea.Cmd { return nil }

func (m *Model) homeHeader(width int) string { return blank(width) }

func (m *Model) homeStatus() (style, string) { return m.look.text, "" }

func (m *Model) openHome(bool) tea.Cmd { return nil }

// homeFamily is what can be done at home.
func homeFamily() family {
	return family{
		actions: []Action{ActionAsk, ActionDelete, ActionFilter},
		do:      func(*Model, Action) tea.Cmd { return nil },
	}
}

// View draws the pane.
func (p *homePane) View(width, height int) string { return strings.Join(p.view(width, height), "\n") }

func (p *homePane) view(width, height int) []string {
	return p.rowsOrEmpty(width, height, "no sessions yet")
}
