package tui

import (
	"fmt"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"moot/internal/plain"
)

// terminalInput is a terminal that says when nothing can be read from it any
// more. The library goes on without it then.
type terminalInput struct {
	*os.File
	gone func()
}

// Read reads from the terminal.
func (t *terminalInput) Read(into []byte) (int, error) {
	n, err := t.File.Read(into)
	if err != nil {
		t.gone()
		return n, io.EOF
	}
	return n, nil
}

// input is what is read from, nil for what the library chooses.
func (m *Model) input() io.Reader {
	in := m.options.Input
	if in == nil {
		in = os.Stdin
	}
	if file, ok := in.(*os.File); ok && term.IsTerminal(file.Fd()) {
		return &terminalInput{file, m.hungUp}
	}
	return m.options.Input
}

// The parts of XTWINOPS that keep the title of the window and give it back.
const pushTitle, popTitle, windowTitle = 22, 23, 2

// keepTitle has the terminal keep the title of its window, or give it back: the
// library sets an empty one when it is done.
func (m *Model) keepTitle(out io.Writer, keep bool) {
	if environment(m.options.Environ, "TERM") == "dumb" {
		return
	}
	if file, ok := out.(term.File); ok && term.IsTerminal(file.Fd()) {
		_, _ = io.WriteString(out, ansi.WindowOp(when(keep, pushTitle, popTitle), windowTitle))
	}
}

// output is what is written to.
func (m *Model) output() io.Writer {
	if m.options.Output != nil {
		return m.options.Output
	}
	return os.Stdout
}

// environment is the last value of a variable, or "".
func environment(entries []string, name string) string {
	value := ""
	for _, entry := range entries {
		if len(entry) > len(name) && entry[:len(name)] == name && entry[len(name)] == '=' {
			value = entry[len(name)+1:]
		}
	}
	return value
}

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
