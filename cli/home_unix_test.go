//go:build unix

package cli_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"moot/cli"
	"moot/state/store"
)

// screen is a pseudo-terminal with an emulator on its other end, at which moot
// runs.
type screen struct {
	t             *testing.T
	master, slave *os.File
	mutex         sync.Mutex
	emulator      *vt.Emulator
	changed       chan struct{}
	said          lockedBuffer
	// waited is how much later it is for moot than it is: nobody has to wait for
	// a quiet moment.
	waited atomic.Int64
}

// now is the time for moot.
func (s *screen) now() time.Time { return time.Now().Add(time.Duration(s.waited.Load())) }

func newScreen(t *testing.T, width, height int) *screen {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, master: master, slave: slave, emulator: vt.NewEmulator(width, height), changed: make(chan struct{}, 1)}
	if err := pty.Setsize(master, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	group.Go(s.draw)
	group.Go(func() { _, _ = io.Copy(master, s.emulator) })
	t.Cleanup(func() {
		_ = slave.Close()
		_ = master.Close()
		// The emulator's own Close is not safe beside its Read.
		if pipe, ok := s.emulator.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		group.Wait()
	})
	return s
}

func (s *screen) draw() {
	buffer := make([]byte, 1<<16)
	for {
		n, err := s.master.Read(buffer)
		if err != nil {
			return
		}
		s.mutex.Lock()
		_, _ = s.emulator.Write(buffer[:n])
		s.mutex.Unlock()
		select {
		case s.changed <- struct{}{}:
		default:
		}
	}
}

// until waits until the screen is as it is meant to be.
func (s *screen) until(what string, fits func(shown string) bool) {
	s.t.Helper()
	late := time.After(30 * time.Second)
	for {
		s.mutex.Lock()
		shown := s.emulator.String()
		s.mutex.Unlock()
		if fits(shown) {
			return
		}
		select {
		case <-s.changed:
		case <-late:
			s.t.Fatalf("the screen never shows %s:\n%s", what, shown)
		}
	}
}

// shows waits until all texts are on the screen.
func (s *screen) shows(texts ...string) {
	s.t.Helper()
	s.until(fmt.Sprintf("%q", texts), func(shown string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(shown, text) })
	})
}

func (s *screen) press(keys string) {
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// asks opens a session of rules that waits before each turn.
func (s *screen) asks(question string) {
	s.t.Helper()
	s.press("n")
	s.shows("A new question", "Orchestrator   rules", "Workspace")
	s.press(question)
	s.shows(question)
	// How it runs is the last field.
	s.press("\x1b[Z2\x13")
	s.shows("next: orchestrator map", "no language model", "step by step")
}

// moot runs the program without arguments, and returns its exit code later.
func (s *screen) moot(dir string) <-chan int {
	c := &cli.Console{
		In: s.slave, Out: s.slave, Err: &s.said, InTerminal: true, OutTerminal: true, Dir: dir,
		Environ: []string{"TERM=xterm-256color", "TERM_PROGRAM=test", "NO_COLOR=1"},
		Now:     s.now, Random: rand.NewChaCha8([32]byte{7}), Signals: make(chan os.Signal), Transport: scripted{},
	}
	code := make(chan int, 1)
	go func() { code <- cli.Run(context.Background(), c, nil) }()
	return code
}

// stateIn makes a folder for sessions, and one to ask questions about.
func stateIn(t *testing.T) (workspace string) {
	t.Helper()
	t.Setenv(store.StateVariable, t.TempDir())
	t.Setenv(cli.ConfigVariable, filepath.Join(t.TempDir(), "config.toml"))
	if err := os.WriteFile(os.Getenv(cli.ConfigVariable), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	workspace = t.TempDir()
	if err := os.WriteFile(filepath.Join(workspace, "consumer.go"), []byte("// maxRetries limits how often the consumer retries.\nconst maxRetries = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return workspace
}

// From the first start over a question and its session to its deletion.
func TestTheWholeWayFromHome(t *testing.T) {
	s := newScreen(t, 120, 36)
	dir := stateIn(t)
	left := s.moot(dir)
	s.shows("What to do", "asks a question", "no sessions yet")
	s.asks("Where are retries limited?")
	s.press("q")
	s.shows("saved; enter goes on", "Where are retries limited?", "paused")
	// The same session at once, and again.
	s.press("\r")
	s.shows("CONSTRUCTIVE", "next: orchestrator map", "step by step")
	s.press("q")
	s.shows("saved; enter goes on")
	s.press("\r")
	s.shows("CONSTRUCTIVE", "next: orchestrator map", "step by step")
	s.press("q")
	s.shows("saved; enter goes on")
	s.press("d")
	s.shows("This cannot be undone", "Where are retries limited?")
	s.press("\x1b[B\r")
	s.shows("deleted 2", "What to do")
	s.press("q")
	if code := <-left; code != cli.ExitConcluded || s.said.String() != "" {
		t.Errorf("exit code %d, it says %q", code, s.said.String())
	}
}

// A session that another process has open is refused, and stays.
func TestASessionThatIsHeldElsewhere(t *testing.T) {
	s := newScreen(t, 120, 36)
	dir := stateIn(t)
	left := s.moot(dir)
	s.shows("no sessions yet")
	s.asks("Where are retries limited?")
	s.press("q")
	s.shows("saved; enter goes on")
	held, _, err := store.Open(sessionFile(t))
	if err != nil {
		t.Fatal(err)
	}
	s.press("\r")
	s.shows("is open in another moot")
	s.press("jd")
	s.shows("This cannot be undone")
	s.press("2\r")
	s.shows("is open in another moot", "paused")
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	s.press("q")
	if code := <-left; code != cli.ExitConcluded || !strings.Contains(s.said.String(), "go on with: moot resume 2") {
		t.Errorf("exit code %d, it says %q", code, s.said.String())
	}
}

// Who leaves out of a session that was opened from home is told as after moot
// ask.
func TestLeavingOutOfASession(t *testing.T) {
	s := newScreen(t, 120, 36)
	dir := stateIn(t)
	left := s.moot(dir)
	s.shows("no sessions yet")
	s.asks("Where are retries limited?")
	s.press("\x03")
	if code := <-left; code != cli.ExitInterrupted || !strings.Contains(s.said.String(), "moot resume 2") {
		t.Errorf("exit code %d, it says %q", code, s.said.String())
	}
}
