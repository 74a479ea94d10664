//go:build unix

package research

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"moot/internal/process/processtest"
)

// playSystem is a command of the tests that needs processes and signals.
func playSystem(part string, arguments []string) int {
	const long = time.Minute // until somebody ends it
	switch part {
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		fmt.Println("stays")
		isReady()
		<-time.After(long)
	case "fork", "leave", "hold":
		// The child of a child outlives both, unless somebody ends it.
		child := exec.Command(os.Args[0], "play", "child")
		if part != "leave" {
			child.Stdout = os.Stdout
		}
		if err := child.Start(); err != nil {
			return 1
		}
		fmt.Println("child", child.Process.Pid)
		if part == "fork" {
			isReady()
			<-time.After(long)
		}
	case "child":
		signal.Ignore(syscall.SIGTERM)
		<-time.After(long)
	case "signal":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		<-time.After(long)
	case "terminal":
		_, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
		fmt.Println(err)
	}
	return 0
}

func isReady() {
	if err := os.WriteFile(ready, nil, 0o600); err != nil {
		fmt.Println(err)
	}
}

// A command that is late is ended with its children, whatever they ignore.
func TestLateCommandIsEndedWhole(t *testing.T) {
	t.Parallel()
	f := endedOnceReady(t, self(t, "stubborn"), context.DeadlineExceeded, runLate)
	if f.Nearest != "stays\n" || !strings.Contains(f.Reason, "still running after") {
		t.Errorf("%s: %q", f.Reason, f.Nearest)
	}
	f = endedOnceReady(t, self(t, "fork"), context.DeadlineExceeded, runLate)
	processtest.Gone(t, processtest.ChildOf(t, f.Nearest))
}

// A check that is cancelled ends its command.
func TestCancelledCommandIsEnded(t *testing.T) {
	t.Parallel()
	f := endedOnceReady(t, self(t, "fork"), context.Canceled, runEnded)
	processtest.Gone(t, processtest.ChildOf(t, f.Nearest))
	if !strings.Contains(f.Reason, "canceled") {
		t.Error(f.Reason)
	}
}

// What a command leaves running is ended. Where it holds the output, that is not
// known to be whole.
func TestWhatACommandLeavesRunningIsEnded(t *testing.T) {
	t.Parallel()
	c := openCommand(t)
	f := runs(t, c, self(t, "leave"), "exit 0", runMet)
	if !strings.HasSuffix(f.Reason, "what it left running was ended") {
		t.Error(f.Reason)
	}
	processtest.Gone(t, processtest.ChildOf(t, f.Excerpt))
	f = runs(t, c, self(t, "hold"), "exit 0", runHeld)
	processtest.Gone(t, processtest.ChildOf(t, f.Nearest))
}

// A command that a signal ends has met nothing.
func TestSignalledCommand(t *testing.T) {
	t.Parallel()
	f := runs(t, openCommand(t), self(t, "signal"), "exit 0", runSignalled)
	if f.Run.ExitCode != -1 || !strings.Contains(f.Reason, "SIGKILL") {
		t.Errorf("%+v: %s", f.Run, f.Reason)
	}
}
