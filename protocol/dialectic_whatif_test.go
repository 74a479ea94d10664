package protocol_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// TestWhatIfOfProposals lets seats and the user do, from any moment of random
// sessions, what an explanation says that they could: the protocol admits it, and
// the field and the decision come out as the explanation says.
func TestWhatIfOfProposals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := randomMoment(t, rt)
		for _, ruling := range resolver.Rule(s) {
			e := resolver.Explain(s, ruling)
			wellSaid(rt, &e)
			for _, c := range e.Changes {
				for _, way := range c.Ways {
					if !way.Past {
						follow(rt, s, ruling.Point, &way)
					}
				}
			}
		}
	})
}

// randomMoment is a state of a random session of the format, after any event but
// one where a format failure is about to end it, or that nobody was heard.
func randomMoment(t *testing.T, rt *rapid.T) state.State {
	d := randomProposal(t, rt, rapid.IntRange(1, 30).Draw(rt, "turns"))
	events := d.replay[:rapid.IntRange(1, len(d.replay)).Draw(rt, "events")]
	var s state.State
	for _, e := range events {
		next, err := state.Apply(s, e)
		if err != nil {
			rt.Fatal(err)
		}
		s = next
	}
	if slices.ContainsFunc(s.Failures, func(f state.SeatCount) bool { return f.Count > 1 }) && !s.Over() {
		rt.Skip("a format failure ends it")
	}
	if asked := s.AskedOf(state.PressureTester, state.StageEvaluate); asked.Replies > 1 && len(asked.Refusals) > 0 {
		rt.Skip("nobody was heard, which ends it")
	}
	return s
}

// wellSaid looks at what an explanation says of itself.
func wellSaid(rt *rapid.T, e *resolver.Explanation) {
	said := fmt.Sprintf("%+v", e)
	if e.Sentence == "" || e.Says == "" || e.Where == "" || e.Means == "" || strings.Contains(said, "%!") {
		rt.Fatalf("something is left unsaid: %s", said)
	}
	for _, id := range e.Ruling.Reads {
		if !slices.ContainsFunc(e.Reads, func(r resolver.Reading) bool { return r.ID == id && r.What != "" }) {
			rt.Fatalf("%s stands in the receipt and is not explained: %s", id, said)
		}
	}
}

// traveller goes a way through the doors of the format.
type traveller struct {
	t   *rapid.T
	way *resolver.Way
	s   state.State
	// at is the next event of the way.
	at  int
	log []string
}

// TestWhatIfOfDecisions lets happen, from any moment of random sessions, what the
// explanation of a decision says would move it, and what it says would take away
// each thing that holds the proposal: it does.
func TestWhatIfOfDecisions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := randomMoment(t, rt)
		e := resolver.ExplainDecision(s)
		advances := false
		for _, c := range e.Changes {
			for _, way := range c.Ways {
				advances = advances || way.Decision == dialectic.Advance
				if !way.Past {
					follow(rt, s, "", &way)
				}
			}
		}
		for _, h := range e.Holds {
			if h.Way == nil || h.Way.Past {
				continue
			}
			after := resolver.ExplainDecision(follow(rt, s, "", h.Way)).Holds
			if slices.ContainsFunc(after, func(left resolver.Hold) bool {
				return left.ID == h.ID &&
					left.Point == h.Point
			}) {
				rt.Fatalf("%s holds %s still, though %s", h.ID, h.Point, h.Release)
			}
		}
		if o, _ := resolver.OutcomeOf(&s); o != nil && !o.Changed && o.Round == s.Round {
			if ready := len(e.Holds) == 0; ready != (o.Decision == dialectic.Advance) {
				rt.Fatalf("%s, and what holds it is %+v", o.Decision, e.Holds)
			}
			if !s.Closed && o.Decision != dialectic.Advance && !advances && ownHolds(&e) {
				rt.Fatalf("the user can make it advance, and it is not said: %+v", e)
			}
		}
	})
}

