package process

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

const (
	// pulse is how often an ending group is checked, since the end of a grandchild is not signaled.
	pulse = 5 * time.Millisecond
	// killWait is how long to wait for killed processes.
	killWait = 10 * time.Second
	// maxQueue is the number of writes to standard input that can be queued.
	maxQueue = 64
)

// Process is a running program.
type Process struct {
	program string
	limits  Limits
	output  func(piece []byte) error
	errors  func(piece []byte) error
	// whole says that output is passed on even while the program is being stopped.
	whole bool
	cmd   *exec.Cmd
	group *group
	began time.Time
	// input is the queue for standard input; a nil element closes it.
	input chan []byte

	// stopping is closed when the program must end, and ended when none of its processes is left. cause, took, left
	// and held may be read after that.
	stopping, ended chan struct{}
	stopOnce        sync.Once
	// cause is why it had to end, or nil if it exited by itself.
	cause error
	took  time.Duration
	// left says that the program left a process running, and held that this process kept the output open.
	left, held bool

	// mutex guards the rest. It is held while a turn receives output, so that no output is delivered after the turn,
	// and so that the receiver's time does not count as silence.
	mutex sync.Mutex
	turn  *turn
	// written counts the bytes of the turn. line is the incomplete line, and stderr the end of standard error.
	written        int
	line, stderr   []byte
	silence, total *time.Timer
}

// turn receives the lines of a program.
type turn struct {
	take func(line []byte) (done bool, err error)
	// done is closed when take reports the end of the turn.
	done  chan struct{}
	trace Trace
}

// Trace receives the data on the streams of a program, and why it ended.
type Trace interface {
	Stdin(piece []byte)
	Stdout(piece []byte)
	Stderr(piece []byte)
	// End receives the exit code, nil for a program that stays up, and the reason or "".
	End(exit *int, why string)
}

// untraced is the Trace of a program without one.
type untraced struct{}

func (untraced) Stdin([]byte)     {}
func (untraced) Stdout([]byte)    {}
func (untraced) Stderr([]byte)    {}
func (untraced) End(*int, string) {}

// writer receives a stream of the program.
type writer func(piece []byte)

// Write implements io.Writer.
func (w writer) Write(piece []byte) (int, error) {
	w(piece)
	return len(piece), nil
}

// launch starts a program. The turn may be nil.
func launch(path string, spec *Spec, t *turn) (*Process, error) {
	p := &Process{
		program: spec.Path, limits: spec.Limits.filled(), output: spec.Output, errors: spec.Errors, whole: spec.Whole,
		input:    make(chan []byte, maxQueue),
		stopping: make(chan struct{}), ended: make(chan struct{}),
	}
	p.cmd = exec.Command(path, spec.Args...) //nolint:noctx // a context would kill it without SIGTERM
	p.cmd.Args[0] = spec.Path
	p.cmd.Dir, p.cmd.Env, p.cmd.ExtraFiles = spec.Dir, append([]string{}, spec.Env...), spec.Files
	if folder, err := filepath.Abs(spec.Dir); err == nil && spec.Dir != "" {
		p.cmd.Env = append(p.cmd.Env, "PWD="+folder)
	}
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.WaitDelay = writer(p.readOutput), writer(p.readError), p.limits.Linger
	var stdin io.WriteCloser
	if t == nil || spec.Stdin != nil {
		var err error
		if stdin, err = p.cmd.StdinPipe(); err != nil {
			return nil, startError(spec.Path, err)
		}
	}
	over := func(limit Limit, after time.Duration) *time.Timer {
		timer := time.AfterFunc(after, func() { p.stop(&LimitError{Program: p.program, Limit: limit, After: after}) })
		timer.Stop()
		return timer
	}
	p.silence, p.total = over(Silence, p.limits.Silence), over(Total, p.limits.Total)
	p.group = newGroup(p.cmd)
	p.mutex.Lock() // output waits until the turn has begun
	defer p.mutex.Unlock()
	if err := p.cmd.Start(); err != nil {
		return nil, startError(spec.Path, err)
	}
	p.group.started()
	p.began = time.Now()
	if t != nil {
		p.begin(t)
	}
	if stdin != nil {
		go p.feed(stdin)
	}
	return p, nil
}

// feed writes the queue to standard input, and finally closes it.
func (p *Process) feed(stdin io.WriteCloser) {
	defer func() { _ = stdin.Close() }()
	for {
		select {
		case content := <-p.input:
			// A program need not read all of its input.
			if _, err := stdin.Write(content); content == nil || err != nil {
				return
			}
		case <-p.ended:
			return
		}
	}
}

// begin starts a turn and its timers. The mutex is held.
func (p *Process) begin(t *turn) {
	p.turn, p.written = t, 0
	p.silence.Reset(p.limits.Silence)
	p.total.Reset(p.limits.Total)
}

// rest ends the turn. The mutex is held.
func (p *Process) rest() {
	p.turn = nil
	p.silence.Stop()
	p.total.Stop()
}

// endTurn ends the turn: take is not called after it returns.
func (p *Process) endTurn() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.rest()
}

