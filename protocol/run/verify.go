package run

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/protocol/reply"
	"moot/state"
	"moot/view"
)

// Verify replays a session from its inputs: the replies, the results of checks and lookups, and the
// decisions of the user. It writes each prompt again, parses and admits each reply again, stamps each
// item of evidence again, asks the format for each turn, and compares the resulting events with the
// recorded ones. It returns the state at the end; the error is a *MismatchError that names the first
// event that differs.
//
// The inputs themselves cannot be verified: a file with rewritten replies passes if the rest fits.
// Only comparing it with a known head finds that.
func Verify(parser *reply.Parser, events []state.Event) (*state.State, error) {
	v := &verifier{parser: parser, events: events, state: &state.State{}}
	for v.at < len(events) {
		if why := v.step(); why != "" {
			return v.state, &MismatchError{Seq: events[v.at].Seq, What: why}
		}
	}
	return v.state, nil
}

// MismatchError reports an event that does not follow from the state before it. If the chain is
// intact, somebody rewrote the session, or another version of the rules wrote it.
type MismatchError struct {
	// Seq is the event, which is also its line in the session file.
	Seq int
	// What describes the mismatch in a clause.
	What string
}

// Error names the line.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("line %d does not recompute: %s", e.Seq, e.What)
}

// verifier replays a session and compares it with its record.
type verifier struct {
	parser *reply.Parser
	events []state.Event
	// at is the index of the next event, state the state before it.
	at    int
	state *state.State
	// calls are the seats that were asked and may still reply, in the order in which their replies
	// are admitted.
	calls []call
	// looks are the lookups of each seat's last turn. The map is replaced, never changed.
	looks map[state.Seat]protocol.TurnRecord
}

// step replays the next events that belong together, or returns why the next one does not follow.
func (v *verifier) step() string {
	n, why := v.next()
	for range min(n, len(v.events)-v.at) {
		if why != "" {
			break
		}
		why = v.apply()
	}
	return why
}

// apply applies the next event, which is known to follow.
func (v *verifier) apply() (why string) {
	e := v.events[v.at]
	if v.at > 0 && e.At.Before(v.state.At) {
		return "its time is before that of the event before it"
	}
	_, edited := e.Data.(*state.PromptEdited)
	pause, paused := e.Data.(*state.SessionPaused)
	paused = paused && pause.Reason == userPaused
	if e.Channel != state.ChannelTerminal && !edited && !paused && !byUser(e.Data) {
		return "it names a channel and is not a decision of the user"
	}
	next, err := state.Apply(v.state, e)
	if err != nil {
		return err.Error()
	}
	v.state, v.at = next, v.at+1
	return ""
}

// next returns how many of the next events follow from the state, or why the next one does not.
func (v *verifier) next() (n int, why string) {
	_, opens := v.events[v.at].Data.(*state.SessionOpened)
	switch {
	case opens != (v.at == 0):
		return 0, "a session is opened once, by its first event"
	case opens:
		return v.opening(), ""
	}
	switch e := v.events[v.at].Data.(type) {
	case *state.SessionPaused:
		if v.state.Paused != state.PauseNone {
			return 0, "the session is paused already"
		}
		if v.pauses(e) {
			v.calls = nil
			return 1, ""
		}
	case *state.SessionResumed:
		v.calls, v.looks = nil, nil
		return 1, ""
	case *state.WorkspaceChanged:
		if _, seated := v.state.Assignment(e.Seat); !seated {
			return 0, "it names a seat that nobody fills"
		}
		return 1, ""
	case *state.PromptSent, *state.PromptEdited:
		return v.asked()
	case *state.LookupAnswered, *state.UsageCounted, *state.ParticipantLearned, *state.PromptShrunk, *state.ReplyReceived:
		return v.answered()
	case *state.SessionClosed:
		turn := protocol.Of(v.state).Next(v.state)
		if !turn.Close {
			return 0, "the session cannot be closed here"
		}
		return 1, difference(e, protocol.Closing(v.state, turn.Exit))
	case *state.SeatMissed:
		for i, c := range v.calls {
			want := protocol.Of(v.state).Missing(v.state, c.ask, e.Reason, e.Failure)
			if len(want) > 0 && v.same(v.at, want) == "" {
				v.calls = v.calls[i+1:]
				return len(want), ""
			}
		}
	case *state.SeatTaken:
		if e.By == state.Protocol {
			return v.answered()
		}
	case *state.EvidenceOffered:
		if e.By == state.User {
			// What the user supplies is stamped at once.
			return 2, v.same(v.at+1, []state.Payload{claims.Supplied(e)})
		}
	}
	if byUser(v.events[v.at].Data) {
		return 1, unusual(v.state, v.events[v.at].Data)
	}
	return v.turn()
}

