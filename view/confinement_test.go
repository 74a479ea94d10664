package view_test

import (
	"fmt"
	"strings"
	"testing"

	"moot/ledger"
	"moot/view"
)

// The result shows for each command how it was confined.
func TestTheConfinementOfACommandIsShown(t *testing.T) {
	t.Parallel()
	const words = "not confined: the kernel has no Landlock"
	e := &ledger.Evidence{
		ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "$ go vet", Checked: true, Verified: true, Admitted: true,
		Run: &ledger.Run{Confinement: words},
	}
	for name, text := range map[string]string{
		"a point":    fmt.Sprint(view.EvidenceNote(e)),
		"the ledger": fmt.Sprint(view.EvidenceItem(e)),
	} {
		if strings.Count(text, words) != 1 {
			t.Errorf("%s: %s", name, text)
		}
	}
	e.Run.Confinement = ""
	if text := fmt.Sprint(view.EvidenceNote(e), view.EvidenceItem(e)); strings.Contains(text, "confined") {
		t.Errorf("what is not known is said: %s", text)
	}
}
