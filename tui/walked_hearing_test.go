package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/hearing/judge"
	"moot/state"
	"moot/view"
)

// Facts against a claim are shown with their outcome.
func TestHowContradictionsWereMet(t *testing.T) {
	said := func(r *recorder) string {
		var list []string
		m := view.FormatOf(r.state).Map(r.state)
		for _, c := range r.state.Challenges.All() {
			list = append(list, fmt.Sprintf("%s %s: %s", c.ID, c.Point, m.Challenge(r.state, nil, c).Outcome))
		}
		return strings.Join(list, "; ")
	}
	if got := said(beingHeard(t).recorder); got != "C1 P2: answered; C2 P4: waits for skeptic; C3 P2: waits for architect" {
		t.Errorf("in the third round: %s", got)
	}
	r := heard(t)
	if got := said(r); !strings.HasSuffix(got, "C2 P4: answered; C3 P2: ignored by the architect; C4 P5: not answered") {
		t.Errorf("at the end: %s", got)
	}
	r.add(&state.OverrideMade{What: state.OverrideDismiss, Point: "P5"})
	if got := said(r); !strings.HasSuffix(got, "C4 P5: ended, ruled by you") {
		t.Errorf("after the user's word: %s", got)
	}
	h := beingHeard(t)
	h.add(&state.ConfidenceReported{Seat: judge.Skeptic, Point: "P4", Stated: 0.5, Admitted: 0.5, Cause: "f10"}, &state.PointConceded{Point: "P2", By: judge.Architect})
	if got := said(h.recorder); !strings.HasSuffix(got, "C2 P4: accepted, confidence now 0.5; C3 P2: P2 was given up") {
		t.Errorf("after a fall and a concession: %s", got)
	}
}

// Decisions without a meaning in a hearing are disabled.
func TestOverridesOfAHearing(t *testing.T) {
	h := beingHeard(t)
	list := protocol.Overrides(h.state, protocol.Selection{Point: "P2", ID: "P2"})
	for id, why := range map[string]string{"evidence": "the packet is frozen", "kind": "about facts", "priorities": "is judged"} {
		i := slices.IndexFunc(list, func(o protocol.Override) bool { return o.ID == id })
		if i < 0 || !strings.Contains(list[i].Why, why) {
			t.Errorf("%q can be chosen", id)
		}
	}
}
