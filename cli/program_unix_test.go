//go:build unix

package cli_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"moot/internal/process/processtest"
	"moot/protocol"
)

// Ctrl-c ends the program of a participant with all that it started, and the session
// can be resumed.
func TestSignalsEndPrograms(t *testing.T) {
	d := newDesk(t)
	folder := t.TempDir()
	pipe, script := filepath.Join(folder, "pipe"), filepath.Join(folder, "review.sh")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	// It tells who it and its child are once it was asked, and never ends.
	if err := os.WriteFile(script, []byte("#!/bin/sh\nsleep 600 &\necho $$ $! > '"+pipe+"'\nwait\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	code := make(chan int)
	go func() {
		code <- d.run("ask", "--headless", "--no-workspace", "--orchestrator", "rules", "--consultee", "exec:"+script, "Who is there?")
	}()
	opened, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	line, err := bufio.NewReader(opened).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	d.signals <- syscall.SIGINT
	if got := <-code; got != int(protocol.ExitInterrupted) || !strings.Contains(d.err.String(), "continue with: moot resume") {
		t.Errorf("exit code %d\n%s", got, d.err.String())
	}
	for _, number := range strings.Fields(line) {
		pid, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		processtest.Gone(t, pid)
	}
	if got := d.run("resume", "--headless", "--consultee", "rules"); got != int(protocol.ExitConcluded) && got != int(protocol.ExitInconclusive) {
		t.Errorf("resume gives %d\n%s", got, d.err.String())
	}
}

// Changes that a program makes in the workspace while ctrl-c ends it are reported and recorded before the session file
// is closed.
func TestChangesOfACancelledCallAreRecorded(t *testing.T) {
	d := newDesk(t)
	folder, workspace := t.TempDir(), t.TempDir()
	pipe, script := filepath.Join(folder, "pipe"), filepath.Join(folder, "late.sh")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntrap 'echo x > late.txt; exit 1' TERM\nsleep 600 &\necho ready > '"+pipe+"'\nwait\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	code := make(chan int)
	go func() {
		code <- d.run("ask", "--headless", "--workspace", workspace, "--orchestrator", "rules", "--consultee", "exec:"+script, "Who is there?")
	}()
	if _, err := os.ReadFile(pipe); err != nil {
		t.Fatal(err)
	}
	d.signals <- syscall.SIGINT
	want := "late.sh changed 1 file in the workspace: late.txt (new)"
	if got := <-code; got != int(protocol.ExitInterrupted) || !strings.Contains(d.err.String(), want) {
		t.Errorf("exit code %d\n%s", got, d.err.String())
	}
	record, err := os.ReadFile(sessionFile(t))
	if err != nil || !strings.Contains(string(record), `"kind":"workspace-changed"`) || !strings.Contains(string(record), want) {
		t.Errorf("%v\n%s", err, record)
	}
	if got := d.run("resume", "--headless", "--consultee", "rules"); got != int(protocol.ExitConcluded) && got != int(protocol.ExitInconclusive) || !strings.Contains(d.out.String(), want) {
		t.Errorf("resume gives %d\n%s", got, d.out.String())
	}
}

// A command that was allowed and hangs is ended at its time limit. The record and the result say that it ran, that it was
// ended, and that its evidence is still owed, and a person must decide.
func TestAllowedCommandThatHangs(t *testing.T) {
	d := newDesk(t)
	replies := filepath.Join(t.TempDir(), "replies.txt")
	text := "--- proposer/propose\nPROPOSE limit = 8 | category: Taste | grounded: no\n\n" +
		"--- pressure-tester/evaluate\nOBJECT P1: nobody ran it | category: Safety | severity: BLOCKING | " +
		"predicate: a run shows it | request: $ sleep 600 => exit 0\n\n" +
		"--- proposer/answer\nDEFEND C1: it is fine\n"
	if err := os.WriteFile(replies, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code := d.run("ask", "--headless", "--format", "dialectic", "--playbook", "code-review",
		"--seat", "proposer=script:"+replies, "--seat", "pressure-tester=script:"+replies,
		"--allow-command", "sleep 600", "--command-timeout", "100ms", "Set the limit to 8")
	if code != int(protocol.ExitPerson) {
		t.Errorf("exit code %d", code)
	}
	const late = "it was still running after "
	for _, want := range []string{"ESCALATE", "owed: $ sleep 600 => exit 0", "ran without a result, E1: " + late} {
		if !strings.Contains(d.out.String(), want) {
			t.Errorf("the result lacks %q:\n%s", want, d.out.String())
		}
	}
	if progress := d.err.String(); !strings.Contains(progress, late) || strings.Contains(progress, "nearest at $") ||
		strings.Contains(progress+d.out.String(), "not run: ") {
		t.Error(progress)
	}
	if events, err := os.ReadFile(sessionFile(t)); err != nil || !strings.Contains(string(events), `"exit_code":-1`) ||
		!strings.Contains(string(events), late) {
		t.Errorf("the session file does not say so: %v", err)
	}
	id := strings.TrimSuffix(filepath.Base(sessionFile(t)), ".jsonl")
	if code := d.run("verify", id); code != int(protocol.ExitConcluded) {
		t.Errorf("verify: exit code %d\n%s", code, d.err.String())
	}
}
