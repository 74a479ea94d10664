//go:build unix

package picture_test

import (
	"context"
	"image/color"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"moot/tui"
	"moot/tui/picture"
)

// patience is how long a program that hangs is waited for.
const patience = time.Minute

// terminal is an emulator that a program writes to. A frame is one write, so
// that it is seen as a whole or not at all.
type terminal struct {
	t       *testing.T
	mutex   sync.Mutex
	screen  *vt.Emulator
	changed chan struct{}
	// typed goes to the program: keys, and what the emulator answers.
	typed *io.PipeWriter
	input *io.PipeReader
	group sync.WaitGroup
	ended chan error
	// signals end a program that a failed test leaves behind.
	signals chan os.Signal
}

func newTerminal(t *testing.T, width, height int, background color.Color) *terminal {
	t.Helper()
	e := &terminal{
		t: t, screen: vt.NewEmulator(width, height), changed: make(chan struct{}, 1), ended: make(chan error, 1),
		signals: make(chan os.Signal, 1),
	}
	e.screen.SetDefaultBackgroundColor(background)
	e.input, e.typed = io.Pipe()
	var answers sync.WaitGroup
	answers.Go(func() { _, _ = io.Copy(e.typed, e.screen) })
	t.Cleanup(func() {
		e.signals <- syscall.SIGTERM
		e.group.Wait()
		// The emulator's own Close is not safe beside its Read.
		if pipe, ok := e.screen.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		_ = e.typed.Close()
		_ = e.input.Close()
		answers.Wait()
	})
	return e
}

// Write draws what the program writes. No driver of a terminal lies between, so
// a line feed goes to the first column here.
func (e *terminal) Write(text []byte) (int, error) {
	e.mutex.Lock()
	_, err := e.screen.WriteString(strings.ReplaceAll(string(text), "\n", "\r\n"))
	e.mutex.Unlock()
	select {
	case e.changed <- struct{}{}:
	default:
	}
	return len(text), err
}

// open shows a session on the terminal.
func (e *terminal) open(o tui.Options) {
	o.Input, o.Output, o.Width, o.Height = e.input, e, e.screen.Width(), e.screen.Height()
	o.Environ = []string{"TERM=xterm-256color", "COLORTERM=truecolor"}
	o.Signals = e.signals
	e.group.Go(func() {
		// The test's own context ends before the signal that ends the program.
		_, err := tui.Run(context.WithoutCancel(e.t.Context()), o)
		e.ended <- err
	})
}

func (e *terminal) press(keys string) {
	e.t.Helper()
	if _, err := io.WriteString(e.screen.InputPipe(), keys); err != nil {
		e.t.Fatal(err)
	}
}

func (e *terminal) text() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.screen.String()
}

func (e *terminal) picture(o picture.Options) []byte {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return picture.SVG(e.screen, o)
}

// act presses keys and waits for the text that the last of them brings. A text
// that is there before the keys would be waited for in vain.
func (e *terminal) act(keys, shows string) {
	e.t.Helper()
	if keys != "" && shows != "" && strings.Contains(e.text(), shows) {
		e.t.Fatalf("%q is on the screen before %q is pressed:\n%s", shows, keys, e.text())
	}
	e.press(keys)
	if !e.becomes(func() bool { return strings.Contains(e.text(), shows) }) {
		e.t.Fatalf("the screen never shows %q:\n%s", shows, e.text())
	}
}

// becomes waits until the screen is as it should be, and tells whether it came to
// that; it wakes when the screen changes.
func (e *terminal) becomes(so func() bool) bool {
	late := time.After(patience)
	for !so() {
		select {
		case <-e.changed:
		case <-late:
			return so()
		}
	}
	return true
}

// leave ends the program as a person does.
func (e *terminal) leave() {
	e.t.Helper()
	e.press("q")
	select {
	case err := <-e.ended:
		if err != nil {
			e.t.Error(err)
		}
	case <-time.After(patience):
		e.t.Errorf("the program does not end:\n%s", e.text())
	}
}
