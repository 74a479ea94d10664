package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/run"
	"moot/queue"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// batchSessions opens and runs the sessions of a batch.
type batchSessions struct {
	maker *itemMaker
	// limits bound how many calls a participant gets at once, and in a minute.
	limits queue.Limiter
}

// do runs the session of an item to its end. It is a queue.Do.
func (b *batchSessions) do(ctx context.Context, job queue.Job, pulse func(queue.Pulse)) (string, queue.Result) {
	s, r := runJob(ctx, job, pulse, b.open)
	return s.ID, r
}

// runJob runs the session that open opens for a job to its end. The state is empty if none was opened.
func runJob(
	ctx context.Context, job queue.Job, pulse func(queue.Pulse), open func(context.Context, queue.Job) (*session, error),
) (*state.State, queue.Result) {
	s, err := open(ctx, job)
	if err != nil {
		if ctx.Err() != nil {
			return &state.State{}, queue.Result{Outcome: queue.Stopped, Reason: run.BatchStopped}
		}
		return &state.State{}, queue.Result{Outcome: queue.Failure, Reason: reasonOf(err)}
	}
	ended, err := s.runInBatch(ctx, pulse)
	s.close()
	if err != nil {
		return s.state, queue.Result{Outcome: queue.Failure, Reason: reasonOf(err), Usage: s.state.Usage}
	}
	return ended.State, resultOf(ended.State, ended.Rulings, ended.Err)
}

// open opens the session of a job: a new one, or an earlier one that continues.
func (b *batchSessions) open(ctx context.Context, job queue.Job) (*session, error) {
	m := b.maker
	builder, err := m.builder(ctx, job.Item.Fields)
	if err != nil {
		return nil, err
	}
	if builder.reviewed != nil {
		defer builder.reviewed.Close()
	}
	builder.batch = batchOf(ctx, job, b.limits)
	if job.Session != "" {
		// The session has its seats.
		builder.seats.named = map[state.Seat]string{}
		path, err := store.Path(m.console.folder, job.Session)
		if err != nil {
			return nil, err
		}
		s, _, err := builder.reopen(path)
		return s, err
	}
	builder.check = func(
		ctx context.Context, format protocol.Format, opened *state.SessionOpened, events []state.Payload,
	) error {
		settings := format.Settings()
		if err := m.fillSeats(ctx, builder, format, &settings, opened); err != nil {
			return err
		}
		parts, err := m.parts(builder, opened, events)
		if err != nil {
			return err
		}
		parts.Number = job.Item.Parts.Number
		if changed := job.Item.Parts.Changed(&parts); len(changed) > 0 {
			return fmt.Errorf("the %s changed since the batch was planned: run the batch again with its items",
				strings.Join(changed, " and the "))
		}
		opened.Item = job.Item.Digest
		return nil
	}
	return builder.open(ctx)
}

// batchOf is what the session of a job shares with the others.
func batchOf(ctx context.Context, job queue.Job, limits queue.Limiter) *run.Batch {
	return &run.Batch{
		Caps: func() string {
			return map[queue.Cap]string{queue.CapTokens: run.BatchTokens, queue.CapCost: run.BatchCost}[job.Caps()]
		},
		Stopped: func() bool { return ctx.Err() != nil && !errors.Is(context.Cause(ctx), queue.ErrPaused) },
		Begin: func(ctx context.Context, participant string) (func(), error) {
			return limits.Acquire(ctx, participant)
		},
		Slow: limits.Slow,
	}
}

// reasonOf is an error as the reason of a result.
func reasonOf(err error) string { return plain.Clip(plain.Line(err.Error()), maxReason) }

// maxReason is the length of a reason in bytes.
const maxReason = 400

