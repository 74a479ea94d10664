package tui

import (
	"testing"

	"moot/state"
	"moot/state/store"
)

// A proposal stands in the list with its round and what code last decided of it.
func TestAProposalStandsByItsDecision(t *testing.T) {
	for want, s := range map[string]store.Summary{
		"not begun":        {Format: state.FormatDialectic},
		"round 1":          {Format: state.FormatDialectic, Round: 1},
		"round 2, HOLD":    {Format: state.FormatDialectic, Round: 2, Decision: "HOLD"},
		"decided, ADVANCE": {Format: state.FormatDialectic, Round: 2, Decision: "ADVANCE", Exit: state.ExitDecided},
		"development 4/8":  {Format: state.FormatConsult, Round: 4, Phase: state.Development},
		"converged":        {Format: state.FormatConsult, Round: 7, Exit: state.ExitConverged},
	} {
		if got := where(&s); got != want {
			t.Errorf("it stands at %q, not %q", got, want)
		}
	}
}
