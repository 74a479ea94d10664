package program

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"moot/agent/record"
	"moot/internal/process"
	"moot/protocol"
)

// resident is a program that stays up between turns.
type resident struct {
	process *process.Process
	// line is its command line without the conversation id, which changes.
	line         []string
	conversation string
	// system is the system prompt at its start, or "" if each prompt includes it.
	system string
	// folder is where it runs. made says that it was made for the program.
	folder string
	made   bool
	// model is the model that it reported, or "".
	model string
}

// end closes its standard input, and waits until all its processes have ended or ctx is done.
func (k *resident) end(ctx context.Context) {
	over := make(chan struct{})
	go func() {
		_ = k.process.Close()
		close(over)
	}()
	select {
	case <-over:
	case <-ctx.Done(): // the Runner waits for it
	}
}

// maxStayFailures is the number of failures after which a program is started for each turn instead.
const maxStayFailures = 2

// defaultQuiet is how long a program that stays up may be silent after an unknown line that states a failure or
// follows a whole message, since that line may end the turn.
const defaultQuiet = 10 * time.Second

// stay is the state of a program that stays up, guarded by the mutex of Program.
type stay struct {
	resident *resident
	// claimed says that a turn uses it. A parallel turn starts its own program.
	claimed, closed bool
	// failures counts consecutive failures to answer.
	failures int
	// quiet replaces defaultQuiet, if it is set.
	quiet time.Duration
}

// room returns the folder that was made for the program, or "".
func (s *stay) room() string {
	if s.resident != nil && s.resident.made {
		return s.resident.folder
	}
	return ""
}

// release stores the program after a turn. It may be nil.
func (p *Program) release(k *resident) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	s := &p.stay
	if s.resident, s.claimed = k, false; k != nil {
		s.failures = 0
	}
	if s.closed {
		s.resident = nil
	}
}

// Close stops all running programs and waits for their processes.
func (p *Program) Close() error {
	p.mutex.Lock()
	k, idle := p.stay.resident, !p.stay.claimed
	p.stay.resident, p.stay.closed = nil, true
	p.mutex.Unlock()
	if k != nil && idle {
		_ = k.process.Close() // it exits when its input is closed
	}
	err := p.runner.Close()
	p.keeper.Close()
	p.mutex.Lock()
	copyKeeper := p.copyKeeper
	p.mutex.Unlock()
	copyKeeper.Close()
	if k != nil && k.made {
		return errors.Join(err, os.RemoveAll(k.folder))
	}
	return err
}

// outcome is the result of a run.
type outcome struct {
	answer  *answer
	failure *Failure
	err     error
}

// stayed runs the turn in the program that stays up, starting it if necessary. It returns nil if the program must be
// started for this turn alone: it cannot stay up, is used by another turn, or did not answer.
func (t *turn) stayed(ctx context.Context) *outcome {
	p := t.program
	p.mutex.Lock()
	s := &p.stay
	free := t.spent == 0 && p.adapter.stays() && s.failures < maxStayFailures && !s.claimed && !s.closed
	former := s.resident
	s.claimed = s.claimed || free
	p.mutex.Unlock()
	if !free {
		return nil
	}
	n, values := t.answer(), t.staying()
	k, err := t.keep(ctx, former, &values)
	if err != nil {
		p.release(nil)
		return &outcome{n, nil, p.stopped(ctx, err, n)}
	}
	began := time.Now()
	said := t.talk(k, &values, n, k != former)
	trace := record.From(ctx).Program(k.process.Args())
	err = k.process.Turn(ctx, said.next(), said.take, trace)
	said.quiet.Stop()
	if err != nil {
		p.release(nil)
		return t.unfinished(ctx, err, said, time.Since(began))
	}
	if n.failed {
		k.end(ctx)
		p.release(nil)
		// Include its standard error.
		result := k.process.Result()
		failure, err := p.ended(n, &result)
		if said.refused && (failure == nil || failure.Means == Unknown) && ctx.Err() == nil {
			t.failOver("answered with an error ("+p.quote(n.failure)+")", n, time.Since(began), 1)
			return nil
		}
		return &outcome{n, failure, err}
	}
	if unknown := n.unknownLines(p.quote); unknown != "" && strings.TrimSpace(n.text()) == "" {
		k.end(ctx)
		p.release(nil)
		if ctx.Err() != nil {
			return &outcome{n, nil, ctx.Err()}
		}
		t.failOver("ended the turn without a reply ("+unknown+")", n, time.Since(began), maxStayFailures)
		return nil
	}
	failure, err := p.ended(n, &process.Result{})
	if k != former {
		k.model = said.model
	}
	k.conversation = cmp.Or(n.conversation, t.values.conversation)
	if said.closed.Load() {
		k.end(ctx)
		k = nil
	}
	p.release(k)
	return &outcome{n, failure, err}
}

