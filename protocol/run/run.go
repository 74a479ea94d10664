// Package run drives a session: it asks the participants, admits their replies, has evidence
// checked, and stores the events before it reports them. Start at Session.Run.
package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"moot/protocol"
	"moot/protocol/reply"
	"moot/resolver"
	"moot/state"
)

// Decide returns the events of a decision of the user in a session that nothing runs, and the state after them. If the
// session is closed, they include what the decision changes in the rulings and in the answer, and the new end (AN3); no
// seat is asked. They belong into the log together.
func Decide(s *state.State, move protocol.UserMove, now time.Time) ([]state.Event, *state.State, error) {
	payloads, err := protocol.AdmitUser(s, move)
	if err != nil {
		return nil, s, err
	}
	_, channel := protocol.ChannelOf(move)
	next, events, err := state.ExtendThrough(s, now, channel, payloads...)
	for err == nil && next.Decided > 0 {
		turn := protocol.Of(next).Next(next)
		if payloads = turn.Events; turn.Close {
			payloads = []state.Payload{protocol.Closing(next, turn.Exit)}
		}
		if len(payloads) == 0 {
			err = errors.New("a decision after the end leaves something to do: this is a bug in moot; nothing was recorded")
			break
		}
		var more []state.Event
		next, more, err = state.Extend(next, now, payloads...)
		events = append(events, more...)
	}
	if err != nil {
		return nil, s, err
	}
	return events, next, nil
}

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
	// CheckTime limits the check of one reference; 0 means 10 s.
	CheckTime time.Duration
	// CommandTime limits one command; 0 means 2 min.
	CommandTime time.Duration
}

// DefaultCommandTime is the default limit of a command.
const DefaultCommandTime = 2 * time.Minute

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
	through   int
	leaving   bool
	proceed   bool
	cancelled bool
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

// New prepares a session; Run starts it.
func New(o Options) *Session {
	if o.Watch == nil {
		o.Watch = func(protocol.Notice) {}
	}
	o.CheckTime = cmp.Or(o.CheckTime, 10*time.Second)
	o.CommandTime = cmp.Or(o.CommandTime, DefaultCommandTime)
	return &Session{
		Options: o, commands: make(chan func()), done: make(chan struct{}),
		stepping: o.Step, edited: map[state.Seat]edit{}, schemas: map[string]json.RawMessage{}, stored: o.State,
		looks: map[state.Seat]*protocol.TurnLookups{},
	}
}

// parser returns the parser for the session's format.
func (r *Session) parser() *reply.Parser { return r.Parser.In(protocol.Of(r.State)) }

// Run drives the session until it closes, pauses unattended, fails, the user leaves, or
// ctx ends; the last two return ErrStopped. Every event reported to Watch is in the log.
// It may be called once.
func (r *Session) Run(ctx context.Context) (err error) {
	defer close(r.done)
	defer func() {
		if failed := r.waitForAftermath(); failed != nil && (err == nil || errors.Is(err, protocol.ErrStopped)) {
			err = failed
		}
		r.Watch(protocol.Ended{State: r.State, Rulings: resolver.Rule(r.State), Err: err})
	}()
	opens := r.State.Settings
	changed := opens.Attended != r.Attended || opens.Agent != r.Agent
	// A session that broke off within a decision after its end only has to be closed again.
	if (r.State.Round > 0 || r.State.Paused != state.PauseNone || changed) && r.State.Decided == 0 {
		if err := r.append(&state.SessionResumed{Attended: r.Attended, Agent: r.Agent}); err != nil {
			return err
		}
	}
	for {
		if err := r.serve(ctx); err != nil {
			return r.recordLeave(err)
		}
		if r.State.Closed {
			return nil
		}
		if r.State.Paused != state.PauseNone {
			// A format may have paused the session: store that event.
			if err := r.flush(); err != nil || !r.Attended {
				return err
			}
			if err := r.resume(ctx); err != nil {
				return r.recordLeave(err)
			}
			continue
		}
		if err := r.turn(ctx); err != nil {
			return r.recordLeave(err)
		}
	}
}

// userLeft is the reason of a pause when the user leaves. A coding agent is never the user.
const (
	userLeft  = "the user left"
	agentLeft = "the agent left"
)

