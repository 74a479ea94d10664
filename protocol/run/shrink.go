package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"moot/protocol"
	"moot/state"
)

// maxShrinks is how often a prompt is shortened before the session pauses.
const maxShrinks = 3

// promptTokens is the size of a prompt in tokens, as LE7 counts them.
func promptTokens(p *protocol.Prompt) int {
	return protocol.EstimateTokens(len(p.System) + len(p.Text))
}

// shrink returns the event that lowers the prompt budget of a seat after its endpoint
// refused or cut a prompt for its length (LE7): to half of what was sent, or to three
// quarters of the endpoint's limit, since the reply needs space too. It returns nil if the
// prompt wouldn't get shorter: the question, the user's facts and open challenges are
// never left out.
func (r *Session) shrink(call protocol.Call, why *protocol.TooLong) state.Payload {
	sent := promptTokens(&call.Prompt)
	if call.Edited || r.State.AskedOf(call.Ask.Seat, call.Ask.Stage).Shrunk >= maxShrinks {
		return nil
	}
	e := &state.PromptShrunk{
		Seat: call.Ask.Seat, Stage: call.Ask.Stage, Sent: sent, Limit: max(why.Limit, 0), Budget: sent / 2,
		Cut: why.Cut, Reason: why.What,
	}
	// If the limit exceeds what was sent, the endpoint counts differently: use half.
	if e.Limit > 0 && e.Limit < sent {
		e.Budget = e.Limit - e.Limit/4
	}
	if e.Budget == 0 {
		return nil
	}
	// Start from the call's own state, without what other seats said since.
	next, _, err := state.Extend(call.State, call.State.At, e)
	if err != nil {
		return nil
	}
	if smaller := protocol.Of(next).Prompt(next, call.Ask); promptTokens(&smaller) >= sent {
		return nil
	}
	return e
}

// keepsCutReply reports whether to keep a reply although its prompt was probably cut,
// because the prompt can't be shortened.
func (r *Session) keepsCutReply(ctx context.Context, call protocol.Call, a answer) bool {
	var long *protocol.TooLong
	if r.leaving || r.cancelled || ctx.Err() != nil || a.reply.Text == "" || !errors.As(a.err, &long) {
		return false
	}
	return r.shrink(call, long) == nil
}

// tooLong explains which attempts failed with a prompt that is too long, and what to do.
func (r *Session) tooLong(call protocol.Call, why *protocol.TooLong) string {
	seat := call.Ask.Seat
	tried := "nothing could be left out, since the question, your facts and open challenges are always sent"
	switch n := r.State.AskedOf(seat, call.Ask.Stage).Shrunk; {
	case call.Edited:
		tried = "it is your own wording, which is never shortened"
	case n > 0:
		again := "once more"
		if n > 1 {
			again = fmt.Sprintf("%d more times", n)
		}
		tried = fmt.Sprintf("asked %s with less in it, at last about %d tokens; "+
			"the question, your facts and open challenges are always sent", again, promptTokens(&call.Prompt))
	}
	longer := cmp.Or(why.Fix, "give the model a longer context")
	return fmt.Sprintf("%s; %s, or replace it: moot resume %s --seat %s=PARTICIPANT", tried, longer,
		r.State.ID, seat)
}
