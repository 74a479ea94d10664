package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"moot/protocol"
	"moot/state"
)

// mostShrinks is how often a prompt is made smaller before the session pauses.
const mostShrinks = 3

// size is that of a prompt in tokens, as LE7 counts them.
func size(p *protocol.Prompt) int { return protocol.EstimateTokens(len(p.System) + len(p.Text)) }

// shrunk is the event that makes the prompts of a seat smaller, whose endpoint
// refused one for its length, or cut it (LE7): half of what was sent, or three quarters of what
// the endpoint says that it takes, since the reply needs room too. It is nil where
// the prompt would not become smaller: what is left then is the question, the user's
// facts and what is open, and nothing of that is ever left out.
func (r *Session) shrunk(call protocol.Call, why *protocol.TooLong) state.Payload {
	sent := size(&call.Prompt)
	if call.Edited || r.State.AskedOf(call.Ask.Seat, call.Ask.Stage).Shrunk >= mostShrinks {
		return nil
	}
	e := &state.PromptShrunk{
		Seat: call.Ask.Seat, Stage: call.Ask.Stage, Sent: sent, Limit: max(why.Limit, 0), Budget: sent / 2,
		Cut: why.Cut, Reason: why.What,
	}
	// A limit above what was sent was not counted as we count: half, then.
	if e.Limit > 0 && e.Limit < sent {
		e.Budget = e.Limit - e.Limit/4
	}
	if e.Budget == 0 {
		return nil
	}
	// What others said since then is no part of what was sent.
	next, err := state.Apply(call.State, state.Event{Seq: call.State.Seq + 1, At: call.State.At, Data: e})
	if err != nil {
		return nil
	}
	if smaller := protocol.Of(&r.State).Prompt(next, call.Ask); size(&smaller) >= sent {
		return nil
	}
	return e
}

// keeps reports whether a reply counts although its prompt was probably cut: that is
// not sure, and nothing can be left out of the prompt.
func (r *Session) keeps(ctx context.Context, call protocol.Call, a answer) bool {
	var long *protocol.TooLong
	if r.leaving || r.cancelled || ctx.Err() != nil || a.reply.Text == "" || !errors.As(a.err, &long) {
		return false
	}
	return r.shrunk(call, long) == nil
}

// tooLong says what was tried with a prompt that is too long, and what to do.
func (r *Session) tooLong(call protocol.Call, why *protocol.TooLong) string {
	seat := call.Ask.Seat
	tried := "nothing could be left out of it, since the question, your facts and what is open always go out"
	switch n := r.State.AskedOf(seat, call.Ask.Stage).Shrunk; {
	case call.Edited:
		tried = "it is your own wording, which is not made shorter"
	case n > 0:
		tried = fmt.Sprintf("asked %d more times with less in it, at last about %d tokens; the question, your facts and what is open always go out", n, size(&call.Prompt))
	}
	longer := cmp.Or(why.Fix, "give the model a longer context")
	return fmt.Sprintf("%s; %s, or put another in its place: moot resume %s --seat %s=PARTICIPANT", tried, longer,
		r.State.ID, seat)
}
