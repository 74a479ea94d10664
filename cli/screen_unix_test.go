//go:build unix

package cli_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"moot/cli"
)

// hangTime is how long a program that hangs is waited for.
const hangTime = 30 * time.Second

// screen is a pseudo-terminal that runs moot, with an emulator on the other end. It shows only complete frames: the
// emulator supports mode 2026.
type screen struct {
	t             *testing.T
	master, slave *os.File
	emulator      *vt.Emulator
	changed       chan struct{}
	said          lockedBuffer
	signals       chan os.Signal
	// code is the exit code, once moot has ended.
	code chan int
	// waited is how much later it is for moot than it is: nobody has to wait for
	// a quiet moment.
	waited atomic.Int64

	mutex sync.Mutex
	// shown is the last whole frame; within says that the next is being drawn.
	shown  string
	within bool
}

// now is the time for moot.
func (s *screen) now() time.Time { return time.Now().Add(time.Duration(s.waited.Load())) }

func newScreen(t *testing.T, width, height int) *screen {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{
		t: t, master: master, slave: slave, emulator: vt.NewEmulator(width, height),
		changed: make(chan struct{}, 1), signals: make(chan os.Signal, 1), code: make(chan int, 1),
	}
	s.drawsWhole()
	if err := pty.Setsize(master, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		t.Fatal(err)
	}
	// Fd makes reads block, and Close would not end them.
	if err := syscall.SetNonblock(int(master.Fd()), true); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	group.Go(s.draw)
	group.Go(func() { _, _ = io.Copy(master, s.emulator) })
	t.Cleanup(func() {
		// The slave is left to the garbage collector: bubbletea may still ask for its size.
		_ = master.Close()
		// The emulator's own Close is not safe beside its Read.
		if pipe, ok := s.emulator.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		group.Wait()
	})
	return s
}

// drawsWhole tells who asks that frames are shown whole, and notes where one begins
// and ends.
func (s *screen) drawsWhole() {
	s.emulator.RegisterCsiHandler(ansi.Command('?', '$', 'p'), func(params ansi.Params) bool {
		mode, _, _ := params.Param(0, 0)
		if mode != ansi.ModeSynchronizedOutput.Mode() {
			return false
		}
		_, _ = io.WriteString(s.emulator.InputPipe(), ansi.ReportMode(ansi.ModeSynchronizedOutput, ansi.ModeReset))
		return true
	})
	whole := func(within bool) func(ansi.Mode) {
		return func(mode ansi.Mode) {
			if mode == ansi.ModeSynchronizedOutput {
				s.within = within
			}
		}
	}
	s.emulator.SetCallbacks(vt.Callbacks{EnableMode: whole(true), DisableMode: whole(false)})
}

// draw shows what moot writes.
func (s *screen) draw() {
	buffer := make([]byte, 1<<16)
	for {
		n, err := s.master.Read(buffer)
		if err != nil {
			return
		}
		s.mutex.Lock()
		_, _ = s.emulator.Write(buffer[:n])
		if !s.within {
			s.shown = s.emulator.String()
		}
		s.mutex.Unlock()
		select {
		case s.changed <- struct{}{}:
		default:
		}
	}
}

// text returns the text on the screen.
func (s *screen) text() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.shown
}

// until waits until the screen is as it is meant to be.
func (s *screen) until(what string, fits func(shown string) bool) {
	s.t.Helper()
	late := time.After(hangTime)
	for {
		shown := s.text()
		if fits(shown) {
			return
		}
		if strings.Contains(shown, ended) {
			s.t.Fatalf("moot ends, and the screen never shows %s:\n%s\n%s", what, shown, s.said.String())
		}
		select {
		case <-s.changed:
		case <-late:
			s.t.Fatalf("the screen never shows %s:\n%s\n%s", what, shown, s.said.String())
		}
	}
}

// act is one input of the user, and the text that must be on the screen before the next.
type act struct {
	// keys are typed, click is a text on the screen that is clicked. Either may
	// be "".
	keys, click string
	// shows must be on the screen afterwards, gone must not; "" is nothing.
	shows, gone string
}

// done reports whether the screen shows what the act brings.
func (a *act) done(shown string) bool {
	return on(shown, a.shows) && (a.gone == "" || !on(shown, a.gone))
}

