package resolver_test

import (
	"testing"

	"moot/resolver"
	"moot/state"
)

// What several answers say alike is Open until the answers were compared: who
// contradicts it is not known before (INV1, ST6).
func TestNothingIsAgreedBeforeTheAnswersAreCompared(t *testing.T) {
	s := &session{t: t}
	s.add(
		&state.SessionOpened{
			Version: state.Version, ID: "p", Question: "?", Settings: state.Settings{Format: state.FormatPanel, Panel: &state.PanelSettings{Strategy: "tiered"}},
			Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Panelist}, {Seat: "panelist-2"}},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Panelist, Text: "Streams are nicer", Value: true},
		&state.PointRaised{ID: "P2", By: "panelist-2", Text: "Streams are nicer", Value: true},
		&state.PointsMerged{Into: "P1", From: []string{"P2"}, By: state.Protocol},
	)
	if r, _ := resolver.RuleOne(s.state, "P1"); r.Bucket != state.BucketOpen {
		t.Errorf("before: %+v", r)
	}
	s.compared()
	if r, _ := resolver.RuleOne(s.state, "P1"); r.Bucket != state.BucketAgreed {
		t.Errorf("after: %+v", r)
	}
}
