package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/plain"
	"moot/state"
)

// The most cells that a notification and the title of the window take.
const (
	maxNotice = 120
	maxTitle  = 80
)

// notify tells the person, who looks elsewhere, that moot waits: by a bell and,
// where the terminal can, in words. A terminal that never said where the person
// looks gets nothing.
func (m *Model) notify(what string) tea.Cmd {
	if m.options.NoNotify || !m.blurred {
		return nil
	}
	// In one of the ways a semicolon ends the text.
	text := strings.ReplaceAll(m.look.clip(plain.Line(what), maxNotice), ";", ",")
	notice := ansi.Notify(text)
	if term := environment(m.options.Environ, "TERM"); strings.HasPrefix(term, "rxvt") || strings.HasPrefix(term, "foot") {
		notice = ansi.URxvtExt("notify", "moot", text)
	}
	return tea.Raw(notice + "\a")
}

// notifyTurn says that a turn waits.
func (m *Model) notifyTurn() tea.Cmd {
	if now, _ := m.present(); now.Paused != state.PauseNone {
		return m.notify("moot is paused: " + string(now.Paused))
	}
	return m.notify("moot waits for you: " + m.nextTurn())
}

// notifyAsked says what the session asks, each question once: all from a place
// on, or those that it waits for.
func (m *Model) notifyAsked(asks func(i int, q *state.Question) bool) tea.Cmd {
	now, _ := m.present()
	var cmds []tea.Cmd
	for i, q := range now.Questions.All() {
		if q.Answered || m.notified[q.ID] || !asks(i, q) {
			continue
		}
		if cmd := m.notify("moot asks you: " + q.Text); cmd != nil {
			m.notified[q.ID] = true
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(cmds...)
}

// hasWindow reports whether the terminal may have a window with a title: a
// console has none.
func (m *Model) hasWindow() bool {
	term := environment(m.options.Environ, "TERM")
	return term != "dumb" && term != "linux"
}

// windowTitle is what the window is called.
func (m *Model) windowTitle() string {
	now, _ := m.present()
	switch {
	case !m.hasWindow():
		return ""
	case m.atHome || now.Question == "":
		return "moot"
	}
	asked := ""
	if n := len(m.allAsked()); n > 0 {
		asked = fmt.Sprintf(" (%d asked)", n)
	}
	return m.look.clip("moot: "+plain.Line(now.Question), maxTitle-len(asked)) + asked
}