// unfinished returns the outcome of a turn that the program did not finish, or nil if there was no answer and the
// turn must be repeated.
func (t *turn) unfinished(ctx context.Context, err error, said *talk, took time.Duration) *outcome {
	p, n := t.program, said.answer
	var exit *process.ExitError
	var limit *process.LimitError
	left := time.Hour
	if total := p.options.Limits.Total; total > 0 {
		left = total - took
	}
	switch {
	case ctx.Err() != nil:
	case errors.As(err, &exit):
		failure := p.adapter.means(n.failure, n.status, n.printed, exit.Result.Stderr, exit.Result.Exit)
		closed := said.closed.Load()
		if (n.text() == "" || closed) && !n.failed && (failure == nil || failure.Means == Unknown) {
			what, failures := "ended "+exit.Result.Ending()+" without an answer", 1
			if closed {
				what, failures = "did not end the turn in a way that moot knows", maxStayFailures
			}
			if unknown := n.unknownLines(p.quote); unknown != "" {
				what += " (" + unknown + ")"
			}
			t.failOver(what, n, took, failures)
			return nil
		}
		failure, err := p.ended(n, &exit.Result)
		return &outcome{n, failure, err}
	case errors.As(err, &limit) && limit.Limit == process.Silence && left > 0 &&
		(n.lines == 0 || said.awaited != "" || len(said.left) > 0 || n.text() == "" && len(n.unknown) > 0):
		what := "printed nothing for " + limit.After.String()
		if unknown := n.unknownLines(p.quote); unknown != "" {
			what += " (" + unknown + ")"
		}
		t.failOver(what, n, took, maxStayFailures)
		return nil
	}
	return &outcome{n, nil, p.stopped(ctx, err, n)}
}

// failOver notes that the program which stays up did not answer, and prepares the turn for a new one in the remaining
// time.
func (t *turn) failOver(what string, n *answer, took time.Duration, failures int) {
	p := t.program
	p.mutex.Lock()
	p.stay.failures += failures
	p.mutex.Unlock()
	if n.lines > 0 {
		t.watch(protocol.Delta{Restart: true})
	}
	t.note(p.adapter.Name + ", which keeps running between turns, " + what + "; starting it for this turn only")
	t.runs++
	t.spent = took
	if !t.continues {
		t.begin() // the id may be in use now
	}
}

// staying returns the placeholder values for a program that stays up.
func (t *turn) staying() values {
	v, s := t.values, &t.program.adapter.Stay
	if !slices.Contains(s.Begin, "{system...}") || !slices.Contains(s.GoOn, "{system...}") {
		v.system = ""
	}
	return v
}

