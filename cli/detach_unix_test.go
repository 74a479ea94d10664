//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"moot/attach"
	"moot/internal/process/processtest"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/state/store"
)

// away is a folder whose program slow.sh answers once there is a file go, and a folder for the sessions.
type away struct {
	t      *testing.T
	folder string
	desk   *desk
}

func goAway(t *testing.T) *away {
	t.Helper()
	short, err := os.MkdirTemp("", "moot") //nolint:usetesting // the names of t.TempDir are too long for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	a := &away{t: t, folder: t.TempDir(), desk: newDesk(t)}
	t.Setenv(store.StateVariable, short)
	for name, text := range map[string]string{
		"slow.sh":  "#!/bin/sh\ncat > /dev/null\nwhile ! [ -f go ]; do sleep 0.02; done\necho '1. The limit is eight limit.go:1 \"limit = 8\"'\n",
		"limit.go": "limit = 8\n",
	} {
		if err := os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// command is moot as a process of its own.
func (a *away) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(a.t.Context(), "moot", args...)
	cmd.Dir = a.folder
	return cmd
}

func (a *away) asks() *exec.Cmd {
	return a.command("ask", "--detach", "--orchestrator", "rules", "--consultee", "exec:./slow.sh", "What is the limit?")
}

// detached starts a session in the background, and returns its ID and process.
func (a *away) detached() (id string, pid int) {
	a.t.Helper()
	// A file that the shell has open does not stay open with the session.
	read, write, err := os.Pipe()
	if err != nil {
		a.t.Fatal(err)
	}
	defer read.Close()
	command := a.asks()
	command.ExtraFiles = []*os.File{write}
	out, err := command.Output()
	if err != nil {
		a.t.Fatal(err)
	}
	_ = write.Close()
	_ = read.SetReadDeadline(time.Now().Add(hangTime))
	if _, err := read.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		a.t.Errorf("the session keeps a file of the shell: %v", err)
	}
	return a.processOf(strings.TrimSpace(string(out)))
}

