package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
)

// maxTitle is the most cells that the title of the window takes.
const maxTitle = 80

// ring rings the terminal's bell for a person who looks at another window: moot waits
// for them, or has ended.
func (m *Model) ring() tea.Cmd {
	if m.options.NoNotify || !m.blurred {
		return nil
	}
	return tea.Raw("\a")
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
	return m.look.Clip("moot: "+plain.Line(now.Question), maxTitle-len(asked)) + asked
}
