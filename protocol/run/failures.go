package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"moot/protocol"
	"moot/state"
)

// PanicError is a panic in a goroutine of a run.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// unanswered records why a call brought no reply, and its usage: failed calls cost too
// (EX6). It returns an error that ends the run as ends, and a failure to record as err.
func (r *Session) unanswered(ctx context.Context, call protocol.Call, a answer) (ends, err error) {
	why := a.err
	if broken, ok := r.refusable(ctx, call, why); ok {
		reply := a.reply
		reply.Text, reply.Attempts = broken.Partial, max(1, reply.Attempts)
		return nil, r.stage(append(r.spent(call, reply), refused(call.Ask, reply, broken.Code, broken.What)...)...)
	}
	if r.keepsCutReply(ctx, call, a) {
		return nil, r.admit(call, a.reply)
	}
	spent := call.LookupEvents()
	if a.reply.Attempts > 0 {
		spent = append(spent, usageOf(call, a.reply))
	}
	spent = append(spent, learned(call, a.reply)...)
	if err := r.stage(spent...); err != nil {
		return nil, err
	}
	switch {
	case r.leaving, ctx.Err() != nil:
		// The run is being stopped, so the error itself doesn't matter.
		return protocol.ErrStopped, nil
	case r.cancelled:
		r.stepping, r.steps, r.through = true, 0, 0
		return nil, nil
	case call.Ask.Stage == state.StageConclude:
		return nil, r.unconcluded([]protocol.Ask{call.Ask}, why.Error())
	case errors.Is(why, context.DeadlineExceeded) && r.overBudget() != "":
		return nil, r.pause(state.PauseBudget, r.overBudget())
	case errors.Is(why, context.Canceled):
		return protocol.ErrStopped, nil
	}
	return r.failed(call, why)
}

// unconcluded records that seats gave no answer to the question, and no objection to one, which
// neither pauses nor fails a session (AN2).
func (r *Session) unconcluded(asks []protocol.Ask, why string) error {
	for _, ask := range asks {
		if err := r.stage(refused(ask, protocol.Reply{}, "no-answer", why)...); err != nil {
			return err
		}
	}
	return nil
}

// refusable reports whether an error is a format failure (PH3): a reply that broke off,
// once, without anyone cancelling the call.
func (r *Session) refusable(ctx context.Context, call protocol.Call, why error) (*protocol.Broken, bool) {
	var broken *protocol.Broken
	stopped := r.leaving || r.cancelled || ctx.Err() != nil
	ok := !stopped && errors.As(why, &broken) && !r.breaksAgain(call.Ask, broken)
	return broken, ok
}

// failed handles an error that isn't a format failure. If the format can continue, the seat is
// marked missing; otherwise the session pauses (EX7). A panic always ends the run, since it is a
// bug in moot.
func (r *Session) failed(call protocol.Call, why error) (ends, err error) {
	if broken, ok := errors.AsType[*protocol.Broken](why); ok {
		why = &protocol.Unreachable{
			Participant: r.Participants[call.Ask.Seat].Name(), What: "its reply broke off again: " + broken.What,
			Fix: "check whether it still runs, or replace it",
		}
	}
	long, tooLong := errors.AsType[*protocol.TooLong](why)
	if tooLong {
		if shrunk := r.shrink(call, long); shrunk != nil {
			return nil, r.stage(shrunk)
		}
	}
	if _, panicked := errors.AsType[*PanicError](why); !panicked {
		if without := protocol.Of(r.State).Missing(r.State, call.Ask, why.Error()); without != nil {
			return nil, r.stage(without...)
		}
	}
	reason := fmt.Sprintf("%s: %v", call.Ask.Seat, why)
	_, unreachable := errors.AsType[*protocol.Unreachable](why)
	switch {
	case unreachable:
		return nil, r.pause(state.PauseUnreachable, reason)
	case tooLong:
		return nil, r.pause(state.PauseContext, reason+"; "+r.tooLong(call, long))
	}
	return fmt.Errorf("ask %s (%s): %w; the session is saved and can be resumed", call.Ask.Seat,
		r.Participants[call.Ask.Seat].Name(), why), nil
}

// breaksAgain reports whether a reply broke off right after another failure. That points
// to a bad connection, so the session pauses (EX7) instead of ending (EX4). Formats that
// can continue without the seat do.
func (r *Session) breaksAgain(ask protocol.Ask, broken *protocol.Broken) bool {
	failed := slices.ContainsFunc(r.State.Failures, func(f state.SeatCount) bool {
		return f.Seat == ask.Seat && f.Count > 0
	})
	return broken.Code == "broken" && failed && !r.State.Over() &&
		protocol.Of(r.State).Missing(r.State, ask, broken.What) == nil
}

func (r *Session) pause(why state.PauseKind, reason string) error {
	if r.State.Paused != state.PauseNone {
		return nil
	}
	return r.append(&state.SessionPaused{Why: why, Reason: reason})
}
