package program

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"moot/agent/program/process"
	"moot/protocol"
)

// kept is a program that stays up between turns.
type kept struct {
	process *process.Process
	// line is what it was started with, without the name of the conversation,
	// which is that of its last turn.
	line         []string
	conversation string
	// system is the system prompt that it was started with, "" where it goes before
	// each text.
	system string
	// folder is where it runs; made says that it was made for the program.
	folder string
	made   bool
	// model is what it called its model when the conversation was opened, "" where it
	// did not.
	model string
}

// fits reports whether a turn can go on with it.
func (k *kept) fits(t *turn, line []string) bool {
	select {
	case <-k.process.Exited():
		return false
	default:
	}
	return t.going && k.conversation == t.values.conversation && k.folder == t.folder && slices.Equal(k.line, line)
}

// end closes its standard input and comes back when nothing of it is left, or at
// once where ctx is done: the Runner waits for it then.
func (k *kept) end(ctx context.Context) {
	over := make(chan struct{})
	go func() {
		_ = k.process.Close() // It has no error.
		close(over)
	}()
	select {
	case <-over:
	case <-ctx.Done():
	}
}

// Stays reports that the program can be kept up between turns.
func (a *Adapter) Stays() bool { return a.Keeps() && len(a.Stay.Begin) > 0 }

// takesSchema reports whether the message of a turn holds the schema of its reply.
func (s *Stay) takesSchema() bool { return slices.Contains(s.message.places(), schemaPlace) }

// mostFalls is how often a program that stays up may fail to answer before it is
// started for each turn.
const mostFalls = 2

// stay is what a Program knows of the one that stays up; the mutex of the Program
// guards it.
type stay struct {
	kept *kept
	// claimed says that a turn has it; another turn at the same time starts one of
	// its own.
	claimed, closed bool
	// falls counts how often it did not answer, one time after the other.
	falls int
}

// claim takes what stays up for a turn, nil where nothing does yet; free is false
// where this turn is to start the program for itself.
func (p *Program) claim() (k *kept, free bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	s := &p.stay
	if !p.adapter.Stays() || s.falls >= mostFalls || s.claimed || s.closed {
		return nil, false
	}
	s.claimed = true
	return s.kept, true
}

// release gives back what stays up, nil for nothing.
func (p *Program) release(k *kept) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.stay.kept, p.stay.claimed = k, false
	if k != nil {
		p.stay.falls = 0
	}
	if p.stay.closed {
		p.stay.kept = nil
	}
}

// room is the folder that was made for what stays up, "" where there is none.
func (p *Program) room() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if k := p.stay.kept; k != nil && k.made {
		return k.folder
	}
	return ""
}

// Close stops what still runs, and comes back when nothing of it is left.
func (p *Program) Close() error {
	p.mutex.Lock()
	k, idle := p.stay.kept, !p.stay.claimed
	p.stay.kept, p.stay.closed = nil, true
	p.mutex.Unlock()
	if k != nil && idle {
		// It ends by itself when nothing more can come.
		_ = k.process.Close() // It has no error.
	}
	err := p.runner.Close()
	p.keeper.Close()
	if k != nil && k.made {
		return errors.Join(err, os.RemoveAll(k.folder))
	}
	return err
}

// outcome is how a run of the program came out.
type outcome struct {
	answer  *answer
	failure *Failure
	err     error
}

// stayed gives the turn to the program that stays up, and starts it where it is not
// there or where the turn needs another one. Nil says that the program is to be
// started for this turn alone: it cannot stay up, is at another turn, or did not
// answer.
func (t *turn) stayed(ctx context.Context) *outcome {
	p := t.program
	if t.spent > 0 {
		return nil
	}
	k, free := p.claim()
	if !free {
		return nil
	}
	n := t.answer()
	values := t.staying()
	former := k
	k, err := t.keep(ctx, k, &values)
	if err != nil {
		p.release(nil)
		return &outcome{n, nil, p.stopped(ctx, err, n)}
	}
	began := time.Now()
	said := t.talk(k, &values, n, k != former)
	err = k.process.Turn(ctx, said.next(), said.take)
	switch {
	case err != nil:
		p.release(nil)
		return t.unfinished(ctx, err, said, time.Since(began))
	case n.failed:
		k.end(ctx)
		p.release(nil)
		return t.failedUp(ctx, k, said, time.Since(began))
	}
	failure, err := p.ended(n, &process.Result{})
	if k != former {
		k.model = said.model
	}
	if k.conversation = n.conversation; k.conversation == "" {
		k.conversation = t.values.conversation
	}
	p.release(k)
	return &outcome{n, failure, err}
}

// failedUp is how a turn came out of which the program said that it failed. How it
// ended and what it says on standard error belong to the failure. Nil says that it
// does not know what it was told, and that the turn is to be asked again.
func (t *turn) failedUp(ctx context.Context, k *kept, said *talk, took time.Duration) *outcome {
	p, n := t.program, said.answer
	result := k.process.Result()
	failure, err := p.ended(n, &result)
	if said.refused && unknown(failure) && ctx.Err() == nil {
		t.fall("answered with an error ("+p.quote(n.failure)+")", n, took, 1)
		return nil
	}
	return &outcome{n, failure, err}
}