// on reports whether a screen shows a text, which may be wrapped: the paths of temporary folders differ in length.
func on(shown, text string) bool {
	words := strings.Join(strings.Fields(text), " ")
	return strings.Contains(shown, text) || strings.Contains(strings.Join(strings.Fields(shown), " "), words)
}

// The keys that have no letter, and the wheel.
const (
	enter, escape, tab, backtab = "\r", "\x1b", "\t", "\x1b[Z"
	down, left, right           = "\x1b[B", "\x1b[D", "\x1b[C"
	home, end, send, theme      = "\x1b[H", "\x1b[F", "\x13", "\x14"
	interrupt                   = "\x03"
)

// walk goes through a session as a person does. What an act brings must not be there
// before it: it would be waited for in vain.
func (s *screen) walk(acts ...act) {
	s.t.Helper()
	for i, a := range acts {
		what := fmt.Sprintf("%q after act %d, %q %q", a.shows+a.gone, i, a.keys, a.click)
		if shown := s.text(); a.shows+a.gone != "" && a.keys+a.click != "" && a.done(shown) {
			s.t.Fatalf("the screen shows %s before that:\n%s", what, shown)
		}
		// Nobody types as fast as a test: there is a quiet moment before each key.
		s.waited.Add(int64(time.Second))
		if a.click != "" {
			s.click(a.click)
		}
		if a.keys != "" {
			s.press(a.keys)
		}
		s.until(what, a.done)
	}
}

// shows waits until all texts are on the screen.
func (s *screen) shows(texts ...string) {
	s.t.Helper()
	s.until(fmt.Sprintf("%q", texts), func(shown string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !on(shown, text) })
	})
}

// atHome waits until the sessions are read, and it is known who could take a seat: the
// options of a form are counted from then on.
func (s *screen) atHome() {
	s.t.Helper()
	s.until("who could take a seat", func(shown string) bool {
		return strings.Contains(shown, "no sessions yet") && strings.Contains(shown, "What was found") && !strings.Contains(shown, "looking for")
	})
}

func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// click presses and releases the left button at the last place that shows the text.
func (s *screen) click(text string) {
	s.t.Helper()
	x, y := s.place(text)
	s.press(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x, y, x, y))
}

// place is the cell at which a text begins, counted from 1.
func (s *screen) place(text string) (x, y int) {
	s.t.Helper()
	s.until(text, func(shown string) bool {
		for i, row := range strings.Split(shown, "\n") {
			if at := strings.LastIndex(row, text); at >= 0 {
				x, y = utf8.RuneCountInString(row[:at])+1, i+1
			}
		}
		return y > 0
	})
	return x, y
}

// ended is on the screen when moot has left it.
const ended = "moot has ended"

// moot runs the program with a screen.
func (s *screen) moot(dir string, args ...string) {
	s.start(&cli.Console{
		Err: &s.said, Dir: dir, Environ: []string{"TERM=xterm-256color", "TERM_PROGRAM=test", "NO_COLOR=1"},
		Transport: scripted{}, CheckTime: time.Minute,
	}, args...)
}

// start runs moot at the terminal.
func (s *screen) start(c *cli.Console, args ...string) {
	c.In, c.Out, c.InTerminal, c.OutTerminal = s.slave, s.slave, true, true
	c.Now, c.Random, c.Signals = s.now, rand.NewChaCha8([32]byte{7}), s.signals
	over := make(chan struct{})
	go func() {
		defer close(over)
		code := cli.Run(context.Background(), c, args)
		_, _ = fmt.Fprintf(s.slave, "\r\n%s with %d\r\n", ended, code)
		s.code <- code
	}()
	s.t.Cleanup(func() {
		// A test that failed leaves it behind.
		s.signals <- syscall.SIGTERM
		select {
		case <-over:
		case <-time.After(hangTime):
			s.t.Errorf("moot does not end:\n%s", s.text())
		}
	})
}

// left waits until moot has ended, and compares its exit code.
func (s *screen) left(want int) {
	s.t.Helper()
	select {
	case got := <-s.code:
		if got != want {
			s.t.Errorf("exit code %d: %s", got, s.said.String())
		}
	case <-time.After(hangTime):
		s.t.Fatalf("moot does not end:\n%s", s.text())
	}
}
