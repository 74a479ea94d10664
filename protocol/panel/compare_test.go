package panel_test

import (
	"testing"

	"moot/protocol/panel"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// What several answers say alike is Open until the answers were compared: who
// contradicts it is not known before (INV1, ST6).
func TestNothingIsAgreedBeforeTheAnswersAreCompared(t *testing.T) {
	s := newSession(t)
	s.add(
		&state.SessionOpened{
			Rules:   panel.Format{},
			Version: state.Version, ID: "p", Question: "?", Settings: state.Settings{Format: panel.Name, Own: &panel.Settings{Strategy: "tiered"}},
			Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: panel.Panelist}, {Seat: "panelist-2"}},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: panel.Panelist, Text: "Streams are nicer", Kind: state.Value},
		&state.PointRaised{ID: "P2", By: "panelist-2", Text: "Streams are nicer", Kind: state.Value},
		&state.PointsMerged{Into: "P1", From: []string{"P2"}, By: state.Protocol},
	)
	if r, _ := resolver.RuleOne(s.State, "P1"); r.Bucket != state.BucketOpen {
		t.Errorf("before: %+v", r)
	}
	table := panel.NewTable(s.State)
	if result := view.Stated("result", view.Record{State: s.State}); table.Review().Agreed || result != "the answers are not compared yet" {
		t.Errorf("before, the review says %+v, the counts %q", table.Review(), result)
	}
	s.compared()
	table = panel.NewTable(s.State)
	if result := view.Stated("result", view.Record{State: s.State}); !table.Review().Agreed || result != "no two answers conflict" {
		t.Errorf("after, the review says %+v, the counts %q", table.Review(), result)
	}
	if r, _ := resolver.RuleOne(s.State, "P1"); r.Bucket != state.BucketAgreed {
		t.Errorf("after: %+v", r)
	}
}

// The answers count as compared when the orchestrator cannot compare them, and at the end.
func TestWhenTheAnswersCannotBeCompared(t *testing.T) {
	t.Parallel()
	failed := &state.ReplyReceived{Seat: state.Orchestrator, Stage: panel.StageTriage}
	for name, c := range map[string]struct {
		then []state.Payload
		want state.Bucket
	}{
		"one reply failed":     {[]state.Payload{failed}, state.BucketOpen},
		"two replies failed":   {[]state.Payload{failed, failed}, state.BucketAgreed},
		"nobody compares them": {[]state.Payload{&state.SeatMissed{Seat: state.Orchestrator, Stage: panel.StageTriage, Reason: "unreachable"}}, state.BucketAgreed},
		"the session is over":  {[]state.Payload{&state.ExitReached{Exit: state.ExitUser}}, state.BucketAgreed},
	} {
		s := apart(t)
		s.add(
			&state.PointRaised{ID: "P3", By: "panelist-2", Text: "Streams are nicer", Kind: state.Value},
			&state.PointRaised{ID: "P4", By: "panelist-3", Text: "Streams are nicer", Kind: state.Value},
			&state.PointsMerged{Into: "P3", From: []string{"P4"}, By: state.Protocol},
		).add(c.then...)
		if r, _ := resolver.RuleOne(s.State, "P3"); r.Bucket != c.want {
			t.Errorf("%s: %+v, want %s", name, r, c.want)
		}
	}
}

// The answers uphold no old form of a point.
func TestAnOldFormIsNotUpheld(t *testing.T) {
	t.Parallel()
	s := apart(t)
	s.add(
		&state.PointRaised{ID: "P3", By: panel.Panelist, Text: "it is safe at rest", Revises: "P1"},
		&state.PointRevised{Point: "P1", New: "P3", By: panel.Panelist},
	)
	if _, upheld := resolver.FormatOf(s.State).Basis(s.State, s.State.Point("P1")).Upheld(); upheld {
		t.Error("P1 is upheld, and P3 replaced it")
	}
}
