package store

import (
	"testing"

	"moot/state"
)

// A panel is listed by what its end says, where that is of its conflicts.
func TestAPanelIsListedByWhatItCameTo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format state.Format
		exit   state.Exit
		want   string
	}{
		"decided":        {state.FormatPanel, state.ExitDecided, "the reason"},
		"one answer":     {state.FormatPanel, state.ExitQuality, "the reason"},
		"stopped":        {state.FormatPanel, state.ExitUser, ""},
		"a consultation": {state.FormatConsult, state.ExitDecided, ""},
	} {
		n := notes{summary: &Summary{Format: c.format}, settled: map[string]bool{}}
		n.conflict(&state.ExitReached{Exit: c.exit, Reason: "the reason"})
		if n.summary.Came != c.want {
			t.Errorf("%s: it is listed with %q, not %q", name, n.summary.Came, c.want)
		}
	}
}

// A council is listed with its rounds and the last test for consensus.
func TestACouncilIsListedByItsConsensus(t *testing.T) {
	t.Parallel()
	s := &Summary{}
	if !shown((*state.ConsensusTested)(nil).Kind()) {
		t.Error("tests for consensus are not read")
	}
	s.note(state.Event{Data: &state.SessionOpened{Settings: state.Settings{Format: state.FormatCouncil, Council: &state.CouncilSettings{Rounds: 3}}}}, nil)
	s.note(state.Event{Data: &state.ConsensusTested{Consensus: state.Consensus{Round: 1, Unsettled: []string{"P2"}}}}, nil)
	s.note(state.Event{Data: &state.ConsensusTested{Consensus: state.Consensus{Round: 2, Reached: true}}}, nil)
	if s.Rounds != 3 || s.Tested == nil || s.Tested.Round != 2 || !s.Tested.Reached {
		t.Errorf("rounds %d, tested %+v", s.Rounds, s.Tested)
	}
}

// What was merged into another point counts with that one.
func TestMergedPointsAreNotCounted(t *testing.T) {
	t.Parallel()
	rulings := map[string]state.Bucket{}
	s := &Summary{}
	s.note(state.Event{Data: &state.PointRaised{ID: "P1"}}, rulings)
	s.note(state.Event{Data: &state.PointRaised{ID: "P2"}}, rulings)
	s.note(state.Event{Data: &state.Ruled{Rulings: []state.Ruling{
		{Point: "P1", Bucket: state.BucketAgreed},
		{Point: "P2", Bucket: state.BucketDismissed, Receipt: state.Receipt{Rule: "RD2"}},
	}}}, rulings)
	if len(rulings) != 1 || rulings["P1"] != state.BucketAgreed {
		t.Errorf("counted are %v", rulings)
	}
}
