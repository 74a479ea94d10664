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

// The tree has another line where one was removed, so no evidence cites it.
func TestAFindingOnARemovedLineCitesNoOther(t *testing.T) {
	t.Parallel()
	d := protocoltest.New(t, protocoltest.Opened(review.Name, func(o *state.SessionOpened) {
		o.Settings.Own.(*review.Settings).Change.Files[0].Diff = "--- a/lock.go\n+++ b/lock.go\n@@ -10,4 +10,3 @@ func Unlock() {\n a()\n b()\n-c()\n }\n"
	}))
	d.Run()
	d.Reply("reviewer", "FINDING HIGH lock.go:12: c closed the file, and nobody does now")
	d.Reply("reviewer-2", "FINDING LOW lock.go:11: b has no comment")
	if spot := review.SpotOf(d.State, review.Of(d.State).Finding("P1")); !spot.Before || spot.Where != review.InChange {
		t.Errorf("P1 is at %+v", spot)
	}
	for _, item := range d.State.Evidence.All() {
		if item.Point == "P1" {
			t.Errorf("P1 cites %s", item.Reference)
		}
	}
	if d.State.Evidence.Len() != 1 {
		t.Errorf("%d items, want the place of P2", d.State.Evidence.Len())
	}
}
