package cli

import (
	"strings"
	"testing"

	"moot/state"
	"moot/state/store"
)

// A council's line says how many rounds there may be and whether there is consensus,
// and where the moderator said what the rules do not bear out.
func TestTheLineOfACouncil(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]store.Summary{
		"round 1/3 ":                           {Round: 1, Rounds: 3},
		"; consensus in round 2\n":             {Round: 2, Rounds: 3, Tested: &state.Consensus{Round: 2, Reached: true, Reported: state.AgreementYes}},
		"; no consensus in round 3: P1, P4\n":  {Round: 3, Rounds: 3, Tested: &state.Consensus{Round: 3, Unsettled: []string{"P1", "P4"}}},
		"P1 (the moderator said otherwise)\n":  {Round: 1, Rounds: 1, Tested: &state.Consensus{Round: 1, Unsettled: []string{"P1"}, Reported: state.AgreementYes}},
		"in round 1 (the moderator said other": {Round: 1, Rounds: 1, Tested: &state.Consensus{Round: 1, Reached: true, Reported: state.AgreementNo}},
	} {
		line := listLine(&s, s.UpdatedAt)
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
}
