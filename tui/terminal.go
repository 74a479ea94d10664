package tui

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"moot/tui/tty"
)

// terminal returns the terminal that is read, or nil if the input is something else.
func (o *Options) terminal() *os.File {
	in := o.Input
	if in == nil {
		in = os.Stdin
	}
	if file, ok := in.(*os.File); ok && term.IsTerminal(file.Fd()) {
		return file
	}
	return nil
}

const (
	// askedTime is how long after the start a terminal may not have replied yet to what the library asks it then.
	askedTime = 2 * time.Second
	// settleTimeout is how long moot waits for these replies before it leaves.
	settleTimeout = 500 * time.Millisecond
)

// leaver lets the program quit only when the terminal has replied to everything: a reply that came later would be
// printed by the shell, or be typed into it.
type leaver struct {
	input   *tty.Input
	started time.Time
	limit   time.Duration
	send    func(tea.Msg)
	leaving bool
}

// settled is the message that the terminal has replied, or won't.
type settled struct{}

// filter is a filter of messages of the library.
func (l *leaver) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case settled:
		return tea.QuitMsg{}
	case tea.QuitMsg:
		if l.leaving {
			return nil
		}
		if l.input.Lost() || time.Since(l.started) > askedTime {
			return msg
		}
		l.leaving = true
		go func() {
			// Every terminal replies to this, in order.
			l.send(tea.Raw(ansi.RequestPrimaryDeviceAttributes)())
			select {
			case <-l.input.Attributes():
			case <-time.After(l.limit):
			}
			l.send(settled{})
		}()
		return nil
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg:
		if l.leaving {
			return nil
		}
	}
	return msg
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

// SetStdin implements tea.ExecCommand. A program gets the terminal itself, without our filter.
func (a *foreground) SetStdin(in io.Reader) {
	a.Stdin = in
	if watched, ok := in.(*tty.Input); ok {
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
