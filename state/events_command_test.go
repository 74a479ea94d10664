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

// The record says which commands the configuration allows, and which ones the run.
func TestAllowedCommandsHaveTheirOrigin(t *testing.T) {
	t.Parallel()
	e := &CommandsAllowed{Patterns: []string{"go vet", "TOOL db/query ..."}, Configured: []string{"TOOL db/query ..."}, By: User}
	if want := "these may run without asking: go vet; TOOL db/query ... (config.toml)"; e.Words() != want {
		t.Errorf("%q, want %q", e.Words(), want)
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
