//go:build unix

package process_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"moot/internal/process"
	"moot/internal/process/processtest"
)

// cancelled runs a program that has a child, both of which stay when they are asked to
// end, cancels the call, and returns the child.
func cancelled(t *testing.T, runner *process.Runner, termWait time.Duration) (child int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	spec := playing(t, "stubborn-parent")
	spec.Limits.TermWait = termWait
	var out strings.Builder
	spec.Line = func(line []byte) error {
		fmt.Fprintf(&out, "%s\n", line)
		if string(line) == "up" {
			cancel()
		}
		return nil
	}
	result, err := runner.Run(ctx, spec)
	if !errors.Is(err, context.Canceled) || result.Exit != -1 {
		t.Errorf("%+v, %v", result, err)
	}
	return processtest.ChildOf(t, out.String())
}

// A cancelled call does not wait for its program: that runs still when it comes back.
func TestCancelReturnsAtOnce(t *testing.T) {
	t.Parallel()
	var runner process.Runner
	child := cancelled(t, &runner, long)
	if processtest.Ended(child) {
		t.Error("the call waited until its program was gone")
	}
	all, err := syscall.Getpgid(child)
	if err == nil {
		err = syscall.Kill(-all, syscall.SIGKILL)
	}
	if err := errors.Join(err, runner.Close()); err != nil {
		t.Error(err)
	}
}

// A context that has ended starts nothing.
func TestCancelledBefore(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var runner process.Runner
	if _, err := runner.Run(ctx, process.Spec{Path: "/nothing"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// The next call waits until the program of a cancelled one is gone: two never work
// side by side on one conversation.
func TestCallsDoNotOverlap(t *testing.T) {
	t.Parallel()
	var runner process.Runner
	defer runner.Close()
	child := cancelled(t, &runner, 30*time.Millisecond)
	if _, err := runner.Run(t.Context(), playing(t, "inattentive")); err != nil {
		t.Error(err)
	}
	if !processtest.Ended(child) {
		t.Error("the cancelled call was still there")
	}
}
