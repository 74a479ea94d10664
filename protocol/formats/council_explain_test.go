package formats_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// drawCouncil is a random council at a random moment: what is drawn and cannot
// follow is left out.
func drawCouncil(t *rapid.T) state.State {
	var s state.State
	follow := func(payloads ...state.Payload) {
		for _, p := range payloads {
			if next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, At: s.At, Data: p}); err == nil {
				s = next
			}
		}
	}
	seats := []state.SeatAssignment{{Seat: state.Strategist}, {Seat: state.Critic}, {Seat: state.Adversary}, {Seat: state.Moderator}}
	if rapid.Bool().Draw(t, "expert") {
		seats = append(seats, state.SeatAssignment{Seat: state.Expert})
	}
	constitution := state.Constitution{Name: "drawn"}
	for i, check := range rapid.SliceOfNDistinct(rapid.SampledFrom(state.Checks()), 0, 4, rapid.ID).Draw(t, "checks") {
		constitution.Constraints = append(constitution.Constraints, state.Constraint{ID: fmt.Sprintf("rule-%d", i+1), Seat: state.Strategist, Text: "so", Check: check, Deny: []string{"P2"}})
	}
	follow(
		&state.SessionOpened{
			Rules:   formats.ByName(state.FormatCouncil),
			Version: state.Version, ID: "s", Seats: seats,
			Settings: state.Settings{Format: state.FormatCouncil, Mode: state.ModeStandard, Attended: true, Council: &state.CouncilSettings{
				Rounds: rapid.IntRange(1, 4).Draw(t, "rounds"),
				Weights: rapid.SampledFrom([][]state.SeatWeight{
					state.DefaultWeights(), state.DefaultWeights(), {{Seat: state.Moderator, Weight: 1}},
				}).Draw(t, "weights"),
				Decision: rapid.SampledFrom([]float64{0, 0.65, 0.9, 1}).Draw(t, "decision"), Constitution: constitution,
			}},
		},
		&state.RoundStarted{Round: 1},
	)
	for range rapid.IntRange(1, 3).Draw(t, "claims") {
		id := state.NextID('P', s.Points.Len())
		follow(&state.PointRaised{
			ID: id, By: state.Strategist, Text: "We should adopt " + id, Value: rapid.IntRange(0, 3).Draw(t, "value") == 0,
			Key: rapid.IntRange(0, 3).Draw(t, "key") == 0, Limit: rapid.SampledFrom([]string{"", "one worker"}).Draw(t, "limit"),
		}, &state.PointTriaged{Point: id, Scope: state.InScope})
	}
	for range rapid.IntRange(3, 40).Draw(t, "length") {
		follow(councilMoment(t, &s, seats)...)
	}
	return s
}

