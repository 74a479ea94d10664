package claims_test

import (
	"slices"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/state"
)

// Prompts mention commands only if commands can run.
func TestPromptMentionsCommands(t *testing.T) {
	t.Parallel()
	inWorkspace := func(o *state.SessionOpened) { o.Settings.Workspace = "/work" }
	attended := func(o *state.SessionOpened) { o.Settings.Attended = true }
	for _, test := range []struct {
		change  []func(*state.SessionOpened)
		allowed []string
		want    string
	}{
		{nil, nil, ""},
		{[]func(*state.SessionOpened){attended}, nil, ""},
		{[]func(*state.SessionOpened){inWorkspace}, nil, ""},
		{[]func(*state.SessionOpened){inWorkspace, attended}, nil, "The user is asked before one runs."},
		{
			[]func(*state.SessionOpened){inWorkspace},
			[]string{"go vet ..."},
			"Only these may run (* is any word, ... any that follow): go vet ...",
		},
		{
			[]func(*state.SessionOpened){inWorkspace, attended},
			[]string{"go vet ..."},
			"these run at once (* is any word, ... any that follow): go vet ...",
		},
	} {
		s := protocoltest.New(t, protocoltest.Opened(consult.Name, test.change...)).State
		s.AllowedCommands = test.allowed
		system := consult.Format{}.Prompt(s, protocol.Ask{
			Seat:  state.Consultee,
			Stage: state.StagePropose,
		}).System
		if !strings.HasSuffix(system, test.want) || strings.Contains(system, "propose a command") != (test.want != "") {
			t.Errorf("%v: %q", test.want, system)
		}
	}
}

const triedPatch = "diff --git a/a_test.go b/a_test.go\nnew file mode 100644\n--- /dev/null\n+++ b/a_test.go\n@@ -0,0 +1,1 @@\n+package a\n"

// withTrials opens a session that tries patches, in a workspace.
func withTrials(attended bool) func(*state.SessionOpened) {
	return func(o *state.SessionOpened) {
		o.Settings.Workspace, o.Settings.Attended = "/work", attended
		o.Settings.Kinds = []ledger.Kind{{
			Name: "trial", Marks: "TRY", Runs: true, Patch: true, Says: "To try a patch, cite TRY.",
			Type: ledger.Execution, SourceKind: ledger.LiveAPI, Confidence: ledger.ConfidenceExecution,
		}}
	}
}

