package view_test

import (
	"testing"

	"moot/ledger"
	"moot/state"
	"moot/view"
)

// The first lines of a result name the facts of the user that exclude each other, and those that a verified line
// contradicts, until the user has decided.
func TestNoticesNameFactsThatDoNotHold(t *testing.T) {
	s := &state.State{}
	add := func(payloads ...state.Payload) {
		t.Helper()
		next, _, err := state.Extend(s, s.At, payloads...)
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	expect := func(want ...string) {
		t.Helper()
		got := view.FactNotices(s)
		if len(got) != len(want) {
			t.Fatalf("%d notices: %q", len(got), got)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%q, want %q", got[i], want[i])
			}
		}
	}
	fact := func(id, text string) state.Payload {
		return &state.FactRecorded{ID: id, Tag: ledger.TagUser, Seat: state.User, Text: text}
	}
	add(fact("F1", "MaxRetries <= 2"))
	expect()
	add(fact("F2", "MaxRetries >= 3"), fact("F3", "MaxRetries is 9"))
	first := `Your facts F1 ("MaxRetries <= 2") and F2 ("MaxRetries >= 3") exclude each other: neither binds until you say ` +
		`which holds.`
	second := `Your facts F1 ("MaxRetries <= 2") and F3 ("MaxRetries is 9") exclude each other: neither binds until you say ` +
		`which holds.`
	expect(first, second)
	for _, f := range s.Facts.All() {
		if f.Binds() {
			t.Errorf("%s binds", f.ID)
		}
	}
	add(&state.QuestionSurfaced{ID: "Q1", What: state.QuestionConstraint, About: "F1 F2"},
		&state.QuestionAnswered{ID: "Q1", By: state.Protocol, Answer: "the session ended"})
	expect(first[:len(first)-1]+" (Q1).", second)
	add(&state.QuestionAnswered{ID: "Q1", By: state.User, Answer: "both hold"})
	expect(second)
	add(&state.FactSuperseded{Fact: "F1", By: "F3"})
	expect()

	add(
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "MaxRetries is 4"},
		&state.EvidenceOffered{
			ID:        "E1",
			Point:     "P1",
			Relation:  ledger.Supports,
			Reference: "store.go:14",
			By:        state.Consultee,
		},
		&state.EvidenceVerified{
			ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "store.go:14",
			Excerpt: "const MaxRetries = 4", Admitted: true,
		},
	)
	expect(`Your fact F3 says "MaxRetries is 9", store.go:14 says 4: F3 binds until you replace it.`)
	add(fact("F4", "MaxRetries is at least 5"))
	expect(`Your fact F3 says "MaxRetries is 9", store.go:14 says 4: F3 binds until you replace it.`,
		`Your fact F4 says "MaxRetries is at least 5", store.go:14 says 4: F4 binds until you replace it.`)
	add(&state.FactRecorded{ID: "F5", Tag: ledger.TagUser, Seat: state.User, Text: "MaxRetries is 4", Supersedes: "F3"})
	expect(
		`Your facts F4 ("MaxRetries is at least 5") and F5 ("MaxRetries is 4") exclude each other: neither binds until ` +
			`you say which holds.`,
	)
}
