//go:build unix

package process_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moot/internal/process"
	"moot/internal/process/processtest"
)

// playing is a program that plays a part, and has all the time it needs to end when it
// is asked to.
func playing(t *testing.T, part string, arguments ...string) process.Spec {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return process.Spec{
		Path: self, Args: arguments, Env: append(os.Environ(), partVariable+"="+part),
		Limits: process.Limits{TermWait: long},
	}
}

// run runs it to its end and returns what it wrote.
func run(t *testing.T, spec process.Spec) (string, process.Result, error) {
	t.Helper()
	var runner process.Runner
	defer runner.Close()
	var out bytes.Buffer
	spec.Line = func(line []byte) error {
		out.Write(line)
		out.WriteByte('\n')
		return nil
	}
	result, err := runner.Run(t.Context(), spec)
	return out.String(), result, err
}

// The prompt is on standard input, of any size; lines come back in order.
func TestPromptIsOnStandardInput(t *testing.T) {
	t.Parallel()
	spec := playing(t, "echo")
	spec.Stdin = []byte(strings.Repeat("a line of a prompt\n", 60_000) + "the last, without an end")
	out, result, err := run(t, spec)
	if err != nil || out != string(spec.Stdin)+"\n" || result.Exit != 0 {
		t.Errorf("%+v, %v: %d bytes came back", result, err, len(out))
	}
}

// Nothing of an argument is read by a shell.
func TestNoShell(t *testing.T) {
	t.Parallel()
	out, _, err := run(t, playing(t, "arguments", "$HOME", "*", "a b", "`id`", "; exit 9", ""))
	if want := `["$HOME" "*" "a b" "` + "`id`" + `" "; exit 9" ""]` + "\n"; err != nil || out != want {
		t.Errorf("%s, %v", out, err)
	}
}

// A program that reads nothing of a long prompt is neither waited for nor an error.
func TestProgramMayReadNothing(t *testing.T) {
	t.Parallel()
	spec := playing(t, "inattentive")
	spec.Stdin = bytes.Repeat([]byte("x"), 1<<20)
	if out, result, err := run(t, spec); err != nil || result.Exit != 0 || out != "done\n" {
		t.Errorf("%q %+v, %v", out, result, err)
	}
}

// Each limit stops a program and says which it was.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		part   string
		limits process.Limits
		want   process.Limit
		says   string
	}{
		{"silent", process.Limits{Silence: 20 * time.Millisecond}, process.Silence, "wrote nothing for 20ms"},
		{"chatter", process.Limits{Total: 100 * time.Millisecond}, process.Total, "did not finish within 100ms"},
		{"flood", process.Limits{MaxOutputBytes: 1 << 20}, process.Output, "over 1048576 bytes"},
		{"endless-line", process.Limits{MaxLineBytes: 64 << 10}, process.Line, "a line of over 65536 bytes"},
	} {
		t.Run(c.part, func(t *testing.T) {
			t.Parallel()
			spec := playing(t, c.part)
			spec.Limits = c.limits
			out, result, err := run(t, spec)
			var over *process.LimitError
			if !errors.As(err, &over) || over.Limit != c.want || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v after %+v", err, result)
			}
			if len(out) > 1<<20+64 {
				t.Errorf("%d bytes were delivered", len(out))
			}
		})
	}
}

// A program is asked to end, and has time to; what it does with it counts.
func TestTermBeforeKill(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	var runner process.Runner
	defer runner.Close()
	spec := playing(t, "polite")
	spec.Line = func([]byte) error { return enough }
	result, err := runner.Run(t.Context(), spec)
	if !errors.Is(err, enough) || result.Exit != 5 || result.Stderr != "was asked\n" {
		t.Errorf("%+v, %v", result, err)
	}
	spec = playing(t, "stubborn")
	spec.Limits.TermWait = 20 * time.Millisecond
	spec.Line = func([]byte) error { return enough }
	result, err = runner.Run(t.Context(), spec)
	if !errors.Is(err, enough) || result.Signal != "SIGKILL" || result.Took < spec.Limits.TermWait {
		t.Errorf("%+v, %v", result, err)
	}
}

// What a program leaves running ends with it, however stubborn, and does not hold
// up the reply.
func TestNothingIsLeftRunning(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"leave", "leave-stubborn", "leave-silent"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			spec := playing(t, part)
			spec.Limits = process.Limits{Linger: 20 * time.Millisecond, TermWait: 50 * time.Millisecond}
			out, result, err := run(t, spec)
			if err != nil || result.Exit != 0 || !result.Left && part != "leave-stubborn" { // Its child may end first.
				t.Errorf("%+v, %v", result, err)
			}
			if !processtest.Ended(processtest.ChildOf(t, out)) {
				t.Error("it runs still")
			}
		})
	}
}

func TestDeserterIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	spec := playing(t, "leave-deserter")
	spec.Limits.Linger = 20 * time.Millisecond
	out, result, err := run(t, spec)
	if err != nil || result.Exit != 0 || result.Took > long/2 {
		t.Errorf("%+v, %v", result, err)
	}
	child := processtest.ChildOf(t, out)
	if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
		t.Errorf("%v: it was followed", err)
	}
}

// A turn that is cancelled, silent or refused ends its program, and Close ends one
// that rests.
func TestTurnsThatEndTheProgram(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	never := func([]byte) (bool, error) { return false, nil }
	for name, c := range map[string]struct {
		prompt string
		limits process.Limits
		take   func([]byte) (bool, error)
		check  func(error) bool
	}{
		"silent": {"hang\n", process.Limits{Silence: 20 * time.Millisecond}, never, func(err error) bool {
			over, ok := errors.AsType[*process.LimitError](err)
			return ok && over.Limit == process.Silence
		}},
		"overtime": {"hang\n", process.Limits{Total: 20 * time.Millisecond}, never, func(err error) bool {
			over, ok := errors.AsType[*process.LimitError](err)
			return ok && over.Limit == process.Total
		}},
		"refused": {"x\n", process.Limits{}, func([]byte) (bool, error) { return false, refused }, func(err error) bool {
			return errors.Is(err, refused)
		}},
		"too much": {"x\n", process.Limits{MaxOutputBytes: 10}, never, func(err error) bool {
			over, ok := errors.AsType[*process.LimitError](err)
			return ok && over.Limit == process.Output
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var runner process.Runner
			defer runner.Close()
			spec := playing(t, "session")
			spec.Limits = c.limits
			p, err := runner.Start(t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Turn(t.Context(), []byte(c.prompt), c.take, nil); !c.check(err) {
				t.Errorf("%v", err)
			}
			<-p.Exited()
		})
	}
}

// Closing a program that stays up is closing its standard input first.
func TestCloseEndsStandardInput(t *testing.T) {
	t.Parallel()
	var runner process.Runner
	p, err := runner.Start(t.Context(), playing(t, "session"))
	if err != nil {
		t.Fatal(err)
	}
	take := func(line []byte) (bool, error) { return string(line) == ".", nil }
	if err := p.Turn(t.Context(), []byte("x\n"), take, nil); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Close(), p.Close(), runner.Close()); err != nil {
		t.Error(err)
	}
	if r := p.Result(); r.Exit != 0 || r.Signal != "" || r.Left {
		t.Errorf("%+v", r)
	}
}

// Of standard error the end is kept, however much there is.
func TestEndOfStandardError(t *testing.T) {
	t.Parallel()
	spec := playing(t, "noise")
	spec.Limits.StderrBytes = 1000
	_, result, err := run(t, spec)
	if err != nil || len(result.Stderr) != 1000 || !strings.HasSuffix(result.Stderr, "e\nthe end\n") {
		t.Errorf("%d bytes: %.80q, %v", len(result.Stderr), result.Stderr, err)
	}
}

// A program sees the environment it is given, and its folder, and nothing else.
func TestEnvironmentIsWhatIsGiven(t *testing.T) {
	t.Parallel()
	spec := playing(t, "environment")
	spec.Dir = t.TempDir()
	spec.Env = []string{"ONE=1", partVariable + "=environment"}
	out, _, err := run(t, spec)
	want := "ONE=1\n" + partVariable + "=environment\nPWD=" + spec.Dir + "\n"
	if err != nil || out != want {
		t.Errorf("%q, %v", out, err)
	}
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		// A child that another test forks meanwhile would hold the file open: "text file busy".
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := write("plain.sh", "#!/bin/sh\n", 0o600)
	none := write("none.sh", "no program\n", 0o700)
	lost := write("lost.sh", "#!/moot/has/no/such/shell\n", 0o700)
	if _, _, err := run(t, process.Spec{Path: lost}); err == nil || !strings.Contains(err.Error(), "first line") {
		t.Errorf("a script without its shell: %v", err)
	}
	for path, want := range map[string]string{
		filepath.Join(folder, "gone"):   "check the path",
		"moot-has-no-such-program":      "on the PATH",
		plain:                           "is not executable",
		none:                            "is not executable",
		folder:                          "is not executable",
		filepath.Join(plain, "further"): "there is no program",
	} {
		_, _, err := run(t, process.Spec{Path: path})
		if _, ok := errors.AsType[*process.StartError](err); !ok || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