// Turn writes a prompt, including its newline, and passes each output line to take until take reports the end of the
// turn. take may call Write. Lines between turns are dropped. Only one turn may run at a time. trace may be nil.
//
// The error is an *ExitError if the program ended first, a *LimitError, the error of take, or that of ctx, in which
// case Turn returns at once. Any error stops the program.
func (p *Process) Turn(
	ctx context.Context, prompt []byte, take func(line []byte) (done bool, err error), trace Trace,
) error {
	t := &turn{take: take, done: make(chan struct{}), trace: cmp.Or[Trace](trace, untraced{})}
	p.mutex.Lock()
	p.begin(t)
	p.mutex.Unlock()
	defer t.trace.End(nil, "")
	defer p.endTurn()
	t.trace.Stdin(prompt)
	p.Write(prompt)
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

// Args returns the command line: path or name as given, and arguments.
func (p *Process) Args() []string { return p.cmd.Args }

// Write writes to standard input. It may be called between turns.
func (p *Process) Write(line []byte) {
	select {
	case p.input <- line:
	case <-p.stopping:
	case <-p.ended:
	}
}

// Exited returns a channel that is closed when the program and everything it started has ended.
func (p *Process) Exited() <-chan struct{} { return p.ended }

// Result returns how the program ended; before that, Exit is -1.
func (p *Process) Result() Result {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	stderr := p.stderr[max(0, len(p.stderr)-p.limits.StderrBytes):]
	r := Result{Exit: -1, Stderr: string(stderr), Took: time.Since(p.began)}
	if closed(p.ended) {
		r.Exit, r.Signal = p.cmd.ProcessState.ExitCode(), signalOf(p.cmd.ProcessState)
		r.Took, r.Left, r.Held = p.took, p.left, p.held
	}
	return r
}

// Close ends a program that stays up and waits for all its processes. It closes standard input and, after
// Limits.TermWait, stops the program.
func (p *Process) Close() error {
	p.Write(nil)
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

// stop stops the program. The first cause counts; nil means that it exited by itself.
func (p *Process) stop(cause error) {
	p.stopOnce.Do(func() {
		p.cause = cause
		close(p.stopping)
	})
}

// readOutput receives standard output.
func (p *Process) readOutput(piece []byte) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.silence.Stop()
	over := false
	if p.turn != nil {
		p.turn.trace.Stdout(piece)
		room := max(0, p.limits.MaxOutputBytes-p.written)
		p.written += len(piece)
		over = len(piece) > room
		piece = piece[:min(len(piece), room)]
	}
	if p.output != nil {
		p.pass(piece, p.output)
		piece = nil
	}
	for len(piece) > 0 {
		line, rest, whole := bytes.Cut(piece, []byte{'\n'})
		if piece = rest; len(p.line)+len(line) > p.limits.MaxLineBytes {
			p.line = nil
			p.stop(&LimitError{Program: p.program, Limit: Line, Bytes: p.limits.MaxLineBytes})
			return
		}
		if p.line = append(p.line, line...); whole {
			p.deliver()
		}
	}
	if over {
		p.stop(&LimitError{Program: p.program, Limit: Output, Bytes: p.limits.MaxOutputBytes})
	}
	if p.turn != nil {
		p.silence.Reset(p.limits.Silence)
	}
}

// pass passes a piece to its receiver. An error stops the program.
func (p *Process) pass(piece []byte, receive func(piece []byte) error) {
	if p.turn == nil || closed(p.stopping) && !p.whole {
		return
	}
	if err := receive(piece); err != nil {
		p.stop(err)
	}
}

// deliver passes the current line to the turn.
func (p *Process) deliver() {
	line := bytes.TrimSuffix(p.line, []byte{'\r'})
	p.line = p.line[:0]
	if p.turn == nil || closed(p.stopping) {
		return
	}
	done, err := p.turn.take(line)
	if done {
		close(p.turn.done)
		p.rest()
	}
	if err != nil {
		p.stop(err)
	}
}

// readError receives standard error and keeps its end.
func (p *Process) readError(piece []byte) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.stderr = append(p.stderr, piece...); len(p.stderr) > 2*p.limits.StderrBytes {
		p.stderr = append(p.stderr[:0], p.stderr[len(p.stderr)-p.limits.StderrBytes:]...)
	}
	if p.turn != nil {
		p.turn.trace.Stderr(piece)
		p.silence.Reset(p.limits.Silence)
	}
	if p.errors != nil {
		p.pass(piece, p.errors)
	}
}

// supervise waits for the program to exit, or stops it with SIGTERM and, after a wait, SIGKILL. It returns when all
// its processes have ended.
func (p *Process) supervise() {
	exited := make(chan struct{})
	go func() {
		// Do not wait longer than Limits.Linger for a process that holds the output open. Other errors are in the
		// process state.
		p.held = errors.Is(p.cmd.Wait(), exec.ErrWaitDelay)
		p.took = time.Since(p.began)
		close(exited)
	}()
	select {
	case <-exited:
		p.mutex.Lock()
		if len(p.line) > 0 { // a last line without a newline
			p.deliver()
		}
		p.mutex.Unlock()
		p.left = p.group.alive()
	case <-p.stopping:
	}
	if p.left || !closed(exited) {
		if p.group.terminate() == nil { // not supported on Windows
			p.await(exited, p.limits.TermWait)
		}
		if !closed(exited) || p.group.alive() {
			_ = p.group.kill()
			p.await(exited, killWait)
		}
	}
	<-exited
	p.group.close()
	p.stop(nil) // fixes the cause
}

// await waits until the group has ended, up to a limit.
func (p *Process) await(exited <-chan struct{}, most time.Duration) {
	deadline := time.NewTimer(most)
	defer deadline.Stop()
	select {
	case <-exited:
	case <-deadline.C:
		return
	}
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for p.group.alive() {
		select {
		case <-tick.C:
		case <-deadline.C:
			return
		}
	}
}
