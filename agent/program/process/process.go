package process

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"moot/agent/record"
	"moot/group"
)

// Process is a program that runs.
type Process struct {
	program string
	limits  Limits
	raw     func(piece []byte) error
	cmd     *exec.Cmd
	all     *group.Processes
	stdin   *os.File
	stdout  *os.File
	stderr  *os.File
	began   time.Time

	// stopping is closed when it is told to end, ended when all of it has.
	stopping, ended chan struct{}
	stopOnce        sync.Once
	// cause is why it was told to end, nil where it came to its end by itself. It
	// may be read once ended is closed.
	cause error

	// speaking is held while a turn is given a line, so that none comes after it.
	speaking sync.Mutex
	turn     *turn
	// muted says that it was stopped for a cause: what it writes counts no more.
	muted atomic.Bool
	// streams are the goroutines that read what the program writes.
	streams sync.WaitGroup

	outbox *outbox
	watch  *watch
	tail   tail
	// record is that of the call under way; what it holds is nil where none is kept.
	record atomic.Pointer[record.Program]
}

// launch starts a program.
func launch(path string, spec Spec, t *turn, kept *record.Program) (*Process, error) {
	p := &Process{
		program: spec.Path, limits: spec.Limits.filled(), raw: spec.Output, turn: t,
		stopping: make(chan struct{}), ended: make(chan struct{}),
		outbox: newOutbox(), watch: newWatch(),
	}
	p.tail.limit = p.limits.StderrBytes
	p.record.Store(kept)
	p.cmd = exec.Command(path, spec.Args...) //nolint:noctx // it is ended by asking first, which a context does not
	p.cmd.Args[0] = spec.Path
	p.cmd.Dir, p.cmd.Env = spec.Dir, spec.Env
	if p.cmd.Env == nil {
		p.cmd.Env = []string{}
	}
	if folder, err := filepath.Abs(spec.Dir); err == nil && spec.Dir != "" {
		p.cmd.Env = append(slices.Clip(p.cmd.Env), "PWD="+folder)
	}
	theirs, err := p.pipes()
	if err == nil {
		p.all = group.New(p.cmd)
		err = p.cmd.Start()
	}
	for _, f := range theirs {
		f.Close() //nolint:errcheck // the program has its own
	}
	if err != nil {
		for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
			if f != nil {
				f.Close() //nolint:errcheck // nothing was written
			}
		}
		return nil, startError(spec.Path, err)
	}
	p.all.Started()
	p.began = time.Now()
	if t != nil {
		p.watch.begin()
	}
	reader := splitter{process: p}
	p.streams.Go(func() { p.read(p.stdout, reader.take); reader.end() })
	p.streams.Go(func() { p.read(p.stderr, p.complain) })
	return p, nil
}

// complain takes a piece of standard error.
func (p *Process) complain(piece []byte) {
	p.record.Load().Stderr(piece)
	p.tail.write(piece)
}

// pipes gives the program its three streams, and returns its ends of them.
func (p *Process) pipes() (theirs []*os.File, err error) {
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.cmd.Stdin, p.stdin, theirs = in, stdin, append(theirs, in)
	stdout, out, err := os.Pipe()
	if err != nil {
		return theirs, err
	}
	p.cmd.Stdout, p.stdout, theirs = out, stdout, append(theirs, out)
	stderr, fault, err := os.Pipe()
	if err != nil {
		return theirs, err
	}
	p.cmd.Stderr, p.stderr = fault, stderr
	return append(theirs, fault), nil
}

// Turn writes a prompt, and gives take each line that comes until it reports that
// the turn is done. The prompt is written as it is: with the line end that the
// program needs. Lines between turns are dropped. Take may call Write. Errors are
// *ExitError where the program ended first, *LimitError, that of take, and that of
// ctx, which comes back at once; after each, the program is stopped. Turns follow
// one another.
func (p *Process) Turn(ctx context.Context, prompt []byte, take func(line []byte) (done bool, err error)) error {
	t := newTurn(take)
	p.speaking.Lock()
	p.turn = t
	p.speaking.Unlock()
	p.watch.begin()
	kept := record.From(ctx).Program(p.cmd.Args)
	p.record.Store(kept)
	defer kept.Done()
	defer p.endTurn()
	kept.Stdin(prompt)
	p.outbox.put(prompt, false)
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
		p.stop(ctx.Err())
		return ctx.Err()
	case <-p.ended:
	}
	select {
	case <-t.done:
		return nil
	default:
	}
	if p.cause != nil {
		return p.cause
	}
	return &ExitError{Program: p.program, Result: p.Result()}
}

// Write writes on standard input in the middle of a turn or between two. It does
// not wait until the program reads it.
func (p *Process) Write(line []byte) {
	p.record.Load().Stdin(line)
	p.outbox.put(line, false)
}

// Exited is closed when the program and all that it started have ended.
func (p *Process) Exited() <-chan struct{} { return p.ended }

// Result returns how the program ended; before that, Exit is -1.
func (p *Process) Result() Result {
	r := Result{Exit: -1, Stderr: p.tail.text(), Took: time.Since(p.began)}
	r.Bytes = p.watch.total()
	select {
	case <-p.ended:
		r.Exit, r.Signal = p.cmd.ProcessState.ExitCode(), signalOf(p.cmd.ProcessState)
		r.Took, r.Left = p.watch.ending()
	default:
	}
	return r
}

// Close ends a program that stays up: its standard input is closed; one that has not
// ended after Limits.TermWait is asked to, and after the same time made to. It comes
// back when nothing of it is left.
func (p *Process) Close() error {
	p.outbox.put(nil, true)
	wait := time.NewTimer(p.limits.TermWait)
	defer wait.Stop()
	select {
	case <-p.ended:
	case <-wait.C:
		p.stop(ErrClosed)
	}
	<-p.ended
	return nil
}

// endTurn ends the turn under way: its take is not called again.
func (p *Process) endTurn() {
	p.speaking.Lock()
	p.turn = nil
	p.speaking.Unlock()
	p.watch.rest()
}

// stop tells the program to end, for a cause. The first cause counts.
func (p *Process) stop(cause error) {
	p.stopOnce.Do(func() {
		p.cause = cause
		p.muted.Store(cause != nil)
		close(p.stopping)
	})
}
