//go:build unix

package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"moot/internal/process"
	"moot/protocol"
	"moot/state"
)

// The test binary is the program that is asked: with an argument of that name it plays
// a part instead of running tests.
const playing = "moot-test-play"

const long = time.Minute

// hang blocks until the process is killed. A test that fails to kill it sees the exit code.
func hang() {
	time.AfterFunc(long, func() { os.Exit(9) })
	select {}
}

func playExec(part string) int {
	switch part {
	case "echo":
		io.Copy(os.Stdout, os.Stdin)
	case "asked":
		fmt.Println(os.Getenv("MOOT_SEAT"), os.Getenv("MOOT_STAGE"), os.Getenv("MOOT_ROUND"), os.Getenv("TERM"), os.Getenv("GITHUB_TOKEN"))
	case "fail":
		fmt.Println("half of a reply")
		fmt.Fprintln(os.Stderr, "\x1b[31mnot logged in\n  token=ghp_q7Rk2PzX9mVb4LsT8wYc3NfH6jDg5aUe1234")
		return 2
	case "empty":
		fmt.Println(" ")
		fmt.Fprintln(os.Stderr, "nothing to say")
	case "flood":
		for range 1000 {
			fmt.Println(strings.Repeat("a", 1000))
		}
	case "dies":
		fmt.Println("half of a reply")
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		hang()
	case "dies-first":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		hang()
	case "stalls":
		fmt.Println("half of a reply")
		hang()
	case "silent":
		hang()
	case "waits":
		folder, _ := os.Getwd()
		fmt.Println(folder)
		hang()
	case "bytes":
		// A character in two writes, an escape, what is no character, half of one.
		for _, b := range []byte("é\x1b[2J\xff€\xe2\x82") {
			os.Stdout.Write([]byte{b})
		}
	case "writes":
		os.WriteFile("a.txt", []byte("changed"), 0o600)
		os.WriteFile("b.txt", nil, 0o600)
		fmt.Println("done")
	case "writes-and-fails":
		os.WriteFile("b.txt", nil, 0o600)
		return 1
	case "where":
		folder, _ := os.Getwd()
		found, err := os.ReadDir(folder)
		fmt.Println(folder, len(found), err)
	}
	return 0
}

// program is a participant that plays a part.
func execProgram(t *testing.T, part string, change func(*Options)) *Program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Command: ExecPrefix + "'" + self + "' " + playing + " " + part,
		Environ: []string{"PATH=" + os.Getenv("PATH"), "GITHUB_TOKEN=x", "TERM=xterm"},
	}
	if change != nil {
		change(&o)
	}
	p, err := NewExec(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// asked is a call.
func execCall() protocol.Call {
	return protocol.Call{
		Ask:    protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose},
		State:  &state.State{Round: 3},
		Prompt: protocol.Prompt{System: "the rules\n", Text: "the question"},
		Schema: []byte(`{"type":"object"}`),
	}
}

// ask asks, and returns the text that was shown besides.
func askExec(t *testing.T, p *Program) (protocol.Reply, string, []string, error) {
	t.Helper()
	var shown strings.Builder
	var notes []string
	reply, err := p.Reply(t.Context(), execCall(), func(d protocol.Delta) {
		if !utf8.ValidString(d.Text) {
			t.Errorf("%q is no text", d.Text)
		}
		shown.WriteString(d.Text)
		if d.Note != "" {
			notes = append(notes, d.Note)
		}
	})
	return reply, shown.String(), notes, err
}

// The prompt is the system's part, the schema and the text, in this order.
func TestExecPrompt(t *testing.T) {
	t.Parallel()
	p := execProgram(t, "echo", nil)
	reply, shown, _, err := askExec(t, p)
	want := "the rules\n\nAnswer with one JSON object in a block that begins with ```json and ends with ```. " +
		"It must fit this JSON Schema:\n{\"type\":\"object\"}\n\nthe question\n"
	if err != nil || reply.Text != want || shown != want || reply.Attempts != 1 || len(reply.Notes) > 0 {
		t.Errorf("%q %+v, %v", shown, reply, err)
	}
	if p.Modelless() || !strings.HasPrefix(p.Name(), "exec:'/") {
		t.Errorf("%s, modelless %v", p.Name(), p.Modelless())
	}
}

// Whatever bytes come, the reply is text, and pieces end where characters do.
func TestExecReplyIsText(t *testing.T) {
	t.Parallel()
	reply, shown, _, err := askExec(t, execProgram(t, "bytes", nil))
	if want := "é\x1b[2J\uFFFD€\uFFFD"; err != nil || reply.Text != want || shown+"\uFFFD" != want {
		t.Errorf("%q, shown %q, %v", reply.Text, shown, err)
	}
}

