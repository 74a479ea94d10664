// Package process runs foreign programs: without a shell, in a process group of their own (on Windows, a job), with a
// deadline, a limit on silence and caps on the output. To end a program it sends SIGTERM to the group, waits, and
// sends SIGKILL; no process outlives the Runner that started it. Run is one call of a program, Start a program that
// stays up between turns. Start at Runner.
package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Spec is a program to run.
type Spec struct {
	// Path is its path, or its name on the search path (see Find).
	Path string
	// Args are passed unchanged: no shell reads them.
	Args []string
	// Dir is the folder that it runs in, "" for the current one.
	Dir string
	// Env is its environment, NAME=value each; nil means none.
	Env []string
	// Stdin is its standard input, which Run then closes and Start leaves open. If it is
	// nil, Run passes an empty one. A program that does not read all of it is no error.
	Stdin []byte
	// Files are further open files that it inherits, from descriptor 3 on. Windows has none.
	Files []*os.File
	// Limits bound it; zero fields take their defaults.
	Limits Limits
	// Line receives each line of standard output without its line end, valid during
	// the call only. Its error stops the program and is returned by Run. It may be nil.
	Line func(line []byte) error
	// Output receives standard output in pieces of at most 32 KiB, and works
	// otherwise like Line. If it is set, lines may have any length.
	Output func(piece []byte) error
	// Errors receives standard error in the same way; Result has its end in any case.
	Errors func(piece []byte) error
	// Whole makes Run wait for the end of a program that is canceled, and pass on what it wrote until then.
	Whole bool
	// Trace receives what Run passes through the streams. It may be nil.
	Trace Trace
}

// Limits bound a call of a program, or each turn of one that stays up. A field
// that is zero or negative takes its default.
type Limits struct {
	// Total is how long a call may take; default 15 min.
	Total time.Duration
	// Silence is how long a program may write nothing, to standard output or
	// standard error; default 5 min.
	Silence time.Duration
	// TermWait is the time between SIGTERM and SIGKILL; default 3 s.
	TermWait time.Duration
	// Linger is how long a process that the program left running may hold its
	// output after the program has exited; default 1 s.
	Linger time.Duration
	// MaxLineBytes is the longest line; default 1 MiB. MaxOutputBytes is the most on
	// standard output; default 16 MiB. StderrBytes is how much of the end of standard
	// error is kept; default 64 KiB.
	MaxLineBytes, MaxOutputBytes, StderrBytes int
}

func (l Limits) filled() Limits {
	return Limits{
		Total:          cmp.Or(max(l.Total, 0), 15*time.Minute),
		Silence:        cmp.Or(max(l.Silence, 0), 5*time.Minute),
		TermWait:       cmp.Or(max(l.TermWait, 0), 3*time.Second),
		Linger:         cmp.Or(max(l.Linger, 0), time.Second),
		MaxLineBytes:   cmp.Or(max(l.MaxLineBytes, 0), 1<<20),
		MaxOutputBytes: cmp.Or(max(l.MaxOutputBytes, 0), 16<<20),
		StderrBytes:    cmp.Or(max(l.StderrBytes, 0), 64<<10),
	}
}

// Result is how a program ended.
type Result struct {
	// Exit is its exit code, -1 if a signal ended it or it is still running.
	Exit int
	// Signal is the signal that ended it ("SIGTERM"), or "".
	Signal string
	// Stderr is the end of its standard error: any bytes.
	Stderr string
	// Took is how long it ran.
	Took time.Duration
	// Left says that it left a process running, which was ended. Held says that such a
	// process held the output open for longer than Limits.Linger: there may be more.
	Left, Held bool
}

// Ending says how a program ended: "with exit code 1", "by SIGKILL".
func (r *Result) Ending() string {
	if r.Signal != "" {
		return "by " + r.Signal
	}
	return fmt.Sprintf("with exit code %d", r.Exit)
}

// ErrClosed says that the Runner was closed, and starts nothing more.
var ErrClosed = errors.New("the program was closed")

// StartError says that a program did not start.
type StartError struct {
	// Program is its path or name as given.
	Program string
	// Missing says that there is no such program.
	Missing bool
	Err     error
}