// opening returns how many events open the session: up to the first turn. A format marks an event of its own that belongs
// there with a method BeforeTurns.
func (v *verifier) opening() int {
	n := 1
	for n < len(v.events) && v.events[n].At.Equal(v.events[0].At) {
		switch v.events[n].Data.(type) {
		case *state.FactRecorded, *state.PacketFacts, *state.PacketFrozen, *state.CommandsAllowed, *state.PointRaised,
			*state.EvidenceOffered, *state.Withheld, interface{ BeforeTurns() }:
			n++
			continue
		}
		break
	}
	return n
}

// apart returns two different values for a person to compare: long ones from shortly before they differ.
func apart(a, b string) (string, string) {
	const most, before = 200, 40
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	if at > before && max(len(a), len(b)) > most {
		a, b = "…"+strings.ToValidUTF8(a[at-before:], ""), "…"+strings.ToValidUTF8(b[at-before:], "")
	}
	show := func(text string) string {
		if text == "" {
			return "missing"
		}
		return plain.Clip(plain.Line(text), most)
	}
	return show(a), show(b)
}

// turn returns how many events are the next step by the rules.
func (v *verifier) turn() (n int, why string) {
	turn := protocol.Of(v.state).Next(v.state)
	switch {
	case len(turn.Events) > 0:
		v.calls = nil
		return len(turn.Events), v.same(v.at, turn.Events)
	case len(turn.Check) > 0:
		want := v.found(turn.Check)
		return len(want), v.same(v.at, want)
	}
	what := "nothing"
	switch {
	case turn.Close:
		what = "the end of the session"
	case len(turn.Await) > 0:
		what = "an answer of the user to " + strings.Join(turn.Await, ", ")
	case len(turn.Asks) > 0:
		what = fmt.Sprintf("that the %s is asked to %s", turn.Asks[0].Seat, turn.Asks[0].Stage)
	}
	return 0, fmt.Sprintf("%s does not follow: the rules give %s", state.KindOf(v.events[v.at].Data), what)
}

// same describes how the events from an index on differ from the wanted ones, or returns "".
func (v *verifier) same(at int, want []state.Payload) string {
	for i, w := range want {
		if at+i == len(v.events) {
			return ""
		}
		if why := differs(v.events[at+i].Data, w); why != "" {
			return why
		}
	}
	return ""
}

// differs describes how a recorded event differs from the wanted one, or returns "".
func differs(has, want state.Payload) string {
	if state.KindOf(has) != state.KindOf(want) {
		return fmt.Sprintf("%s does not follow: the rules give %s", state.KindOf(has), state.KindOf(want))
	}
	return difference(has, want)
}

// difference describes the fields in which a recorded event differs from the wanted one, or returns
// "".
func difference(recorded, want state.Payload) string {
	if reflect.DeepEqual(recorded, want) {
		return ""
	}
	// An empty list may have been written as null.
	var has, gives bytes.Buffer
	if err := cmp.Or(state.Encode(&has, recorded), state.Encode(&gives, want)); err != nil {
		return err.Error()
	}
	if bytes.Equal(has.Bytes(), gives.Bytes()) {
		return ""
	}
	var a, b map[string]json.RawMessage
	if json.Unmarshal(has.Bytes(), &a) != nil || json.Unmarshal(gives.Bytes(), &b) != nil {
		return "it does not decode"
	}
	var parts []string
	names := maps.Clone(a)
	maps.Copy(names, b)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !bytes.Equal(a[name], b[name]) {
			has, gives := apart(string(a[name]), string(b[name]))
			parts = append(parts, fmt.Sprintf("%s is %s, and the rules give %s", name, has, gives))
		}
	}
	return fmt.Sprintf("in %s %s", state.KindOf(recorded), strings.Join(parts, "; "))
}

