package view_test

import (
	"strings"
	"testing"

	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/view"
)

// The receipt of a council's claim shows CV1 to CV4, the confidences and the claim's history.
func TestReceiptOfACouncil(t *testing.T) {
	s := protocoltest.Council(t).State
	for id, said := range map[string][]string{
		"P1": {"CV1 holds", "CV4 holds", "strategist 0.85, weight 0.3, in round 1: one consumer was read"},
		"P6": {"CV3 fails be-feasible", "must change what be-feasible demands"},
		"P9": {"reported nothing", "weight 0.4"},
	} {
		r, ok := resolver.RuleOne(s, id)
		if !ok {
			t.Fatalf("%s is not ruled on", id)
		}
		d := view.Why(s, &r)
		var shown strings.Builder
		for _, group := range protocoltest.Groups(&d) {
			shown.WriteString(strings.Join(group, " ") + "\n")
		}
		for _, want := range append(said, "VALIDATION", "CONFIDENCE") {
			if !strings.Contains(shown.String(), want) {
				t.Errorf("%s: it does not say %q:\n%s", id, want, &shown)
			}
		}
	}
}
