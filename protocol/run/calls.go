package run

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/move"
	"moot/protocol/reply"
	"moot/state"
)

// ask asks the seats of a turn in parallel and admits the replies in the order of the asks.
func (r *Session) ask(ctx context.Context, turn *protocol.Turn) error {
	asks := turn.Asks
	if why := r.overBudget(); why != "" {
		if asks[0].Stage == state.StageConclude {
			return r.unconcluded(asks, why, nil)
		}
		return r.append(&state.SessionPaused{Why: state.PauseBudget, Reason: why})
	}
	if again, err := r.ready(ctx, turn); again || err != nil {
		return err
	}
	calls, err := r.send(r.withinCaps(asks))
	if err != nil {
		return err
	}
	r.forecast(turn, &calls[0].Prompt)
	if err := r.collect(ctx, calls); err != nil {
		return err
	}
	return r.stopped(ctx)
}

// ready waits for Step if the loop is stepping. It returns true if the state changed while
// waiting, so that the turn must be computed again.
func (r *Session) ready(ctx context.Context, turn *protocol.Turn) (bool, error) {
	asks := turn.Asks
	if r.stepping && r.steps == 0 && r.State.Round > r.through {
		if err := r.flush(); err != nil {
			return false, err
		}
		prompt := r.prompt(asks[0])
		r.forecast(turn, &prompt)
		r.pending = asks
		defer func() { r.pending = nil }()
		r.Watch(protocol.TurnReady{Asks: asks})
		seq := r.State.Seq
		ready := func() bool {
			return r.steps > 0 || !r.stepping || r.State.Round <= r.through || r.State.Seq != seq
		}
		if err := r.wait(ctx, ready); err != nil {
			return false, err
		}
		if r.State.Seq != seq {
			return true, nil
		}
	}
	r.steps = 0
	return false, nil
}

// looking adds the lookup moves to an ask, if the seat is offered lookups (LU2).
func (r *Session) looking(ask protocol.Ask) (protocol.Ask, bool) {
	looks := r.Looker != nil && r.State.Settings.Lookups > 0 && protocol.NeedsLookups(r.Participants[ask.Seat])
	if looks {
		ask.Moves = slices.Concat(ask.Moves, move.Lookups())
	}
	return ask, looks
}

// prompt returns the prompt for a seat, with the user's edit if there is one.
func (r *Session) prompt(ask protocol.Ask) protocol.Prompt {
	ask, _ = r.looking(ask)
	p := protocol.Of(r.State).Prompt(r.State, ask)
	if edit, ok := r.edited[ask.Seat]; ok {
		return edited(p, edit.text)
	}
	return p
}

// edited is a prompt with the text of the user. What the user took out does not reach the seat.
func edited(p protocol.Prompt, text string) protocol.Prompt {
	p.Text = text
	p.Shown = slices.DeleteFunc(p.Shown, func(m protocol.Material) bool {
		return !strings.Contains(text, strings.TrimSpace(m.Text))
	})
	return p
}

// send records all prompts before the first call.
func (r *Session) send(asks []protocol.Ask) ([]protocol.Call, error) {
	calls := make([]protocol.Call, len(asks))
	var record []func() error
	for i, ask := range asks {
		if r.Participants[ask.Seat] == nil {
			return nil, fmt.Errorf("seat %s has no participant: name one with --seat %s=PARTICIPANT; "+
				"the session is saved", ask.Seat, ask.Seat)
		}
		prompt := r.prompt(ask)
		edit, edited := r.edited[ask.Seat]
		if edited {
			record = append(record, func() error {
				return r.stageThrough(
					edit.channel,
					&state.PromptEdited{Seat: ask.Seat, Stage: ask.Stage, Text: edit.text},
				)
			})
			delete(r.edited, ask.Seat)
		}
		offered, looks := r.looking(ask)
		moves := strings.Join(enum.Words(offered.Moves), " ")
		if r.schemas[moves] == nil {
			r.schemas[moves] = r.parser().Schema(offered.Moves)
		}
		var look *protocol.TurnLookups
		// The call may use it in another goroutine, while replies change the session.
		parser := r.parser()
		if looks {
			look = protocol.NewTurnLookups(
				parser.Specs,
				r.Looker,
				ask,
				r.State.Settings.Lookups,
				func(text string) {
					r.Watch(protocol.Reported{Seat: ask.Seat, Text: text, Lookup: true})
				},
			)
			asked := r.State.AskedOf(ask.Seat, ask.Stage)
			earlier := r.looks[ask.Seat]
			if earlier != nil && earlier.Count() > 0 && asked.Failed > 0 && asked.Replies == 0 {
				// Only the reply failed: what was looked up stays.
				if look.Continue(earlier); !edited {
					prompt = look.Answered(r.State, prompt, 0)
				}
			}
			r.looks[ask.Seat] = look
		}
		calls[i] = protocol.Call{
			Ask: offered, Prompt: prompt, Schema: r.schemas[moves], Look: look, Edited: edited,
			Parses: func(text string) bool {
				_, err := parser.Parse(text, offered)
				return err == nil
			},
		}
		record = append(record, func() error { return r.stage(prompt.Sent(ask)...) })
	}
	for _, stage := range record {
		if err := stage(); err != nil {
			return nil, err
		}
	}
	if err := r.flush(); err != nil {
		return nil, err
	}
	for i := range calls {
		calls[i].State = r.State
	}
	return calls, nil
}