// councilMoment draws what may come next in a council.
func councilMoment(t *rapid.T, s *state.State, seats []state.SeatAssignment) []state.Payload {
	n := func(what string, count int) string {
		return fmt.Sprintf("%s%d", what, rapid.IntRange(1, max(1, count)).Draw(t, what))
	}
	point := func() string { return n("P", s.Points.Len()) }
	seat := func() state.Seat { return rapid.SampledFrom(seats).Draw(t, "seat").Seat }
	tester := func() state.Seat { return seats[rapid.IntRange(1, 2).Draw(t, "tester")].Seat }
	switch rapid.IntRange(0, 14).Draw(t, "kind") {
	case 0, 1, 2, 3:
		id, score := point(), float64(rapid.IntRange(0, 1000).Draw(t, "score"))/1000
		if rapid.Bool().Draw(t, "sure") {
			score = max(score, 0.7)
		}
		return []state.Payload{&state.ConfidenceReported{Seat: seat(), Point: id, Stated: score, Admitted: score, Cause: "so"}}
	case 4, 5, 6:
		id := state.NextID('E', s.Evidence.Len())
		stamp := rapid.SampledFrom([]ledger.Evidence{
			{Type: ledger.Execution, SourceKind: ledger.LiveAPI},
			{Type: ledger.Textual, SourceKind: ledger.DomainEvidence},
			{Type: ledger.Textual, SourceKind: ledger.UserOverride},
			{Type: ledger.Claim, SourceKind: ledger.LLMInference},
		}).Draw(t, "stamp")
		relation := rapid.SampledFrom([]ledger.Relation{ledger.Supports, ledger.Supports, ledger.Refutes, ledger.Neutral}).Draw(t, "relation")
		offered := &state.EvidenceOffered{ID: id, Point: point(), Relation: relation, Reference: n("file", 3) + ":1", Quote: id, By: seat(), Direct: true}
		if rapid.IntRange(0, 3).Draw(t, "unchecked") == 0 {
			return []state.Payload{offered}
		}
		return []state.Payload{offered, &state.EvidenceVerified{ID: id, Type: stamp.Type, SourceKind: stamp.SourceKind, Reference: offered.Reference, Excerpt: id, Admitted: true}}
	case 7:
		return []state.Payload{&state.ChallengeRaised{ID: state.NextID('C', s.Challenges.Len()), Point: point(), By: tester(), What: state.Skeptical, Objection: "the sample is one worker"}}
	case 8:
		return []state.Payload{&state.ChallengeAnswered{Challenge: n("C", s.Challenges.Len()), By: state.Strategist, Text: "two"}}
	case 9:
		id := n("C", s.Challenges.Len())
		c := s.Challenge(id)
		if c == nil {
			return nil
		}
		return []state.Payload{&state.ChallengeJudged{Challenge: id, By: c.By, Judgment: rapid.SampledFrom([]state.Judgment{state.Accepted, state.Rejected}).Draw(t, "judgment"), Reopens: true}}
	case 10:
		stage := rapid.SampledFrom([]state.Stage{state.StageCritique, state.StageAnswer, state.StageAttack, state.StageRebut, state.StageJudge, state.StageSynthesize}).Draw(t, "stage")
		return []state.Payload{&state.ReplyReceived{Seat: seat(), Stage: stage}}
	case 11:
		return []state.Payload{&state.OverrideMade{What: rapid.SampledFrom([]state.OverrideKind{state.OverrideAgree, state.OverrideDismiss, state.OverrideUnresolved, state.OverrideReopen}).Draw(t, "what"), Point: point()}}
	case 12:
		id := state.NextID('P', s.Points.Len())
		return []state.Payload{
			&state.PointRaised{ID: id, By: state.Moderator, For: state.Strategist, Text: "We should adopt a narrow " + id, Revises: point()},
			&state.PointRevised{Point: point(), New: id, By: state.Moderator}, &state.PointTriaged{Point: id, Scope: state.InScope},
		}
	case 13:
		return []state.Payload{&state.ConsensusTested{Consensus: council.ConsensusOf(s)}, &state.RoundStarted{Round: s.Round + 1}}
	}
	return []state.Payload{rapid.SampledFrom([]state.Payload{
		&state.PointsMerged{Into: point(), From: []string{point()}, By: state.Moderator},
		&state.PointConceded{Point: point(), By: state.Strategist},
		&state.PointBlocked{Point: point(), Blocked: state.Blocked{By: state.Strategist, Measurement: "the load", Threshold: "1000"}},
		&state.ChallengeUndefended{Challenge: n("C", s.Challenges.Len())},
		&state.PointTriaged{Point: point(), Scope: state.OutOfScope},
		&state.ExitReached{Exit: state.ExitCap, Reason: "the last round"},
		&state.SessionClosed{Exit: state.ExitCap},
	}).Draw(t, "rare")}
}

// In random councils every change comes true, all that is read is explained, and
// what is Agreed by CV rests on verified evidence (INV3).
func TestCouncilWhatIfComesTrue(t *testing.T) {
	follow := func(s state.State, p state.Payload) (state.State, error) {
		return state.Apply(s, state.Event{Seq: s.Seq + 1, At: s.At, Data: p})
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawCouncil(t)
		for _, r := range resolver.Rule(s) {
			p := s.Point(r.Point)
			if r.Rule == "CV" && !resolver.IsValue(&s, p) && !resolver.Supported(&s, p) {
				t.Fatalf("Agreed with nothing verified: %+v", r)
			}
			e := resolver.Explain(s, r)
			if again := resolver.Explain(s, r); !reflect.DeepEqual(e, again) {
				t.Fatalf("one state, two explanations:\n%s\n%s", shown(&e), shown(&again))
			}
			sound(t, &s, &e)
			for _, c := range e.Changes {
				for _, way := range c.Ways {
					comesTrue(t, s, &e.Ruling, &c, &way, follow)
				}
			}
			mendable(t, &s, &e)
		}
	})
}

// mendable demands that a claim that is open or unresolved by CV1 to CV4 is told what
// would make it valid, unless it needs other words, or what stands against it is the
// user's, or an execution's: these nothing that a seat brings outranks.
func mendable(t *rapid.T, s *state.State, e *resolver.Explanation) {
	if !strings.HasPrefix(e.Rule, "CV") || e.Rule == "CV" || !s.Over() {
		return
	}
	words := slices.ContainsFunc(council.BreachesOf(s, s.Point(e.Point)), func(b state.Breach) bool {
		check := s.Settings.Council.Constitution.Constraint(b.Constraint).Check
		return check == state.CheckNoHarm || check == state.CheckFeasible
	})
	against := slices.ContainsFunc(s.Point(e.Point).Evidence, func(id string) bool {
		item := s.Item(id)
		return item.Counts() && item.Relation == ledger.Refutes && (item.SourceKind == ledger.UserOverride || item.Type == ledger.Execution)
	})
	reached := slices.ContainsFunc(e.Changes, func(c resolver.Change) bool {
		return c.Then.Bucket == state.BucketAgreed && c.Who != resolver.MovedByUser
	})
	if !words && !against && !reached && e.More == 0 {
		t.Fatalf("nothing is said to make it valid: %s", shown(e))
	}
	if words && reached {
		t.Fatalf("words that the constitution forbids are said to become valid: %s", shown(e))
	}
}
