package state

import (
	"strings"
	"testing"

	"moot/ledger"
)

// withCommand is a session in which a seat proposed a command.
func withCommand(t *testing.T, more ...Payload) (*State, error) {
	t.Helper()
	s := &State{}
	for i, p := range append([]Payload{
		&SessionOpened{Version: Version, ID: "s", Question: "q", Settings: Settings{Format: "consult", Attended: true}},
		&PointRaised{ID: "P1", By: Consultee, Text: "It builds."},
		&EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "$ go build ./...", Quote: "exit 0", By: Consultee},
	}, more...) {
		next, err := Apply(s, Event{Seq: i + 1, Data: p})
		if err != nil {
			return s, err
		}
		s = next
	}
	return s, nil
}

func approve(decision ledger.Approval, by Seat) *CommandApproved {
	return &CommandApproved{Evidence: "E1", Command: "go build ./...", Decision: decision, By: by}
}

// A command waits for leave; a refusal for want of it is void once it comes, and
// what has run is not run again.
func TestCommandWaitsForLeave(t *testing.T) {
	t.Parallel()
	refused := &EvidenceRefused{ID: "E1", Reason: "nobody was there"}
	ran := &EvidenceVerified{ID: "E1", Type: ledger.Execution, Run: &ledger.Run{}, Admitted: true, Excerpt: "built", Reference: "$ go build ./..."}
	for _, test := range []struct {
		name             string
		events           []Payload
		approval         ledger.Approval
		checked, allowed bool
		rule             ledger.Approval
	}{
		{"offered", nil, ledger.ApprovalWaiting, false, false, ledger.ApprovalNone},
		{"once", []Payload{approve("once", User)}, ledger.ApprovalOnce, false, true, ledger.ApprovalNone},
		{"always", []Payload{approve("always", User)}, ledger.ApprovalAlways, false, true, ledger.ApprovalAlways},
		{"never", []Payload{approve("never", User)}, ledger.ApprovalNever, false, false, ledger.ApprovalNever},
		{"by code", []Payload{approve("pattern", Protocol)}, ledger.ApprovalPattern, false, true, ledger.ApprovalNone},
		{"never, then once", []Payload{approve("never", User), refused, approve("once", User)}, ledger.ApprovalOnce, false, true, ledger.ApprovalNone},
		{"refused", []Payload{refused}, ledger.ApprovalWaiting, true, false, ledger.ApprovalNone},
		{"ran", []Payload{approve("once", User), ran}, ledger.ApprovalOnce, true, true, ledger.ApprovalNone},
		{"ran, then always", []Payload{approve("once", User), ran, approve("always", User)}, ledger.ApprovalOnce, true, true, ledger.ApprovalAlways},
		{"interrupted", []Payload{approve("once", User), &SessionResumed{}}, ledger.ApprovalWaiting, false, false, ledger.ApprovalNone},
		{"interrupted after it ran", []Payload{approve("once", User), ran, &SessionResumed{}}, ledger.ApprovalOnce, true, true, ledger.ApprovalNone},
	} {
		s, err := withCommand(t, test.events...)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		item := s.Item("E1")
		if item.Approval != test.approval || item.Checked != test.checked || item.Approval.Allows() != test.allowed || s.CommandRule("go build ./...") != test.rule {
			t.Errorf("%s: %+v, rule %q", test.name, item, s.CommandRule("go build ./..."))
		}
		if item.Expect != "exit 0" {
			t.Errorf("%s: it expects %q", test.name, item.Expect)
		}
	}
}

// A command that was approved in a form of an agent's program is not approved, also in a file that somebody wrote.
func TestCommandIsApprovedByTheUser(t *testing.T) {
	t.Parallel()
	for _, channel := range Channels() {
		s, err := withCommand(t)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []Payload{approve("once", User), &CommandsAllowed{Patterns: []string{"..."}, By: User}} {
			_, _, err := ExtendThrough(s, s.At, channel, p)
			if (err == nil) != channel.IsUser() {
				t.Errorf("%s through %q: %v", KindOf(p), channel, err)
			}
		}
	}
	s, err := withCommand(t)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := ExtendThrough(s, s.At, "mail", approve("once", User)); err == nil {
		t.Error("an unknown channel is taken")
	}
}

// What decides on no command is no event.
func TestCommandDecisionsAreChecked(t *testing.T) {
	t.Parallel()
	quoted := &EvidenceOffered{ID: "E2", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", Quote: "package a", By: Consultee}
	for _, test := range []struct {
		events []Payload
		why    string
	}{
		{[]Payload{&CommandApproved{Evidence: "E7", Command: "a", Decision: "once", By: User}}, "E7"},
		{[]Payload{&CommandApproved{Evidence: "E1", Command: "rm -rf .", Decision: "once", By: User}}, "is not the command"},
		{[]Payload{quoted, &CommandApproved{Evidence: "E2", Command: "a.go:1", Decision: "once", By: User}}, "is not the command"},
		{[]Payload{approve("waiting", User)}, "not a decision"},
		{[]Payload{approve("", User)}, "not a decision"},
		{[]Payload{&CommandsAllowed{Patterns: []string{"..."}, By: Consultee}}, "only the user"},
	} {
		if _, err := withCommand(t, test.events...); err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%+v: %v, not %s", test.events, err, test.why)
		}
	}
}

// A patch belongs to a trial, in its normal form, and a trial has one. A session file may come from anyone.
func TestForgedPatchesAreRefused(t *testing.T) {
	t.Parallel()
	const patch = "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n"
	kinds := []ledger.Kind{{
		Name: "trial", Marks: "TRY", Runs: true, Patch: true, Says: "Cite TRY.", Type: ledger.Execution,
		SourceKind: ledger.LiveAPI, Confidence: ledger.ConfidenceExecution,
	}}
	for _, test := range []struct{ name, reference, patch, why string }{
		{"a trial", "TRY true", patch, ""},
		{"no patch", "TRY true", "", "a patch is handed in for a trial"},
		{"a command", "$ true", patch, "a patch is handed in for a trial"},
		{"a place", "a.go:1", patch, "a patch is handed in for a trial"},
		{"words around it", "TRY true", "Look:\n" + patch, "not in the normal form"},
		{"another count", "TRY true", strings.Replace(patch, "+1,1", "+1,2", 1), "not in the normal form"},
		{"out of the tree", "TRY true", strings.ReplaceAll(patch, "b/a", "b/../a"), "leaves the workspace"},
		{"too large", "TRY true", patch + strings.Repeat("+x\n", ledger.MaxPatch), "may have 65536"},
	} {
		s := &State{}
		var err error
		for i, p := range []Payload{
			&SessionOpened{Version: Version, ID: "s", Question: "q", Settings: Settings{Format: "consult", Kinds: kinds}},
			&PointRaised{ID: "P1", By: Consultee, Text: "It fails."},
			&EvidenceOffered{
				ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: test.reference, Quote: ledger.DefaultTrial,
				Patch: test.patch, By: Consultee,
			},
		} {
			var next *State
			if next, err = Apply(s, Event{Seq: i + 1, Data: p}); err != nil {
				break
			}
			s = next
		}
		if test.why == "" && err != nil || test.why != "" && (err == nil || !strings.Contains(err.Error(), test.why)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.why)
		}
	}
	if err := (&CommandsAllowed{Trials: true, Unconfined: "no Landlock", By: User}).Fold(&State{}); err == nil {
		t.Error("trials are allowed where nothing is confined")
	}
}