// answer is the result of a call.
type answer struct {
	reply protocol.Reply
	err   error
}

// collect runs the calls in parallel and serves the front end in the meantime. Its
// goroutines have ended when it returns.
//
// Replies are admitted in call order, so that the same replies always produce the same
// events. Each is stored as soon as all earlier calls have ended, so that a killed process
// doesn't lose every reply because of one slow call. Failures are handled once all calls
// have ended.
func (r *Session) collect(run context.Context, calls []protocol.Call) error {
	ctx, cancel := r.callContext(run)
	defer cancel()
	r.cancel, r.cancelled, r.failures = cancel, false, nil
	defer func() { r.cancel = nil }()

	answers := make([]*answer, len(calls))
	waiting, admitted := len(calls), 0
	var failed error
	ended := func(i int, p protocol.Participant, a *answer) {
		answers[i], waiting = a, waiting-1
		if a.err != nil {
			r.collectAftermath(calls[i].Ask.Seat, p)
		}
		if waiting == 0 || failed != nil {
			return
		}
		for ; failed == nil && answers[admitted] != nil && answers[admitted].err == nil; admitted++ {
			failed = r.admit(calls[admitted], answers[admitted].reply)
		}
		if failed = cmp.Or(failed, r.flush()); failed != nil {
			// Stop the other calls, since their replies couldn't be stored.
			cancel()
		}
	}
	for i, call := range calls {
		p := r.Participants[call.Ask.Seat]
		r.Watch(protocol.CallStarted{Ask: call.Ask, Participant: p.Name(), At: r.Now()})
		go func() {
			a := r.callOne(ctx, p, call)
			r.Watch(protocol.CallEnded{Seat: call.Ask.Seat, Err: a.err})
			r.commands <- func() { ended(i, p, &a) }
		}()
	}
	for waiting > 0 {
		(<-r.commands)()
	}
	// An error that ends the run is returned after the last reply is recorded.
	var end error
	for ; failed == nil && admitted < len(calls); admitted++ {
		call, a := calls[admitted], answers[admitted]
		if a.err == nil {
			failed = r.admit(call, a.reply)
			continue
		}
		var ends error
		ends, failed = r.unanswered(run, call, *a)
		end = cmp.Or(end, ends)
	}
	if pause := r.failures; failed == nil && len(pause) > 0 {
		// A pause names each seat that failed.
		reasons := lists.Distinct(lists.Map(pause, func(p state.SessionPaused) string { return p.Reason }))
		failed = r.pause(pause[0].Why, strings.Join(reasons, "; "), pause[0].Failure)
	}
	return cmp.Or(failed, end)
}

// collectAftermath records in the background what a participant did in a cancelled call.
func (r *Session) collectAftermath(seat state.Seat, p protocol.Participant) {
	l, ok := p.(protocol.Lingering)
	if !ok {
		return
	}
	r.lingering++
	go func() {
		texts := l.Aftermath()
		r.commands <- func() {
			r.lingering--
			for _, text := range texts {
				if r.lost == nil {
					r.lost = r.append(&state.WorkspaceChanged{Seat: seat, Text: text})
				}
			}
		}
	}()
}

