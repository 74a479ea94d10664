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
	"moot/state"
)

// TestWhatIfIsAdmitted lets seats and the user do, in random sessions, what an
// explanation says that they could: the protocol admits it, and the point ends
// where the explanation says.
func TestWhatIfIsAdmitted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &randomSession{t: t, format: protocol.Consult{}, ruler: resolver.NewRuler(), tags: map[string]ledger.Tag{}}
		r.append(&state.SessionOpened{
			Version: state.Version, ID: "s", Question: "q",
			Settings: state.Settings{
				Format: state.FormatConsult, Framing: state.FramingPropose, Nonce: "5eed",
				Mode: rapid.SampledFrom(state.Modes()).Draw(t, "mode"),
			},
			Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Consultee}},
		})
		for range rapid.IntRange(3, 40).Draw(t, "turns") {
			if !r.turn() {
				break
			}
		}
		for _, ruling := range resolver.Rule(r.s) {
			for _, c := range resolver.Explain(r.s, ruling).Changes {
				for _, way := range c.Ways {
					if !way.Past {
						r.follow(ruling.Point, c.Words, &way)
					}
				}
			}
		}
	})
}

// turn takes one turn of the session; false at its end.
func (r *randomSession) turn() bool {
	if rapid.IntRange(0, 9).Draw(r.t, "user") == 0 {
		if events, err := protocol.AdmitUser(r.s, r.userMove()); err == nil {
			r.append(events...)
		}
	}
	switch turn := r.format.Next(r.s); {
	case len(turn.Events) > 0:
		r.append(turn.Events...)
	case len(turn.Check) > 0:
		findings := make([]ledger.Finding, len(turn.Check))
		for i, id := range turn.Check {
			findings[i] = finding(r.s.Item(id))
		}
		r.append(protocol.Found(r.s, turn.Check, findings)...)
	case len(turn.Asks) > 0:
		r.reply(turn.Asks[0])
	default:
		return false
	}
	return true
}

// follow has the protocol admit a way, and looks at where the point ends.
func (r *randomSession) follow(point, words string, way *resolver.Way) {
	w := &wayfarer{t: r.t, way: way, s: r.s}
	for w.at < len(way.Events) {
		w.step(way.Events[w.at])
	}
	got, _ := resolver.RuleOne(w.s, point)
	if resolver.Where(&got) != words {
		r.t.Fatalf("%s, if %s: the protocol leads to %s, and the explanation to %s\n%s", point, way.With,
			resolver.Where(&got), words, strings.Join(w.log, "\n"))
	}
}

// wayfarer goes a way through the protocol's doors.
type wayfarer struct {
	t   *rapid.T
	way *resolver.Way
	s   state.State
	at  int
	log []string
}

// step has the protocol admit the next event. What the admission brings along,
// in the same order, is passed over.
func (w *wayfarer) step(next state.Payload) {
	var events []state.Payload
	switch e := next.(type) {
	case *state.ChallengeAnswered:
		w.inWindow(e)
		events = w.admit(e.By, protocol.AnswerChallenge{Challenge: e.Challenge, Text: e.Text},
			&protocol.Defend{Challenge: e.Challenge, Text: e.Text})
	case *state.ChallengeJudged:
		events = w.admit(e.By, nil, &protocol.Judge{Challenge: e.Challenge, Judgment: e.Judgment, Reason: e.Reason})
	case *state.PointClassified:
		events = w.admit(e.By, nil, &protocol.Classify{
			Point: e.Point, Class: e.Class, Reason: e.Reason, Flaw: "the load was never measured",
			UpgradeIf: "a measurement",
			FlawKind:  state.Empirical, Grounds: "none is named", WhyNotSkeptical: "nothing would do",
			ValueJudgment: e.Value,
		})
	case *state.PointConceded:
		events = w.admit(e.By, protocol.ConcedePoint{Point: e.Point}, &protocol.Concede{Point: e.Point})
	case *state.PointBlocked:
		events = w.admit(e.By, nil, &protocol.Blocked{Point: e.Point, Measurement: e.Measurement,
			Threshold: e.Threshold, Below: e.Below, Above: e.Above})
	case *state.EvidenceContested:
		events = w.admit(e.By, nil, &protocol.Contest{Evidence: e.ID, Reason: e.Reason})
	case *state.EvidenceOffered:
		cited := protocol.Citation{Reference: "what-if/" + e.ID, Quote: e.Quote, Relation: e.Relation, Direct: e.Direct}
		events = w.admit(e.By, protocol.SupplyEvidence{Point: e.Point, Text: e.Quote, Relation: e.Relation},
			&protocol.Cite{Point: e.Point, Citation: cited})
	case *state.EvidenceVerified:
		events = protocol.Found(w.s, []string{e.ID}, []ledger.Finding{{
			Verified: true, Type: e.Type, SourceKind: e.SourceKind, Reference: w.s.Item(e.ID).Reference,
			Excerpt: w.s.Item(e.ID).Excerpt,
		}})
	case *state.FactRecorded:
		events = w.admit(e.Seat, protocol.RecordFact{Text: e.Text, Supersedes: e.Supersedes}, nil)
	case *state.ViolationNamed:
		events = w.admit(e.By, nil, &protocol.FlagMove{Flag: protocol.FlagViolates, Point: e.Point, Fact: e.Fact})
	case *state.QuestionAnswered:
		events = w.admit(e.By, protocol.AnswerQuestion{Question: e.ID, Answer: e.Answer}, nil)
	case *state.OverrideMade:
		var move protocol.UserMove = protocol.RuleOn{Point: e.Point, What: e.What}
		if e.What == state.OverrideKindSet {
			move = protocol.SetKind{Point: e.Point, Kind: e.Set}
		}
		events = w.admit(state.User, move, nil)
	case *state.ExitReached:
		events = w.admit(state.User, protocol.EndSession{}, nil)
	case *state.PointTriaged:
		if e.By != state.Protocol {
			events = w.admit(e.By, nil, &protocol.Triage{Point: e.Point, Scope: e.Scope, Reason: e.Reason})
			break
		}
		// It comes with the classification that follows.
		w.at++
		w.step(w.way.Events[w.at])
		return
	default:
		// What code does by rule: rounds, windows, the challenge of RD6.
		if c, ok := next.(*state.ChallengeRaised); ok {
			w.putToAuthor(c.Point, true)
		}
		events = []state.Payload{next}
	}
	w.pass(events)
	if e, ok := next.(*state.EvidenceVerified); ok && !w.next("challenge-raised") {
		if item := w.s.Item(e.ID); item.Relation == ledger.Refutes {
			w.putToAuthor(item.Point, false)
		}
	}
}

