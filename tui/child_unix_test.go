//go:build unix

package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"moot/state"
)

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
