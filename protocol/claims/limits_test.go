package claims_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// All findings of a long reply are points. Those behind the first 60 are over the limit at once, and the result says
// what was not read as a finding.
func TestFindingsOverTheLimit(t *testing.T) {
	var reply strings.Builder
	reply.WriteString("# Tests to add\n- one that fails\n\n# Findings\n")
	for i := range claims.MaxRaised + 5 {
		reply.WriteString("- finding " + strings.Repeat("x", i+1) + " is one of its own\n")
	}
	d := protocoltest.New(t, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) { o.Question = "What is wrong?" }))
	d.Run()
	d.Reply(state.Consultee, reply.String())
	got := strings.Join(d.State.Warnings, "\n")
	if want := `1 item under "Tests to add"`; !strings.Contains(got, want) {
		t.Errorf("the warnings are %q, want %q", got, want)
	}
	over := 0
	for _, p := range d.State.Points.All() {
		if p.Scope == state.OverLimit {
			over++
		}
	}
	if n := d.State.Points.Len(); n != claims.MaxRaised+5 || over != 5 {
		t.Errorf("%d points, %d over the limit; want %d and 5", n, over, claims.MaxRaised+5)
	}
}

// A seat that raises 60 points gets all of them into the record. The orchestrator triages them first; what it says
// nothing about is in scope, the first 7 stay, and the others are listed. So is a question over the limit, and the user
// is asked once about another reading of the question.
func TestSixtyPoints(t *testing.T) {
	d := protocoltest.New(t, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) { o.Question = "Is the depot ready?" }))
	d.Run()
	var reply strings.Builder
	for i := range 60 {
		fmt.Fprintf(&reply, "RAISE: Gate %d opens within %d seconds of the call\n", i, 7*i)
	}
	d.Reply(state.Consultee, reply.String())
	d.Run()
	const triage = "TRIAGE P2 anchor-shift: it asks for another depot\nTRIAGE P3 out-of-scope: another site\nMERGE P5 INTO P4\n"
	d.Reply(state.Orchestrator, "SHAPE: a yes or no\nAMBIGUITY: which depot?\nAMBIGUITY: ready for what?\nAMBIGUITY: ready when?\n"+triage)
	d.Run()
	d.Reply(state.Orchestrator, triage+"AGREE P1: it was timed")

	scopes := map[state.Scope]int{}
	for _, p := range d.State.Points.All() {
		if p.MergedInto == "" {
			scopes[p.Scope]++
		}
	}
	want := map[state.Scope]int{state.InScope: 7, state.OverLimit: 50, state.AnchorShift: 1, state.OutOfScope: 1}
	if d.State.Points.Len() != 60 || !maps.Equal(scopes, want) {
		t.Errorf("%d points: %v, want %v", d.State.Points.Len(), scopes, want)
	}
	shifts := 0
	for _, q := range d.State.Questions.All() {
		if q.Kind == state.QuestionAnchorShift {
			shifts++
		}
	}
	if shifts != 1 {
		t.Errorf("the user is asked %d times about P2", shifts)
	}
	shown := view.Session(d.State, resolver.Rule(d.State))
	at := slices.IndexFunc(shown.Sections, func(sec view.Section) bool { return sec.Title == "NOT EVALUATED" })
	if at < 0 || len(shown.Sections[at].Items) != 51 {
		t.Fatalf("the sections are %+v", shown.Sections)
	}
	last := shown.Sections[at].Items[50]
	if last.Text != "ready when?" || last.Mark != "orchestrator, round 1" ||
		last.Notes[0].Text != "up to 2 ambiguities of the question are named" {
		t.Errorf("the third question is %+v", last)
	}
	for i, it := range shown.Sections[at].Items[:50] {
		if it.Mark != "Over the limit of 7" || !strings.HasPrefix(it.Text, "Gate ") {
			t.Errorf("item %d is %+v", i, it)
		}
	}
}
