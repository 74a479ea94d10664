package report_test

import (
	"path/filepath"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/formats"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// counselled is a council after two rounds: C1 was answered in the second one, the moderator reworded the claim, and
// the critic has not reported its confidence (CV2).
func counselled(t *testing.T) state.State {
	t.Helper()
	var s state.State
	score := func(seat state.Seat, point string, stated, admitted float64, cause string) state.Payload {
		return &state.ConfidenceReported{Seat: seat, Point: point, Stated: stated, Admitted: admitted, Cause: cause}
	}
	events := []state.Payload{
		&state.SessionOpened{
			Rules:   formats.ByName(state.FormatCouncil),
			Version: state.Version, ID: "s", Question: "Is every job run?",
			Seats: []state.SeatAssignment{{Seat: state.Strategist}, {Seat: state.Critic}, {Seat: state.Adversary}, {Seat: state.Moderator}},
			Settings: state.Settings{Format: state.FormatCouncil, Council: &state.CouncilSettings{
				Rounds: 3, Weights: state.DefaultWeights(), Decision: state.DefaultDecision,
			}},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Strategist, Text: "Every job is run \x1b[31mat least once"},
		&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", Quote: "acked", By: state.Strategist},
		&state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "a.go:1", Excerpt: "acked", Admitted: true},
		score(state.Strategist, "P1", 0.85, 0.85, "one \u202efile"), score(state.Critic, "P1", 0.72, 0.72, "one source"),
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Critic, What: state.Skeptical, Objection: "the sample is one worker", UpgradeIf: "a second worker"},
		score(state.Adversary, "P1", 0.9, 0.68, ""), score(state.Moderator, "P1", 0.7, 0.7, "E1"),
		&state.PointRaised{ID: "P2", By: state.Moderator, For: state.Strategist, Text: "Every job of one worker is run at least once", Revises: "P1", Limit: "one worker"},
		&state.PointRevised{Point: "P1", New: "P2", By: state.Moderator},
		&state.PointTriaged{Point: "P2", By: state.Protocol, Scope: state.InScope},
	}
	follow := func(p state.Payload) {
		t.Helper()
		next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, Data: p})
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	for _, p := range events {
		follow(p)
	}
	follow(&state.ConsensusTested{Consensus: council.ConsensusOf(&s)})
	follow(&state.RoundStarted{Round: 2})
	follow(score(state.Strategist, "P2", 0.8, 0.8, "one worker"))
	return s
}

// The explanation of a claim of a council has its four rules, what must change, and the confidences with their sum.
func TestWhyOfACouncil(t *testing.T) {
	s := counselled(t)
	r, _ := resolver.RuleOne(s, "P2")
	d := view.Why(&s, &r)
	golden(t, filepath.Join("testdata", "why-council.txt"), []byte(report.Document(&d, 80)))
	r, _ = resolver.RuleOne(s, "P1")
	d = view.Why(&s, &r)
	text := report.Document(&d, 0)
	for _, want := range []string{
		"Another rule decided before these", "0.68 (it said 0.90, with no cause to move), weight 0.2", `0.85, weight 0.3, in round 1: one \u202efile`,
		"Revised as P2",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if strings.ContainsAny(text, "\x1b\u202e") {
		t.Errorf("hostile text is not escaped:\n%s", text)
	}
}
