package protocol

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"moot/ledger"
	"moot/state"
)

// ask puts the asks to their seats, at once, and admits the replies in the
// order of the asks.
func (r *Runner) ask(ctx context.Context, asks []Ask) error {
	if why := r.overBudget(); why != "" {
		return r.append(&state.SessionPaused{Why: state.PauseBudget, Reason: why})
	}
	if again, err := r.ready(ctx, asks); again || err != nil {
		return err
	}
	calls, err := r.send(asks)
	if err != nil {
		return err
	}
	r.forecast(asks)
	answers, err := r.collect(ctx, calls)
	if err != nil {
		return err
	}
	for i, call := range calls {
		if err := r.admit(call, answers[i]); err != nil {
			return err
		}
	}
	return r.stopped(ctx)
}

// ready waits for Step where the loop steps. It reports true when the state
// moved on meanwhile, so that the turn must be looked at again.
func (r *Runner) ready(ctx context.Context, asks []Ask) (bool, error) {
	if r.stepping && r.steps == 0 {
		if err := r.flush(); err != nil {
			return false, err
		}
		r.forecast(asks)
		r.pending = asks
		defer func() { r.pending = nil }()
		r.Watch(TurnReady{Asks: asks})
		seq := r.State.Seq
		if err := r.wait(ctx, func() bool { return r.steps > 0 || !r.stepping || r.State.Seq != seq }); err != nil {
			return false, err
		}
		if r.State.Seq != seq {
			return true, nil
		}
	}
	r.steps = 0
	return false, nil
}

// prompt is what the seat will be shown, the user's edit included.
func (r *Runner) prompt(ask Ask) Prompt {
	p := r.Format.Prompt(r.State, ask)
	if text, ok := r.edited[ask.Seat]; ok {
		p.Text = text
	}
	return p
}

// send records the prompts of all asks before any of them goes out.
func (r *Runner) send(asks []Ask) ([]Call, error) {
	calls := make([]Call, len(asks))
	var events []state.Payload
	for i, ask := range asks {
		if r.Participants[ask.Seat] == nil {
			return nil, fmt.Errorf("nobody sits in seat %s: name one with --seat %s=PARTICIPANT; the session is saved", ask.Seat, ask.Seat)
		}
		prompt := r.prompt(ask)
		if text, ok := r.edited[ask.Seat]; ok {
			events = append(events, &state.PromptEdited{Seat: ask.Seat, Stage: ask.Stage, Text: text})
			delete(r.edited, ask.Seat)
		}
		calls[i] = Call{Ask: ask, Prompt: prompt, Schema: r.Parser.Schema(ask.Moves)}
		events = append(events, &state.PromptSent{
			Seat: ask.Seat, Stage: ask.Stage, System: prompt.System, Text: prompt.Text,
			Omitted: prompt.Omitted, Warning: prompt.Warning,
		})
	}
	if err := r.append(events...); err != nil {
		return nil, err
	}
	for i := range calls {
		calls[i].State = r.State
	}
	return calls, nil
}

// answer is a reply or why there is none.
type answer struct {
	reply Reply
	err   error
}

// collect runs the calls side by side and serves the front end meanwhile. Its
// goroutines have ended when it returns.
func (r *Runner) collect(ctx context.Context, calls []Call) ([]answer, error) {
	ctx, cancel := r.callContext(ctx)
	defer cancel()
	r.cancel, r.cancelled = cancel, false
	defer func() { r.cancel = nil }()

	answers := make([]answer, len(calls))
	var group sync.WaitGroup
	for i, call := range calls {
		p := r.Participants[call.Ask.Seat]
		r.Watch(CallStarted{Ask: call.Ask, Participant: p.Name(), At: r.Now()})
		group.Go(func() {
			answers[i] = r.callOne(ctx, p, call)
			r.Watch(CallEnded{Seat: call.Ask.Seat, Err: answers[i].err})
		})
	}
	finished := make(chan struct{})
	go func() { group.Wait(); close(finished) }()
	for {
		select {
		case f := <-r.commands:
			f()
		case <-finished:
			return answers, nil
		}
	}
}

// callContext bounds the calls by what is left of the time budget (EX6).
func (r *Runner) callContext(ctx context.Context) (context.Context, context.CancelFunc) {
	s := &r.State
	if s.MaxSeconds == 0 || s.Resumed.IsZero() {
		return context.WithCancel(ctx)
	}
	left := time.Duration(s.MaxSeconds)*time.Second - s.Active - max(0, r.Now().Sub(s.Resumed))
	return context.WithTimeout(ctx, left)
}

