package cli

import (
	"fmt"
	"strings"
	"testing"

	"moot/constitution"
	"moot/protocol/formats"
	"moot/state"
	"moot/view"
)

// The progress of a council: phases, the confidences of a seat in one line, violations, what the moderator reports,
// and whether the rules (CV1 to CV4) contradict that.
func TestACouncilIsToldInLines(t *testing.T) {
	t.Parallel()
	binding, err := constitution.Default()
	if err != nil {
		t.Fatal(err)
	}
	binding.Constraints = append(binding.Constraints, state.Constraint{ID: "one-sided", Seat: state.Strategist, Text: "Look around.", Check: state.CheckBias})
	var now state.State
	var said []string
	p := &progress{transcript: view.NewTranscript(state.State{}), line: func(format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		if strings.Contains(line, "\n") {
			t.Errorf("a line breaks: %q", line)
		}
		said = append(said, strings.Join(strings.Fields(line), " "))
	}}
	tell := func(payloads ...state.Payload) {
		t.Helper()
		p.advanced(after(t, &now, payloads...))
	}
	asked := func(seat state.Seat, stage state.Stage) []state.Payload {
		return []state.Payload{&state.PromptSent{Seat: seat, Stage: stage}, &state.ReplyReceived{Seat: seat, Stage: stage, Valid: true}}
	}
	tell(
		&state.SessionOpened{Rules: formats.ByName(state.FormatCouncil),
			Version: state.Version, ID: "s",
			Settings: state.Settings{Format: state.FormatCouncil, Council: &state.CouncilSettings{Rounds: 3, Constitution: binding}},
			Seats:    []state.SeatAssignment{{Seat: state.Strategist}, {Seat: state.Critic}, {Seat: state.Adversary}, {Seat: state.Moderator}},
		},
		&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive},
	)
	tell(append(
		asked(state.Strategist, state.StagePropose),
		&state.PointRaised{ID: "P1", By: state.Strategist, Text: "jobs are\nrun once", Key: true},
		&state.ConfidenceReported{Point: "P1", Seat: state.Strategist, Stated: 0.8, Admitted: 0.8},
		&state.PointRaised{ID: "P2", By: state.Strategist, Text: "it costs nothing"},
		&state.ConfidenceReported{Point: "P2", Seat: state.Strategist, Stated: 0.9, Admitted: 0.7},
	)...)
	tell(&state.ConstitutionViolated{Constraint: "cite-facts", Seat: state.Strategist, Point: "P1", Text: "a factual claim\nwithout a reference"})
	tell(append(
		asked(state.Critic, state.StageCritique),
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Critic, What: state.Skeptical, Objection: "no", Narrower: "run at least once"},
		&state.ConstitutionViolated{Constraint: "attack-method", Seat: state.Critic, Point: "P1", Challenge: "C1", Text: "names no method"},
		&state.ChallengeMended{Challenge: "C1", By: state.Critic, Objection: "the sample is small"},
		&state.ClaimLimited{Point: "P2", By: state.Strategist, Limit: "for one year"},
		&state.ClaimMarkedKey{Point: "P1", By: state.User, Key: false},
	)...)
	tell(append(
		asked(state.Adversary, state.StageAttack),
		&state.ConstitutionViolated{Constraint: "one-sided", Seat: state.Strategist, Point: "P1", Text: "all its support is of one seat"},
		&state.ConstitutionViolated{Constraint: "one-sided", Seat: state.Strategist, Point: "P2", Text: "all its support is of one source"},
		&state.ConfidenceReported{Point: "P1", Seat: state.Adversary, Stated: 0.6, Admitted: 0.6},
	)...)
	tell(&state.ConstitutionViolated{Constraint: "one-sided", Seat: state.Strategist, Point: "P2", Text: "all its support is of one seat"})
	tell(append(
		asked(state.Moderator, state.StageSynthesize),
		&state.Synthesized{By: state.Moderator, Text: "all is well", Agreement: true},
		&state.ConsensusTested{Consensus: state.Consensus{Round: 1, Reported: state.AgreementYes, Unsettled: []string{"P1", "P2"}}},
		&state.RoundStarted{Round: 2},
	)...)
	tell(
		&state.Synthesized{By: state.Moderator, Text: "it is not", Open: []string{"P2"}},
		&state.ConsensusTested{Consensus: state.Consensus{Round: 2, Reached: true, Reported: state.AgreementNo}},
	)
	want := []string{
		"round 1",
		"phase 1 of 4, presentation",
		"point P1 by strategist (key claim): jobs are run once",
		"scores strategist: P1 0.80, P2 0.70 (0.90 stated without a cause)",
		"point P2 by strategist: it costs nothing",
		"violation P1 by the strategist: cite-facts: a factual claim without a reference",
		"phase 2 of 4, critical analysis",
		"challenge C1 SKEPTICAL on P1 by critic: no",
		"narrower C1: would accept: run at least once",
		"violation C1 on P1 by the critic: attack-method: names no method",
		"reworded C1 by critic: the sample is small",
		"limit P2 by strategist: for one year",
		"key P1 by user: is no longer a key claim",
		"phase 3 of 4, adversarial testing",
		"flagged P1, P2 by the strategist: one-sided: all support for each comes from one source, seat or polarity; it blocks nothing",
		"scores adversary: P1 0.60",
		"flagged P1, P2 by the strategist: one-sided: all support for each comes from one source, seat or polarity; it blocks nothing",
		"phase 4 of 4, consensus",
		"synthesis all is well",
		"reported by the moderator: agreement",
		"consensus none in round 1; not settled: P1, P2",
		"warning the moderator reported agreement, but the rules find none: P1, P2 are not settled",
		"round 2",
		"synthesis it is not",
		"reported by the moderator: no agreement, open: P2",
		"consensus in round 2: CV1 to CV4 leave no live claim unsettled",
		"warning the moderator reported that there is no agreement, but the rules find consensus: no live claim is unsettled",
	}
	if got := strings.Join(said, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("told:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}
