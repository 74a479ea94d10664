package run

import (
	"context"
	"fmt"
	"maps"

	"moot/protocol"
	"moot/state"
)

// do runs f on the loop's goroutine and waits for it, unless the run has ended or ctx ends
// first.
func (r *Session) do(ctx context.Context, f func()) {
	finished := make(chan struct{})
	select {
	case r.commands <- func() { defer close(finished); f() }:
		<-finished
	case <-r.done:
	case <-ctx.Done():
	}
}

// ErrOver is returned after the run has ended.
var ErrOver = fmt.Errorf("the session is not running: %w", protocol.ErrStopped)

// Step runs the next turn, also after a pause.
func (r *Session) Step(ctx context.Context) { r.do(ctx, func() { r.steps, r.proceed = 1, true }) }

// StepRound runs the rest of the round.
func (r *Session) StepRound(ctx context.Context) {
	r.do(ctx, func() { r.through, r.proceed = r.State.Round, true })
}

// Auto turns automatic turns on, or makes the loop wait before each turn.
func (r *Session) Auto(ctx context.Context, on bool) {
	r.do(ctx, func() {
		r.stepping, r.through = !on, 0
		r.proceed = r.proceed || on
		r.Watch(protocol.Stepping{On: !on})
	})
}

// CancelCall cancels running calls and commands. Stored events remain, and the loop waits
// for Step before it asks again.
func (r *Session) CancelCall(ctx context.Context) {
	r.do(ctx, func() {
		if r.cancel != nil {
			r.cancelled = true
			r.cancel()
		}
	})
}

// Leave ends the run; the session can be resumed.
func (r *Session) Leave(ctx context.Context) {
	r.do(ctx, func() {
		r.leaving = true
		if r.cancel != nil {
			r.cancel()
		}
	})
}

// Pause records that the user paused the session, and ends the run; the session can be resumed. A session that is paused
// already only ends. It returns once the loop knows, before the pause is recorded.
func (r *Session) Pause(ctx context.Context) error { return r.pauseThrough(ctx, state.ChannelTerminal) }

func (r *Session) pauseThrough(ctx context.Context, channel state.Channel) error {
	err := ErrOver
	r.do(ctx, func() {
		err, r.leaving, r.pausing, r.pausedThrough = nil, true, true, channel
		if r.cancel != nil {
			r.cancel()
		}
	})
	return err
}

// Override applies the user's move, or returns why it was refused. When it returns, the
// events are in the log.
func (r *Session) Override(ctx context.Context, move protocol.UserMove) error {
	err := ErrOver
	r.do(ctx, func() {
		var events []state.Payload
		if events, err = protocol.AdmitUser(r.State, move); err == nil {
			_, channel := protocol.ChannelOf(move)
			err = r.appendThrough(channel, events...)
		}
	})
	return err
}

// Preview returns the prompts of the asks that wait for Step, by seat.
func (r *Session) Preview(ctx context.Context) map[state.Seat]protocol.Prompt {
	prompts := map[state.Seat]protocol.Prompt{}
	r.do(ctx, func() {
		for _, ask := range r.pending {
			prompts[ask.Seat] = r.prompt(ask)
		}
	})
	return prompts
}

// EditPrompt sets the text of the next prompt to a seat. It is recorded as the user's when
// it is sent. An empty text removes the edit.
func (r *Session) EditPrompt(ctx context.Context, seat state.Seat, text string) {
	r.editPrompt(ctx, state.ChannelTerminal, seat, text)
}

func (r *Session) editPrompt(ctx context.Context, channel state.Channel, seat state.Seat, text string) {
	r.do(ctx, func() {
		if text == "" {
			delete(r.edited, seat)
			return
		}
		r.edited[seat] = edit{channel, text}
	})
}

// Replace assigns another participant to a seat from the next call on.
func (r *Session) Replace(ctx context.Context, seat state.Seat, p protocol.Participant) error {
	return r.replace(ctx, state.ChannelTerminal, seat, p)
}

func (r *Session) replace(
	ctx context.Context, channel state.Channel, seat state.Seat, p protocol.Participant,
) error {
	err := ErrOver
	r.do(ctx, func() {
		err = r.appendThrough(channel, &state.SeatTaken{SeatAssignment: protocol.Assign(seat, p), By: state.User})
		if err == nil {
			seats := maps.Clone(r.Participants)
			seats[seat] = p
			r.Participants = seats
		}
	})
	return err
}

// Attached is a session as the user controls it from another terminal: the record names that channel.
type Attached struct{ *Session }

// Override is Session.Override through moot attach.
func (a Attached) Override(ctx context.Context, move protocol.UserMove) error {
	return a.Session.Override(ctx, protocol.Through{Channel: state.ChannelAttach, Move: move})
}

// Pause is Session.Pause from another process.
func (a Attached) Pause(ctx context.Context) error { return a.pauseThrough(ctx, state.ChannelAttach) }

// EditPrompt is Session.EditPrompt through moot attach.
func (a Attached) EditPrompt(ctx context.Context, seat state.Seat, text string) {
	a.editPrompt(ctx, state.ChannelAttach, seat, text)
}

// Replace is Session.Replace through moot attach.
func (a Attached) Replace(ctx context.Context, seat state.Seat, p protocol.Participant) error {
	return a.replace(ctx, state.ChannelAttach, seat, p)
}
