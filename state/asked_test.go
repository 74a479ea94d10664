package state_test

import (
	"testing"
	"time"

	"moot/ledger"
	"moot/state"
)

// What a seat asked for is a lookup if it reads as one, and belongs to the recorded kind that owns it otherwise.
func TestTheKindOfWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	kinds := []ledger.Kind{{
		Name: "absence", Marks: "SEARCH CALLERS", Says: "Count.", Type: ledger.Textual,
		SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
	}}
	for _, test := range []struct{ reference, expected, kind string }{
		{"SEARCH /x/ in *.go = 0", "", "absence"},
		{"CALLERS Open = 0", "", "absence"},
		{"CALLERS Open", "0", "absence"},
		{"SEARCH x", "found", "citation"},
		{"SEARCH x = 0", "none", "citation"},
		{"READ a.go:1", `has "x"`, "citation"},
		{"$ make", "exit 0", "command"},
	} {
		s, _, err := state.Extend(&state.State{}, time.Unix(0, 0),
			&state.SessionOpened{Settings: state.Settings{Kinds: kinds}},
			&state.PointRaised{ID: "P1", Text: "It holds.", By: state.User},
			&state.EvidenceOffered{
				ID: "E1", Point: "P1", Relation: ledger.Neutral, Reference: test.reference, Quote: test.expected,
				By: state.Consultee, Asked: true,
			})
		if err != nil {
			t.Fatal(err)
		}
		item := s.Item("E1")
		if item.Kind.Name != test.kind || item.Expect != test.expected || item.Excerpt != "" {
			t.Errorf("%s => %s is of the kind %q, expects %q", test.reference, test.expected, item.Kind.Name, item.Expect)
		}
	}
}
