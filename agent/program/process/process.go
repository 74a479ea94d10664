package process

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"moot/agent/record"
	"moot/internal/group"
)

// Process is a running program.
type Process struct {
	program string
	limits  Limits
	output  func(piece []byte) error
	cmd     *exec.Cmd
	group   *group.Processes
	began   time.Time

	stdin, stdout, stderr *os.File
	input                 *input
	// streams are the goroutines that read the output.
	streams sync.WaitGroup

	// stopping is closed when the program has to end, ended when no process of
	// it is left. cause, took and left may be read after that.
	stopping, ended chan struct{}
	stopOnce        sync.Once
	// cause is the reason why it has to end, nil if it ended by itself.
	cause error
	took  time.Duration
	left  bool

	// speaking is held while a turn receives output, so that none follows its end.
	speaking sync.Mutex
	turn     *turn

	clock clock
	tail  tail
}

// turn receives the lines of a program.
type turn struct {
	take func(line []byte) (done bool, err error)
	// done is closed when take reports the end of the turn.
	done   chan struct{}
	record *record.Program
}

// launch starts a program, in the middle of a turn or in none.
func launch(path string, spec *Spec, t *turn) (*Process, error) {
	p := &Process{
		program: spec.Path, limits: spec.Limits.filled(), output: spec.Output, turn: t,
		stopping: make(chan struct{}), ended: make(chan struct{}),
		input: newInput(), clock: clock{changed: make(chan struct{}, 1)},
	}
	p.tail.limit = p.limits.StderrBytes
	p.cmd = exec.Command(path, spec.Args...) //nolint:noctx // a context would kill it without SIGTERM
	p.cmd.Args[0] = spec.Path
	p.cmd.Dir, p.cmd.Env = spec.Dir, append([]string{}, spec.Env...)
	if folder, err := filepath.Abs(spec.Dir); err == nil && spec.Dir != "" {
		p.cmd.Env = append(p.cmd.Env, "PWD="+folder)
	}
	in, stdin, err1 := os.Pipe()
	stdout, out, err2 := os.Pipe()
	stderr, fault, err3 := os.Pipe()
	err := errors.Join(err1, err2, err3)
	if err == nil {
		p.stdin, p.stdout, p.stderr = stdin, stdout, stderr
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in, out, fault
		p.group = group.New(p.cmd)
		err = p.cmd.Start()
	}
	unused := []*os.File{in, out, fault} // The program has its own.
	if err != nil {
		unused = append(unused, stdin, stdout, stderr)
	}
	for _, f := range unused {
		_ = f.Close()
	}
	if err != nil {
		return nil, startError(spec.Path, err)
	}
	p.group.Started()
	p.began = time.Now()
	if t != nil {
		p.clock.begin()
	}
	lines := lines{process: p}
	p.streams.Go(func() { p.read(p.stdout, lines.take); lines.end() })
	p.streams.Go(func() {
		p.read(p.stderr, func(piece []byte) {
			p.tail.write(piece)
			p.speak(func(t *turn) error { t.record.Stderr(piece); return nil })
		})
	})
	return p, nil
}

// Turn writes a prompt with its line end, and passes each line of output to take
// until that reports the end of the turn. Lines between turns are dropped. take may
// call Write. Errors are an *ExitError if the program ended first, a *LimitError,
// that of take, and that of ctx, which returns at once; each of them stops the
// program. Only one turn may run at a time.
func (p *Process) Turn(ctx context.Context, prompt []byte, take func(line []byte) (done bool, err error)) error {
	t := &turn{take: take, done: make(chan struct{}), record: record.From(ctx).Program(p.cmd.Args)}
	p.speaking.Lock()
	p.turn = t
	p.speaking.Unlock()
	p.clock.begin()
	defer t.record.End(nil, "")
	defer p.endTurn()
	t.record.Stdin(prompt)
	p.input.put(prompt, false)
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
		p.stop(ctx.Err())
		return ctx.Err()
	case <-p.ended:
	}
	switch {
	case closed(t.done):
		return nil
	case p.cause != nil:
		return p.cause
	}
	return &ExitError{Program: p.program, Result: p.Result()}
}

// Write writes to standard input, during a turn or between two. It does not wait
// until the program reads.
func (p *Process) Write(line []byte) { p.input.put(line, false) }

// Exited is closed when the program and all that it started have ended.
func (p *Process) Exited() <-chan struct{} { return p.ended }

// Result returns how the program ended; before that, Exit is -1.
func (p *Process) Result() Result {
	r := Result{Exit: -1, Stderr: p.tail.text(), Took: time.Since(p.began)}
	if closed(p.ended) {
		r.Exit, r.Signal = p.cmd.ProcessState.ExitCode(), signalOf(p.cmd.ProcessState)
		r.Took, r.Left = p.took, p.left
	}
	return r
}

// Close ends a program that stays up, and returns when no process of it is left: it
// closes standard input, and after Limits.TermWait stops the program.
func (p *Process) Close() error {
	p.input.put(nil, true)
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

// endTurn makes sure that take is not called again.
func (p *Process) endTurn() {
	p.speaking.Lock()
	p.turn = nil
	p.speaking.Unlock()
	p.clock.rest()
}

// stop tells the program to end. The first cause counts; nil means that it ended
// by itself.
func (p *Process) stop(cause error) {
	p.stopOnce.Do(func() {
		p.cause = cause
		close(p.stopping)
	})
}

// speak passes output to the current turn, and stops the program on its error.
func (p *Process) speak(to func(*turn) error) {
	p.speaking.Lock()
	defer p.speaking.Unlock()
	if p.turn == nil || closed(p.stopping) && p.cause != nil {
		return
	}
	if err := to(p.turn); err != nil {
		p.stop(err)
	}
}

// lines splits standard output. It belongs to the goroutine that reads.
type lines struct {
	process *Process
	begun   []byte
}

// take takes a piece of standard output. The time that the receiver needs does not
// count as silence.
func (l *lines) take(piece []byte) {
	p := l.process
	p.clock.busy(true)
	defer p.clock.busy(false)
	p.speak(func(t *turn) error { t.record.Stdout(piece); return nil })
	kept, within := p.clock.count(len(piece), p.limits.MaxOutputBytes)
	if piece = piece[:kept]; p.output != nil {
		p.speak(func(*turn) error { return p.output(piece) })
		piece = nil
	}
	for len(piece) > 0 {
		line, rest, whole := bytes.Cut(piece, []byte{'\n'})
		if piece = rest; len(l.begun)+len(line) > p.limits.MaxLineBytes {
			l.begun = nil
			p.stop(&LimitError{Program: p.program, Limit: Line, Bytes: p.limits.MaxLineBytes})
			return
		}
		if l.begun = append(l.begun, line...); whole {
			l.deliver()
		}
	}
	if !within {
		p.stop(&LimitError{Program: p.program, Limit: Output, Bytes: p.limits.MaxOutputBytes})
	}
}

// deliver passes the current line to the turn.
func (l *lines) deliver() {
	line := bytes.TrimSuffix(l.begun, []byte{'\r'})
	l.process.speak(func(t *turn) error {
		done, err := t.take(line)
		if done {
			close(t.done)
			l.process.turn = nil
			l.process.clock.rest()
		}
		return err
	})
	l.begun = l.begun[:0]
}

// end delivers a last line without a line end.
func (l *lines) end() {
	if len(l.begun) > 0 {
		l.process.clock.busy(true)
		defer l.process.clock.busy(false)
		l.deliver()
	}
}
