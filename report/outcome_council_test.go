package report_test

import (
	"slices"
	"strings"
	"testing"

	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/report"
	"moot/resolver"
	"moot/state"
)

// A consensus ends when one of its claims is challenged again.
func TestConsensusEndsWithWhatIsReopened(t *testing.T) {
	s, _ := played(t, "council/agreed")
	s.Closed = false
	d := &table{t: t, state: s, clock: s.At}
	d.add(&state.ChallengeRaised{ID: "C1", Point: "P1", By: constitution.Critic, Kind: state.Skeptical, Objection: "what of a full disk?"})
	rulings := resolver.Rule(d.state)
	got, _ := report.Export(d.state, rulings, "", nil).Outcome.(council.Outcome)
	if got.Consensus || got.ConsensusRound != 0 || !slices.Equal(got.Unsettled, []string{"P1"}) {
		t.Errorf("consensus %v in round %d, unsettled %v", got.Consensus, got.ConsensusRound, got.Unsettled)
	}
	if text := report.Text(document(d.state, rulings), 0); !strings.Contains(text, "agreement  in round 1, but no longer: P1 is not settled\n") {
		t.Error(text)
	}
}
