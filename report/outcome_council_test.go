package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moot/protocol"
	"moot/protocol/council"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

func validatedIn(t *testing.T, name string) council.Outcome {
	t.Helper()
	s, rulings := sat(t, name)
	outcome, ok := report.Export(&s, rulings, "", nil).Outcome.(council.Outcome)
	if !ok {
		t.Fatalf("the outcome of %s is no council's", name)
	}
	return outcome
}

func TestOutcomesSayWhetherThereIsConsensus(t *testing.T) {
	type consensus struct {
		Reached   bool
		Round     int
		Unsettled []string
	}
	for name, want := range map[string]consensus{
		"mixed":   {Unsettled: []string{"P2"}},
		"agreed":  {Reached: true, Round: 1, Unsettled: []string{}},
		"waiting": {Unsettled: []string{"P1", "P2", "P3", "P4"}},
		"empty":   {Unsettled: []string{}},
	} {
		got := validatedIn(t, name)
		if diff := cmp.Diff(want, consensus{got.Consensus, got.ConsensusRound, got.Unsettled}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A consensus ends when one of its claims is challenged again.
func TestConsensusEndsWithWhatIsReopened(t *testing.T) {
	s, _ := sat(t, "agreed")
	d := &table{t: t, state: s, clock: s.At}
	d.add(&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Critic, What: state.Skeptical, Objection: "what of a full disk?"})
	rulings := resolver.Rule(d.state)
	got, _ := report.Export(&d.state, rulings, "", nil).Outcome.(council.Outcome)
	if got.Consensus || got.ConsensusRound != 0 || !slices.Equal(got.Unsettled, []string{"P1"}) {
		t.Errorf("consensus %v in round %d, unsettled %v", got.Consensus, got.ConsensusRound, got.Unsettled)
	}
	if text := report.Text(&d.state, rulings, 0); !strings.Contains(text, "consensus  in round 1, but no longer: P1 is not settled\n") {
		t.Error(text)
	}
}

// A violation is repaired, remains, or ended with its claim (CV3). The rules confirm or contradict the moderator.
func TestOutcomesSayWhatBecameOfViolationsAndSyntheses(t *testing.T) {
	got := validatedIn(t, "mixed")
	var violations []council.ViolationStatus
	for i := range got.Violations {
		violations = append(violations, got.Violations[i].Status)
	}
	want := []council.ViolationStatus{
		council.ViolationMended, council.ViolationMended, council.ViolationStands, council.ViolationMended, // by the first replies
		council.ViolationFlagged, council.ViolationFlagged, council.ViolationGone, council.ViolationGone, council.ViolationFlagged,
	}
	if diff := cmp.Diff(want, violations); diff != "" {
		t.Error(diff)
	}
	var said []council.Bearing
	for _, synthesis := range got.Syntheses {
		said = append(said, synthesis.Rules)
	}
	if diff := cmp.Diff([]council.Bearing{council.Contradicted, council.BorneOut}, said); diff != "" {
		t.Error(diff)
	}
	if !got.Tests[0].Contradicted || got.Tests[1].Contradicted {
		t.Errorf("tests %+v", got.Tests)
	}
	s, _ := sat(t, "waiting")
	d := &table{t: t, state: s, clock: s.At}
	payloads, err := protocol.AdmitUser(s, protocol.RuleOn{Point: "P2", What: state.OverrideDismiss, Reason: "beside the point"})
	if err != nil {
		t.Fatal(err)
	}
	d.add(payloads...)
	after, _ := report.Export(&d.state, resolver.Rule(d.state), "", nil).Outcome.(council.Outcome)
	if after.Violations[2].Status != council.ViolationGone {
		t.Errorf("the violation of a claim that the user dismissed %s", after.Violations[2].Status)
	}
}

// The baseline of a council are the claims that the strategist presented.
func TestBaselineOfACouncil(t *testing.T) {
	s, rulings := sat(t, "mixed")
	want := []view.Change{
		{Point: "P1", Before: state.BucketAgreed, After: state.BucketAgreed},
		{Point: "P2", Before: state.BucketAgreed, After: state.BucketUnresolved},
		{Point: "P3", Before: state.BucketAgreed, After: state.BucketDismissed},
		{Point: "P4", Before: state.BucketAgreed, After: state.BucketDismissed},
		{Point: "P5", Before: state.BucketNotEvaluated, After: state.BucketAgreed},
	}
	if diff := cmp.Diff(want, view.Baseline(&s, rulings)); diff != "" {
		t.Error(diff)
	}
}
