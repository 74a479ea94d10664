package protocol

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
)

// NeedsLookups reports whether a participant has no access to the workspace of its own, and so is
// offered lookups.
func NeedsLookups(p Participant) bool {
	l, ok := p.(interface{ NeedsLookups() bool })
	return ok && l.NeedsLookups()
}

// Call is one request to a participant.
type Call struct {
	Ask Ask
	// State is the session as it is now; models are shown Prompt alone.
	State  *state.State
	Prompt Prompt
	// Schema is the JSON Schema of a valid reply to this call.
	Schema json.RawMessage
	// Look answers lookups, or is nil if the seat has none. A participant that takes tools
	// uses it; the run answers lookups in a reply.
	Look *TurnLookups
	// Edited says that the user wrote the prompt, so it must not be shortened.
	Edited bool
	// Parses reports whether a text is a reply to this call, or is nil if that is not known.
	Parses func(text string) bool
}

// LookupEvents returns the events of the lookups of a call.
func (c *Call) LookupEvents() []state.Payload {
	if c.Look == nil {
		return nil
	}
	return c.Look.Done
}

// Reply is a finished reply.
type Reply struct {
	Text string
	// Model is the model that answered, as the endpoint names it, or "".
	Model                          string
	PromptTokens, CompletionTokens int
	// Estimated says that the token counts were not reported. They come from EstimateTokens, and so
	// does the cost.
	Estimated bool
	// Cost is in US dollars. Unpriced says that the price of a call is unknown and not in it.
	Cost     float64
	Unpriced bool
	// Attempts counts requests, at least 1; Waited is the time between them; Took is the time from
	// the first request to the last byte.
	Attempts     int
	Waited, Took time.Duration
	Notes        []string
	// Learned holds what the participant learned about its server, without what the record has already.
	Learned []state.Lesson
	// Conversation is the participant's ID of a conversation that it keeps across rounds, or
	// "". The next call passes it back, so that a resumed session continues it.
	Conversation string
	// Recovered explains how the conversation was lost and started again, or "" (JU8).
	Recovered string
	// By is the fallback that answered in place of the seat's participant, or "".
	By string
}

// Add adds the usage of earlier calls of the same turn.
func (r *Reply) Add(earlier Reply) {
	r.PromptTokens += earlier.PromptTokens
	r.CompletionTokens += earlier.CompletionTokens
	r.Estimated = r.Estimated || earlier.Estimated
	r.Cost += earlier.Cost
	r.Unpriced = r.Unpriced || earlier.Unpriced
	r.Attempts += earlier.Attempts
	r.Waited += earlier.Waited
	r.Took += earlier.Took
	r.Notes = slices.Concat(earlier.Notes, r.Notes)
	r.Learned = slices.Concat(earlier.Learned, r.Learned)
}

// Participant fills a seat. It is asked one call at a time per seat.
type Participant interface {
	// Name is the string by which the user named it: "rules", "openai:MODEL".
	Name() string
	// Modelless reports whether no language model is involved.
	Modelless() bool
	// Reply answers one call. It may stream progress to watch while it works; watch is never
	// called after Reply returned. It returns at once with the context's error when the
	// context ends. Other errors are *Unreachable, *TooLong or *Broken, or end the run. If
	// the others can continue without this seat, all errors but *Broken are recorded as the
	// reason that it gave no answer.
	Reply(ctx context.Context, call Call, watch func(Delta)) (Reply, error)
}

// Lingering is a participant that may keep working for a moment after a cancelled call has
// returned.
type Lingering interface {
	Participant
	// Aftermath waits until the work of cancelled calls has stopped, and returns what they did to
	// the workspace, one sentence per call. It reports each call once.
	Aftermath() []string
}

// Assign gives a seat to a participant.
func Assign(seat state.Seat, p Participant) state.SeatAssignment {
	return state.SeatAssignment{Seat: seat, Participant: p.Name(), NoModel: p.Modelless(), Looks: NeedsLookups(p)}
}

// Delta is progress on a reply. Exactly one of Text, Thought, Note and Restart is set.
type Delta struct {
	// Text is the next piece of the reply.
	Text string
	// Thought is the next piece of what a reasoning model thinks before it
	// speaks. It is shown as such, never parsed and never stored.
	Thought string
	// Note is a network status: "429, again in 12 s (2/5)". Wait is the time left, or 0.
	Note string
	Wait time.Duration
	// Throttled says that the wait is for all calls to the participant: its server gets too many.
	Throttled bool
	// Restart says that the text so far is void: the reply begins again.
	Restart bool
}

