package view_test

import (
	"fmt"
	"strings"
	"testing"

	"moot/protocol/hearing/judge"
	"moot/protocol/protocoltest"
	"moot/state"
	"moot/view"
)

// Facts against a claim are shown with their outcome.
func TestHowContradictionsWereMet(t *testing.T) {
	said := func(r *protocoltest.Record) string {
		var list []string
		m := view.FormatOf(r.State).Map(r.State)
		for _, c := range r.State.Challenges.All() {
			list = append(list, fmt.Sprintf("%s %s: %s", c.ID, c.Point, m.Challenge(r.State, nil, c).Outcome))
		}
		return strings.Join(list, "; ")
	}
	if got := said(protocoltest.HearingTable(t).Record); got != "C1 P2: answered; C2 P4: waits for skeptic; C3 P2: waits for architect" {
		t.Errorf("in the third round: %s", got)
	}
	r := protocoltest.Hearing(t)
	if got := said(r); !strings.HasSuffix(
		got,
		"C2 P4: answered; C3 P2: ignored by the architect; C4 P5: not answered",
	) {
		t.Errorf("at the end: %s", got)
	}
	r.Add(&state.OverrideMade{What: state.OverrideDismiss, Point: "P5"})
	if got := said(r); !strings.HasSuffix(got, "C4 P5: ended, ruled by you") {
		t.Errorf("after the user's word: %s", got)
	}
	h := protocoltest.HearingTable(t)
	h.Add(
		&state.ConfidenceReported{Seat: judge.Skeptic, Point: "P4", Stated: 0.5, Admitted: 0.5, Cause: "f10"},
		&state.PointConceded{Point: "P2", By: judge.Architect},
	)
	if got := said(h.Record); !strings.HasSuffix(got, "C2 P4: accepted, confidence now 0.5; C3 P2: P2 was given up") {
		t.Errorf("after a fall and a concession: %s", got)
	}
}
