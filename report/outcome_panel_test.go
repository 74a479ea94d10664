package report_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moot/protocol/panel"
	"moot/report"
	"moot/state"
	"moot/view"
)

func comparedIn(t *testing.T, name string) (state.State, panel.Outcome) {
	t.Helper()
	s, rulings := asked(t, name)
	outcome, ok := report.Export(&s, rulings, "", nil).Outcome.(panel.Outcome)
	if !ok {
		t.Fatalf("the outcome of %s is no panel's", name)
	}
	return s, outcome
}

func TestOutcomesSayWhatEndedAConflict(t *testing.T) {
	for name, want := range map[string][]panel.EndedBy{
		"mixed":   {panel.EndedByVote, panel.EndedByVote, panel.EndedByDebate, panel.EndedByDebate},
		"weighed": {panel.EndedByWeight, panel.EndedByNothing, panel.EndedByNothing, panel.EndedByNothing},
		"waiting": {panel.EndedByNothing, panel.EndedByNothing},
		"decided": {panel.EndedByUser, panel.EndedByNothing},
		"agreed":  {},
		"alone":   {},
	} {
		_, got := comparedIn(t, name)
		var ended []panel.EndedBy
		for i := range got.Conflicts {
			c := &got.Conflicts[i]
			ended = append(ended, c.SettledBy)
			if c.Settled != (c.SettledBy != "") || c.Winner != "" && !slices.Contains(c.Points[:], c.Winner) || c.Settled && c.Dropped {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if !slices.Equal(ended, want) {
			t.Errorf("%s: ended by %q, want %q", name, ended, want)
		}
	}
}

// Who has given no answer has not disagreed: what the others all say is shared by
// all.
func TestWhatEveryoneSays(t *testing.T) {
	for name, want := range map[string][]string{"mixed": {"P5"}, "missing": {"P5"}, "agreed": {"P1"}, "twelve": {"P1"}, "waiting": nil, "alone": nil} {
		s, got := comparedIn(t, name)
		var shared []string
		for i := range got.Claims {
			if got.Claims[i].SharedByAll {
				shared = append(shared, got.Claims[i].Points[0])
			}
		}
		if !slices.Equal(shared, want) || report.Measure(&s, nil).Panel.SharedByAll != len(want) {
			t.Errorf("%s: %v, and the metrics say %d; want %v", name, shared, report.Measure(&s, nil).Panel.SharedByAll, want)
		}
	}
}

func TestMetricsOfAPanel(t *testing.T) {
	for name, want := range map[string]report.PanelMetrics{
		"mixed": {
			Answered: 4, Claims: 8, SharedByAll: 1, SharedBySome: 1, Alone: 6, Contradictions: 3, Disagreements: 1,
			SettledByVote: 2, ArguedOut: 2,
		},
		"weighed": {
			Answered: 4, Claims: 9, SharedByAll: 1, SharedBySome: 1, Alone: 7, Contradictions: 3, Disagreements: 1,
			SettledByEvidence: 1, LeftToUser: 3,
		},
		"decided": {Answered: 3, Claims: 5, Alone: 5, Contradictions: 1, DecidedByUser: 1},
		"twelve":  {Answered: 10, Missing: 2, Claims: 2, SharedByAll: 1, Alone: 1},
		"alone":   {Answered: 1, Missing: 1, Claims: 2, Alone: 2},
		"nobody":  {},
	} {
		s, _ := asked(t, name)
		got := *report.Measure(&s, nil).Panel
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// In the baseline, a claim of one panelist has its bucket by that answer alone, two contradicting first answers are
// unresolved, and later points are missing.
func TestBaselineOfAPanel(t *testing.T) {
	s, rulings := asked(t, "mixed")
	before := map[string]state.Bucket{}
	for _, c := range view.Baseline(&s, rulings) {
		before[c.Point] = c.Before
	}
	for point, want := range map[string]state.Bucket{
		"P1": state.BucketUnresolved, "P10": state.BucketUnresolved, "P3": state.BucketUnresolved, "P14": state.BucketUnresolved,
		"P5": state.BucketAgreed, "P9": state.BucketAgreed,
	} {
		if before[point] != want {
			t.Errorf("%s was %q before, want %q", point, before[point], want)
		}
	}
	if _, merged := before["P6"]; merged {
		t.Error("a merged point is in the baseline")
	}
}
