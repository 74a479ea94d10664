package formats_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// moment draws one event that could follow the state; some cannot, and are
// left out.
func moment(t *rapid.T, s *state.State) state.Payload {
	n := func(prefix string, length int) string {
		return fmt.Sprintf("%s%d", prefix, rapid.IntRange(1, max(1, length)).Draw(t, prefix))
	}
	point := func() string { return n("P", s.Points.Len()) }
	challenge := func() string { return n("C", s.Challenges.Len()) }
	flag := func() bool { return rapid.Bool().Draw(t, "flag") }
	seat := func() state.Seat {
		return rapid.SampledFrom([]state.Seat{state.Orchestrator, state.Consultee, "consultee-2", state.User}).Draw(t, "seat")
	}
	switch rapid.IntRange(0, 29).Draw(t, "kind") {
	case 0, 1:
		return &state.PointRaised{
			ID: state.NextID('P', s.Points.Len()), By: seat(), Text: rapid.SampledFrom([]string{"alpha", "it takes 3 ms", "simple is nice"}).Draw(t, "text"), Value: flag(),
			Predicate: rapid.SampledFrom([]*ledger.Predicate{nil, nil, {Path: "a", Op: "=", Value: json.RawMessage("1")}}).Draw(t, "predicate"),
			Late:      rapid.SampledFrom([]state.Tag{"", "", "", state.TagRaisedLate}).Draw(t, "late"),
		}
	case 2, 3:
		return &state.PointTriaged{Point: point(), By: state.Orchestrator, Scope: rapid.SampledFrom([]state.Scope{state.InScope, state.InScope, state.InScope, state.OutOfScope, state.AnchorShift, state.OverLimit}).Draw(t, "scope")}
	case 4:
		return &state.PointsMerged{Into: point(), From: []string{point()}, By: state.Protocol}
	case 5, 6, 7, 8:
		return &state.PointClassified{Point: point(), By: seat(), Class: rapid.SampledFrom(state.Classes()).Draw(t, "class"), Value: flag()}
	case 9, 10, 11:
		return &state.ChallengeRaised{
			ID: state.NextID('C', s.Challenges.Len()), Point: point(), By: rapid.SampledFrom([]state.Seat{state.Orchestrator, "consultee-2", state.User, state.Protocol}).Draw(t, "by"),
			What: rapid.SampledFrom([]state.Class{state.Skeptical, state.Reject}).Draw(t, "what"), Objection: "a flaw",
		}
	case 12, 13, 14:
		return &state.ChallengeAnswered{Challenge: challenge(), By: seat(), Text: "so"}
	case 15, 16, 17:
		return &state.ChallengeJudged{Challenge: challenge(), By: seat(), Judgment: rapid.SampledFrom([]state.Judgment{state.Accepted, state.Rejected}).Draw(t, "judgment"), Reopens: flag()}
	case 18:
		return rapid.SampledFrom([]state.Payload{
			&state.ChallengeDropped{Challenge: challenge()}, &state.ChallengeReminded{Challenge: challenge()},
			&state.ChallengeUndefended{Challenge: challenge()}, &state.ChallengeConceded{Challenge: challenge(), By: seat()},
		}).Draw(t, "fate")
	case 19, 20:
		return &state.EvidenceOffered{ID: state.NextID('E', s.Evidence.Len()), Point: point(), Relation: rapid.SampledFrom(ledger.Relations()).Draw(t, "relation"), Direct: flag(), By: seat()}
	case 21, 22:
		return &state.EvidenceVerified{
			ID: n("E", s.Evidence.Len()), Type: rapid.SampledFrom(ledger.Types()).Draw(t, "type"),
			SourceKind: rapid.SampledFrom([]ledger.SourceKind{ledger.DomainEvidence, ledger.LiveAPI, ledger.UserOverride}).Draw(t, "source"), Admitted: flag(),
		}
	case 23:
		return &state.FactRecorded{
			ID: state.NextID('F', s.Facts.Len()), Tag: ledger.TagUser, Seat: state.User, Text: "a fact",
			Predicate: rapid.SampledFrom([]*ledger.Predicate{nil, {Path: "a", Op: ">", Value: json.RawMessage("1")}}).Draw(t, "constraint"),
		}
	case 24:
		return &state.ViolationNamed{Point: point(), Fact: n("F", s.Facts.Len()), By: seat(), Confirmed: flag()}
	case 25:
		return &state.Requested{Point: point(), What: rapid.SampledFrom(state.RequestKinds()).Draw(t, "request"), Of: []state.Seat{seat()}, By: seat()}
	case 26:
		return &state.RequestSettled{Point: point(), What: rapid.SampledFrom(state.RequestKinds()).Draw(t, "settled"), Answered: flag()}
	case 27:
		return &state.OverrideMade{What: rapid.SampledFrom(state.OverrideKinds()).Draw(t, "override"), Point: point(), Set: state.Value, Points: []string{point()}}
	case 28:
		return &state.QuestionSurfaced{
			ID: state.NextID('Q', s.Questions.Len()), Point: point(), What: rapid.SampledFrom(state.QuestionKinds()).Draw(t, "question"),
			Options: []string{"one", "two"}, About: rapid.SampledFrom([]string{"", n("F", s.Facts.Len()), "concede " + challenge()}).Draw(t, "about"),
		}
	}
	return rapid.SampledFrom([]state.Payload{
		&state.RoundStarted{Round: s.Round + 1},
		&state.PhaseChanged{Phase: rapid.SampledFrom(state.Phases()).Draw(t, "phase")},
		&state.PointConceded{Point: point(), By: seat()},
		&state.PointRevised{Point: point(), New: point(), By: seat()},
		&state.PointsPaired{A: point(), B: point(), Same: true, Opposed: true, By: seat()},
		&state.PointBlocked{Point: point(), Blocked: state.Blocked{By: seat(), Measurement: "m"}},
		&state.PointDeadlocked{Point: point(), Class: rapid.SampledFrom(state.Deadlocks()).Draw(t, "deadlock")},
		&state.EvidenceContested{ID: n("E", s.Evidence.Len()), By: seat()},
		&state.EvidenceRefused{ID: n("E", s.Evidence.Len())},
		&state.AnchorShiftConsented{Point: point(), Consented: flag()},
		&state.ExitReached{Exit: state.ExitConverged},
		&state.SessionClosed{Exit: state.ExitConverged},
	}).Draw(t, "rare")
}