// runInBatch runs the session without a front end. When ctx ends, the session is paused.
func (s *session) runInBatch(ctx context.Context, pulse func(queue.Pulse)) (protocol.Ended, error) {
	var mutex sync.Mutex
	var ended protocol.Ended
	calls := map[state.Seat]view.Call{}
	now := queue.Pulse{Session: s.state.ID, Round: s.state.Round, Usage: s.state.Usage}
	tell := func() {
		var lines []string
		for _, a := range s.state.Seats {
			if call, asked := calls[a.Seat]; asked {
				lines = append(lines, call.Line(time.Now()))
			}
		}
		now.Doing = strings.Join(lines, "; ")
		pulse(now)
	}
	tell()
	seconds, stop := time.NewTicker(time.Second), make(chan struct{})
	var ticks sync.WaitGroup
	ticks.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-seconds.C:
				mutex.Lock()
				if len(calls) > 0 {
					tell()
				}
				mutex.Unlock()
			}
		}
	})
	defer ticks.Wait()
	defer close(stop)
	defer seconds.Stop()
	runner, err := s.runner(func(n protocol.Notice) {
		mutex.Lock()
		defer mutex.Unlock()
		switch n := n.(type) {
		case protocol.Advanced:
			now.Round, now.Usage = n.State.Round, n.State.Usage
		case protocol.CallStarted:
			calls[n.Ask.Seat] = view.Call{Seat: n.Ask.Seat, Stage: n.Ask.Stage, Again: n.Ask.Retry != "", Since: n.At}
		case protocol.CallEnded:
			delete(calls, n.Seat)
		case protocol.Reported:
			call, asked := calls[n.Seat]
			if !asked || n.Lookup {
				return
			}
			call.Note, call.Until = n.Text, n.Until
			calls[n.Seat] = call
		case protocol.Streamed:
			received(calls, n.Seat, n.Text)
			return // The next second tells it.
		case protocol.Thinking:
			received(calls, n.Seat, n.Text)
			return
		case protocol.Ended:
			ended = n
			return
		default:
			return
		}
		tell()
	})
	if err != nil {
		return ended, err
	}
	// The error is in the Ended notice.
	_ = runner.Run(ctx)
	s.state = ended.State
	return ended, nil
}

// received counts what a seat wrote or thought. It ends a wait.
func received(calls map[state.Seat]view.Call, seat state.Seat, text string) {
	if call, asked := calls[seat]; asked {
		call.Bytes, call.Note, call.Until = call.Bytes+len(text), "", time.Time{}
		calls[seat] = call
	}
}

// resultOf is the result of a session that ended, paused, or failed with an error.
func resultOf(s *state.State, rulings []state.Ruling, failed error) queue.Result {
	code := protocol.SessionExitCode(s, false)
	r := queue.Result{Code: int(code), Rounds: s.Round, Usage: s.Usage, Seconds: s.Active.Seconds()}
	if s.Over() {
		r.Decision = plain.Line(view.Session(s, rulings).Heading)
		if answer := view.AnswerOf(s, rulings); answer != nil && len(answer.Sentences) > 0 {
			r.Answer = plain.Clip(plain.Line(answer.Sentences[0].Text), maxReason)
		}
	}
	switch {
	case failed != nil && !errors.Is(failed, protocol.ErrStopped):
		r.Outcome, r.Reason = queue.Failure, reasonOf(failed)
		if panicked, is := errors.AsType[*run.PanicError](failed); is {
			r.Reason = reasonOf(fmt.Errorf("%w; this is a bug in moot", panicked))
		}
	case code == protocol.ExitPerson:
		r.Outcome, r.Reason = queue.NeedsYou, plain.Clip(plain.Line(s.PauseReason), maxReason)
	case code == protocol.ExitError:
		r.Outcome, r.Reason = queue.Failure, plain.Clip(plain.Line(stopWords(s)), maxReason)
	case s.Closed && (s.Inconclusive || s.Exit == state.ExitQuality):
		r.Outcome, r.Reason = queue.Inconclusive, plain.Clip(plain.Line(stopWords(s)), maxReason)
	case s.Closed:
		r.Outcome = queue.Concluded
	case s.Paused == state.PauseUnreachable || s.Paused == state.PauseContext:
		r.Outcome, r.Reason = queue.Failure, plain.Clip(plain.Line(s.PauseReason), maxReason)
	default:
		r.Outcome, r.Reason = queue.Stopped, plain.Clip(plain.Line(s.PauseReason), maxReason)
	}
	return r
}

// stopWords is why a session stopped or ended, or "".
func stopWords(s *state.State) string {
	_, words := view.StopOf(s)
	if words == "" {
		words = s.ExitReason
	}
	return words
}

// classify reads the result of a session from its file.
func (c *Console) classify(path string) queue.Result {
	opened, err := store.Read(path, c.rules()...)
	if err == nil {
		var s *stored
		if s, err = fold(path, opened); err == nil {
			r := resultOf(s.state, s.rulings, nil)
			r.Ended = s.state.At.UTC()
			return r
		}
	}
	return queue.Result{Outcome: queue.Failure, Reason: reasonOf(err)}
}

// named are the ids of items, for a message.
func namedItems(items []*queue.Item, most int) string {
	names := lists.Map(items[:min(len(items), most)], func(i *queue.Item) string { return plain.Line(i.ID()) })
	text := strings.Join(names, ", ")
	if more := len(items) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