func TestExecFaults(t *testing.T) {
	t.Parallel()
	for part, c := range map[string]struct {
		limits  process.Limits
		code    string
		says    []string
		partial string
	}{
		"fail":       {process.Limits{}, "", []string{"[REDACTED: GitHub token]", "when you run it yourself"}, ""},
		"dies-first": {process.Limits{}, "", []string{"ended by SIGKILL"}, ""},
		"silent":     {process.Limits{Silence: 20 * time.Millisecond}, "", []string{"wrote nothing for 20ms and was stopped", "--first-token-timeout"}, ""},
		"empty":      {process.Limits{}, "empty", []string{"ended without a reply", "nothing to say"}, ""},
		"flood":      {process.Limits{MaxOutputBytes: 10_000}, "oversized", []string{"wrote over 10000 bytes and was stopped"}, "aaa"},
		"dies":       {process.Limits{}, "broken", []string{"ended by SIGKILL before its reply was done"}, "half of a reply\n"},
	} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			_, shown, _, err := askExec(t, execProgram(t, part, func(o *Options) { o.Limits = c.limits }))
			if err == nil {
				t.Fatal("no error")
			}
			for _, says := range c.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("%q does not say %q", err, says)
				}
			}
			if strings.Contains(err.Error(), "ghp_") || strings.ContainsRune(err.Error(), '\x1b') {
				t.Errorf("%q", err)
			}
			broken, isBroken := errors.AsType[*protocol.Broken](err)
			_, gone := errors.AsType[*protocol.Unreachable](err)
			switch {
			case c.code == "" && !gone:
				t.Errorf("%T pauses no session", err)
			case c.code != "" && (!isBroken || broken.Code != c.code || !strings.HasPrefix(broken.Partial, c.partial)):
				t.Errorf("%+v", broken)
			case c.code != "" && len(broken.Partial) > 10_000, isBroken && broken.Partial != shown && c.code != "empty":
				t.Errorf("%d bytes are kept, %d were shown", len(broken.Partial), len(shown))
			}
		})
	}
}

// One that falls silent in the middle of its reply broke it off. The limit is as long
// as the machine takes to come to the first half, which is tried out.
func TestExecSilenceInTheMiddle(t *testing.T) {
	t.Parallel()
	for limit := 100 * time.Millisecond; limit < long; limit *= 2 {
		_, shown, _, err := askExec(t, execProgram(t, "stalls", func(o *Options) { o.Limits.Silence = limit }))
		if shown == "" {
			continue
		}
		broken, isBroken := errors.AsType[*protocol.Broken](err)
		if !isBroken || broken.Code != "broken" || broken.Partial != "half of a reply\n" || shown != broken.Partial || !strings.Contains(err.Error(), "wrote nothing for "+limit.String()) {
			t.Errorf("shown %q: %+v, %v", shown, broken, err)
		}
		return
	}
	t.Fatalf("nothing is written within %s", long)
}

func TestExecChangedWorkspace(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.txt"), []byte("as it was"), 0o600); err != nil {
		t.Fatal(err)
	}
	here := func(o *Options) { o.Workspace = folder }
	p := execProgram(t, "writes", here)
	reply, _, notes, err := askExec(t, p)
	want := " changed 2 files in the workspace: a.txt, b.txt (new)"
	if err != nil || len(reply.Notes) != 1 || !strings.HasSuffix(reply.Notes[0], want) || len(notes) != 1 || notes[0] != reply.Notes[0] {
		t.Errorf("%q, told %q, %v", reply.Notes, notes, err)
	}
	if err := os.Remove(filepath.Join(folder, "b.txt")); err != nil {
		t.Fatal(err)
	}
	_, err = execProgram(t, "writes-and-fails", here).Reply(t.Context(), execCall(), func(protocol.Delta) {})
	if _, gone := errors.AsType[*protocol.Unreachable](err); !gone || !strings.Contains(err.Error(), "changed 1 file in the workspace: b.txt (new)") {
		t.Errorf("%v", err)
	}
}

// Without a workspace a program runs in an empty folder, which is removed.
func TestExecEmptyFolder(t *testing.T) {
	t.Parallel()
	p := execProgram(t, "where", nil)
	reply, _, _, err := askExec(t, p)
	folder, rest, _ := strings.Cut(reply.Text, " ")
	if err != nil || rest != "0 <nil>\n" {
		t.Errorf("%q, %v", reply.Text, err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", folder, err)
	}
}

// A cancel is honoured with its error.
func TestExecCancel(t *testing.T) {
	t.Parallel()
	p := execProgram(t, "waits", nil)
	ctx, cancel := context.WithCancel(t.Context())
	where := ""
	_, err := p.Reply(ctx, execCall(), func(d protocol.Delta) {
		where = strings.TrimSpace(d.Text)
		cancel()
	})
	if !errors.Is(err, context.Canceled) || !filepath.IsAbs(where) {
		t.Errorf("%q, %v", where, err)
	}
	// Its folder goes when it is gone.
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(where); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", where, err)
	}
}

// in makes paths of a folder absolute.
func in(folder string) func(string) string {
	return func(path string) string { return filepath.Join(folder, path) }
}

func TestExecNewFindsTheProgram(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	// A child that another test forks meanwhile would hold the file open: "text file busy".
	syscall.ForkLock.RLock()
	err := os.WriteFile(filepath.Join(folder, "review.sh"), []byte("#!/bin/sh\necho \"$0 $1\"\n"), 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewExec(Options{Command: "exec:./gone.sh"}, in(folder)); err == nil || !strings.Contains(err.Error(), filepath.Join(folder, "gone.sh")) {
		t.Errorf("%v", err)
	}
	if _, err := NewExec(Options{Command: "exec:review.sh"}, in(folder)); err == nil || !strings.Contains(err.Error(), "on the PATH") {
		t.Errorf("a bare name is looked for on the PATH: %v", err)
	}
	p, err := NewExec(Options{Command: "exec:./review.sh --strict"}, in(folder))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if reply, _, _, err := askExec(t, p); err != nil || reply.Text != filepath.Join(folder, "review.sh")+" --strict\n" {
		t.Errorf("%q, %v", reply.Text, err)
	}
}