// keep returns the program for a turn: k if it fits, or else a new one, after ending k. It sets the system prompt in
// v to that of the program, because a new system prompt does not require a restart.
func (t *turn) keep(ctx context.Context, k *resident, v *values) (*resident, error) {
	p := t.program
	arguments, s := &p.adapter.Arguments, &p.adapter.Stay
	unnamed := *v
	unnamed.conversation = ""
	if k != nil {
		unnamed.system = k.system
		running := true
		select {
		case <-k.process.Exited():
			running = false
		default:
		}
		same := k.conversation == t.values.conversation && k.folder == t.folder
		if running && t.continues && same && slices.Equal(k.line, arguments.line(s.Begin, &unnamed)) {
			v.system = k.system
			return k, nil
		}
		unnamed.system = v.system
		if k.end(ctx); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if k.made && k.folder != t.folder {
			_ = os.RemoveAll(k.folder) // the folder is temporary
		}
	}
	template := s.Begin
	if t.continues {
		template = s.GoOn
	}
	started, err := p.runner.Start(ctx, process.Spec{
		Path: p.adapter.Command, Args: arguments.line(template, v), Dir: t.folder, Env: p.env, Limits: t.limits(),
	})
	if err != nil {
		return nil, err
	}
	line := arguments.line(s.Begin, &unnamed)
	return &resident{process: started, line: line, system: v.system, folder: t.folder, made: t.made}, nil
}

// talk sends the lines of a turn to a program that stays up: after its start the lines that open the conversation,
// then the turn itself. It waits for the answer to a message with an id before it sends the next one.
type talk struct {
	turn   *turn
	values *values
	answer *answer
	write  func(line []byte)

	// left are the messages to send; the last one is the turn's. awaited is the id of the expected answer, or "".
	left    []message
	awaited string
	// refused says that a message got an error as its answer.
	refused bool
	// model is the model that the program reported, or "".
	model string
	// quiet closes the program's standard input, which closed records. A program with an open turn finishes it;
	// others exit.
	quiet  *time.Timer
	closed atomic.Bool
}

// talk prepares the messages of this turn.
func (t *turn) talk(k *resident, v *values, n *answer, started bool) *talk {
	s := &t.program.adapter.Stay
	said := &talk{turn: t, values: v, answer: n}
	said.write = func(line []byte) {
		if !said.closed.Load() {
			k.process.Write(line)
		}
	}
	said.quiet = time.AfterFunc(time.Hour, func() {
		said.closed.Store(true)
		k.process.Write(nil)
	})
	said.quiet.Stop()
	n.write, n.conversation, n.model = said.write, t.values.conversation, k.model
	if started {
		said.left = slices.Clone(s.hello)
		opens := s.open
		if t.continues {
			opens = s.reopen
		}
		if opens.value != nil {
			said.left = append(said.left, opens)
		}
	}
	said.left = append(said.left, s.message)
	return said
}

// next returns the lines up to the next message that expects an answer.
func (k *talk) next() []byte {
	var lines []byte
	for len(k.left) > 0 && k.awaited == "" {
		m := &k.left[0]
		if len(k.left) == 1 {
			k.model = k.answer.model
		}
		lines = append(lines, m.line(k.place)...)
		k.awaited, k.left = m.id, k.left[1:]
	}
	return lines
}

// place returns the value of a placeholder, or nil.
func (k *talk) place(name string) any {
	text := map[string]string{
		"conversation": k.answer.conversation, "model": k.values.model,
		"effort": k.values.effort, "folder": k.turn.folder,
	}[name]
	switch {
	case name == "prompt":
		return string(k.turn.prompt(k.values))
	case text != "":
		return text
	}
	return nil
}

// take processes a line, and sends the lines due after it.
func (k *talk) take(line []byte) (done bool, err error) {
	if err := k.answer.take(line); err != nil {
		return false, err
	}
	k.quiet.Stop()
	if n := k.answer; n.unread && !n.done {
		_, states := noticeOf(n.printed)
		if states || n.message != nil && *n.message != "" {
			k.quiet.Reset(cmp.Or(k.turn.program.stay.quiet, defaultQuiet))
		}
	}
	why, is := "", false
	if k.awaited != "" {
		why, is = answers(line, k.awaited)
	}
	if !is {
		return k.answer.done, nil
	}
	k.awaited = ""
	if why != "" {
		k.answer.failed, k.answer.failure = true, why
	}
	if k.answer.failed {
		k.refused = true
		return true, nil
	}
	if more := k.next(); len(more) > 0 {
		k.write(more)
	}
	return k.answer.done, nil
}
