//go:build unix

package tui

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal is a pseudo-terminal with an emulator on its other end.
type terminal struct {
	t             testing.TB
	master, slave *os.File
	mutex         sync.Mutex
	screen        *vt.Emulator
	alternate     bool
	modes         map[ansi.Mode]bool
	written       []byte
	changed       chan struct{}
	// before is the screen as it was when keys were last pressed.
	before string
	// painted is called with each piece that was drawn. It may be nil.
	painted func()
}

func newTerminal(t testing.TB, width, height int) *terminal {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	e := &terminal{t: t, master: master, slave: slave, screen: vt.NewEmulator(width, height), modes: map[ansi.Mode]bool{}, changed: make(chan struct{}, 1)}
	e.screen.SetCallbacks(vt.Callbacks{
		AltScreen:   func(on bool) { e.alternate = on },
		EnableMode:  func(m ansi.Mode) { e.modes[m] = true },
		DisableMode: func(m ansi.Mode) { e.modes[m] = false },
	})
	e.size(width, height)
	var group sync.WaitGroup
	group.Go(e.draw)
	group.Go(func() { _, _ = io.Copy(master, e.screen) })
	t.Cleanup(func() {
		_ = slave.Close()
		_ = master.Close()
		// The emulator's own Close is not safe beside its Read.
		if pipe, ok := e.screen.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		group.Wait()
	})
	return e
}

// draw feeds what the program writes to the emulator.
func (e *terminal) draw() {
	buffer := make([]byte, 1<<16)
	for {
		n, err := e.master.Read(buffer)
		if err != nil {
			return
		}
		e.mutex.Lock()
		_, _ = e.screen.Write(buffer[:n])
		e.written = append(e.written, buffer[:n]...)
		if e.painted != nil {
			e.painted()
		}
		e.mutex.Unlock()
		select {
		case e.changed <- struct{}{}:
		default:
		}
	}
}

func (e *terminal) size(width, height int) {
	if err := pty.Setsize(e.master, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		e.t.Fatal(err)
	}
}

func (e *terminal) text() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.screen.String()
}

// hangs is how long nothing may happen until it is taken that nothing will.
const hangs = 2 * time.Minute

// until waits for the screen to fit; it wakes when the screen changes.
func (e *terminal) until(what string, fits func(string) bool) string {
	e.t.Helper()
	late := time.After(hangs)
	for {
		text := e.text()
		if fits(text) {
			return text
		}
		select {
		case <-e.changed:
		case <-late:
			e.t.Fatalf("the screen never shows %s:\n%s", what, text)
		}
	}
}

// shows waits for a text that the last keys bring. One that was there before them
// would be waited for in vain: whatever the keys do, it would be there at once.
func (e *terminal) shows(text string) string {
	e.t.Helper()
	if strings.Contains(e.before, text) {
		e.t.Fatalf("%q was on the screen before the keys that it is to come from:\n%s", text, e.before)
	}
	return e.has(text)
}

// has waits for a text that may have been there all the time.
func (e *terminal) has(text string) string {
	e.t.Helper()
	return e.until(text, func(screen string) bool { return strings.Contains(screen, text) })
}

func (e *terminal) press(keys string) {
	e.before = e.text()
	if _, err := e.master.WriteString(keys); err != nil {
		e.t.Fatal(err)
	}
}

// restored says what of the terminal is not as it was, or "".
func (e *terminal) restored() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.alternate {
		return "the alternate screen is on"
	}
	for mode, name := range map[ansi.Mode]string{
		ansi.ModeBracketedPaste: "bracketed paste", ansi.ModeMouseButtonEvent: "mouse reporting",
		ansi.ModeMouseAnyEvent: "mouse motion", ansi.ModeMouseExtSgr: "mouse reporting", ansi.ModeSynchronizedOutput: "synchronized output",
		ansi.ModeUnicodeCore: "graphemes",
	} {
		if e.modes[mode] {
			return name + " is on"
		}
	}
	if visible, told := e.modes[ansi.ModeTextCursorEnable]; told && !visible {
		return "the cursor is hidden"
	}
	return ""
}

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
			e.shows("next: orchestrator to map")
			e.press(" ")
			e.shows("next: consultee to propose")
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
	e.shows("next: orchestrator to map")
	for _, press := range []string{" ", "q"} {
		if _, err := keys.WriteString(press); err != nil {
			t.Fatal(err)
		}
		if press == " " {
			e.shows("next: consultee to propose")
		}
	}
	if l := gone(t, e, out); l.err != nil || !l.Left {
		t.Errorf("%v, left %v", l.err, l.Left)
	}
}