// pauses reports whether the session may be paused as an event says: the user or an agent left, the user paused it, a cap is reached, or a
// seat that was asked gave no answer.
func (v *verifier) pauses(e *state.SessionPaused) bool {
	s := v.state
	left := &state.SessionPaused{Why: state.PauseUser, Reason: userLeft}
	if s.Settings.Agent {
		left.Reason = agentLeft
	}
	stopped := &state.SessionPaused{Why: state.PauseUser, Reason: BatchStopped}
	paused := &state.SessionPaused{Why: state.PauseUser, Reason: userPaused}
	switch {
	case s.Unsettled != nil && difference(e, s.Unsettled) == "", difference(e, left) == "", difference(e, paused) == "":
		return true
	case s.BatchItem != "" && difference(e, stopped) == "":
		return true
	case s.BatchItem != "" && e.Why == state.PauseBudget && (e.Reason == BatchTokens || e.Reason == BatchCost):
		return e.Failure == nil
	case e.Why == state.PauseBudget:
		return e.Failure == nil && reached(e.Reason, overBudget(s, v.events[v.at].At))
	case e.Failure == nil || e.Why != state.PauseUnreachable && e.Why != state.PauseContext:
		return false
	}
	a, _ := s.Assignment(e.Failure.Seat)
	return strings.HasPrefix(e.Reason, view.FailureLine(a.Participant, *e.Failure)) &&
		slices.ContainsFunc(v.calls, func(c call) bool { return c.ask.Seat == e.Failure.Seat })
}

// reached reports whether a recorded reason names the cap that is reached. Seconds may have passed until it was
// recorded.
func reached(recorded, now string) bool {
	_, said, timed := strings.Cut(recorded, " s of ")
	if _, seconds, also := strings.Cut(now, " s of "); timed && also {
		return said == seconds
	}
	return recorded == now
}

// asked returns how many events are the prompts of the next turn. Near a cap not all are sent.
func (v *verifier) asked() (n int, why string) {
	v.calls = nil
	if v.state.Paused != state.PauseNone {
		return 0, "the session is paused, and no seat is asked"
	}
	asks := protocol.Of(v.state).Next(v.state).Asks
	for _, ask := range asks {
		if _, seated := v.state.Assignment(ask.Seat); !seated {
			return 0, fmt.Sprintf("nobody fills the seat %s", ask.Seat)
		}
		at := v.at + n
		var edit *state.PromptEdited
		if at < len(v.events) {
			if e, edited := v.events[at].Data.(*state.PromptEdited); edited && e.Seat == ask.Seat &&
				e.Stage == ask.Stage {
				edit = e
				at++
			}
		}
		if at >= len(v.events) {
			break
		}
		e, sent := v.events[at].Data.(*state.PromptSent)
		if !sent || e.Seat != ask.Seat || e.Stage != ask.Stage {
			if n > 0 && v.state.MaxTokens == 0 && v.state.MaxCost == 0 {
				return 0, fmt.Sprintf("the rules also ask the %s to %s", ask.Seat, ask.Stage)
			}
			break
		}
		withheld, why := v.prompt(ask, e, edit)
		if why == "" {
			why = v.same(at+1, withheld)
		}
		if why != "" {
			return 0, why
		}
		n = at + 1 + len(withheld) - v.at
	}
	if n == 0 {
		_, why = v.turn()
	}
	return n, why
}

