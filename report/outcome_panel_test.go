package report_test

import (
	"path/filepath"
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

func TestPanelExports(t *testing.T) {
	for _, name := range []string{"mixed", "decided", "nobody"} {
		s, rulings := asked(t, name)
		golden(t, filepath.Join("testdata", "panel", name+".json"), exported(t, &s, rulings))
	}
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

// A conflict in full: its two sides, who is on which, how alike they are, and what
// the strategy made of it.
func TestOutcomeOfAConflict(t *testing.T) {
	_, got := comparedIn(t, "mixed")
	c := got.Conflicts[1]
	c.Similarity = 0
	want := panel.Conflict{
		ID: "K2", Type: state.Contradiction, Points: [2]string{"P2", "P7"}, FoundBy: state.Orchestrator,
		AgentIDs:    []state.Seat{state.Panelist, "panelist-2"},
		Outputs:     [2]string{"Streams are better than lists for this queue", "Streams are worse than lists for this queue"},
		Description: "P2 and P7 contradict each other: their words are 78 % alike",
		Positions: []state.Position{
			{Seat: state.Panelist, Point: "P2", Answered: true},
			{Seat: "panelist-2", Point: "P7", Answered: true},
			{Seat: "panelist-3", Point: "P2"},
			{Seat: "panelist-4", Point: "P2"},
		},
		Resolution: panel.ConflictResolution{Method: "vote", Winner: "P2", Agent: state.Panelist, Reasoning: "3/4 agents agreed", Confidence: 0.75},
		Settled:    true, SettledBy: panel.EndedByVote, Winner: "P2", Reason: "3/4 agents agreed",
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	given := got.Conflicts[2]
	if !given.Argued || given.ArguedBy != state.Protocol || given.Winner != "P8" || given.Resolution.Method != "escalate" || given.Resolution.Agent != "" || len(given.AgentIDs) != 2 {
		t.Errorf("what was argued out: %+v", given)
	}
}

func TestOutcomesSayWhoIsMissing(t *testing.T) {
	_, got := comparedIn(t, "missing")
	if !slices.Equal(got.Answered, []state.Seat{"panelist", "panelist-2", "panelist-3"}) || len(got.Missing) != 2 {
		t.Fatalf("answered %v, missing %v", got.Answered, got.Missing)
	}
	for i, m := range got.Missing {
		if m.Participant != "openai:gpt-"+string(m.Seat[len(m.Seat)-1]) || m.Reason == "" || m.Replied {
			t.Errorf("missing %d: %+v", i, m)
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

// What one panelist says is its word; what two first answers say differently is
// open by these alone, and what was said later was in none.
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