// ownHolds reports whether all that holds the proposal is of a field.
func ownHolds(e *resolver.DecisionExplanation) bool {
	return !slices.ContainsFunc(e.Holds, func(h resolver.Hold) bool { return h.Point == "" })
}

// follow has the protocol admit a way, looks at where it leads and returns that.
func follow(rt *rapid.T, s state.State, point string, way *resolver.Way) state.State {
	w := &traveller{t: rt, way: way, s: s}
	if s.Paused != state.PauseNone {
		w.apply(&state.SessionResumed{Attended: true})
	}
	for w.at < len(way.Events) {
		w.step(way.Events[w.at])
	}
	if point != "" {
		got, _ := resolver.RuleOne(w.s, point)
		if resolver.Where(&got) != resolver.Where(&way.Then) || got.Rule != way.Then.Rule ||
			got.Reason != way.Then.Reason {
			w.fail("%s: the protocol leads to %+v, and the explanation to %+v", point, got, way.Then)
		}
	}
	if way.Decision != "" && w.s.Dialectic.Last().Decision != string(way.Decision) {
		w.fail("the protocol decides %s, and the explanation says %s", w.s.Dialectic.Last().Decision, way.Decision)
	}
	return w.s
}

func (w *traveller) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("if %s: "+format+"\n%s", append(append([]any{w.way.With}, args...), strings.Join(w.log, "\n"))...)
}

// step has the protocol admit the next event.
func (w *traveller) step(next state.Payload) {
	switch e := next.(type) {
	case *state.RoundResolved, *state.RoundStarted:
		w.drive()
	case *state.ExitReached:
		if e.Exit == state.ExitUser {
			w.user(protocol.EndSession{})
			return
		}
		w.drive()
	case *state.EvidenceVerified:
		item := w.s.Item(e.ID)
		w.pass(protocol.Found(w.s, []string{e.ID}, []ledger.Finding{{
			Verified: true, Type: e.Type, SourceKind: e.SourceKind, Confidence: e.Confidence,
			Reference: item.Reference, Excerpt: item.Excerpt,
		}}))
	case *state.FieldRevised:
		p := w.s.Point(e.Point)
		if p.Field.Withdrawn {
			w.seat(e.By, &protocol.Propose{Path: p.Field.Path, Value: e.Value, Category: p.Field.Category})
			return
		}
		w.seat(e.By, &protocol.Revise{Point: e.Point, Value: e.Value, Severity: e.Severity, Cites: e.Cites,
			Because: e.Reason})
	case *state.ChallengeConceded:
		w.seat(e.By, &protocol.Concede{Challenge: e.Challenge, Reason: e.Reason})
	case *state.EvidenceSupplied:
		w.seat(state.Seat(w.s.Item(e.Evidence).OfferedBy),
			&protocol.Supply{Challenge: e.Challenge, Cites: []string{e.Evidence}})
	default:
		w.either(next)
	}
}