// waitForAftermath waits until all participants have stopped and their actions are
// recorded.
func (r *Session) waitForAftermath() error {
	for r.lingering > 0 {
		(<-r.commands)()
	}
	return r.lost
}

// callContext limits the calls to the remaining time budget (EX6).
func (r *Session) callContext(ctx context.Context) (context.Context, context.CancelFunc) {
	s := r.State
	if s.MaxSeconds == 0 || s.Resumed.IsZero() {
		return context.WithCancel(ctx)
	}
	left := time.Duration(s.MaxSeconds)*time.Second - s.Active - max(0, r.Now().Sub(s.Resumed))
	return context.WithTimeout(ctx, left)
}

// callOne asks one participant, and again while its reply looks at the workspace (LU1).
func (r *Session) callOne(ctx context.Context, p protocol.Participant, call protocol.Call) answer {
	var spent protocol.Reply
	prompt, begun := call.Prompt, 0
	if call.Look != nil {
		begun = call.Look.Count()
	}
	for {
		a := r.askOne(ctx, p, call)
		a.reply.Add(spent)
		a.reply.Attempts -= min(1, spent.Attempts) // a lookup is no retry
		lookups := r.lookups(call, a)
		if len(lookups) == 0 {
			return a
		}
		for _, lookup := range lookups {
			call.Look.Answer(ctx, lookup)
		}
		call.Prompt = call.Look.Answered(call.State, prompt, begun)
		spent = a.reply
	}
}

// lookups returns those in a reply that are still to be answered.
func (r *Session) lookups(call protocol.Call, a answer) (lookups []move.Move) {
	if call.Look == nil || call.Look.Spent() || a.err != nil {
		return nil
	}
	// It runs beside the session, so it reads the state of the call.
	parsed, err := r.Parser.In(protocol.Of(call.State)).Parse(a.reply.Text, call.Ask)
	if err != nil {
		return nil
	}
	return lists.Filter(parsed.Moves, func(m move.Move) bool {
		return slices.Contains(move.Lookups(), move.KindOf(m))
	})
}

// askOne asks one participant once and turns a panic into an error.
func (r *Session) askOne(ctx context.Context, p protocol.Participant, call protocol.Call) (a answer) {
	record := CallRecord(noRecord{})
	if r.Recorder != nil {
		ctx, record = r.Recorder.Begin(ctx, call, p.Name())
	}
	defer func() {
		if v := recover(); v != nil {
			a.err = &PanicError{Value: v, Stack: debug.Stack()}
		}
		if note := record.End(a.reply, a.err); note != "" {
			a.reply.Notes = append(a.reply.Notes, note)
			r.Watch(protocol.Reported{Seat: call.Ask.Seat, Text: note})
		}
	}()
	if r.Batch != nil {
		end, err := r.Batch.Begin(ctx, p.Name())
		if err != nil {
			return answer{err: err}
		}
		defer end()
	}
	reply, err := p.Reply(ctx, call, func(d protocol.Delta) {
		record.Tell(d)
		if d.Note != "" {
			told := protocol.Reported{Seat: call.Ask.Seat, Text: d.Note}
			if d.Wait > 0 {
				told.Until = r.Now().Add(d.Wait)
			}
			if d.Throttled && r.Batch != nil {
				r.Batch.Slow(p.Name(), told.Until)
			}
			r.Watch(told)
			return
		}
		if d.Thought != "" {
			r.Watch(protocol.Thinking{Seat: call.Ask.Seat, Text: d.Thought})
			return
		}
		r.Watch(protocol.Streamed{Seat: call.Ask.Seat, Text: d.Text, Restart: d.Restart})
	})
	reply.Text = strings.ToValidUTF8(reply.Text, "\uFFFD")
	return answer{reply: reply, err: err}
}

// admit stages a finished reply with its usage and its admitted moves.
func (r *Session) admit(call protocol.Call, reply protocol.Reply) error {
	return r.stage(append(r.spent(call, reply), r.admitted(call, reply)...)...)
}

