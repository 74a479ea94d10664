package panel_test

import (
	"strings"
	"testing"

	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/state"
)

// TestScenarios plays the files of testdata/scenarios; see protocoltest.Scenarios for their commands. The stored events
// must replay to the same state, the session resumes with the same turn after any of them, and the first pass is blind.
func TestScenarios(t *testing.T) {
	protocoltest.Scenarios(t, panel.Name, "testdata/scenarios", func(t *testing.T, d *protocoltest.Desk) {
		t.Helper()
		protocoltest.CheckRecord(t, d)
		checkBlind(t, d)
	})
}

// checkBlind checks that no panelist was shown another's reply before all have answered, and that
// comparing and voting seats do not see who wrote what.
func checkBlind(t testing.TB, d *protocoltest.Desk) {
	t.Helper()
	for _, p := range d.Prompts {
		for _, point := range d.State.Points.All() {
			if p.Stage == state.StagePropose && point.Round == 1 && !point.IsAuthor(p.Seat) &&
				strings.Contains(p.Text, point.Text) {
				t.Fatalf("%s is shown %s before it answered:\n%s", p.Seat, point.ID, p.Text)
			}
		}
		if p.Stage != panel.StageTriage && p.Stage != panel.StageVote {
			continue
		}
		for _, a := range d.State.Seats {
			if panel.IsPanelist(a.Seat) && a.Seat != p.Seat && strings.Contains(p.Text, string(a.Seat)+" ") {
				t.Fatalf("%s sees the name of %s when asked to %s:\n%s", p.Seat, a.Seat, p.Stage, p.Text)
			}
		}
	}
}