// unfinished is how a turn came out that the program did not come to the end of, nil
// where it gave no answer and the turn is to be asked again.
func (t *turn) unfinished(ctx context.Context, err error, said *talk, took time.Duration) *outcome {
	p, n := t.program, said.answer
	var exit *process.ExitError
	var limit *process.LimitError
	switch {
	case ctx.Err() != nil:
	case errors.As(err, &exit):
		failure := p.adapter.means(n.failure, n.status, exit.Result.Stderr, exit.Result.Exit)
		if n.text() == "" && !n.failed && unknown(failure) {
			t.fall("ended "+exit.Result.Ending()+" without an answer", n, took, 1)
			return nil
		}
		failure, err := p.ended(n, &exit.Result)
		return &outcome{n, failure, err}
	case errors.As(err, &limit) && limit.Limit == process.Silence && (n.lines == 0 || !said.begun()) && t.left(took) > 0:
		t.fall("said nothing for "+limit.After.String(), n, took, mostFalls)
		return nil
	}
	return &outcome{n, nil, p.stopped(ctx, err, n)}
}

// unknown reports whether a failure says no more than that the program does not
// know how moot speaks to it.
func unknown(f *Failure) bool { return f == nil || f.Means == Unknown }

// talk is what the program is told in this turn, with what opens the conversation
// where it was started just now.
func (t *turn) talk(k *kept, v *values, n *answer, started bool) *talk {
	s := &t.program.adapter.Stay
	said := &talk{turn: t, values: v, answer: n, write: k.process.Write}
	n.write, n.conversation, n.model = k.process.Write, t.values.conversation, k.model
	opens := s.open
	if t.going {
		opens = s.reopen
	}
	if started {
		said.left = slices.Clone(s.hello)
		if opens.value != nil {
			said.left = append(said.left, opens)
		}
	}
	said.left = append(said.left, s.message)
	return said
}

// staying are the values that the program which stays up is started with. The
// schema of the reply is that of a turn: it goes into its message as it is, or into
// its prompt.
func (t *turn) staying() values {
	v := t.values
	v.schema = ""
	s := &t.program.adapter.Stay
	if s.takesSchema() {
		v.schema = string(t.strict)
	}
	if !slices.Contains(s.Begin, "{system...}") || !slices.Contains(s.GoOn, "{system...}") {
		v.system = ""
	}
	return v
}

// keep returns the program that stays up for a turn: k where it fits, else one that
// is started, after k has ended. The system prompt of v becomes that which the
// program has: what a seat may do differs from turn to turn, and is no reason to
// start it again (see prompt).
func (t *turn) keep(ctx context.Context, k *kept, v *values) (*kept, error) {
	p := t.program
	arguments := &p.adapter.Arguments
	unnamed := *v
	unnamed.conversation = ""
	if k != nil {
		unnamed.system = k.system
		if k.fits(t, arguments.line(p.adapter.Stay.Begin, &unnamed)) {
			v.system = k.system
			return k, nil
		}
		unnamed.system = v.system
	}
	line := arguments.line(p.adapter.Stay.Begin, &unnamed)
	if k != nil {
		k.end(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if k.made && k.folder != t.folder {
			os.RemoveAll(k.folder) //nolint:errcheck // what cannot be removed is the system's to clean up
		}
	}
	template := p.adapter.Stay.Begin
	if t.going {
		template = p.adapter.Stay.GoOn
	}
	started, err := p.runner.Start(ctx, process.Spec{
		Path: p.adapter.Command, Args: arguments.line(template, v), Dir: t.folder, Env: p.env, Limits: t.limits(),
	})
	if err != nil {
		return nil, err
	}
	return &kept{process: started, line: line, system: v.system, folder: t.folder, made: t.made}, nil
}

// fall says that the program which stays up did not answer, and prepares the turn
// for one that is started for it. What it may take is what is left.
func (t *turn) fall(what string, n *answer, took time.Duration, falls int) {
	p := t.program
	p.mutex.Lock()
	p.stay.falls += falls
	p.mutex.Unlock()
	if n.lines > 0 {
		t.watch(protocol.Delta{Restart: true})
	}
	t.note(p.adapter.Name + ", which stays up between turns, " + what + "; started for this turn")
	t.runs++
	t.spent = took
	if !t.going {
		// The name that was chosen may be taken now.
		t.begin()
	}
}

// left is how much of the time of a turn is left, the whole where it has no bound.
func (t *turn) left(spent time.Duration) time.Duration {
	if total := t.program.options.Limits.Total; total > 0 {
		return total - spent
	}
	return time.Hour
}

// limits are those of a run in this turn.
func (t *turn) limits() process.Limits {
	l := t.program.options.Limits
	if l.Total > 0 && t.spent > 0 {
		l.Total = max(l.Total-t.spent, time.Millisecond)
	}
	if t.program.adapter.Output.Form == Lines {
		l.MaxLineBytes = max(l.MaxLineBytes, 8*t.program.options.MaxReplyBytes)
		// A token that is told for itself has a line of some 250 bytes around it.
		l.MaxOutputBytes = max(l.MaxOutputBytes, 64*t.program.options.MaxReplyBytes)
	}
	return l
}
