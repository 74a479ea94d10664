package report

import (
	"strings"
	"testing"

	"moot/protocol/panel"
	"moot/resolver"
	"moot/state"
)

// A conflict is told with its sides, who took which and how it came out; what
// others wrote is escaped.
func TestWhyConflict(t *testing.T) {
	e := panel.ConflictExplanation{
		ID: "K1", Kind: state.Contradiction, Outcome: "Settled for P1 by vote: 2/3 agents agreed.",
		Sides: [2]panel.ConflictSide{
			{Point: "P1", Text: "it is \x1b[31msafe", Holders: []state.Seat{state.Panelist}, Strength: 8}, {Point: "P2", Text: "it is not", Holders: []state.Seat{"panelist-2"}},
		},
		Positions: []state.Position{{Seat: state.Panelist, Point: "P1", Answered: true}, {Seat: "panelist-3", Point: "P1"}},
		Grounds:   [2][]resolver.Reading{{{ID: "E1", What: "textual evidence"}}, nil},
		Else:      []string{"If you agree with P1, or with P2, the other side falls."},
	}
	got := WhyConflict(&e, 80)
	for _, want := range []string{
		"K1, a contradiction\n", "Settled for P1 by vote", "said by: panelist\n", "E1  textual evidence", "verified evidence weighs 8",
		"panelist for P1, by its own answer", "panelist-3 for P1, when it was asked", "\n  If you agree with P1",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Error("a control sequence comes through")
	}
}
