package tui

import (
	"testing"

	"moot/state"
	"moot/tui/pane"
)

// Where a panel has no conflict the view of challenges says that, not that nobody
// attacked anything yet.
func TestAPanelWithoutConflictsSaysSo(t *testing.T) {
	for _, test := range []struct {
		record *recorder
		want   string
	}{
		{uncompared(t), "the answers are not compared yet"},
		{agreedPanel(t), "no two answers conflict"},
	} {
		m := screenOf(t, test.record, Options{NoColor: true}, 120, 40)
		pressAll(m, "9")
		if rowWith(m, test.want) == "" || rowWith(m, pane.NoChallenges) != "" {
			t.Errorf("it does not say %q:\n%s", test.want, said(m))
		}
	}
}

// agreedPanel is a panel that ended without a conflict.
func agreedPanel(t *testing.T) *recorder {
	r := uncompared(t)
	r.add(&state.ExitReached{Exit: state.ExitConverged}, &state.SessionClosed{Exit: state.ExitConverged})
	return r
}
