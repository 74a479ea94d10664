//go:build unix

package tui

import (
	"context"
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

	"moot/state"
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
	e.shows("next: orchestrator to map")
	return e, command, folder
}

// editorScript is an editor that is interrupted.
const editorScript = `trap 'echo interrupted' INT; echo editing; kill -INT 0; echo ending; read line`

// A signal that interrupts an editor leaves moot alone.
func TestEditorInForeground(t *testing.T) {
	e, command, _ := underShell(t, "SPEAKS=1 ", "")
	e.press(" ")
	e.shows("next: consultee to propose")
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
			e.shows("next: orchestrator to map")
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

// childVariable names the folder of a test's child; with it the test binary is a
// moot of its own.
const childVariable = "MOOT_TEST_CHILD"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childVariable); folder != "" {
		os.Exit(child(folder))
	}
	os.Exit(m.Run())
}

// child runs a whole session on the terminal of the process. The seat that is
// asked first never answers.
func child(folder string) int {
	if err := os.WriteFile(filepath.Join(folder, "pid"), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return 2
	}
	s := &speaker{replies: replies(), stalls: map[state.Stage]bool{state.StageMap: os.Getenv("SPEAKS") == ""}}
	o, _, err := scripted(s, kindLog(filepath.Join(folder, "record")))
	if err != nil {
		return 2
	}
	o.Opened.ReportPath = filepath.Join(folder, "crash.txt")
	o.Services.OpenFile = func(string, string) (*exec.Cmd, error) { return exec.Command("sh", "-c", os.Getenv("EDITOR")), nil }
	o.Environ = os.Environ()
	m := newModel(o)
	m.patience = hangs
	r, err := m.run(context.Background())
	if err != nil {
		return 1
	}
	if err := os.WriteFile(filepath.Join(folder, "code"), []byte(strconv.Itoa(r.ExitCode)), 0o600); err != nil {
		return 2
	}
	return r.ExitCode
}

// kindLog writes the kinds of the events to a file, a line each.
type kindLog string

func (l kindLog) Append(events []state.Event) error {
	file, err := os.OpenFile(string(l), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	for _, e := range events {
		if _, err := fmt.Fprintln(file, state.KindOf(e.Data)); err != nil {
			return err
		}
	}
	return nil
}

// spawn starts a program whose terminal this is; the test's child can be started
// in it.
func (e *terminal) spawn(name string, arguments ...string) (command *exec.Cmd, folder string) {
	e.t.Helper()
	folder = e.t.TempDir()
	input := filepath.Join(folder, "inputrc")
	if err := os.WriteFile(input, []byte("set enable-bracketed-paste off\n"), 0o600); err != nil {
		e.t.Fatal(err)
	}
	command = exec.Command(name, arguments...)
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "PS1=$ ", "INPUTRC=" + input, "HOME=" + folder, "EDITOR=" + editorScript, "MOOT=" + os.Args[0], "CHILD=" + folder}
	command.Stdin, command.Stdout, command.Stderr = e.slave, e.slave, e.slave
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() {
		if text, err := os.ReadFile(filepath.Join(folder, "pid")); err == nil && e.t.Failed() {
			// Whoever has the terminal keeps the test from ending.
			if id, err := strconv.Atoi(string(text)); err == nil {
				_ = syscall.Kill(-id, syscall.SIGKILL)
			}
		}
		if command.ProcessState == nil {
			_ = command.Process.Kill()
			_ = command.Wait()
		}
	})
	return command, folder
}
