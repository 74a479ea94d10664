//go:build unix

package tui

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/term"
)

// Whatever the terminal is, a session is shown, stepped and left, with no more
// than the terminal can do.
func TestTerminals(t *testing.T) {
	for name, test := range map[string]struct {
		environ string
		never   []string
	}{
		"dumb":      {"TERM=dumb", []string{"\x1b[38;", "\x1b]2;", "\x1b]9;", "\x1b[22;2t"}},
		"screen":    {"TERM=screen", []string{"\x1b[38;2;"}},
		"tmux":      {"TERM=tmux-256color", []string{"\x1b[38;2;"}},
		"linux":     {"TERM=linux", []string{"\x1b[38;2;", "\x1b]2;", "\x1b]9;"}},
		"none":      {"", []string{"\x1b[38;"}},
		"no color":  {"TERM=xterm-256color COLORTERM=truecolor NO_COLOR=anything", []string{"\x1b[38;", "\x1b[31m", "\x1b[48;"}},
		"truecolor": {"TERM=xterm-256color COLORTERM=truecolor", nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := newTerminal(t, 80, 24)
			o, _ := sessionOptions(e, &speaker{replies: replies()})
			o.Environ = strings.Fields(test.environ)
			out := launch(t, o)
			e.shows("next: orchestrator map")
			e.press(" ")
			e.shows("next: consultee propose")
			e.press("q")
			if l := gone(t, e, out); l.err != nil || !l.Left {
				t.Errorf("%v, left %v", l.err, l.Left)
			}
			e.mutex.Lock()
			defer e.mutex.Unlock()
			for _, never := range test.never {
				if i := bytes.Index(e.written, []byte(never)); i >= 0 {
					t.Errorf("it writes %q", e.written[i:min(i+40, len(e.written))])
				}
			}
		})
	}
}

// A terminal that never answers what it is asked works all the same.
func TestTerminalNeverAnswers(t *testing.T) {
	e := newTerminal(t, 80, 24)
	o, _ := sessionOptions(e, &speaker{replies: replies()})
	input, keys := e.second()
	// What the first terminal answers nobody reads, and it does not show it.
	o.Input = input
	if _, err := term.MakeRaw(e.slave.Fd()); err != nil {
		t.Fatal(err)
	}
	out := launch(t, o)
	e.shows("next: orchestrator map")
	for _, press := range []string{" ", "q"} {
		if _, err := keys.WriteString(press); err != nil {
			t.Fatal(err)
		}
		if press == " " {
			e.shows("next: consultee propose")
		}
	}
	if l := gone(t, e, out); l.err != nil || !l.Left {
		t.Errorf("%v, left %v", l.err, l.Left)
	}
}
