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
			err = errors.New(
				"a decision after the end leaves something to do: this is a bug in moot; nothing was recorded",
			)
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

// DefaultCommandTime is the default limit of a command.
const DefaultCommandTime = 2 * time.Minute

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
	changed = changed || r.Batch != nil && r.Batch.TakenOver && !r.State.Closed
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

// userLeft is the reason of a pause when the user leaves, userPaused when the user paused it from another process. A coding
// agent is never the user.
const (
	userLeft   = "the user left"
	userPaused = "the user paused it with moot pause"
	agentLeft  = "the agent left"
)

// recordLeave records that the user left or the run was interrupted. This is best effort:
// the session can be resumed without it.
func (r *Session) recordLeave(err error) error {
	if !errors.Is(err, protocol.ErrStopped) {
		return errors.Join(err, r.flush())
	}
	if !r.State.Closed && r.State.Paused == state.PauseNone {
		pause, channel := &state.SessionPaused{Why: state.PauseUser, Reason: userLeft}, state.ChannelTerminal
		switch before := r.State.Unsettled; {
		case before != nil:
			pause = before // The user only looked at it: why it paused has not changed (SE4).
		case r.pausing:
			pause.Reason, channel = userPaused, r.pausedThrough
		case r.Batch != nil && r.Batch.Stopped():
			pause.Reason = BatchStopped
		case r.Agent:
			pause.Reason = agentLeft
		}
		if e := r.stageThrough(channel, pause); e != nil {
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

// Advanced returns the notice of events that led to a state.
func Advanced(events []state.Event, s *state.State) protocol.Advanced {
	rulings := sync.OnceValue(func() []state.Ruling { return resolver.Rule(s) })
	return protocol.Advanced{Events: events, State: s, Rulings: rulings}
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