// recordLeave records that the user left or the run was interrupted. This is best effort:
// the session can be resumed without it.
func (r *Session) recordLeave(err error) error {
	if !errors.Is(err, protocol.ErrStopped) {
		return errors.Join(err, r.flush())
	}
	if !r.State.Closed && r.State.Paused == state.PauseNone {
		reason := userLeft
		if r.Agent {
			reason = agentLeft
		}
		pause := &state.SessionPaused{Why: state.PauseUser, Reason: reason}
		if before := r.State.Unsettled; before != nil {
			pause = before // The user only looked at it: why it paused has not changed (SE4).
		}
		if e := r.stage(pause); e != nil {
			return e
		}
	}
	// The format may have staged a pause with the last reply.
	return cmp.Or(r.flush(), protocol.ErrStopped)
}

// turn executes the next turn of the format.
func (r *Session) turn(ctx context.Context) error {
	t := protocol.Of(r.State).Next(r.State)
	switch {
	case t.Close:
		// Nothing can be recorded after the session is closed.
		seq := r.State.Seq
		if err := r.waitForAftermath(); err != nil || r.State.Seq != seq {
			return err
		}
		return r.append(protocol.Closing(r.State, t.Exit))
	case len(t.Events) > 0:
		return r.stage(t.Events...)
	case len(t.Check) > 0:
		return r.check(ctx, t.Check)
	case len(t.Asks) > 0:
		return r.ask(ctx, &t)
	case len(t.Await) > 0:
		return r.await(ctx, t.Await)
	}
	return errors.New("the format has no next turn: this is a bug in moot; the session is saved")
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

// Advanced returns the notice of events that led to a state.
func Advanced(events []state.Event, s *state.State) protocol.Advanced {
	rulings := sync.OnceValue(func() []state.Ruling { return resolver.Rule(s) })
	return protocol.Advanced{Events: events, State: s, Rulings: rulings}
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

// serve runs the front end's pending commands without waiting.
func (r *Session) serve(ctx context.Context) error {
	for {
		select {
		case f := <-r.commands:
			f()
		default:
			return r.stopped(ctx)
		}
	}
}

func (r *Session) stopped(ctx context.Context) error {
	if r.leaving || ctx.Err() != nil {
		return protocol.ErrStopped
	}
	return r.lost
}

// wait serves commands until ready reports true.
func (r *Session) wait(ctx context.Context, ready func() bool) error {
	for !ready() {
		if err := r.stopped(ctx); err != nil {
			return err
		}
		select {
		case f := <-r.commands:
			f()
		case <-ctx.Done():
		}
	}
	return r.stopped(ctx)
}

// resume waits for the user to continue after a pause.
func (r *Session) resume(ctx context.Context) error {
	r.proceed = false
	r.Watch(protocol.TurnReady{})
	if err := r.wait(ctx, func() bool { return r.proceed || r.State.Closed }); err != nil {
		return err
	}
	r.proceed = false
	if r.State.Closed {
		return nil
	}
	return r.append(&state.SessionResumed{Attended: true, Agent: r.Agent})
}

// await waits for answers without which nothing can continue.
func (r *Session) await(ctx context.Context, questions []string) error {
	if !r.Attended {
		return errors.New("the session waits for an answer, but it is unattended: this is a bug in moot; " +
			"the session is saved")
	}
	if err := r.flush(); err != nil {
		return err
	}
	r.Watch(protocol.Waiting{Questions: questions})
	seq := r.State.Seq
	return r.wait(ctx, func() bool { return r.State.Seq != seq })
}

// raise precedes the flag in the reason of a pause.
const raise = "raise it with "

// CapReached returns the flag of the cap that paused the session ("--max-tokens",
// "--max-cost" or "--timeout"), or "".
func CapReached(s *state.State) string {
	if s.Paused != state.PauseBudget {
		return ""
	}
	_, flag, _ := strings.Cut(s.PauseReason, raise)
	return flag
}

// overBudget says which cap is reached, or "" (EX6).
func (r *Session) overBudget() string { return overBudget(r.State, r.Now()) }

func overBudget(s *state.State, now time.Time) string {
	used := s.Usage.PromptTokens + s.Usage.CompletionTokens
	active := s.Active
	if !s.Resumed.IsZero() {
		active += max(0, now.Sub(s.Resumed))
	}
	switch {
	case s.MaxTokens > 0 && used >= s.MaxTokens:
		return fmt.Sprintf("%d of %d tokens are used; "+raise+"--max-tokens", used, s.MaxTokens)
	case s.MaxCost > 0 && s.Usage.Cost >= s.MaxCost:
		return fmt.Sprintf("$%.4f of $%.4f are used; "+raise+"--max-cost", s.Usage.Cost, s.MaxCost)
	case s.MaxSeconds > 0 && active >= time.Duration(s.MaxSeconds)*time.Second:
		return fmt.Sprintf("%d s of %d s are used; "+raise+"--timeout", int(active.Seconds()), s.MaxSeconds)
	}
	return ""
}
