package process

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"sync"

	"moot/agent/record"
)

// Runner owns the programs that it starts. One that was cancelled may still be
// ending when the call comes back; the next call waits for that, so that two of
// them never work on one conversation, and Close waits for all. The zero Runner is
// ready. It is safe for concurrent use.
type Runner struct {
	mutex   sync.Mutex
	running map[*Process]bool
	closed  bool
}

// Find returns where a program is: the path itself, made absolute from the current
// folder, or what the search path has by that name. Its error is a *StartError.
func Find(program string) (string, error) {
	path, err := exec.LookPath(program)
	if errors.Is(err, exec.ErrDot) {
		// What lies in the current folder by chance is not what was meant: that is
		// written ./name.
		err = &exec.Error{Name: program, Err: exec.ErrNotFound}
	}
	if err != nil {
		return "", startError(program, err)
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return "", startError(program, err)
	}
	return path, nil
}

// Run runs a program to its end, and returns how it ended: an exit code other than
// 0 is no error. Errors are a *StartError, a *LimitError, that of Line or Output,
// and that of ctx, which comes back at once while the program ends. Neither Line
// nor Output is called after Run has returned.
func (r *Runner) Run(ctx context.Context, spec Spec) (Result, error) {
	take := func(line []byte) (bool, error) { return false, nil }
	if spec.Line != nil {
		take = func(line []byte) (bool, error) { return false, spec.Line(line) }
	}
	kept := record.From(ctx).Program(append([]string{spec.Path}, spec.Args...))
	p, err := r.start(ctx, spec, newTurn(take), kept)
	if err != nil {
		kept.Exit(-1, err.Error())
		return Result{Exit: -1}, err
	}
	kept.Stdin(spec.Stdin)
	p.outbox.put(spec.Stdin, true)
	select {
	case <-p.ended:
		result := p.Result()
		kept.Exit(result.Exit, recorded(result, p.cause))
		return result, p.cause
	case <-ctx.Done():
		p.stop(ctx.Err())
		p.endTurn()
		kept.Exit(-1, ctx.Err().Error())
		return p.Result(), ctx.Err()
	}
}

// recorded says in a recording how a program ended.
func recorded(result Result, cause error) string {
	if cause != nil {
		return cause.Error()
	}
	return result.Signal
}

// Start starts a program that stays up: see Process.Turn. Line and Output of the
// Spec are not used. Ctx bounds the wait for programs that are still ending, not
// the life of the program, which is that of the Runner. Errors are a *StartError
// and that of ctx.
func (r *Runner) Start(ctx context.Context, spec Spec) (*Process, error) {
	spec.Output = nil
	p, err := r.start(ctx, spec, nil, nil)
	if err != nil {
		return nil, err
	}
	if len(spec.Stdin) > 0 {
		p.outbox.put(spec.Stdin, false)
	}
	return p, nil
}

// start waits for those that are ending, and starts a program in the middle of a
// turn or in none.
func (r *Runner) start(ctx context.Context, spec Spec, t *turn, kept *record.Program) (*Process, error) {
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
	p, err := launch(path, spec, t, kept)
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

// Settled waits until the programs that were told to end have ended, with all that
// they started.
func (r *Runner) Settled() { _ = r.settle(context.Background()) } // It never ends before.

// settle waits for the programs that were told to end.
func (r *Runner) settle(ctx context.Context) error {
	for _, p := range r.all() {
		select {
		case <-p.stopping:
			select {
			case <-p.ended:
			case <-ctx.Done():
			}
		default:
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

// Close stops all that still runs, and comes back when nothing of it is left: after
// Limits.TermWait and a moment at the latest. The Runner starts nothing after that.
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
