package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// ErrClosed says that the Runner was closed, and starts nothing more.
var ErrClosed = errors.New("the program's owner has closed it")

// StartReason is why a program did not start.
type StartReason string

// The reasons.
const (
	NotFound      StartReason = "not found"
	NotExecutable StartReason = "not executable"
	NotStarted    StartReason = "not started"
)

// StartError says that a program did not start.
type StartError struct {
	// Program is its path or name as given.
	Program string
	Reason  StartReason
	Err     error
}

// Error says what to do.
func (e *StartError) Error() string {
	switch e.Reason {
	case NotFound:
		if strings.ContainsAny(e.Program, `/\`) {
			if _, err := os.Stat(e.Program); err == nil {
				return fmt.Sprintf("%q is there, and what its first line names to run it (#!) is not; mend that line", e.Program)
			}
			return fmt.Sprintf("there is no program %q; check the path", e.Program)
		}
		return fmt.Sprintf("there is no program %q on the PATH; install it, or give its path", e.Program)
	case NotExecutable:
		return fmt.Sprintf("%q may not be run or is no program; chmod +x makes a script one, and its first line must name what runs it (#!/bin/sh)", e.Program)
	case NotStarted:
	}
	return fmt.Sprintf("%q could not be started: %v", e.Program, e.Err)
}

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// startError sorts the error of a start.
func startError(program string, err error) error {
	reason := NotStarted
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		reason = NotFound
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOEXEC), errors.Is(err, syscall.EISDIR):
		reason = NotExecutable
	}
	return &StartError{Program: program, Reason: reason, Err: err}
}

// Limit is what a program overstepped.
type Limit string

// The limits.
const (
	// Silence is Limits.Silence, Total Limits.Total.
	Silence Limit = "silence"
	Total   Limit = "total"
	// Line is Limits.MaxLineBytes, Output Limits.MaxOutputBytes.
	Line   Limit = "line"
	Output Limit = "output"
)

// LimitError says that a program was stopped because it overstepped a limit.
type LimitError struct {
	// Program is its path or name as given.
	Program string
	Limit   Limit
	// After is the limit of Silence and Total, Bytes that of Line and Output.
	After time.Duration
	Bytes int
}

// Error says which, in a sentence.
func (e *LimitError) Error() string {
	name := filepath.Base(e.Program)
	switch e.Limit {
	case Silence:
		return fmt.Sprintf("%s wrote nothing for %s and was stopped", name, e.After)
	case Total:
		return fmt.Sprintf("%s was not done after %s and was stopped", name, e.After)
	case Line:
		return fmt.Sprintf("%s wrote a line of over %s and was stopped", name, size(e.Bytes))
	case Output:
		return fmt.Sprintf("%s wrote over %s and was stopped", name, size(e.Bytes))
	}
	return fmt.Sprintf("%s was stopped", name)
}

// size is a number of bytes as a person reads it.
func size(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// ExitError says that a program that was to stay up ended in the middle of a turn,
// or before it.
type ExitError struct {
	// Program is its path or name as given.
	Program string
	Result  Result
}

// Error says how it ended.
func (e *ExitError) Error() string {
	return fmt.Sprintf("%s ended %s", filepath.Base(e.Program), e.Result.Ending())
}

// Ending says how a program ended: "with exit code 1", "by SIGKILL".
func (r *Result) Ending() string {
	if r.Signal != "" {
		return "by " + r.Signal
	}
	return fmt.Sprintf("with exit code %d", r.Exit)
}