// prompt writes the prompt of a seat again and compares it with the recorded one. It returns the events that say what
// the prompt has no room for.
func (v *verifier) prompt(ask protocol.Ask, e *state.PromptSent, edit *state.PromptEdited) (withheld []state.Payload,
	why string,
) {
	s, offered, looking := v.state, ask, false
	if a, _ := s.Assignment(ask.Seat); a.Looks && s.Settings.Lookups > 0 {
		offered.Moves, looking = slices.Concat(ask.Moves, move.Lookups()), true
	}
	p := protocol.Of(s).Prompt(s, offered)
	if looking && p.System != e.System {
		// Without a workspace, no seat is offered lookups.
		if plain := protocol.Of(s).Prompt(s, ask); plain.System == e.System {
			p, offered, looking = plain, ask, false
		}
	}
	if edit != nil {
		p = edited(p, edit.Text)
	}
	if looking {
		turn := protocol.TurnRecord{Left: s.Settings.Lookups, Bytes: protocol.MaxLookup}
		before, asked := v.looks[ask.Seat], s.AskedOf(ask.Seat, ask.Stage)
		if len(before.Answered) > 0 && asked.Failed > 0 && asked.Replies == 0 {
			// Only the reply failed: what was looked up stays, unless another process asks again.
			if edit != nil {
				turn = before
			} else if p.Text != e.Text && before.Continues(s, p.Text, e.Text) {
				p.Text, turn = e.Text, before
			}
		}
		v.look(ask.Seat, turn)
	}
	want := p.Sent(ask)
	v.calls = append(v.calls, call{ask: offered, tokens: promptTokens(&p), edited: edit != nil})
	return want[1:], difference(e, want[0])
}

// look notes the lookups of a seat's turn.
func (v *verifier) look(seat state.Seat, turn protocol.TurnRecord) {
	looks := map[state.Seat]protocol.TurnRecord{seat: turn}
	for other, turn := range v.looks {
		if other != seat {
			looks[other] = turn
		}
	}
	v.looks = looks
}

// answered returns how many events are the result of a running call: its lookups and usage, then the reply with its
// admitted moves, if there is one. Calls before it in the list have failed.
func (v *verifier) answered() (n int, why string) {
	seat, stage := seatOf(v.events[v.at].Data)
	i := slices.IndexFunc(v.calls, func(c call) bool {
		return c.ask.Seat == seat && (stage == "" || c.ask.Stage == stage) && !c.ended
	})
	if i < 0 {
		if e, is := v.events[v.at].Data.(*state.ReplyReceived); is {
			return v.unasked(e)
		}
		return v.turn()
	}
	c, at := v.calls[i], v.at
	v.calls = slices.Clone(v.calls[i:])
	event := func() state.Payload {
		if at < len(v.events) {
			return v.events[at].Data
		}
		return nil
	}
	var looks *protocol.TurnRecord
	if turn, is := v.looks[seat]; is && slices.Contains(c.ask.Moves, move.KindRead) {
		looks = &turn
	}
	for {
		e, is := event().(*state.LookupAnswered)
		if !is || e.Seat != seat {
			break
		}
		if looks == nil {
			return 0, "the seat was offered no lookups"
		}
		if why := looks.Answer(e, c.ask.Stage); why != "" {
			return 0, why
		}
		at++
	}
	if looks != nil {
		v.look(seat, *looks)
	}
	counted := false
	if e, is := event().(*state.UsageCounted); is && e.Seat == seat {
		if e.Calls != 1 || min(e.PromptTokens, e.CompletionTokens, e.Attempts, e.WaitedMillis, e.TookMillis) < 0 ||
			e.Cost < 0 {
			return 0, "it counts one call, and nothing below 0"
		}
		at, counted = at+1, true
	}
	if e, is := event().(*state.ParticipantLearned); is && e.Seat == seat {
		if len(e.Lessons) == 0 {
			return 0, "nothing was learned"
		}
		at++
	}
	var taken *state.SeatTaken
	if e, is := event().(*state.SeatTaken); is && e.By == state.Protocol {
		taken = e
		at++
	}
	if e, is := event().(*state.ReplyReceived); is && e.Seat == seat && e.Stage == c.ask.Stage {
		want := v.reply(c.ask, e, at)
		unanswered := !e.Valid && e.Text == "" && e.Stage == state.StageConclude && len(e.Refused) == 1 &&
			e.Refused[0].Code == noAnswer
		if !counted && !unanswered {
			return 0, "the usage of its call is missing"
		}
		if !unanswered {
			if why := sameSeat(replaced(v.state, seat, protocol.Reply{Model: e.Model, By: e.By}), taken); why != "" {
				return 0, why
			}
		}
		v.calls = v.calls[1:]
		return at + len(want) - v.at, v.same(at, want)
	}
	if taken != nil {
		return 0, "a seat changes hands with a reply only"
	}
	if e, is := event().(*state.PromptShrunk); is && e.Seat == seat && e.Stage == c.ask.Stage {
		budget := e.Sent / 2
		if e.Limit > 0 && e.Limit < e.Sent {
			budget = e.Limit - e.Limit/4
		}
		if c.edited || e.Sent != c.tokens || e.Budget != budget || e.Budget <= 0 || e.Limit < 0 ||
			v.state.AskedOf(seat, c.ask.Stage).Shrunk >= maxShrinks {
			return 0, fmt.Sprintf("the prompt had %d tokens, and is shortened by what the endpoint takes", c.tokens)
		}
		v.calls = v.calls[1:]
		return at + 1 - v.at, ""
	}
	v.calls[0].ended = true
	return at - v.at, ""
}

