package run

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"moot/protocol"
	"moot/protocol/reply"
	"moot/state"
)

// Recorder records every call to a participant, for tests and bug reports. It must be safe
// for concurrent use.
type Recorder interface {
	// Begin starts the record of a call. The call is made with the returned context.
	Begin(ctx context.Context, call protocol.Call, participant string) (context.Context, CallRecord)
}

// edit is a prompt that the user wrote, and the channel that it came through.
type edit struct {
	channel state.Channel
	text    string
}

// PanicError is a panic in a goroutine of a run.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Options configure a session. Log, Participants, Parser and Now are required.
type Options struct {
	// State is the fold of the events in Log. It contains at least session-opened, with
	// the format in its Rules.
	State        *state.State
	Log          protocol.Log
	Participants map[state.Seat]protocol.Participant
	// Researcher checks references. If nil, all are refused.
	Researcher protocol.Researcher
	// Looker answers lookups. If nil, no seat is offered any.
	Looker protocol.Looker
	Parser *reply.Parser
	// Now returns the time of events.
	Now func() time.Time
	// Watch receives all notices, on the loop's goroutine and, for Streamed and Reported,
	// on those of the calls. It must not block.
	Watch func(protocol.Notice)
	// Recorder records every call. It may be nil.
	Recorder Recorder
	// Step makes the loop wait for Step before each turn.
	Step bool
	// Attended keeps the loop running while the session is paused or waits for answers;
	// otherwise Run returns.
	Attended bool
	// Agent says that a coding agent runs the session: the loop keeps running, but doesn't wait for answers that the
	// format can do without, and it is the agent that leaves.
	Agent bool
	// Batch is set in a session of a batch.
	Batch *Batch
	// CheckTime limits the check of one reference; 0 means 10 s.
	CheckTime time.Duration
	// CommandTime limits one command; 0 means 2 min.
	CommandTime time.Duration
}

// Batch is what a session of a batch shares with the others. Its functions are called from several goroutines.
type Batch struct {
	// Caps returns BatchTokens or BatchCost if that cap of the batch is reached, else "".
	Caps func() string
	// Stopped reports whether the batch was stopped: then it was not the user who left the session.
	Stopped func() bool
	// Begin waits until a participant may be called, and returns what is to be called when the call has ended.
	Begin func(ctx context.Context, participant string) (end func(), err error)
	// Slow says that a participant must not be called by anybody until a time, since its server gets too many calls.
	Slow func(participant string, until time.Time)
	// TakenOver says that another process may still believe that it runs the session: the first event has to say that
	// this one does.
	TakenOver bool
}

// The reasons of a pause that the batch of a session is the cause of.
const (
	BatchTokens  = "the batch reached its cap on tokens"
	BatchCost    = "the batch reached its cap on the cost"
	BatchStopped = "the batch was stopped"
)

// Session drives one session. Its methods are safe to call from any goroutine while Run is
// active; they run on the loop's goroutine, between events.
type Session struct {
	Options
	// commands is the one queue into the loop: requests of the front end, results of calls and
	// checks, and what participants did after a cancelled call.
	commands chan func()
	done     chan struct{}
	// The following fields belong to the loop's goroutine. State includes the staged
	// events; stored is the state that the log holds.
	stored   *state.State
	staged   []state.Event
	stepping bool
	steps    int
	// through is the last round that runs without waiting.
	through int
	leaving bool
	// pausing says that the user paused the session, through a channel, and so it leaves.
	pausing       bool
	pausedThrough state.Channel
	proceed       bool
	cancelled     bool
	// failures are the pauses for which the failed calls of a turn are the cause.
	failures []state.SessionPaused
	cancel   context.CancelFunc
	edited   map[state.Seat]edit
	// schemas holds the schemas of replies by their moves: a session sends the same few again and again.
	schemas map[string]json.RawMessage
	pending []protocol.Ask
	// looks holds the lookups of each seat's last turn.
	looks map[state.Seat]*protocol.TurnLookups
	// lingering counts participants that may still be active after a cancelled call; lost
	// is the error from recording their actions.
	lingering int
	lost      error
	// forecastRound is the last round whose cost was reported.
	forecastRound int
}

// stage applies the events of a reply, of a decision of the user or of the format, with their
// sequence numbers and time. The next flush writes them to the log as one unit, so that a reply and
// the resulting rulings need one sync.
//
// Events from admission have been folded once before, in its draft. The draft's state can't be used
// here: the reply event comes first, and its fold needs the refused moves. Also, admission stays a
// function of the state, so that Verify can call it.
func (r *Session) stage(payloads ...state.Payload) error {
	return r.stageThrough(state.ChannelTerminal, payloads...)
}

// stageThrough is stage for a decision of the user that came through a channel.
func (r *Session) stageThrough(channel state.Channel, payloads ...state.Payload) error {
	next, events, err := state.ExtendThrough(r.State, r.Now(), channel, payloads...)
	if err != nil {
		return fmt.Errorf("record what happened: %w; the session is saved up to event %d", err, r.stored.Seq)
	}
	r.State, r.staged = next, append(r.staged, events...)
	return nil
}

// flush writes the staged events, then reports them. If the log fails, they are discarded.
func (r *Session) flush() error {
	if len(r.staged) == 0 {
		return nil
	}
	events := r.staged
	r.staged = nil
	if err := r.Log.Append(events); err != nil {
		r.State = r.stored
		return err
	}
	r.stored = r.State
	r.Watch(Advanced(events, r.State))
	return nil
}

// append stages events and flushes.
func (r *Session) append(payloads ...state.Payload) error {
	return r.appendThrough(state.ChannelTerminal, payloads...)
}

// appendThrough is append for a decision of the user that came through a channel.
func (r *Session) appendThrough(channel state.Channel, payloads ...state.Payload) error {
	if err := r.stageThrough(channel, payloads...); err != nil {
		return err
	}
	return r.flush()
}

func (r *Session) stopped(ctx context.Context) error {
	if r.leaving || ctx.Err() != nil {
		return protocol.ErrStopped
	}
	return r.lost
}

// overBudget says which cap is reached, or "" (EX6).
func (r *Session) overBudget() string {
	why := overBudget(r.State, r.Now())
	if why == "" && r.Batch != nil {
		why = r.Batch.Caps()
	}
	return why
}

// call is a request to a seat on the record.
type call struct {
	// ask has the moves that the seat was offered, with or without lookups.
	ask protocol.Ask
	// tokens is the size of its prompt, edited says that the user wrote it.
	tokens int
	edited bool
	// ended says that the call brought no reply: its usage was counted, and nothing more can come of it but the reason.
	ended bool
}