// Error says what to do.
func (e *StartError) Error() string {
	isPath := strings.ContainsAny(e.Program, `/\`)
	_, err := os.Stat(e.Program)
	switch {
	case e.Missing && isPath && err == nil:
		return fmt.Sprintf("%q exists, but the interpreter in its first line (#!) does not; fix that line", e.Program)
	case e.Missing && isPath:
		return fmt.Sprintf("there is no program %q; check the path", e.Program)
	case e.Missing:
		return fmt.Sprintf("there is no program %q on the PATH; install it, or give its path", e.Program)
	case errors.Is(e.Err, fs.ErrPermission), errors.Is(e.Err, syscall.ENOEXEC), errors.Is(e.Err, syscall.EISDIR):
		const fix = "make a script executable with chmod +x, and name its interpreter in the first line (#!/bin/sh)"
		return fmt.Sprintf("%q is not executable; %s", e.Program, fix)
	}
	return fmt.Sprintf("%q could not be started: %v", e.Program, e.Err)
}

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

func startError(program string, err error) error {
	missing := errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	return &StartError{Program: program, Missing: missing, Err: err}
}

// Limit is a limit that a program exceeded.
type Limit string

// The limits: fields of Limits.
const (
	Silence Limit = "silence"
	Total   Limit = "total"
	Line    Limit = "line"
	Output  Limit = "output"
)

// LimitError says that a program was stopped because it exceeded a limit.
type LimitError struct {
	// Program is its path or name as given.
	Program string
	Limit   Limit
	// After is the limit of Silence and Total, Bytes that of Line and Output.
	After time.Duration
	Bytes int
}

// Error says which limit.
func (e *LimitError) Error() string {
	name := filepath.Base(e.Program)
	switch e.Limit {
	case Silence:
		return fmt.Sprintf("%s wrote nothing for %s and was stopped", name, e.After)
	case Total:
		return fmt.Sprintf("%s did not finish within %s and was stopped", name, e.After)
	case Line:
		return fmt.Sprintf("%s wrote a line of over %d bytes and was stopped", name, e.Bytes)
	case Output:
		return fmt.Sprintf("%s wrote over %d bytes and was stopped", name, e.Bytes)
	}
	return name + " was stopped"
}

// ExitError says that a program that was to stay up ended before or during a turn.
type ExitError struct {
	// Program is its path or name as given.
	Program string
	Result  Result
}

// Error says how it ended.
func (e *ExitError) Error() string {
	return fmt.Sprintf("%s ended %s", filepath.Base(e.Program), e.Result.Ending())
}

// Find returns the absolute path of a program, which is a path or a name on the
// search path. Its error is a *StartError.
func Find(program string) (string, error) {
	path, err := exec.LookPath(program)
	if errors.Is(err, exec.ErrDot) {
		// A file in the current folder is named as ./name.
		err = &exec.Error{Name: program, Err: exec.ErrNotFound}
	}
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", startError(program, err)
	}
	return path, nil
}

// Runner owns the programs that it starts. A canceled one may still be ending when
// the call returns; the next call waits for that, so that two of them never work
// on one conversation, and Close waits for all. The zero Runner is ready. It is
// safe for concurrent use.
type Runner struct {
	mutex   sync.Mutex
	running map[*Process]bool
	closed  bool
}

// Run runs a program to its end; an exit code other than 0 is no error. Errors are
// a *StartError, a *LimitError, that of Line or Output, and that of ctx, which
// returns at once while the program ends. Neither Line nor Output is called after
// Run has returned.
func (r *Runner) Run(ctx context.Context, spec Spec) (Result, error) {
	take := func([]byte) (bool, error) { return false, nil }
	if spec.Line != nil {
		take = func(line []byte) (bool, error) { return false, spec.Line(line) }
	}
	trace := cmp.Or[Trace](spec.Trace, untraced{})
	p, err := r.start(ctx, &spec, &turn{take: take, done: make(chan struct{}), trace: trace})
	if err != nil {
		trace.End(nil, err.Error())
		return Result{Exit: -1}, err
	}
	trace.Stdin(spec.Stdin)
	p.Write(spec.Stdin)
	p.Write(nil)
	select {
	case <-p.ended:
		result := p.Result()
		why := result.Signal
		if p.cause != nil {
			why = p.cause.Error()
		}
		trace.End(&result.Exit, why)
		return result, p.cause
	case <-ctx.Done():
		p.stop(ctx.Err())
		if spec.Whole {
			<-p.ended
		}
		p.endTurn()
		trace.End(nil, ctx.Err().Error())
		return p.Result(), ctx.Err()
	}
}

// Output runs a program to its end and returns its standard output, of which there may
// be Limits.MaxOutputBytes.
func (r *Runner) Output(ctx context.Context, spec Spec) (string, Result, error) {
	var written strings.Builder
	spec.Output = func(piece []byte) error {
		written.Write(piece)
		return nil
	}
	result, err := r.Run(ctx, spec)
	return written.String(), result, err
}

// Start starts a program that stays up: see Process.Turn. It ignores the functions of
// the Spec. ctx bounds the wait for programs that are still ending; the
// program lives as long as the Runner. Errors are a *StartError and that of ctx.
func (r *Runner) Start(ctx context.Context, spec Spec) (*Process, error) {
	spec.Output, spec.Errors = nil, nil
	p, err := r.start(ctx, &spec, nil)
	if err == nil && len(spec.Stdin) > 0 {
		p.Write(spec.Stdin)
	}
	return p, err
}

func (r *Runner) start(ctx context.Context, spec *Spec, t *turn) (*Process, error) {
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	path, err := Find(spec.Path)
	if err != nil {
		return nil, err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.closed {
		return nil, ErrClosed
	}
	p, err := launch(path, spec, t)
	if err != nil {
		return nil, err
	}
	if r.running == nil {
		r.running = map[*Process]bool{}
	}
	r.running[p] = true
	go func() {
		p.supervise()
		r.mutex.Lock()
		delete(r.running, p)
		r.mutex.Unlock()
		close(p.ended)
	}()
	return p, nil
}

// Settled waits until the programs that have to end have ended.
func (r *Runner) Settled() { _ = r.settle(context.Background()) } // It cannot be canceled.

func (r *Runner) settle(ctx context.Context) error {
	for _, p := range r.all() {
		if !closed(p.stopping) {
			continue
		}
		select {
		case <-p.ended:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

func (r *Runner) all() []*Process {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var all []*Process
	for p := range r.running {
		all = append(all, p)
	}
	return all
}

// Close stops all programs and returns when no process of them is left. The Runner
// starts nothing after that.
func (r *Runner) Close() error {
	r.mutex.Lock()
	r.closed = true
	r.mutex.Unlock()
	all := r.all()
	for _, p := range all {
		p.stop(ErrClosed)
	}
	for _, p := range all {
		<-p.ended
	}
	return nil
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
