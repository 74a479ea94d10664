//go:build unix

package tui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
)

// record are the kinds of the events that the child wrote.
func record(t *testing.T, folder string) string {
	t.Helper()
	kinds, err := os.ReadFile(filepath.Join(folder, "record"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(kinds))
}

// pid is the child's process.
func pid(t *testing.T, folder string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	id, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// isStopped waits until the shell says that its job is stopped; the terminal is
// the shell's then.
func isStopped(e *terminal, id int) {
	e.t.Helper()
	e.until("a stopped job", func(s string) bool {
		// The screen may still show an earlier stop.
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
		stopped := err != nil || strings.Contains(string(stat), ") T ")
		return stopped && (strings.Contains(s, "Stopped") || strings.Contains(s, "Suspended")) && e.restored() == ""
	})
}

// underShell runs moot as a job of a shell, with more in its environment; the shell
// does more afterwards.
func underShell(t *testing.T, environ, more string) (e *terminal, command *exec.Cmd, folder string) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell here")
	}
	e = newTerminal(t, 100, 30)
	command, folder = e.spawn(shell, "-i")
	e.shows("$")
	e.press(environ + childVariable + "=\"$CHILD\" \"$MOOT\"" + more + "\n")
	e.shows("next: orchestrator map")
	return e, command, folder
}

// A shell stops and continues moot, by its key and by a signal. The shell has the terminal meanwhile, and the
// session is complete.
func TestStopAndGoOn(t *testing.T) {
	e, command, folder := underShell(t, "", "; echo \"code $?\"")
	e.press(" ")
	e.shows("I begin to think")
	id := pid(t, folder)

	e.press("\x1a")
	isStopped(e, id)
	e.mutex.Lock()
	e.screen.Resize(90, 26)
	e.mutex.Unlock()
	e.size(90, 26)
	e.press("fg\n")
	e.until("the screen again, at its size", func(s string) bool {
		return strings.Contains(s, "I begin to think") && strings.Contains(s, "a auto") && e.inUse()
	})

	if err := syscall.Kill(id, syscall.SIGTSTP); err != nil {
		t.Fatal(err)
	}
	isStopped(e, id)
	e.press("clear; fg\n")
	e.until("the screen again", func(s string) bool { return strings.Contains(s, "I begin to think") && e.inUse() })

	e.press("\x1b")
	e.shows("cancelled; its reply is dropped")
	e.press("q")
	e.until("the shell again", func(string) bool { return e.restored() == "" })
	e.press("echo code $?\nexit\n")
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	if kinds := record(t, folder); !strings.HasSuffix(kinds, "session-paused") {
		t.Errorf("the record is %s", kinds)
	}
}

// editorScript is an editor that stops, continues and is interrupted.
const editorScript = `trap 'echo interrupted' INT; echo editing; kill -TSTP 0; echo edits again; read line; kill -INT 0; echo ending; read line`

// inUse reports whether moot has the terminal.
func (e *terminal) inUse() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.alternate && e.modes[ansi.ModeFocusEvent]
}

// The terminal is closed in the middle of a call: the program leaves in order.
func TestClosedTerminal(t *testing.T) {
	for name, ignored := range map[string]string{"hangup": "", "no signal": "trap '' HUP; "} {
		t.Run(name, func(t *testing.T) {
			e := newTerminal(t, 100, 30)
			command, folder := e.spawn("sh", "-c", ignored+"exec env "+childVariable+"=\"$CHILD\" \"$MOOT\"")
			e.shows("next: orchestrator map")
			e.press(" ")
			e.shows("I begin to think")
			_ = e.slave.Close()
			_ = e.master.Close()
			_ = command.Wait()
			if code := command.ProcessState.ExitCode(); code != exitHangup {
				t.Errorf("exit code %d", code)
			}
			if kinds := record(t, folder); !strings.HasSuffix(kinds, "session-paused") {
				t.Errorf("the record is %s", kinds)
			}
			if report, err := os.ReadFile(filepath.Join(folder, "crash.txt")); err == nil {
				t.Errorf("it crashed: %s", report)
			}
		})
	}
}

// second is another terminal to read from.
func (e *terminal) second() (slave, master *os.File) {
	e.t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() {
		_ = slave.Close()
		_ = master.Close()
	})
	return slave, master
}
