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
	// pulse is how often an ending group is checked: nothing announces the end of a
	// grandchild.
	pulse = 5 * time.Millisecond
	// killWait is how long killed processes may take to end.
	killWait = 10 * time.Second
	// maxQueue is how many writes to standard input do not wait for the program.
	maxQueue = 64
)

// Process is a running program.
type Process struct {
	program string
	limits  Limits
	output  func(piece []byte) error
	errors  func(piece []byte) error
	// whole passes on what it writes while it is being ended.
	whole bool
	cmd   *exec.Cmd
	group *group
	began time.Time
	// input queues what is written to standard input; nil closes it.
	input chan []byte

	// stopping is closed when the program has to end, ended when no process of
	// it is left. cause, took, left and held may be read after that.
	stopping, ended chan struct{}
	stopOnce        sync.Once
	// cause is the reason why it has to end, nil if it ended by itself.
	cause error
	took  time.Duration
	// left says that a process was left running, held that it held the output open.
	left, held bool

	// mutex guards the rest. It is held while a turn receives output, so that none
	// follows its end, and the time of the receiver does not count as silence.
	mutex sync.Mutex
	turn  *turn
	// written counts the bytes of the turn, line is the begun line, and stderr the end
	// of standard error.
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

// Trace receives what passes through the streams of a program, and why it ended.
type Trace interface {
	Stdin(piece []byte)
	Stdout(piece []byte)
	Stderr(piece []byte)
	// End receives the exit code, nil for a program that stays up, and the reason or "".
	End(exit *int, why string)
}

// untraced is the Trace of a program that has none.
type untraced struct{}

func (untraced) Stdin([]byte)     {}
func (untraced) Stdout([]byte)    {}
func (untraced) Stderr([]byte)    {}
func (untraced) End(*int, string) {}

// writer is a stream of the program.
type writer func(piece []byte)

// Write implements io.Writer.
func (w writer) Write(piece []byte) (int, error) {
	w(piece)
	return len(piece), nil
}

// launch starts a program, in the middle of a turn or in none.
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
	p.mutex.Lock() // Output waits until the turn has begun.
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

// feed writes the queue to standard input, and closes it in the end.
func (p *Process) feed(stdin io.WriteCloser) {
	defer func() { _ = stdin.Close() }()
	for {
		select {
		case content := <-p.input:
			// A program that does not read all of it is no error.
			if _, err := stdin.Write(content); content == nil || err != nil {
				return
			}
		case <-p.ended:
			return
		}
	}
}

// begin starts the clocks of a turn, with the mutex held.
func (p *Process) begin(t *turn) {
	p.turn, p.written = t, 0
	p.silence.Reset(p.limits.Silence)
	p.total.Reset(p.limits.Total)
}

// rest ends the turn, with the mutex held.
func (p *Process) rest() {
	p.turn = nil
	p.silence.Stop()
	p.total.Stop()
}

// endTurn makes sure that take is not called again.
func (p *Process) endTurn() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.rest()
}

// Turn writes a prompt with its line end, and passes each line of output to take
// until that reports the end of the turn. Lines between turns are dropped. take may
// call Write. Errors are an *ExitError if the program ended first, a *LimitError,
// that of take, and that of ctx, which returns at once; each of them stops the
// program. Only one turn may run at a time. trace may be nil.
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

// Args returns its path or name as given, and its arguments.
func (p *Process) Args() []string { return p.cmd.Args }

// Write writes to standard input, during a turn or between two.
func (p *Process) Write(line []byte) {
	select {
	case p.input <- line:
	case <-p.stopping:
	case <-p.ended:
	}
}

// Exited is closed when the program and all that it started have ended.
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

// Close ends a program that stays up, and returns when no process of it is left: it
// closes standard input, and after Limits.TermWait stops the program.
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

// stop tells the program to end. The first cause counts; nil means that it ended
// by itself.
func (p *Process) stop(cause error) {
	p.stopOnce.Do(func() {
		p.cause = cause
		close(p.stopping)
	})
}

// readOutput takes a piece of standard output.
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

// pass passes a piece to its receiver, whose error stops the program.
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

// readError takes a piece of standard error and keeps its end.
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

// supervise waits until the program has ended, or ends it when it has to stop: SIGTERM,
// a wait, SIGKILL. It returns when no process of it is left.
func (p *Process) supervise() {
	exited := make(chan struct{})
	go func() {
		// A process that holds the output for longer than Limits.Linger is not waited for.
		// Its state says how it ended otherwise.
		p.held = errors.Is(p.cmd.Wait(), exec.ErrWaitDelay)
		p.took = time.Since(p.began)
		close(exited)
	}()
	select {
	case <-exited:
		p.mutex.Lock()
		if len(p.line) > 0 { // A last line without a line end.
			p.deliver()
		}
		p.mutex.Unlock()
		p.left = p.group.alive()
	case <-p.stopping:
	}
	if p.left || !closed(exited) {
		if p.group.terminate() == nil { // Windows has no way to ask.
			p.await(exited, p.limits.TermWait)
		}
		if !closed(exited) || p.group.alive() {
			_ = p.group.kill()
			p.await(exited, killWait)
		}
	}
	<-exited
	p.group.close()
	p.stop(nil) // No cause is set after this.
}

// await waits until the program and all that it started have ended, within a limit.
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
