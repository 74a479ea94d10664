package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// Verify replays a session from its inputs: the replies, the checks of references, and the
// decisions of the user. It parses and admits each reply again, asks the format for each turn, and
// compares the resulting events with the recorded ones. It returns the state at the end; the error
// is a *MismatchError that names the first event that differs.
//
// The inputs themselves cannot be verified: a file with rewritten replies passes if the rest fits.
// Only comparing it with a known head finds that.
func Verify(parser *protocol.Parser, events []state.Event) (*state.State, error) {
	v := &verifier{parser: parser, events: events, state: &state.State{}}
	for v.at < len(events) {
		n, why := v.next()
		for range min(n, len(events)-v.at) {
			if why != "" {
				break
			}
			why = v.apply()
		}
		if why != "" {
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
	parser *protocol.Parser
	events []state.Event
	// at is the index of the next event, state the state before it.
	at    int
	state *state.State
	// calls are the seats that were asked and may still reply, in the order in which their replies
	// are admitted.
	calls []protocol.Ask
}

// apply applies the next event, which is known to follow.
func (v *verifier) apply() (why string) {
	e := v.events[v.at]
	if v.at > 0 && e.At.Before(v.state.At) {
		return "its time is before that of the event before it"
	}
	if e.Channel != state.ChannelTerminal && !byUser(v.state, e.Data) {
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
		failed := e.Why == state.PauseUnreachable || e.Why == state.PauseContext
		if e.Reason == userLeft || e.Reason == agentLeft || e.Why == state.PauseBudget || failed && len(v.calls) > 0 ||
			v.state.Unsettled != nil && difference(e, v.state.Unsettled) == "" {
			v.calls = nil
			return 1, ""
		}
	case *state.SessionResumed:
		v.calls = nil
		return 1, ""
	case *state.WorkspaceChanged, *state.ParticipantLearned:
		return 1, ""
	case *state.PromptSent, *state.PromptEdited:
		return v.asked()
	case *state.SessionClosed:
		turn := protocol.Of(v.state).Next(v.state)
		if !turn.Close {
			return 0, "the session cannot be closed here"
		}
		return 1, difference(e, closing(v.state, turn.Exit))
	case *state.SeatMissed:
		for _, ask := range v.calls {
			want := protocol.Of(v.state).Missing(v.state, ask, e.Reason, e.Failure)
			if len(want) > 0 && v.same(v.at, want) == "" {
				return len(want), ""
			}
		}
	}
	if n := v.answered(); n > 0 {
		return n, ""
	}
	if byUser(v.state, v.events[v.at].Data) {
		return 1, ""
	}
	return v.turn()
}

// opening returns how many events open the session: up to the first turn.
func (v *verifier) opening() int {
	n := 1
	for n < len(v.events) && v.events[n].At.Equal(v.events[0].At) {
		switch v.events[n].Data.(type) {
		case *state.FactRecorded, *state.PacketFacts, *state.PacketFrozen, *state.CommandsAllowed, *state.PointRaised,
			*state.EvidenceOffered:
			n++
			continue
		}
		break
	}
	return n
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
// "". An older moot recorded no failures: an event without one is taken as it is.
func difference(recorded, want state.Payload) string {
	if recorded == want {
		return ""
	}
	has, err := json.Marshal(recorded)
	if err != nil {
		return err.Error()
	}
	gives, err := json.Marshal(want)
	if err != nil {
		return err.Error()
	}
	if bytes.Equal(has, gives) {
		return ""
	}
	var a, b map[string]json.RawMessage
	if json.Unmarshal(has, &a) != nil || json.Unmarshal(gives, &b) != nil {
		return "it does not decode"
	}
	if a["failure"] == nil {
		delete(b, "failure")
		if maps.EqualFunc(a, b, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) }) {
			return ""
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if !bytes.Equal(a[name], b[name]) {
			parts = append(parts, fmt.Sprintf("%s is %s, and the rules give %s", name,
				plain.Clip(plain.Line(string(a[name])), 200), plain.Clip(plain.Line(string(b[name])), 200)))
		}
	}
	return fmt.Sprintf("in %s %s", state.KindOf(recorded), strings.Join(parts, "; "))
}

// asked returns how many events are the prompts of the next turn. Near a cap not all are sent.
func (v *verifier) asked() (n int, why string) {
	asks := protocol.Of(v.state).Next(v.state).Asks
	v.calls = nil
	for _, ask := range asks {
		at := v.at + n
		if at < len(v.events) {
			if e, edited := v.events[at].Data.(*state.PromptEdited); edited && e.Seat == ask.Seat && e.Stage == ask.Stage {
				at++
			}
		}
		if at >= len(v.events) {
			break
		}
		e, sent := v.events[at].Data.(*state.PromptSent)
		if !sent || e.Seat != ask.Seat || e.Stage != ask.Stage {
			break
		}
		v.calls, n = append(v.calls, ask), at+1-v.at
	}
	if n == 0 {
		_, why = v.turn()
	}
	return n, why
}

// answered returns how many events are the result of a running call: its lookups and usage, then the
// reply with its admitted moves. Calls before it in the list have failed.
func (v *verifier) answered() int {
	at := v.at
	usage := 0
	for ; at < len(v.events); at++ {
		switch e := v.events[at].Data.(type) {
		case *state.LookupAnswered:
			if !v.calling(e.Seat) {
				return 0
			}
			continue
		case *state.UsageCounted:
			if !v.calling(e.Seat) || usage > 0 {
				return at - v.at
			}
			usage++
			continue
		case *state.SeatTaken:
			if e.By == state.Protocol && v.calling(e.Seat) {
				continue
			}
		case *state.PromptShrunk:
			if v.calling(e.Seat) {
				return at + 1 - v.at
			}
		case *state.ReplyReceived:
			if e.Stage == state.StageConclude && !e.Valid && e.Text == "" {
				// A missing answer is also recorded without a call, if a cap is reached.
				v.calls = protocol.Of(v.state).Next(v.state).Asks
			}
			for i, ask := range v.calls {
				if ask.Seat != e.Seat || ask.Stage != e.Stage {
					continue
				}
				for want := range v.replies(ask, e, at) {
					if (usage == 1 || !e.Valid) && v.same(at, want) == "" {
						v.calls = v.calls[i+1:]
						return at + len(want) - v.at
					}
				}
			}
		}
		break
	}
	return at - v.at
}

// calling reports whether a seat may still reply.
func (v *verifier) calling(seat state.Seat) bool {
	return slices.ContainsFunc(v.calls, func(ask protocol.Ask) bool { return ask.Seat == seat })
}

// replies yields the possible results of the reply at an index: without lookups, with lookups, or that
// it broke off.
func (v *verifier) replies(ask protocol.Ask, recorded *state.ReplyReceived, at int) iter.Seq[[]state.Payload] {
	return func(yield func([]state.Payload) bool) {
		as := func(events []state.Payload) bool {
			want, _ := events[0].(*state.ReplyReceived)
			want.Model, want.Conversation, want.Recovered, want.By = recorded.Model, recorded.Conversation, recorded.Recovered,
				recorded.By
			return yield(events)
		}
		reply := protocol.Reply{Text: recorded.Text}
		if !recorded.Valid && len(recorded.Refused) == 1 && !protocol.Unreadable(recorded.Refused[0].Code) {
			// The call failed: the text is the part that arrived.
			var failure *state.Failure
			if at+1 < len(v.events) {
				if e, ok := v.events[at+1].Data.(*state.ReplyRefused); ok {
					failure = e.Failure
				}
			}
			as(refused(ask, reply, recorded.Refused[0].Code, recorded.Refused[0].Text, failure))
			return
		}
		r := &Session{Options: Options{State: v.state, Parser: v.parser}}
		looking := ask
		looking.Moves = slices.Concat(ask.Moves, protocol.Lookups())
		_ = as(r.admitted(protocol.Call{Ask: ask}, reply)) && as(r.admitted(protocol.Call{Ask: looking}, reply))
	}
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
				Reference: e.Reference, Excerpt: e.Excerpt, Digest: e.Digest, Commit: e.Commit, Run: e.Run,
			})
		case *state.EvidenceRefused:
			ids, findings = append(ids, e.ID), append(findings, ledger.Finding{
				Reason: e.Reason, Run: e.Run, Digest: e.Digest, Nearest: e.Nearest,
				NearestReference: e.NearestReference,
				Similarity:       e.Similarity,
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
		return protocol.AdmitFindings(v.state, due[:1], []ledger.Finding{{Reason: "the check is not recorded"}})
	}
	return protocol.AdmitFindings(v.state, ids[:next], findings[:next])
}

// byUser reports whether an event is a decision of the user, which may come at any time.
func byUser(s *state.State, p state.Payload) bool {
	switch e := p.(type) {
	case *state.PointClassified, *state.ChallengeJudged, *state.PointRaised, *state.PointTriaged, *state.PointsMerged,
		*state.PointRevised, *state.ConfidenceReported:
		return false
	case *state.OverrideMade, *state.AnchorShiftConsented, *state.CommandApproved, *state.PromptEdited:
		return true
	case interface{ ByUser() bool }:
		return e.ByUser()
	case *state.ExitReached:
		return e.Exit == state.ExitUser
	case *state.EvidenceVerified:
		item := s.Item(e.ID)
		return item != nil && item.OfferedBy == string(state.User)
	}
	value := reflect.ValueOf(p).Elem()
	for _, name := range []string{"By", "Seat", "OfferedBy"} {
		if f := value.FieldByName(name); f.IsValid() && f.Kind() == reflect.String {
			return f.String() == string(state.User)
		}
	}
	return false
}
