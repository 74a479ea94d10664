package review_test

import (
	"testing"

	"moot/protocol/protocoltest"
	"moot/protocol/review"
	"moot/state"
)

// A file with a redacted line was seen whole by nobody, also not by built-in rules (RW1, RW8).
func TestNobodySawARedactedLine(t *testing.T) {
	t.Parallel()
	d := protocoltest.New(t, protocoltest.Opened(review.Name, func(o *state.SessionOpened) {
		o.Seats[1].Participant, o.Seats[1].NoModel = state.BuiltInRules, true
	}))
	d.Append(&state.Withheld{Path: "store.go", Lines: "3", Reason: "redacted: a key", Seats: []state.Seat{}})
	d.Run()
	for _, seat := range []state.Seat{"reviewer", "reviewer-2", "reviewer-3"} {
		d.Reply(seat, "NO FINDINGS: both files")
	}
	d.Run()
	files := review.SettingsOf(d.State).Change.Files
	for _, seat := range []state.Seat{"reviewer", "reviewer-2"} {
		if !review.Saw(d.State, seat, &files[0]) || review.Saw(d.State, seat, &files[1]) {
			t.Errorf("%s saw lock.go: %t, and store.go: %t", seat, review.Saw(d.State, seat, &files[0]),
				review.Saw(d.State, seat, &files[1]))
		}
	}
	if decision := review.DecisionOf(d.State); decision.Verdict != review.NeedsYou {
		t.Errorf("the decision is %s", decision.String())
	}
}
