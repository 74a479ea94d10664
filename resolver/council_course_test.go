package resolver_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// seatedCouncil is a council with the claim P1 of the strategist, in round 1.
func seatedCouncil(t testing.TB) *session {
	t.Helper()
	settings := &state.CouncilSettings{Rounds: 3, Weights: state.DefaultWeights(), Decision: state.DefaultDecision, Constitution: state.Constitution{
		Name: "test", Constraints: []state.Constraint{{ID: "no-harm", Seat: state.Strategist, Text: "Recommend no deletion.", Check: state.CheckNoHarm, Deny: []string{"delete"}}},
	}}
	return (&session{t: t}).add(
		&state.SessionOpened{
			Version: state.Version, ID: "s", Question: "Is every job run?",
			Settings: state.Settings{Format: state.FormatCouncil, Mode: state.ModeStandard, Attended: true, Council: settings},
			Seats:    []state.SeatAssignment{{Seat: state.Strategist}, {Seat: state.Critic}, {Seat: state.Adversary}, {Seat: state.Moderator}},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Strategist, Text: "Every job is run"},
		&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope},
	)
}

// scored has the seats report their confidence in a claim, in the order in which
// they speak; less than 0 is no report.
func (s *session) scored(point string, scores ...float64) *session {
	for i, seat := range []state.Seat{state.Strategist, state.Critic, state.Adversary, state.Moderator} {
		if i < len(scores) && scores[i] >= 0 {
			s.add(&state.ConfidenceReported{Seat: seat, Point: point, Stated: scores[i], Admitted: scores[i], Cause: "one source"})
		}
	}
	return s
}

// doubted is a challenge of the critic's.
func (s *session) doubted(id, point string) *session {
	return s.add(&state.ChallengeRaised{ID: id, Point: point, By: state.Critic, What: state.Skeptical, Objection: "the sample is one worker", UpgradeIf: "a second worker"})
}

// shows brings verified evidence of a file.
func (s *session) shows(point, file string, relation ledger.Relation) *session {
	id := state.NextID('E', s.state.Evidence.Len())
	return s.add(
		&state.EvidenceOffered{ID: id, Point: point, Relation: relation, Reference: file + ":1", Quote: "acked", By: state.Strategist},
		&state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: file + ":1", Excerpt: "acked", Admitted: true},
	)
}

// tested ends the round.
func (s *session) tested() *session {
	return s.add(&state.ConsensusTested{Consensus: resolver.ConsensusOf(&s.state)})
}

// The way of a claim: 0.85 in round 1 with a challenge that waits and words that
// the moderator gives it, 0.70 to 0.85 in the round after. Each form is told of in
// the rounds in which it was tested, whichever form is asked for; what came later
// changes nothing that was told of a round.
func TestCourse(t *testing.T) {
	s := seatedCouncil(t).scored("P1", 0.85, 0.72, 0.68, 0.70).shows("P1", "a.go", ledger.Supports).doubted("C1", "P1").add(
		&state.ConstitutionViolated{Constraint: "no-harm", Seat: state.Strategist, Point: "P1", Text: "it says delete"},
		&state.PointRaised{ID: "P2", By: state.Moderator, For: state.Strategist, Text: "Every job of a worker is run", Revises: "P1", Limit: "one worker"},
		&state.PointRevised{Point: "P1", New: "P2", By: state.Moderator},
		&state.PointTriaged{Point: "P2", By: state.Protocol, Scope: state.InScope},
	).scored("P2", -1, -1, -1, 0.8).tested()
	first := resolver.Course(&s.state, "P2")
	s.round(2).scored("P2", 0.85, 0.8, 0.75).doubted("C2", "P2").add(
		&state.ChallengeAnswered{Challenge: "C2", By: state.Strategist, Text: "two workers"},
		&state.ChallengeJudged{Challenge: "C2", By: state.Critic, Judgment: state.Accepted, Reason: "so it is"},
	).shows("P2", "b.go", ledger.Supports).tested()
	lines := func(steps []resolver.CourseStep) []string {
		var said []string
		for i := range steps {
			said = append(said, steps[i].Point+" "+steps[i].Line())
		}
		return said
	}
	want := []string{
		"P1 round 1: 0.85 0.72 0.68 0.70 -> 0.749; C1 not answered yet; E1 verified; no-harm violated and mended; CV2 fails; worded anew as P2",
		"P2 round 2: 0.85 0.80 0.75 0.80 -> 0.805; C2 answered in round 2, the answer accepted; E2 verified; CV1 to CV4 hold",
	}
	for _, form := range []string{"P1", "P2"} {
		if diff := cmp.Diff(want, lines(resolver.Course(&s.state, form))); diff != "" {
			t.Errorf("the way of %s (-want +got):\n%s", form, diff)
		}
	}
	later := resolver.Course(&s.state, "P2")
	if diff := cmp.Diff(first[0], later[0]); diff != "" {
		t.Errorf("round 1 is told otherwise after round 2:\n%s", diff)
	}
	// While round 1 is the last, the new form stands beside the old one.
	if len(first) != 2 || !strings.HasPrefix(first[1].Line(), "round 1: - - - 0.80 -> 0.80") || !first[1].Ended {
		t.Errorf("after round 1: %q", lines(first))
	}
	if len(later) == 2 && (later[1].WordedBy != state.Moderator || later[1].Ruling.Rule != "CV" || later[0].WordedBy != state.Strategist) {
		t.Errorf("%+v", later)
	}
	if resolver.Course(&s.state, "P9") != nil || resolver.Course(&raised(t).state, "P1") != nil {
		t.Error("a way of nothing, or of another format")
	}
}

// Of a claim that was given up nothing is told after that round.
func TestCourseOfWhatWasGivenUp(t *testing.T) {
	s := seatedCouncil(t).scored("P1", 0.85, 0.72, 0.68, 0.70).add(&state.PointConceded{Point: "P1", By: state.Strategist}).tested()
	s.round(2).tested()
	s.round(3).tested()
	if steps := resolver.Course(&s.state, "P1"); len(steps) != 1 || steps[0].Round != 1 {
		t.Errorf("its way has %d steps", len(steps))
	}
}

// What was merged goes on as what it was merged into; a record that was forged into
// a ring ends.
func TestCourseOfMerged(t *testing.T) {
	s := seatedCouncil(t).add(
		&state.PointRaised{ID: "P2", By: state.Strategist, Text: "All jobs run"},
		&state.PointsMerged{Into: "P1", From: []string{"P2"}, By: state.Moderator},
	).tested()
	steps := resolver.Course(&s.state, "P2")
	if len(steps) != 2 || !steps[0].Merged || steps[0].Became != "P1" || steps[1].Point != "P1" {
		t.Errorf("%+v", steps)
	}
	ring := seatedCouncil(t).add(
		&state.PointRaised{ID: "P2", By: state.Strategist, Text: "All jobs run"},
		&state.PointRevised{Point: "P1", New: "P2", By: state.Strategist}, &state.PointRevised{Point: "P2", New: "P1", By: state.Strategist},
	)
	if steps := resolver.Course(&ring.state, "P1"); len(steps) > 3 {
		t.Errorf("%d steps of a ring", len(steps))
	}
}