// next reports whether the next event of the way is of the kind.
func (w *wayfarer) next(kind string) bool {
	return w.at < len(w.way.Events) && w.way.Events[w.at].Kind() == kind
}

// putToAuthor checks whether code challenges the point next, for a verified
// refutation (RD6).
func (w *wayfarer) putToAuthor(point string, want bool) {
	turn := protocol.Consult{}.Next(w.s)
	if len(turn.Check) > 0 {
		// Other references are looked at first.
		return
	}
	got := slices.ContainsFunc(turn.Events, func(p state.Payload) bool {
		c, ok := p.(*state.ChallengeRaised)
		return ok && c.Point == point && c.By == state.Protocol
	})
	if got != want {
		w.t.Fatalf("if %s: code challenges %s next: %v, and the way says %v\n%s", w.way.With, point, got, want,
			strings.Join(w.log, "\n"))
	}
}

// inWindow checks that a seat answers once a round, from round 2 on; a reminder
// is a window of its own (CH2).
func (w *wayfarer) inWindow(e *state.ChallengeAnswered) {
	c := w.s.Challenge(e.Challenge)
	if e.By == state.User || c.Status != state.StandsOpen {
		return
	}
	if w.s.Round < 2 || w.s.AskedOf(e.By, state.StageAnswer).Replies > 0 {
		w.t.Fatalf("if %s: %s has no window for %s in round %d", w.way.With, e.By, c.ID, w.s.Round)
	}
	if last := c.Last(); last != nil && last.By == e.By && last.Round >= w.s.Round {
		w.t.Fatalf("if %s: %s answers %s twice in round %d", w.way.With, e.By, c.ID, w.s.Round)
	}
}

// admit lets a seat or the user move.
func (w *wayfarer) admit(by state.Seat, user protocol.UserMove, move protocol.Move) []state.Payload {
	if by == state.User {
		events, err := protocol.AdmitUser(w.s, user)
		if err != nil {
			w.t.Fatalf("if %s: the user's %T is refused: %v", w.way.With, user, err)
		}
		return events
	}
	// In the stage of judging nothing hangs on what a reply leaves out.
	a := protocol.Consult{}.Admit(w.s, protocol.Ask{Seat: by, Stage: state.StageJudge,
		Moves: []protocol.MoveKind{move.Kind()}}, []protocol.Move{move})
	if len(a.Refused) > 0 {
		w.t.Fatalf("if %s: %s of %s is refused: %+v\n%s", w.way.With, move.Kind(), by, a.Refused,
			strings.Join(w.log, "\n"))
	}
	return a.Events
}

// pass lets events happen and goes over those of the way that came with them.
func (w *wayfarer) pass(events []state.Payload) {
	var kinds []string
	for _, p := range events {
		s, err := state.Apply(w.s, state.Event{Seq: w.s.Seq + 1, At: w.s.At, Data: p})
		if err != nil {
			w.t.Fatalf("if %s: %v", w.way.With, err)
		}
		w.s = s
		kinds = append(kinds, p.Kind())
		w.log = append(w.log, fmt.Sprintf("%+v", p))
	}
	for first := true; w.at < len(w.way.Events); first = false {
		i := slices.Index(kinds, w.way.Events[w.at].Kind())
		switch {
		case i < 0 && first:
			w.t.Fatalf("if %s: no %s came of it", w.way.With, w.way.Events[w.at].Kind())
		case i < 0:
			return
		}
		kinds = slices.Delete(kinds, 0, i+1)
		w.at++
	}
}