// either is what a seat or the user may do.
func (w *traveller) either(next state.Payload) {
	switch e := next.(type) {
	case *state.FieldWithdrawn:
		if e.By == state.User {
			w.user(protocol.WithdrawField{Point: e.Point})
			return
		}
		w.seat(e.By, &protocol.Withdraw{Point: e.Point, Reason: e.Reason})
	case *state.EvidenceOffered:
		if e.By == state.User {
			w.user(protocol.SupplyEvidence{Point: e.Point, Text: e.Quote, Relation: e.Relation})
			return
		}
		supply := &protocol.Supply{Point: e.Point, Reference: e.Reference, Quote: e.Quote, Relation: e.Relation}
		if w.at+1 < len(w.way.Events) {
			if s, ok := w.way.Events[w.at+1].(*state.EvidenceSupplied); ok {
				supply.Challenge = s.Challenge
			}
		}
		w.seat(e.By, supply)
	case *state.ChallengeRaised:
		o, _ := w.way.Events[w.at+1].(*state.ObjectionFiled)
		if e.By == state.User {
			w.user(protocol.RaiseObjection{Point: e.Point, Text: e.Objection, Severity: dialectic.Severity(o.Severity)})
			return
		}
		w.seat(e.By, &protocol.Object{
			Point: e.Point, Text: e.Objection, Category: o.Category, Severity: dialectic.Severity(o.Severity),
			Predicate: o.Predicate,
		})
	case *state.QuestionAnswered:
		w.user(protocol.AnswerQuestion{Question: e.ID, Answer: e.Answer})
	case *state.ObjectionRuled:
		w.user(protocol.RuleObjection{Challenge: e.Challenge, Verdict: dialectic.Ruling(e.Verdict)})
	case *state.ChallengeAnswered:
		w.user(protocol.AnswerChallenge{Challenge: e.Challenge, Text: e.Text})
	case *state.OverrideMade:
		w.user(protocol.RuleOn{Point: e.Point, What: e.What})
	case *state.FactRecorded:
		w.user(protocol.RecordFact{Text: e.Text, Supersedes: e.Supersedes, Predicate: e.Predicate})
	default:
		w.fail("nobody can bring about %s", next.Kind())
	}
}

func (w *traveller) user(move protocol.UserMove) {
	events, err := protocol.AdmitUser(w.s, move)
	if err != nil {
		w.fail("the user's %T is refused: %v", move, err)
	}
	w.pass(events)
}

// seat waits until a seat is asked for such a move, and has it admitted.
func (w *traveller) seat(by state.Seat, move protocol.Move) {
	for range 50 {
		for _, ask := range (protocol.Dialectic{}).Next(w.s).Asks {
			if ask.Seat != by || !slices.Contains(ask.Moves, move.Kind()) {
				continue
			}
			a := protocol.Dialectic{}.Admit(w.s, ask, []protocol.Move{move})
			if len(a.Refused) > 0 {
				w.fail("%s of %s is refused: %+v", move.Kind(), by, a.Refused)
			}
			w.pass(a.Events)
			return
		}
		w.drive()
	}
	w.fail("%s is never asked for %s", by, move.Kind())
}

// drive does what comes next where seats have nothing to say and other items
// do not prove right.
func (w *traveller) drive() {
	switch turn := (protocol.Dialectic{}).Next(w.s); {
	case len(turn.Events) > 0:
		w.pass(turn.Events)
	case len(turn.Check) > 0:
		w.pass(protocol.Found(w.s, turn.Check, make([]ledger.Finding, len(turn.Check))))
	case len(turn.Asks) > 0:
		ask := turn.Asks[0]
		w.apply(&state.ReplyReceived{Seat: ask.Seat, Stage: ask.Stage, Valid: true})
		w.pass(protocol.Dialectic{}.Admit(w.s, ask, nil).Events)
	default:
		w.fail("nothing comes: %+v", turn)
	}
}

func (w *traveller) apply(p state.Payload) {
	s, err := state.Apply(w.s, state.Event{Seq: w.s.Seq + 1, At: w.s.At, Data: p})
	if err != nil {
		w.fail("%v", err)
	}
	w.s = s
	what := fmt.Sprintf("%s %+v", p.Kind(), p)
	if resolved, ok := p.(*state.RoundResolved); ok {
		what = p.Kind() + " " + resolved.Decision
	}
	w.log = append(w.log, what)
}

// pass lets events happen and goes over those of the way among them. No round is
// resolved or begins that the way does not know of.
func (w *traveller) pass(events []state.Payload) {
	for _, p := range events {
		w.apply(p)
		switch {
		case w.at < len(w.way.Events) && w.way.Events[w.at].Kind() == p.Kind():
			w.at++
		case p.Kind() == "round-resolved", p.Kind() == "round-started", p.Kind() == "exit-reached":
			w.fail("%s comes, and the way does not say so", p.Kind())
		}
	}
}
