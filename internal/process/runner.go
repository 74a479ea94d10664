// Package process runs external programs: without a shell, in their own process group (a job on Windows), with a
// deadline, a limit on silence, and limits on the output. To stop a program it sends SIGTERM to the group, waits, and
// sends SIGKILL. No process outlives the Runner that started it. Run runs a program to its end, and Start keeps one
// running between turns. Start reading at Runner.
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
	// Dir is its working directory; "" means the current one.
	Dir string
	// Env is its environment, as NAME=value entries; nil means empty.
	Env []string
	// Stdin is its standard input. Run closes it after this data, Start leaves it open. The program need not read all
	// of it.
	Stdin []byte
	// Files are inherited as descriptors 3 and up. Windows does not support them.
	Files []*os.File
	// Limits bound the run. Zero fields use the defaults.
	Limits Limits
	// Line, if set, receives each line of standard output without its newline. The slice is only valid during the
	// call. An error stops the program, and Run returns it.
	Line func(line []byte) error
	// Output, if set, is used instead of Line. It receives standard output in pieces of at most 32 KiB, so lines may
	// have any length.
	Output func(piece []byte) error
	// Errors, if set, receives standard error in the same way. Result contains its end in any case.
	Errors func(piece []byte) error
	// Whole makes Run wait for a canceled program to end, and pass on its output until then.
	Whole bool
	// Trace, if set, receives the data on the streams.
	Trace Trace
}

// Limits bound a run of a program, or each turn of one that stays up. Zero or negative fields use the default.
type Limits struct {
	// Total is how long a run may take; default 15 min.
	Total time.Duration
	// Silence is how long a program may write nothing to either stream; default 5 min.
	Silence time.Duration
	// TermWait is the time between SIGTERM and SIGKILL; default 3 s.
	TermWait time.Duration
	// Linger is how long a process left behind may hold the output open after the program has exited; default 1 s.
	Linger time.Duration
	// MaxLineBytes is the maximum length of a line; default 1 MiB. MaxOutputBytes is the maximum size of standard
	// output; default 16 MiB. StderrBytes is how much of the end of standard error is kept; default 64 KiB.
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
	// Exit is the exit code, or -1 if a signal ended it or it is still running.
	Exit int
	// Signal is the signal that ended it, such as "SIGTERM", or "".
	Signal string
	// Stderr is the end of standard error. It may contain any bytes.
	Stderr string
	// Took is how long it ran.
	Took time.Duration
	// Left says that it left a process running, which was then killed. Held says that this process held the output
	// open for longer than Limits.Linger, so that output may be missing.
	Left, Held bool
}

// Ending describes how the program ended: "with exit code 1", "by SIGKILL".
func (r *Result) Ending() string {
	if r.Signal != "" {
		return "by " + r.Signal
	}
	return fmt.Sprintf("with exit code %d", r.Exit)
}

// ErrClosed reports that the Runner was closed.
var ErrClosed = errors.New("the program was closed")

// StartError reports that a program could not be started.
type StartError struct {
	// Program is its path or name as given.
	Program string
	// Missing says that the program does not exist.
	Missing bool
	Err     error
}

// Error implements error. It says what to do.
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

// Limit names a limit that a program exceeded.
type Limit string

// The limits: fields of Limits.
const (
	Silence Limit = "silence"
	Total   Limit = "total"
	Line    Limit = "line"
	Output  Limit = "output"
)

// LimitError reports that a program was stopped because it exceeded a limit.
type LimitError struct {
	// Program is its path or name as given.
	Program string
	Limit   Limit
	// After is the exceeded time limit, and Bytes the exceeded size limit.
	After time.Duration
	Bytes int
}

// Error implements error.
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

// ExitError reports that a program that should stay up ended before or during a turn.
type ExitError struct {
	// Program is its path or name as given.
	Program string
	Result  Result
}

// Error implements error.
func (e *ExitError) Error() string {
	return fmt.Sprintf("%s ended %s", filepath.Base(e.Program), e.Result.Ending())
}

// Find returns the absolute path of a program, given as a path or as a name on the search path. The error is a
// *StartError.
func Find(program string) (string, error) {
	path, err := exec.LookPath(program)
	if errors.Is(err, exec.ErrDot) {
		// A file in the current folder must be given as ./name.
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

// Runner owns the programs that it starts. After a canceled call returns, its program may still be ending; the next
// call waits for it, so that two programs never work on one conversation, and Close waits for all. The zero Runner is
// ready to use. It is safe for concurrent use.
type Runner struct {
	mutex   sync.Mutex
	running map[*Process]bool
	closed  bool
}

// Run runs a program to its end. A nonzero exit code is not an error. The error is a *StartError, a *LimitError, the
// error of Line or Output, or that of ctx, in which case Run returns at once while the program ends. Line and Output
// are not called after Run returns.
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

// Output runs a program to its end and returns its standard output, up to Limits.MaxOutputBytes.
func (r *Runner) Output(ctx context.Context, spec Spec) (string, Result, error) {
	var written strings.Builder
	spec.Output = func(piece []byte) error {
		written.Write(piece)
		return nil
	}
	result, err := r.Run(ctx, spec)
	return written.String(), result, err
}

// Start starts a program that stays up; see Process.Turn. It ignores the functions in spec. ctx bounds only the wait
// for programs that are still ending; the program runs until the Runner is closed. The error is a *StartError or that
// of ctx.
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

// Settled waits for the programs that are ending.
func (r *Runner) Settled() { _ = r.settle(context.Background()) } // never canceled

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

// Close stops all programs and waits for their processes. The Runner starts nothing after that.
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