// unasked returns how many events say that no seat was asked for the answer or for an objection to it, because a cap is
// reached.
func (v *verifier) unasked(e *state.ReplyReceived) (n int, why string) {
	if e.Stage == state.StageConclude && !e.Valid && e.Text == "" {
		for _, ask := range protocol.Of(v.state).Next(v.state).Asks {
			capped := overBudget(v.state, v.events[v.at].At) != ""
			if capped && ask.Seat == e.Seat && len(e.Refused) == 1 {
				want := refused(ask, protocol.Reply{}, noAnswer, e.Refused[0].Text, nil)
				return len(want), v.same(v.at, want)
			}
		}
	}
	return v.turn()
}

// sameSeat describes how what is recorded of who answers differs from what the reply says, or returns "".
func sameSeat(want []state.Payload, has *state.SeatTaken) string {
	switch {
	case len(want) == 0 && has == nil:
		return ""
	case len(want) == 0:
		return "the reply is from who filled the seat before"
	case has == nil:
		return "another model or participant answered, and the seat is not taken"
	}
	return difference(has, want[0])
}

// seatOf returns the seat whose call an event belongs to, and the stage if the event has one.
func seatOf(p state.Payload) (seat state.Seat, stage state.Stage) {
	switch e := p.(type) {
	case *state.LookupAnswered:
		return e.Seat, e.Stage
	case *state.UsageCounted:
		return e.Seat, ""
	case *state.ParticipantLearned:
		return e.Seat, ""
	case *state.SeatTaken:
		return e.Seat, ""
	case *state.PromptShrunk:
		return e.Seat, e.Stage
	case *state.ReplyReceived:
		return e.Seat, e.Stage
	}
	return "", ""
}

// reply returns what follows from the reply at an index: its admitted moves, or that it broke off.
func (v *verifier) reply(ask protocol.Ask, recorded *state.ReplyReceived, at int) []state.Payload {
	got := protocol.Reply{
		Text: recorded.Text, Model: recorded.Model, Conversation: recorded.Conversation, Recovered: recorded.Recovered,
		By: recorded.By,
	}
	if !recorded.Valid && len(recorded.Refused) == 1 && !reply.Unreadable(recorded.Refused[0].Code) {
		// The call failed: the text is the part that arrived.
		failure := &state.Failure{Seat: ask.Seat}
		if at+1 < len(v.events) {
			if e, ok := v.events[at+1].Data.(*state.ReplyRefused); ok && e.Failure != nil {
				said := *e.Failure
				failure, said.Seat = &said, ask.Seat
			}
		}
		return refused(ask, got, recorded.Refused[0].Code, recorded.Refused[0].Text, failure)
	}
	r := &Session{Options: Options{State: v.state, Parser: v.parser}}
	return r.admitted(protocol.Call{Ask: ask}, got)
}

