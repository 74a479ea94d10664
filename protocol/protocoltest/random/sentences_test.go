package random

import (
	"slices"
	"strings"
	"testing"

	"moot/protocol/formats"
	"moot/view"
)

// TestEachSentenceHasAnIndependentCondition looks through the tables: each sentence with a word of SE1 has one name, and
// a condition of this test.
func TestEachSentenceHasAnIndependentCondition(t *testing.T) {
	t.Parallel()
	for _, f := range formats.All() {
		seen := map[string]bool{}
		for _, row := range view.StatementsOf(f.View()) {
			if seen[row.ID] || !strings.Contains(row.ID, "/") {
				t.Errorf("%s is the name of two sentences, or lacks its place", row.ID)
			}
			seen[row.ID] = true
			checked := slices.ContainsFunc(conditions(), func(c check) bool { return c.row == row.ID })
			if universal.MatchString(row.Words) && !checked {
				t.Errorf("%s has no condition in this test: %s", row.ID, row.Words)
			}
		}
	}
}
