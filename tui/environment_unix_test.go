//go:build unix

package tui

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"

	"moot/state"
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

// reachedLog says when an event of a kind was written.
type reachedLog struct {
	kind    string
	reached chan struct{}
	once    sync.Once
}

func (l *reachedLog) Append(events []state.Event) error {
	for _, e := range events {
		if e.Data.Kind() == l.kind {
			l.once.Do(func() { close(l.reached) })
		}
	}
	return nil
}

// While the terminal takes nothing the session goes on, and what it told is
// shown when it takes something again.
func TestSlowTerminal(t *testing.T) {
	e := newTerminal(t, 100, 30)
	log := &reachedLog{kind: (&state.ExitReached{}).Kind(), reached: make(chan struct{})}
	o, _, err := scripted(&speaker{replies: replies()}, log)
	if err != nil {
		t.Fatal(err)
	}
	reads, writes, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reads.Close() }()
	fill(t, writes)
	signals := make(chan os.Signal, 1)
	o.Environ, o.Input, o.Output, o.Signals, o.Width, o.Height = []string{"TERM=xterm-256color"}, e.slave, writes, signals, 100, 30
	m := newModel(o)
	m.driver.order(func(ctx context.Context, s Session) { s.Auto(ctx, true) })
	out := launched(t.Context(), m)
	select {
	case <-log.reached:
	case <-time.After(hangs):
		t.Fatal("the session waits for the terminal")
	}
	drawn := make(chan []byte, 1)
	go func() {
		all, _ := io.ReadAll(reads)
		drawn <- all
	}()
	e.press("q")
	l := <-out
	_ = writes.Close()
	if l.err != nil || !strings.Contains(string(<-drawn), "limit is nine") {
		t.Errorf("%v, or the screen does not show what happened", l.err)
	}
}

// fill writes to a pipe until it takes no more.
func fill(t *testing.T, pipe *os.File) {
	t.Helper()
	raw, err := pipe.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Write(func(fd uintptr) bool {
		for {
			if _, err := syscall.Write(int(fd), bytes.Repeat([]byte(" "), 4096)); err != nil {
				return true
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