// found returns the events that follow from the recorded results of checks. The user may have added
// more checks in the meantime, so those without a result come later.
func (v *verifier) found(due []string) []state.Payload {
	var ids []string
	var findings []ledger.Finding
	for _, event := range v.events[v.at:min(len(v.events), v.at+2*len(due))] {
		switch e := event.Data.(type) {
		case *state.EvidenceVerified:
			reason, _, _ := strings.Cut(e.Reason, "; not admitted: ")
			ids, findings = append(ids, e.ID), append(findings, ledger.Finding{
				Verified: !e.Unmet, Unmet: e.Unmet, Reason: reason, Type: e.Type, SourceKind: e.SourceKind, Confidence: e.Confidence,
				Reference: e.Reference, Excerpt: e.Excerpt, Digest: e.Digest, Commit: e.Commit, Run: e.Run, Shown: e.Shown,
			})
		case *state.EvidenceRefused:
			ids, findings = append(ids, e.ID), append(findings, ledger.Finding{
				Reason: e.Reason, Run: e.Run, Digest: e.Digest, Nearest: e.Nearest,
				NearestReference: e.NearestReference, Similarity: e.Similarity, Candidates: e.Candidates,
			})
		}
	}
	// Results are recorded in the order in which the checks were due.
	next := 0
	for _, id := range ids {
		i := slices.Index(due, id)
		if i < 0 || next > 0 && slices.Index(due, ids[next-1]) >= i {
			break
		}
		next++
	}
	if next == 0 {
		return claims.AdmitFindings(v.state, due[:1], []ledger.Finding{{Reason: "the check is not recorded"}})
	}
	for i := range findings[:next] {
		claims.Stamp(v.state, v.state.Item(ids[i]), &findings[i])
	}
	return claims.AdmitFindings(v.state, ids[:next], findings[:next])
}

// byUser reports whether an event is a decision of the user, which may come at any time.
func byUser(p state.Payload) bool {
	switch e := p.(type) {
	case *state.PointClassified, *state.ChallengeJudged, *state.PointRaised, *state.PointTriaged, *state.PointsMerged,
		*state.PointRevised, *state.ConfidenceReported:
		return false
	case *state.OverrideMade, *state.AnchorShiftConsented:
		return true
	case interface{ ByUser() bool }:
		return e.ByUser()
	case *state.ExitReached:
		return e.Exit == state.ExitUser
	case *state.EvidenceVerified:
		return false // It comes with the offer.
	}
	value := reflect.ValueOf(p).Elem()
	for _, name := range []string{"By", "Seat", "OfferedBy"} {
		if f := value.FieldByName(name); f.IsValid() && f.Kind() == reflect.String {
			return f.String() == string(state.User)
		}
	}
	return false
}

// unusual says what a decision of the user holds that moot does not record with it, or returns "".
func unusual(s *state.State, p state.Payload) string {
	switch e := p.(type) {
	case *state.FactRecorded:
		if e.Tag != ledger.TagUser || e.Reference != "" || strings.TrimSpace(e.Text) == "" {
			return "a fact of the user has a text, no reference, and is tagged as the user's"
		}
	case *state.CommandApproved:
		if e.Pattern != "" || e.Decision == ledger.ApprovalPattern {
			return "the user decides on a command without a pattern"
		}
	case *state.ExitReached:
		if e.Failure != nil {
			return "the user ended the session, and no seat failed"
		}
	case *state.OverrideMade:
		if _, err := protocol.AdmitUser(s, claims.RuleOn{Point: e.Point, What: e.What}); e.What == state.OverrideIntended &&
			err != nil {
			return err.Error() // Only findings can be intended.
		}
		want := &state.OverrideMade{What: e.What}
		switch e.What {
		case state.OverrideAgree, state.OverrideDismiss, state.OverrideUnresolved, state.OverrideIntended,
			state.OverrideReopen:
			want.Point, want.Reason = e.Point, e.Reason
		case state.OverrideKindSet:
			want.Point, want.Set = e.Point, e.Set
		case state.OverridePriority:
			want.Points = e.Points
		case state.OverrideBudget:
			want.MaxTokens, want.MaxCost, want.MaxSeconds = max(e.MaxTokens, 0), max(e.MaxCost, 0), max(e.MaxSeconds, 0)
		case state.OverrideArbitrate:
		}
		return difference(e, want)
	case *state.AnswerGiven:
		if claims.Of(s).AnswerSeat(s) == "" {
			return "the answer of this format is its decision"
		}
		if len(e.LeftOut) > 0 || e.Corrects != "" {
			return "the user's answer leaves nothing out, and corrects no seat's"
		}
		for _, one := range e.Sentences {
			want := state.Sentence{ID: one.ID, Text: one.Text, Points: one.Points, Denies: []string{}}
			if !reflect.DeepEqual(one, want) {
				return "a sentence of the user has a text and points alone"
			}
		}
	}
	return ""
}
