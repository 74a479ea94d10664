package tui

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// terminalInput is a terminal that reports when reading from it fails. The library continues without input then.
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

// input returns the reader for the library, or nil for its default.
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

// environment returns the last value of a variable, or "".
func environment(entries []string, name string) string {
	value := ""
	for _, entry := range entries {
		if v, found := strings.CutPrefix(entry, name+"="); found {
			value = v
		}
	}
	return value
}

// warning returns an answer that only shows a message.
func warning(text string) answer {
	return func(m *Model) tea.Cmd {
		m.say(text, true)
		return nil
	}
}

// settleTime is how long moot waits before it takes the terminal back: the library stops its renderer's ticker shortly
// after it has released the terminal, and nothing would be drawn anymore if moot were faster.
const settleTime = 50 * time.Millisecond

// foreground is a tea.ExecCommand that runs a program in the terminal. Signals of the keyboard are meant for the
// program.
type foreground struct {
	*exec.Cmd
	flag *atomic.Bool
}

// SetStdin implements tea.ExecCommand. A program gets the terminal itself, without our error handling.
func (a *foreground) SetStdin(in io.Reader) {
	a.Stdin = in
	if watched, ok := in.(*terminalInput); ok {
		a.Stdin = watched.File
	}
}

// SetStdout implements tea.ExecCommand.
func (a *foreground) SetStdout(out io.Writer) { a.Stdout = out }

// SetStderr implements tea.ExecCommand.
func (a *foreground) SetStderr(out io.Writer) { a.Stderr = out }

// Run implements tea.ExecCommand.
func (a *foreground) Run() error {
	a.flag.Store(true)
	defer a.flag.Store(false)
	defer time.Sleep(settleTime)
	return a.Cmd.Run()
}