// In random sessions every change comes true: whoever lets its events happen
// and rules anew finds the point where the change says. All that is read
// exists, the same state is explained in the same words, and one ruling alone
// is the one among all.
func TestWhatIfComesTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s state.State
		follow := func(s state.State, p state.Payload) (state.State, error) {
			return state.Apply(s, state.Event{Seq: s.Seq + 1, At: s.At, Data: p})
		}
		s, err := follow(s, &state.SessionOpened{
			Rules: formats.ByName(state.FormatConsult), Version: state.Version, ID: "s", Settings: state.Settings{Format: state.FormatConsult, Mode: rapid.SampledFrom(state.Modes()).Draw(t, "mode")},
			Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Consultee}, {Seat: "consultee-2"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		var earlier []state.Ruling
		for range rapid.IntRange(5, 60).Draw(t, "length") {
			next, err := follow(s, moment(t, &s))
			if err != nil {
				continue
			}
			s = next
			// A ruling that no longer holds is explained as well as it goes.
			if n := len(earlier); n > 0 {
				resolver.Explain(s, earlier[s.Seq%n])
			}
			earlier = resolver.Rule(s)
		}
		rulings := resolver.Rule(s)
		for i := range rulings {
			alone, ok := resolver.RuleOne(s, rulings[i].Point)
			if !ok || !alone.Equal(&rulings[i]) {
				t.Fatalf("alone %+v, among all %+v", alone, rulings[i])
			}
			e := resolver.Explain(s, alone)
			if again := resolver.Explain(s, alone); !reflect.DeepEqual(e, again) {
				t.Fatalf("one state, two explanations:\n%s\n%s", shown(&e), shown(&again))
			}
			sound(t, &s, &e)
			for _, c := range e.Changes {
				for _, way := range c.Ways {
					comesTrue(t, s, &e.Ruling, &c, &way, follow)
				}
			}
		}
	})
}