// admitted returns the events of a reply: its usage, the reply, and its admitted moves.
func (r *Session) admitted(call protocol.Call, got protocol.Reply) []state.Payload {
	call.Ask.Kinds = r.State.Settings.Kinds
	parsed, err := r.parser().Parse(got.Text, call.Ask)
	if err != nil {
		failure := r.failure(call.Ask.Seat, reply.FormatFailure(got.Text))
		return refused(call.Ask, got, err.Code, err.Error(), failure)
	}
	onlyLooked := parsed.RefuseLookups()
	admission := protocol.Of(r.State).Admit(r.State, call.Ask, parsed.Moves)
	for _, e := range admission.Events {
		if q, ok := e.(*state.QualityFailed); ok && onlyLooked && q.Seat == call.Ask.Seat {
			q.Failure = &state.Failure{Seat: q.Seat, Kind: state.FailureLookups}
		}
	}
	no := append([]state.Refusal{}, parsed.Refused...)
	for _, f := range admission.Refused {
		if f.Move > 0 {
			f.Move = parsed.Numbers[f.Move-1]
		}
		no = append(no, f)
	}
	told := received(call.Ask, got)
	told.Valid, told.Refused, told.Repaired = true, no, parsed.Repaired
	told.ReadAs = parsed.ReadAs
	told.Moves = movesLeft(parsed.Moves, admission.Refused)
	return append([]state.Payload{told}, admission.Events...)
}

// movesLeft counts the admitted moves of a reply.
func movesLeft(moves []move.Move, refused []state.Refusal) int {
	gone := map[int]bool{}
	for _, f := range refused {
		if f.Move > 0 {
			gone[f.Move] = true
		}
	}
	return len(moves) - len(gone)
}

// refused returns a reply that was refused as a whole.
func refused(ask protocol.Ask, reply protocol.Reply, code, why string, failure *state.Failure) []state.Payload {
	told := received(ask, reply)
	told.Refused = []state.Refusal{{Code: code, Text: why}}
	return []state.Payload{
		told, &state.ReplyRefused{Seat: ask.Seat, Stage: ask.Stage, Code: code, Reason: why, Failure: failure},
	}
}

func received(ask protocol.Ask, reply protocol.Reply) *state.ReplyReceived {
	return &state.ReplyReceived{
		Seat: ask.Seat, Stage: ask.Stage, Text: reply.Text, Model: reply.Model, Conversation: reply.Conversation,
		Recovered: reply.Recovered, By: reply.By,
	}
}

// spent returns the events that are recorded before a finished reply: lookups, usage and who
// answered.
func (r *Session) spent(call protocol.Call, reply protocol.Reply) []state.Payload {
	seat := call.Ask.Seat
	events := append(call.LookupEvents(), usageOf(call, reply))
	events = append(events, learned(call, reply)...)
	return append(events, replaced(r.State, seat, reply)...)
}

// replaced returns the event of another model or participant that answered for a seat, so that a substitution is
// visible.
func replaced(s *state.State, seat state.Seat, reply protocol.Reply) []state.Payload {
	now, seated := s.Assignment(seat)
	if !seated || (reply.Model == "" || reply.Model == now.Model) && reply.By == now.Answering {
		return nil
	}
	now.Model, now.Answering = reply.Model, reply.By
	return []state.Payload{&state.SeatTaken{SeatAssignment: now, By: state.Protocol}}
}

// learned returns the event of what a participant learned in a call, with or without a reply.
func learned(call protocol.Call, reply protocol.Reply) []state.Payload {
	if len(reply.Learned) == 0 {
		return nil
	}
	return []state.Payload{&state.ParticipantLearned{Seat: call.Ask.Seat, Lessons: reply.Learned}}
}

// usageOf returns the usage of a call, with or without a reply.
func usageOf(call protocol.Call, reply protocol.Reply) *state.UsageCounted {
	return &state.UsageCounted{
		Seat: call.Ask.Seat, Calls: 1, PromptTokens: reply.PromptTokens, CompletionTokens: reply.CompletionTokens,
		Estimated: reply.Estimated, Cost: reply.Cost, Unpriced: reply.Unpriced, Attempts: reply.Attempts,
		WaitedMillis: int(reply.Waited.Milliseconds()),
		TookMillis:   int(reply.Took.Milliseconds()), Notes: append([]string{}, reply.Notes...),
	}
}

// CallRecord records one call.
type CallRecord interface {
	// Tell records a delta of the reply.
	Tell(d protocol.Delta)
	// End records the result of the call. It returns a note about the recording, or "".
	End(reply protocol.Reply, err error) string
}

// noRecord is used when nothing is recorded.
type noRecord struct{}

func (noRecord) Tell(protocol.Delta) {}

func (noRecord) End(protocol.Reply, error) string { return "" }
