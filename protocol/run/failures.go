package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/internal/redact"
	"moot/protocol"
	"moot/state"
	"moot/view"
)

// unanswered records why a call brought no reply, and its usage: failed calls cost too
// (EX6). It returns an error that ends the run as ends, and a failure to record as err.
func (r *Session) unanswered(ctx context.Context, call protocol.Call, a answer) (ends, err error) {
	why := a.err
	if broken, ok := r.refusable(ctx, call, why); ok {
		reply := a.reply
		reply.Text, reply.Attempts = broken.Partial, max(1, reply.Attempts)
		failure := r.failure(call.Ask.Seat, protocol.FailureOf(why))
		return nil, r.stage(
			append(r.spent(call, reply), refused(call.Ask, reply, broken.Code, broken.What, failure)...)...)
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
		return nil, r.unconcluded(
			[]protocol.Ask{call.Ask},
			why.Error(),
			r.failure(call.Ask.Seat, protocol.FailureOf(why)),
		)
	case errors.Is(why, context.DeadlineExceeded) && r.overBudget() != "":
		return nil, r.pause(state.PauseBudget, r.overBudget(), nil)
	case errors.Is(why, context.Canceled):
		return protocol.ErrStopped, nil
	}
	return r.failed(call, why)
}

// noAnswer is the code of a reply that a seat did not give.
const noAnswer = "no-answer"

// unconcluded records that seats gave no answer to the question, and no objection to one, which
// neither pauses nor fails a session (AN2).
func (r *Session) unconcluded(asks []protocol.Ask, why string, failure *state.Failure) error {
	for _, ask := range asks {
		if err := r.stage(refused(ask, protocol.Reply{}, noAnswer, why, failure)...); err != nil {
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

// failure completes a failure of a seat for the record. Secrets are taken out of its text, as of what
// the user supplies: the result quotes it.
func (r *Session) failure(seat state.Seat, f state.Failure) *state.Failure {
	f.Seat = seat
	if a, _ := r.State.Assignment(seat); !f.Said {
		// The result names the participant before the text.
		if rest, named := strings.CutPrefix(f.Text, a.Participant+" "); named {
			f.Text = "it " + rest
		}
	}
	if r.State.Settings.NoRedact || f.Text == "" {
		return &f
	}
	redactor, err := redact.New()
	if err != nil {
		f.Text, f.Said = "", false
		return &f
	}
	text, _ := redactor.Text(f.Text)
	f.Text = plain.FirstLine(text)
	return &f
}

// failed handles an error that isn't a format failure. If the format can continue, the seat is
// marked missing; otherwise the session pauses after the turn (EX7), so that the record says why. Errors that
// participants should not return end the run, too. A panic does nothing else, since it is a bug in
// moot.
func (r *Session) failed(call protocol.Call, why error) (ends, err error) {
	seat := call.Ask.Seat
	said, what, fix, pause := protocol.FailureOf(why), "", "", state.PauseNone
	if broken, is := errors.AsType[*protocol.Broken](why); is {
		pause, fix = state.PauseUnreachable, "check whether it still runs, or replace it"
		what = "its reply broke off again: " + broken.What
		if !said.Said {
			said.Text = plain.FirstLine(what)
		}
	} else if unreachable, is := errors.AsType[*protocol.Unreachable](why); is {
		pause, what, fix = state.PauseUnreachable, unreachable.What, unreachable.Fix
	} else if long, is := errors.AsType[*protocol.TooLong](why); is {
		if shrunk := r.shrink(call, long); shrunk != nil {
			return nil, r.stage(shrunk)
		}
		pause, what, fix = state.PauseContext, long.What, r.tooLong(call, long)
	}
	failure := r.failure(seat, said)
	if fix != "" {
		fix = "; " + fix
	}
	if said.Said {
		// The description often ends with the words of the participant, which are quoted already.
		what = plain.FirstLine(what)
		if at := strings.LastIndex(what, said.Text[:min(len(said.Text), 20)]); at >= 0 {
			what = what[:at]
		}
		if what = strings.TrimRight(what, ` :("`); what != "" {
			fix = "; " + what + fix
		}
	}
	_, panicked := errors.AsType[*PanicError](why)
	if !panicked {
		without := protocol.Of(r.State).Missing(r.State, call.Ask, view.FailureWords(*failure)+fix, failure)
		if without != nil {
			return nil, r.stage(without...)
		}
	}
	a, _ := r.State.Assignment(seat)
	if pause == state.PauseNone {
		ends = fmt.Errorf("ask %s (%s): %w; the session is saved and can be resumed", seat, a.Participant, why)
		pause = state.PauseUnreachable
	}
	if panicked {
		return ends, nil
	}
	r.failures = append(r.failures, state.SessionPaused{
		Why: pause, Reason: view.FailureLine(a.Participant, *failure) + fix, Failure: failure,
	})
	return ends, nil
}

// breaksAgain reports whether a reply broke off right after another failure. That points
// to a bad connection, so the session pauses (EX7) instead of ending (EX4). Formats that
// can continue without the seat do.
func (r *Session) breaksAgain(ask protocol.Ask, broken *protocol.Broken) bool {
	failure := protocol.FailureOf(broken)
	return failure.Kind == state.FailureUnreachable && len(r.State.FailuresOf(ask.Seat)) > 0 && !r.State.Over() &&
		protocol.Of(r.State).Missing(r.State, ask, broken.What, &failure) == nil
}

func (r *Session) pause(why state.PauseKind, reason string, failure *state.Failure) error {
	if r.State.Paused != state.PauseNone {
		return nil
	}
	return r.append(&state.SessionPaused{Why: why, Reason: reason, Failure: failure})
}
