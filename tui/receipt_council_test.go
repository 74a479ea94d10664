package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// The receipt of a council's claim shows CV1 to CV4, the confidences and the claim's history.
func TestReceiptOfACouncil(t *testing.T) {
	for id, said := range map[string][]string{
		"P1": {"✓ CV1", "✓ CV4", "strategist  0.85, weight 0.3, in round 1: one consumer was read"},
		"P6": {"? CV3  be-feasible", "must change  what be-feasible demands"},
		"P9": {"reported nothing", "weight 0.4"},
	} {
		m := screenOf(t, councilled(t), Options{NoColor: true}, 120, 100)
		m.openWhy(id)
		shown := ansi.Strip(m.View().Content)
		for _, want := range append(said, "Validation", "Confidence") {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: it does not say %q:\n%s", id, want, shown)
			}
		}
	}
}
