//go:build unix

package tui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// editorScript is an editor that is interrupted.
const editorScript = `trap 'echo interrupted' INT; echo editing; kill -INT 0; echo ending; read line`

// A signal that interrupts an editor leaves moot alone.
func TestEditorInForeground(t *testing.T) {
	e, command, _ := underShell(t, "SPEAKS=1 ", "")
	e.press(" ")
	e.shows("next: consultee propose")
	e.press(" ")
	e.shows("E1  supports P1")
	e.press("8o")
	e.shows("ending")
	e.press("\n")
	e.until("the screen of moot", func(s string) bool { return strings.Contains(s, "in your editor") && e.inUse() })
	e.press("q")
	e.until("the shell again", func(string) bool { return e.restored() == "" })
	e.press("exit\n")
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
}

// inUse reports whether moot has the terminal.
func (e *terminal) inUse() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.alternate && e.modes[ansi.ModeMouseButtonEvent]
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