// comesTrue lets the events of a way happen.
func comesTrue(t *rapid.T, s state.State, base *state.Ruling, c *resolver.Change, way *resolver.Way, follow func(state.State, state.Payload) (state.State, error)) {
	for _, p := range way.Events {
		next, err := follow(s, p)
		if err != nil {
			t.Fatalf("%s: %v", way.With, err)
		}
		s = next
	}
	got, ok := resolver.RuleOne(s, base.Point)
	if !ok || !got.Equal(&way.Then) {
		t.Fatalf("%s: %+v, and it says %+v", way.With, got, way.Then)
	}
	if resolver.Where(&got) != c.Words {
		t.Fatalf("%s: %s, and it says %s", way.With, resolver.Where(&got), c.Words)
	}
	if got.Bucket == base.Bucket && got.Tag == base.Tag && got.Status == base.Status {
		t.Fatalf("%s changes nothing: %+v", way.With, got)
	}
}

// sound looks at what an explanation says of itself.
func sound(t *rapid.T, s *state.State, e *resolver.Explanation) {
	if e.Sentence == "" || e.Says == "" || e.Where == "" || e.Means == "" {
		t.Fatalf("something is left unsaid: %s", shown(e))
	}
	if !strings.HasSuffix(e.Sentence, ".") || strings.Contains(shown(e), "%!") {
		t.Fatalf("no sentence: %s", shown(e))
	}
	read := map[string]bool{}
	for _, r := range e.Reads {
		if r.What == "" {
			t.Fatalf("%s is read and not said: %s", r.ID, shown(e))
		}
		read[r.ID] = true
	}
	for _, id := range e.Ruling.Reads {
		if !read[id] {
			t.Fatalf("%s stands in the receipt and is not explained: %s", id, shown(e))
		}
	}
	for id := range read {
		if s.Point(id) == nil && s.Challenge(id) == nil && s.Item(id) == nil && s.Fact(id) == nil && !strings.HasPrefix(id, "#") {
			t.Fatalf("%s does not exist: %s", id, shown(e))
		}
	}
	last := 0
	for _, c := range e.Changes {
		if len(c.Ways) == 0 || len(e.Changes) > 8 {
			t.Fatalf("a change without a way, or too many: %s", shown(e))
		}
		if !strings.HasPrefix(c.With, "With ") {
			t.Fatalf("%q is no condition", c.With)
		}
		for _, way := range c.Ways {
			if way.With == "" || s.Closed && !way.Past {
				t.Fatalf("a way that cannot be told: %+v", way)
			}
		}
		if at := order(c.Who); at < last && c.Who != resolver.MovedBySeats {
			t.Fatalf("the far stands before the near: %s", shown(e))
		} else if c.Who != resolver.MovedBySeats {
			last = at
		}
	}
}

func order(who resolver.Mover) int {
	for i, m := range resolver.Movers() {
		if m == who {
			return i
		}
	}
	return -1
}

// Of two points that say the opposite one may stand: the answer on the other
// cannot be accepted meanwhile, so no change supposes that it is (RD1b, ST6).
func TestNoAcceptanceAgainstWhatStands(t *testing.T) {
	accepting := func(paired bool) bool {
		s := raised(t).challenged("C1", state.Skeptical).add(
			&state.PointRaised{ID: "P2", By: state.Orchestrator, Text: "Alpha does not hold"},
			&state.PointClassified{Point: "P2", By: state.Consultee, Class: state.Agree},
		)
		if paired {
			s.add(&state.PointsPaired{A: "P1", B: "P2", Same: true, Opposed: true, By: state.Orchestrator})
		}
		e := explain(t, s.state, "P1")
		return strings.Contains(shown(&e), "an accepted answer to C1")
	}
	if !accepting(false) || accepting(true) {
		t.Errorf("supposed: alone %v, against a point that stands %v", accepting(false), accepting(true))
	}
}

// A point that is not there is not explained, and nothing fails.
func TestExplainOfNothing(t *testing.T) {
	e := resolver.Explain(state.State{}, state.Ruling{Point: "P9", Bucket: state.BucketOpen, Receipt: state.Receipt{Rule: "AC19"}})
	if e.Point != "P9" || len(e.Changes) != 0 || e.Says == "" {
		t.Errorf("%+v", e)
	}
	if _, ok := resolver.RuleOne(state.State{}, "P1"); ok {
		t.Error("a point out of nothing")
	}
}