// callOne asks one participant; a panic of it is an error of it.
func (r *Runner) callOne(ctx context.Context, p Participant, call Call) (a answer) {
	defer func() {
		if v := recover(); v != nil {
			a.err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	reply, err := p.Reply(ctx, call, func(d Delta) {
		if d.Note != "" {
			told := Reported{Seat: call.Ask.Seat, Text: d.Note}
			if d.Wait > 0 {
				told.Until = r.Now().Add(d.Wait)
			}
			r.Watch(told)
			return
		}
		r.Watch(Streamed{Seat: call.Ask.Seat, Text: d.Text, Restart: d.Restart})
	})
	return answer{reply: reply, err: err}
}

// PanicError is a panic in a goroutine of a run.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// admit turns a reply into events, or records why there is none.
func (r *Runner) admit(call Call, a answer) error {
	switch err := a.err; {
	case err == nil:
		return r.stage(r.read(call, a.reply)...)
	case r.leaving:
		return ErrStopped
	case r.cancelled:
		r.stepping, r.steps = true, 0
		return nil
	case errors.Is(err, context.DeadlineExceeded) && r.overBudget() != "":
		return r.append(&state.SessionPaused{Why: state.PauseBudget, Reason: r.overBudget()})
	case errors.Is(err, context.Canceled):
		return ErrStopped
	default:
		return r.failed(call, err)
	}
}

// failed sorts what went wrong: a broken reply is a format failure (PH3), a
// participant that cannot be reached pauses the session (EX7).
func (r *Runner) failed(call Call, err error) error {
	var broken *Broken
	var unreachable *Unreachable
	var long *TooLong
	switch {
	case errors.As(err, &broken):
		return r.append(r.refuse(call, Reply{Text: broken.Partial, Attempts: 1}, broken.Code, broken.What)...)
	case errors.As(err, &unreachable):
		if without := r.Format.missing(&r.State, call.Ask, unreachable.Error()); without != nil {
			return r.append(without...)
		}
		return r.pause(state.PauseUnreachable, call, err)
	case errors.As(err, &long):
		return r.pause(state.PauseContext, call, err)
	}
	return fmt.Errorf("ask %s (%s): %w; the session is saved and can be resumed", call.Ask.Seat, r.Participants[call.Ask.Seat].Name(), err)
}

func (r *Runner) pause(why state.PauseKind, call Call, err error) error {
	if r.State.Paused != state.PauseNone {
		return nil
	}
	return r.append(&state.SessionPaused{Why: why, Reason: fmt.Sprintf("%s: %v", call.Ask.Seat, err)})
}

// read parses and admits a finished reply.
func (r *Runner) read(call Call, reply Reply) []state.Payload {
	parsed, err := r.Parser.Parse(reply.Text, call.Ask)
	if err != nil {
		return r.refuse(call, reply, err.Code, err.Error())
	}
	admission := r.Format.Admit(r.State, call.Ask, parsed.Moves)
	refused := parsed.Refused
	for _, f := range admission.Refused {
		if f.Move > 0 {
			f.Move = parsed.Numbers[f.Move-1]
		}
		refused = append(refused, f)
	}
	events := r.received(call, reply, true, refused)
	return append(events, admission.Events...)
}

func (r *Runner) refuse(call Call, reply Reply, code, why string) []state.Payload {
	events := r.received(call, reply, false, []state.Refusal{{Code: code, Text: why}})
	return append(events, &state.ReplyRefused{Seat: call.Ask.Seat, Stage: call.Ask.Stage, Code: code, Reason: why})
}

// received is what every finished reply leaves on the record.
func (r *Runner) received(call Call, reply Reply, valid bool, refused []state.Refusal) []state.Payload {
	seat := call.Ask.Seat
	events := []state.Payload{
		&state.UsageCounted{
			Seat: seat, Calls: 1, PromptTokens: reply.PromptTokens, CompletionTokens: reply.CompletionTokens,
			Cost: reply.Cost, Attempts: reply.Attempts, WaitedMillis: int(reply.Waited.Milliseconds()),
			TookMillis: int(reply.Took.Milliseconds()), Notes: append([]string{}, reply.Notes...),
		},
	}
	// Who answered is on the record (no silent substitution).
	if now, ok := r.State.Assignment(seat); ok && reply.Model != "" && reply.Model != now.Model {
		now.Model = reply.Model
		events = append(events, &state.SeatTaken{SeatAssignment: now, By: state.Protocol})
	}
	return append(events, &state.ReplyReceived{
		Seat: seat, Stage: call.Ask.Stage, Text: reply.Text, Model: reply.Model, Valid: valid, Refused: append([]state.Refusal{}, refused...),
	})
}

// check has the references looked at, side by side, and records what was
// found in the order of the ids (RD6).
func (r *Runner) check(ctx context.Context, ids []string) error {
	checks, cancel := context.WithCancel(ctx)
	defer cancel()
	r.cancel, r.cancelled = cancel, false
	defer func() { r.cancel = nil }()
	findings := make([]ledger.Finding, len(ids))
	var group sync.WaitGroup
	limit := make(chan struct{}, checksAtOnce)
	for i, id := range ids {
		item := r.State.Item(id)
		group.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			findings[i] = r.checkOne(checks, item)
		})
	}
	finished := make(chan struct{})
	go func() { group.Wait(); close(finished) }()
	if err := r.checked(ctx, finished); err != nil {
		return err
	}
	if r.cancelled {
		r.stepping, r.steps = true, 0
	}
	return r.stage(Found(r.State, ids, findings)...)
}

// The bounds of a check.
const (
	checksAtOnce = 8
	// promptly is how long a check may take before what led to it is stored and
	// shown without it.
	promptly = 20 * time.Millisecond
)

// checked waits for the checks and serves the front end meanwhile.
func (r *Runner) checked(ctx context.Context, finished <-chan struct{}) error {
	late := time.NewTimer(promptly)
	defer late.Stop()
	for {
		select {
		case <-finished:
			return r.stopped(ctx)
		case f := <-r.commands:
			f()
		case <-late.C:
			if err := r.flush(); err != nil {
				<-finished
				return err
			}
		}
	}
}

// checkOne never fails: what goes wrong is a refusal.
func (r *Runner) checkOne(ctx context.Context, item *ledger.Evidence) (f ledger.Finding) {
	defer func() {
		if v := recover(); v != nil {
			f = ledger.Finding{Reason: fmt.Sprintf("the check failed: %v", v)}
		}
	}()
	limit, expected := r.CheckTime, item.Excerpt
	switch {
	case r.Researcher == nil:
		return ledger.Finding{Reason: "citations are switched off: the session has no workspace"}
	case item.NeedsApproval():
		return ledger.Finding{Reason: "the command was not approved"}
	case item.Approval.Allows():
		limit, expected = r.CommandTime, item.Expect
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return r.Researcher.Check(ctx, item.Reference, expected)
}
