package view_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/state"
	"moot/view"
)

// A drop of a confidence without a cause is marked, and so is a seat that verified evidence did not move (ST3).
func TestTracesMarkRetreatAndRigidity(t *testing.T) {
	s := &state.State{}
	for _, data := range []state.Payload{
		&state.SessionOpened{Version: state.Version, ID: "x", Question: "?", Seats: []state.SeatAssignment{{Seat: state.Consultee}}},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "it is fast"},
		&state.ConfidenceReported{Seat: state.Consultee, Point: "P1", Stated: 0.9, Admitted: 0.9},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Refutes, By: state.Orchestrator},
		&state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Admitted: true},
		&state.RoundStarted{Round: 2},
		&state.ConfidenceReported{Seat: state.Consultee, Point: "P1", Stated: 0.5, Admitted: 0.9},
	} {
		next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, At: time.Unix(0, 0), Data: data})
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	traces := view.Traces(s, "")
	if len(traces) != 1 {
		t.Fatalf("%d points have reports", len(traces))
	}
	rounds, remarks := traces[0].Seats[0].Rounds, strings.Join(traces[0].Remarks, "\n")
	marked := slices.IndexFunc(rounds[:], func(r view.Reported) bool { return r.Marked })
	if marked != 1 || !rounds[2].Marked ||
		!strings.Contains(remarks, "retreat: consultee in round 2, from 0.90 to 0.50") ||
		!strings.Contains(remarks, "rigid: consultee in round 1, E1 refutes the point") {
		t.Errorf("the marks are %v, the remarks %s", rounds, remarks)
	}
}