// Unreachable says that a participant cannot be reached: the session pauses
// (EX7).
type Unreachable struct {
	Participant string
	// What describes what happened, in a sentence without secrets.
	What string
	// Fix says what to do, or is "" if What does.
	Fix string
	Cause
}

// Cause is why a participant gave no usable reply, as the result reports it (SE4).
type Cause struct {
	// Kind is FailureNone if the error says enough: FailureUnreachable for an *Unreachable,
	// FailureContext for a *TooLong, and for a *Broken FailureFormat or what its code says.
	Kind state.FailureKind
	// Said is the first line of what the participant or its server said, without secrets and at most
	// 300 characters, or "".
	Said string
	// Resets is when the limit ends, or zero if that is not known. It is set for FailureLimit only.
	Resets time.Time
}

// Error implements error.
func (e *Unreachable) Error() string {
	text := fmt.Sprintf("%s gives no answer: %s", e.Participant, e.What)
	if e.Fix != "" {
		text += "; " + e.Fix
	}
	return text
}

// TooLong means that the endpoint refused the prompt as too long, or dropped a part of it. If Reply
// also returns a text, the prompt was probably cut: the text counts only if the prompt cannot be
// made smaller.
type TooLong struct {
	Participant, What string
	// Limit is the number of tokens that the endpoint says it accepts, prompt and reply together,
	// or 0 if it does not say.
	Limit int
	// Cut says that the endpoint did not refuse the prompt: it read a part of it, and replied to
	// that.
	Cut bool
	// Fix says how to give the model a longer context, or is "" if that is not known.
	Fix string
	Cause
}

// Error implements error.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the prompt is too long for %s: %s", e.Participant, e.What)
}

// Broken says that a reply broke off or could not be received: a format failure (PH3).
type Broken struct {
	// Code is a short word: "broken", "refused", "filtered", "oversized", "empty".
	Code, What string
	// Partial is the text received so far.
	Partial string
	Cause
}

// Error implements error.
func (e *Broken) Error() string { return e.What }

// FailureOf returns why a call brought no usable reply, for the record. The caller fills in the seat.
func FailureOf(err error) state.Failure {
	kind, what, cause := state.FailureUnreachable, err.Error(), Cause{}
	if e, ok := errors.AsType[*Unreachable](err); ok {
		what, cause = e.What, e.Cause
	} else if e, ok := errors.AsType[*TooLong](err); ok {
		kind, what, cause = state.FailureContext, e.What, e.Cause
	} else if e, ok := errors.AsType[*Broken](err); ok {
		kind, what, cause = state.FailureFormat, e.What, e.Cause
		switch e.Code {
		case "refused":
			kind = state.FailureRefused
		case "filtered":
			kind = state.FailureFiltered
		case "empty":
			kind = state.FailureEmpty
		case "broken":
			kind = state.FailureUnreachable
		}
	}
	f := state.Failure{Kind: cmp.Or(cause.Kind, kind), Text: plain.FirstLine(cause.Said), Said: true}
	if f.Text == "" {
		f.Text, f.Said = plain.FirstLine(what), false
	}
	// A year that JSON cannot hold is nonsense.
	if y := cause.Resets.UTC().Year(); !cause.Resets.IsZero() && y >= 0 && y <= 9999 {
		f.Resets = cause.Resets.UTC()
	}
	return f
}

// Researcher checks a reference: that the quote is there or, for a command, that its result
// is as expected. It never fails: a refusal is a finding.
type Researcher interface {
	Check(ctx context.Context, reference, quote string) ledger.Finding
}

// PatchResearcher also tries a patch: what a command does without and with it.
type PatchResearcher interface {
	Try(ctx context.Context, reference, expected, patch string) ledger.Finding
}

// TryPatch tries a patch, if the researcher can.
func TryPatch(ctx context.Context, r Researcher, reference, expected, patch string) ledger.Finding {
	if tries, can := r.(PatchResearcher); can {
		return tries.Try(ctx, reference, expected, patch)
	}
	return ledger.Finding{Reference: reference, Reason: "nothing here tries patches"}
}

// Log stores events. Append writes them as one unit, and returns only when they are safe. On an
// error, none of them counts.
type Log interface {
	Append(events []state.Event) error
}

// ErrStopped says that the user left; the session can be resumed.
var ErrStopped = errors.New("the user left the session")