// Only a flag of its own or the person lets a trial run, and never the flag where commands are not confined.
func TestWhoLetsATrialRun(t *testing.T) {
	t.Parallel()
	all := []string{"...", "TRY ...", "* * *", "TRY go test ./a"}
	for _, test := range []struct {
		name     string
		attended bool
		allowed  state.CommandsAllowed
		want     string
	}{
		{"nobody is there", false, state.CommandsAllowed{}, "nobody was there to approve the trial; allow trials of patches with --allow-try"},
		{"patterns of commands", false, state.CommandsAllowed{Patterns: all}, "nobody was there to approve the trial"},
		{"the flag", false, state.CommandsAllowed{Trials: true}, "runs: allowed by --allow-try"},
		{"the flag, unconfined", false, state.CommandsAllowed{Unconfined: "no Landlock"}, "commands are not confined: no Landlock; only a person"},
		{"the person", true, state.CommandsAllowed{}, "asks"},
		{"the person, patterns of commands", true, state.CommandsAllowed{Patterns: all}, "asks"},
		{"the person, the flag", true, state.CommandsAllowed{Trials: true}, "runs: allowed by --allow-try"},
		{"the person, unconfined", true, state.CommandsAllowed{Unconfined: "no Landlock"}, "asks"},
	} {
		d := protocoltest.New(t, protocoltest.Opened(consult.Name, withTrials(test.attended)))
		test.allowed.By = state.User
		d.Append(&test.allowed, &state.PointRaised{ID: "P1", By: state.Consultee, Text: "It fails."}, &state.EvidenceOffered{
			ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "TRY go test ./a", Quote: ledger.DefaultTrial,
			Patch: triedPatch, By: state.Consultee,
		})
		turn, _ := claims.ApproveCommands(d.State)
		got := ""
		for _, e := range turn.Events {
			switch e := e.(type) {
			case *state.CommandApproved:
				got = "runs: " + e.Words()
			case *state.EvidenceRefused:
				got = e.Reason
			case *state.QuestionSurfaced:
				got = "asks"
				if !strings.Contains(e.Text, "without and with its patch (adds a_test.go (+1))") {
					t.Errorf("%s: %s", test.name, e.Text)
				}
			}
		}
		if len(turn.Events) != 1 || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A decision for the session is on one command with one patch.
func TestADecisionIsOnOnePatch(t *testing.T) {
	t.Parallel()
	d := protocoltest.New(t, protocoltest.Opened(consult.Name, withTrials(true)))
	other := strings.Replace(triedPatch, "package a", "package b", 1)
	d.Append(&state.PointRaised{ID: "P1", By: state.Consultee, Text: "It fails."})
	for i, patch := range []string{triedPatch, other, triedPatch} {
		d.Append(&state.EvidenceOffered{
			ID: state.NextID('E', i), Point: "P1", Relation: ledger.Supports, Reference: "TRY go test ./a",
			Quote: ledger.DefaultTrial, Patch: patch, By: state.Consultee,
		})
	}
	item := d.State.Item("E1")
	d.Append(&state.CommandApproved{Evidence: "E1", Command: item.Command(), Decision: ledger.ApprovalAlways, By: state.User})
	turn, _ := claims.ApproveCommands(d.State)
	var approved, asked []string
	for _, e := range turn.Events {
		switch e := e.(type) {
		case *state.CommandApproved:
			approved = append(approved, e.Evidence)
		case *state.QuestionSurfaced:
			asked = append(asked, strings.TrimPrefix(e.About, claims.AboutRun))
		}
	}
	if !slices.Equal(approved, []string{"E3"}) || !slices.Equal(asked, []string{"E2"}) {
		t.Errorf("approved %v, asked %v", approved, asked)
	}
}

// Prompts say how to hand in a patch only if it can be tried.
func TestPromptMentionsTrials(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		attended, allowed bool
		want              string
	}{
		{false, false, ""},
		{true, false, "The user sees the patch and is asked before it runs."},
		{false, true, "It runs at once."},
	} {
		s := protocoltest.New(t, protocoltest.Opened(consult.Name, withTrials(test.attended))).State
		s.AllowedTrials = test.allowed
		system := consult.Format{}.Prompt(s, protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose}).System
		if !strings.HasSuffix(system, test.want) || strings.Contains(system, "cite TRY") != (test.want != "") {
			t.Errorf("%+v: %q", test, system)
		}
	}
}

// What models write around a trial is read; what is no trial is refused with the reason.
func TestTrialsThatAreOffered(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ reference, quote, patch, want string }{
		{"TRY go test ./a", "without: exit 1; with: exit 0", triedPatch, "TRY go test ./a => without: exit 1; with: exit 0"},
		{"TRY  $ go  test './a'", "", triedPatch, "TRY go test ./a => without: exit 1; with: exit 0"},
		{"TRY go test ./a => without: exit 0; with: exit 1", "", "Look:\n\n" + triedPatch, "TRY go test ./a => without: exit 0; with: exit 1"},
		{"TRY go test ./a", "exit 0", triedPatch, "!does not begin with without:"},
		{"TRY go test ./a", "", "", "!it is empty"},
		{"TRY", "", triedPatch, "!needs a command"},
		{"TRY go test | tee", "", triedPatch, "!needs a shell"},
		{"TRY go test ./a", "", strings.ReplaceAll(triedPatch, "a_test.go", "../a_test.go"), "!leaves the workspace"},
		{"$ go test ./a", "exit 0", triedPatch, "!a patch is tried by a command behind TRY"},
		{"a.go:1", "package a", triedPatch, "!a patch is tried by a command behind TRY"},
	} {
		d := protocoltest.New(t, protocoltest.Opened(consult.Name, withTrials(true)))
		draft := &protocol.Draft{State: d.State}
		c, err := draft.Proposal(move.Citation{Reference: test.reference, Quote: test.quote, Patch: test.patch})
		if why, refused := strings.CutPrefix(test.want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v, want %q", test.reference, err, why)
			}
			continue
		}
		if got := c.Reference + " => " + c.Quote; err != nil || got != test.want || c.Patch != triedPatch {
			t.Errorf("%s: %s, %v, want %s\n%s", test.reference, got, err, test.want, c.Patch)
		}
	}
}
