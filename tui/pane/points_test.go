package pane_test

import (
	"strings"
	"testing"

	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// Each column sorts. Equal entries stay in the order of their IDs.
func TestPointsSort(t *testing.T) {
	s := protocoltest.EveryBucket(t).State
	rulings := resolver.Rule(s)
	points := pane.NewPoints(theme.New(theme.Appearance{Mono: true}))
	points.SetState(s, rulings, view.NewArgument(s, rulings))
	for _, test := range []struct{ by, want string }{
		{"bucket ↑", "P1 P4 P3 P6 P5 P7 P2"},
		{"round ↓", "P7 P6 P1 P2 P3 P4 P5"},
		{"chall. ↓", "P2 P3 P5 P1 P4 P6 P7"},
		{"evid. ↓", "P1 P3 P2 P4 P5 P6 P7"},
		{"text ↑", "P6 P1 P2 P4 P7 P3 P5"},
		{"id ↑", "P1 P2 P3 P4 P5 P6 P7"},
	} {
		for points.Sorted() != test.by {
			points.SortBy(1)
		}
		var ids []string
		for i := range points.N {
			ids = append(ids, points.KeyOf(i))
		}
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("by %s: got %s, want %s", test.by, got, test.want)
		}
	}
}