// processOf returns the process that the log of a session names.
func (a *away) processOf(id string) (string, int) {
	a.t.Helper()
	path := filepath.Join(os.Getenv(store.StateVariable), "logs", id+".log")
	for range 1000 {
		log, _ := os.ReadFile(path)
		if found := regexp.MustCompile(`process (\d+)`).FindSubmatch(log); found != nil {
			pid, err := strconv.Atoi(string(found[1]))
			if err != nil {
				a.t.Fatal(err)
			}
			a.t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
			return id, pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	a.t.Fatalf("%s names no process", path)
	return "", 0
}

// lets the program answer.
func (a *away) lets() {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.folder, "go"), nil, 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// The session outlives the terminal of the command that started it, which is closed while a shell runs there.
func TestDetachedOutlivesItsTerminal(t *testing.T) {
	a := goAway(t)
	shell := exec.CommandContext(t.Context(), "sh", "-c",
		"moot ask --detach --orchestrator rules --consultee exec:./slow.sh 'What is the limit?' > id; echo started; cat")
	shell.Dir = a.folder
	terminal, err := pty.Start(shell)
	if err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	for !strings.Contains(shown.String(), "started") {
		piece := make([]byte, 1<<10)
		n, err := terminal.Read(piece)
		shown.Write(piece[:n])
		if err != nil {
			t.Fatalf("%v\n%s", err, shown.String())
		}
	}
	text, err := os.ReadFile(filepath.Join(a.folder, "id"))
	if err != nil || !strings.Contains(shown.String(), "detached   follow it with: moot attach ") {
		t.Fatalf("%v\n%s", err, shown.String())
	}
	id, pid := a.processOf(strings.TrimSpace(string(text)))
	if leader, err := unix.Getsid(pid); err != nil || leader != pid {
		t.Errorf("process %d is of session %d, %v", pid, leader, err)
	}
	if err := terminal.Close(); err != nil {
		t.Fatal(err)
	}
	// The shell ends with its terminal: by the signal of that or, if it is ignored, because cat reads the end.
	_ = shell.Wait()
	a.lets()
	if code := a.desk.run("wait", id); code != int(protocol.ExitConcluded) {
		t.Errorf("exit code %d\n%s%s", code, a.desk.out.String(), a.desk.err.String())
	}
	processtest.Gone(t, pid)
}

// A process that is killed records nothing: who waits for it learns that, at once or later.
func TestDetachedIsKilled(t *testing.T) {
	a := goAway(t)
	id, pid := a.detached()
	waiting := a.command("wait", id)
	out, err := waiting.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(out)
	const want = "its process ended without recording why; everything up to event "
	exited, _ := errors.AsType[*exec.ExitError](waiting.Wait())
	if exited == nil || exited.ExitCode() != int(protocol.ExitError) || !strings.Contains(string(text), want) {
		t.Errorf("%v\n%s", exited, text)
	}
	for command, code := range map[string]protocol.ExitCode{"wait": protocol.ExitError, "status": protocol.ExitConcluded} {
		a.desk.out.Reset()
		if got := a.desk.run(command, id); got != int(code) || !strings.Contains(a.desk.out.String(), "cut off  "+want) ||
			!strings.Contains(a.desk.out.String(), "moot resume "+id) {
			t.Errorf("%s: exit code %d\n%s%s", command, got, a.desk.out.String(), a.desk.err.String())
		}
	}
	a.lets()
	if err := a.command("resume", "--detach", id).Run(); err != nil {
		t.Fatal(err)
	}
	if code := a.desk.run("wait", id); code != int(protocol.ExitConcluded) {
		t.Errorf("resumed: exit code %d\n%s", code, a.desk.out.String())
	}
}

// reading starts a session whose question has not been read to its end, and returns its process.
func (a *away) reading() (command *exec.Cmd, question io.WriteCloser, said *lockedBuffer, child int) {
	a.t.Helper()
	command = a.command("ask", "--detach", "--orchestrator", "rules", "--consultee", "rules", "-")
	read, write, err := os.Pipe()
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = write.Close() })
	said = &lockedBuffer{}
	command.Stdin, command.Stderr, command.WaitDelay = read, said, time.Second
	if err := command.Start(); err != nil {
		a.t.Fatal(err)
	}
	_ = read.Close()
	if _, err := io.WriteString(write, "What is "); err != nil {
		a.t.Fatal(err)
	}
	for range 1000 {
		for _, name := range glob(a.t, "/proc/[0-9]*/stat") {
			stat, _ := os.ReadFile(name)
			fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
			if len(fields) > 1 && fields[1] == strconv.Itoa(command.Process.Pid) {
				if child, err = strconv.Atoi(filepath.Base(filepath.Dir(name))); err != nil {
					a.t.Fatal(err)
				}
				return command, write, said, child
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	a.t.Fatalf("no process was started: %s", said.String())
	return nil, nil, nil, 0
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		t.Skip("this system lists no processes in /proc")
	}
	return found
}

// Whatever ends one of the two processes before the session is open leaves neither the other one nor a session.
func TestDetachEndsEarly(t *testing.T) {
	for name, test := range map[string]struct {
		end  func(command *exec.Cmd, child int) error
		code int
		want string
	}{
		"ctrl-c": {
			func(command *exec.Cmd, _ int) error { return command.Process.Signal(syscall.SIGINT) },
			int(protocol.ExitInterrupted), "interrupted before a session was open; nothing was kept",
		},
		"the terminal is closed": {
			func(command *exec.Cmd, _ int) error { return command.Process.Signal(syscall.SIGHUP) },
			int(protocol.ExitHangup), "interrupted before a session was open",
		},
		"the session's process is killed": {
			func(_ *exec.Cmd, child int) error { return syscall.Kill(child, syscall.SIGKILL) },
			int(protocol.ExitError), "died before it said that one is open: signal: killed",
		},
		"the command is killed": {
			func(command *exec.Cmd, _ int) error { return command.Process.Kill() }, -1, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := goAway(t)
			command, question, said, child := a.reading()
			if err := test.end(command, child); err != nil {
				t.Fatal(err)
			}
			_ = command.Wait()
			if code := command.ProcessState.ExitCode(); code != test.code || !strings.Contains(said.String(), test.want) {
				t.Errorf("exit code %d\n%s", code, said.String())
			}
			// If nobody has stopped it, it now has its question, and nobody to tell its ID.
			_, _ = fmt.Fprintln(question, "the limit?")
			_ = question.Close()
			processtest.Gone(t, child)
			left, err := filepath.Glob(filepath.Join(os.Getenv(store.StateVariable), "*", "*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left are %v, %v", left, err)
			}
		})
	}
}

// A terminal is not handed over to the background.
func TestDetachReadsNoTerminal(t *testing.T) {
	for _, args := range [][]string{{"ask", "--detach", "-"}, {"review", "--detach", "-"}, {"review", "--detach", "--patch=-"}} {
		d := newDesk(t)
		d.InTerminal = true
		if code := d.run(args...); code != int(protocol.ExitUsage) || !strings.Contains(d.err.String(), "- reads standard input, which is the terminal here") {
			t.Errorf("%v: exit code %d\n%s", args, code, d.err.String())
		}
	}
}

// A session on its own screen is paused there: it stays open, and waits before the next turn. Home names what waits for the
// user, and opens a session of the background like any that runs.
func TestPauseOnItsOwnScreen(t *testing.T) {
	a := goAway(t)
	folder := os.Getenv(store.StateVariable)
	first := newScreen(t, 120, 36)
	first.moot(a.folder, "ask", "--orchestrator", "rules", "--consultee", "exec:./slow.sh", "Where is the screen?")
	first.shows("Where is the screen?", "propose")
	a.desk.run("status", "-o", "json")
	var running []struct{ ID, Status, Line string }
	if err := json.Unmarshal([]byte(a.desk.out.String()), &running); err != nil || len(running) != 1 || running[0].Status != "running" {
		t.Fatalf("%v\n%s", err, a.desk.out.String())
	}
	if code := a.desk.run("pause", running[0].ID); code != int(protocol.ExitConcluded) ||
		!strings.Contains(a.desk.err.String(), "runs on its own screen, and waits there before the next turn") {
		t.Errorf("exit code %d\n%s", code, a.desk.err.String())
	}
	if !store.Held(filepath.Join(folder, "sessions", running[0].ID+".jsonl")) {
		t.Error("the session on the screen has let go of its file")
	}
	a.lets()
	first.shows("next: ")
	if code := a.desk.run("wait", running[0].ID); code != int(protocol.ExitPerson) || !strings.Contains(a.desk.out.String(), "needs you  step by step: next is the ") {
		t.Errorf("exit code %d\n%s", code, a.desk.out.String())
	}

	if err := os.Remove(filepath.Join(a.folder, "go")); err != nil {
		t.Fatal(err)
	}
	a.detached()
	home := newScreen(t, 120, 36)
	home.moot(a.folder)
	home.shows("Where is the screen?", "needs you", "step by step: next is the ", "What is the limit?", "running")
	// The session that needs the user comes first.
	home.walk(act{keys: down, shows: "▸ ○ What is the limit?"}, act{keys: enter, shows: "joined"})
	home.shows("What is the limit?")
	home.walk(act{keys: "q", shows: "press enter to join it again"})
	home.press("q")
	home.left(int(protocol.ExitConcluded))
	first.press("q")
	first.left(int(protocol.ExitInconclusive))
}

// A session in the background waits for the user's answer in its process, and continues with it.
func TestDetachedIsAnswered(t *testing.T) {
	a := goAway(t)
	for name, text := range map[string]string{
		"proposer.txt": "--- proposer/propose\n" + `{"moves":[{"move":"PROPOSE","path":"retries.max","value":true,"category":"Taste"}]}` +
			"\n--- proposer/answer\nRe C1: it is what it is\n",
		"tester.txt": "--- pressure-tester/evaluate\n" + `{"moves":[{"move":"OBJECT","point":"P1","text":"not so","category":"Safety",` +
			`"severity":"HIGH","predicate":"it holds"}]}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := a.command("ask", "--detach", "--no-workspace", "--format", "dialectic", "--playbook", "code-review",
		"--proposer", "script:proposer.txt", "--pressure-tester", "script:tester.txt", "How often?").Output()
	if err != nil {
		t.Fatal(err)
	}
	id, pid := a.processOf(strings.TrimSpace(string(out)))
	if code := a.desk.run("wait", id); code != int(protocol.ExitPerson) || !strings.Contains(a.desk.out.String(), "needs you  Q1 asks: ") {
		t.Fatalf("exit code %d\n%s%s", code, a.desk.out.String(), a.desk.err.String())
	}
	socket := filepath.Join(os.Getenv(store.StateVariable), "run", id+".sock")
	client, err := attach.Dial(t.Context(), socket, attach.Join, formats.Rules()...)
	if err != nil {
		t.Fatal(err)
	}
	client.Notify = func(protocol.Notice) {}
	go func() { _ = client.Run(t.Context()) }()
	if err := client.Override(t.Context(), protocol.AnswerQuestion{Question: "Q1", Answer: "cleared"}); err != nil {
		t.Fatal(err)
	}
	a.desk.out.Reset()
	if code := a.desk.run("wait", id); code != int(protocol.ExitConcluded) || !strings.Contains(a.desk.out.String(), "finished  ADVANCE") {
		t.Errorf("exit code %d\n%s", code, a.desk.out.String())
	}
	processtest.Gone(t, pid)
	if code := a.desk.run("verify", id); code != int(protocol.ExitConcluded) {
		t.Errorf("verify: exit code %d\n%s", code, a.desk.err.String())
	}
}
