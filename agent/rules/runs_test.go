package rules_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"moot/agent/rules"
	"moot/ledger"
	"moot/protocol"
	"moot/research"
	"moot/state"
	"moot/state/store"
)

// tinyModule is a Go module with one file, and a program named go that ends with
// the exit code.
func tinyModule(t *testing.T, code string) (workspace, path string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program of this test is a script of a Unix shell")
	}
	workspace, path = t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(workspace, "go.mod"):  "module tiny\n",
		filepath.Join(workspace, "tiny.go"): "package tiny\n\n// Build says what is built.\nconst Build = \"tiny\"\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script := "#!/bin/sh\necho \"$@\"\nexit " + code + "\n"
	if err := os.WriteFile(filepath.Join(path, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return workspace, path
}

// ask puts a question to rules in both seats, headless.
func ask(t *testing.T, question, workspace string, allowed ...string) state.State {
	t.Helper()
	redactor, err := theRedactor()
	if err != nil {
		t.Fatal(err)
	}
	command, err := research.OpenCommand(workspace, os.Environ(), redactor)
	if err != nil {
		t.Fatal(err)
	}
	citation, err := research.OpenCitation(workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer citation.Close()
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	both := rules.New(rules.Options{Workspace: workspace})
	log, s := &store.Memory{}, state.State{}
	for i, p := range []state.Payload{
		&state.SessionOpened{
			Version: state.Version, ID: "s", Question: question,
			Settings: state.Settings{
				Format: state.FormatConsult, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "5eed", Workspace: workspace,
				Input: state.Input{Options: []string{}, Views: []state.View{}},
			},
			Seats: []state.SeatAssignment{{Seat: state.Orchestrator, Participant: "rules"}, {Seat: state.Consultee, Participant: "rules"}},
		},
		&state.CommandsAllowed{Patterns: allowed, By: state.User},
	} {
		e := state.Event{Seq: i + 1, At: time.Unix(1_700_000_000, 0).UTC(), Data: p}
		if s, err = state.Apply(s, e); err != nil {
			t.Fatal(err)
		}
		if err := log.Append([]state.Event{e}); err != nil {
			t.Fatal(err)
		}
	}
	r := protocol.NewRunner(protocol.Options{
		Format: protocol.Consult{}, State: s, Log: log, Parser: parser, Now: func() time.Time { return time.Unix(1_700_000_000, 0).UTC() },
		Participants: map[state.Seat]protocol.Participant{state.Orchestrator: both, state.Consultee: both},
		Researcher:   research.Kinds{Citation: citation, Command: command},
	})
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r.State
}

// Of a Go module rules offers what a run of it shows, where the question asks for
// it and it may run; what comes of the run decides.
func TestRulesOfferRunsOfAModule(t *testing.T) {
	workspace, path := tinyModule(t, "0")
	t.Setenv("PATH", path+string(os.PathListSeparator)+os.Getenv("PATH"))
	s := ask(t, "Does the module compile?", workspace, "go build ./...")
	found := false
	for _, p := range s.Points.All() {
		if !strings.Contains(p.Text, "`go build ./...`") {
			continue
		}
		found = true
		item := s.Item(p.Evidence[0])
		r := rulingOf(t, &s, p.ID)
		if r.Bucket != state.BucketAgreed || r.Tag != state.TagExecution || item.Excerpt != "build ./...\n" || !strings.Contains(r.Reason, "came of running go build ./...") {
			t.Errorf("%+v\n%s", r, told(&s))
		}
	}
	if !found || len(s.Commands) != 1 {
		t.Errorf("%s are offered\n%s", s.Commands, told(&s))
	}

	failing, path := tinyModule(t, "1")
	t.Setenv("PATH", path+string(os.PathListSeparator)+os.Getenv("PATH"))
	s = ask(t, "Does the module compile, and does vet find anything?", failing, "go ...")
	if len(s.Commands) != 2 {
		t.Errorf("%s are offered\n%s", s.Commands, told(&s))
	}
	for _, id := range s.Commands {
		if item := s.Item(id); item.Verified || item.Run.ExitCode != 1 {
			t.Errorf("%+v", item)
		}
		if r := rulingOf(t, &s, s.Item(id).Point); r.Bucket != state.BucketDismissed {
			t.Errorf("%+v\n%s", r, told(&s))
		}
	}
}

// Nothing is offered that cannot come to run, that nobody asked for, or where
// there is no module.
func TestRulesOfferNoIdleRuns(t *testing.T) {
	t.Parallel()
	workspace, _ := tinyModule(t, "0")
	for _, test := range []struct {
		question, workspace, allowed string
	}{
		{"Does the module compile?", workspace, "go vet ./..."},
		{"What is the tiny constant?", workspace, "..."},
		{"Does it compile?", t.TempDir(), "..."},
	} {
		if s := ask(t, test.question, test.workspace, test.allowed); len(s.Commands) > 0 {
			t.Errorf("%s: %s is offered", test.question, s.Commands)
		}
	}
}

// A command that waits for leave is no refusal: the skeptic says that it waits,
// and its author that the run is what is missing.
func TestRulesWaitForLeave(t *testing.T) {
	t.Parallel()
	var s state.State
	for i, p := range []state.Payload{
		&state.SessionOpened{
			Version: state.Version, ID: "s", Question: "Does it compile?",
			Settings: state.Settings{Format: state.FormatConsult, Framing: state.FramingPropose, Mode: state.ModeStandard, Attended: true, Workspace: "/w"},
			Seats:    []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Consultee}},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "The module passes `go build ./...`."},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "$ go build ./...", Quote: "exit 0", By: state.Consultee},
		&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope},
	} {
		var err error
		if s, err = state.Apply(s, state.Event{Seq: i + 1, Data: p}); err != nil {
			t.Fatal(err)
		}
	}
	reply := func(seat state.Seat, stage state.Stage) string {
		r, err := rules.New(rules.Options{}).Reply(t.Context(), protocol.Call{
			Ask: protocol.Ask{Seat: seat, Stage: stage, Moves: protocol.MoveKinds()}, State: s,
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Text
	}
	if text := reply(state.Orchestrator, state.StageEvaluate); !strings.Contains(text, `"flaw":"E1 ($ go build ./...) waits for leave to run`) {
		t.Error(text)
	}
	for _, p := range []state.Payload{
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Orchestrator, What: state.Skeptical, Objection: "it waits", UpgradeIf: "it runs"},
		&state.RoundStarted{Round: 2},
	} {
		var err error
		if s, err = state.Apply(s, state.Event{Seq: s.Seq + 1, Data: p}); err != nil {
			t.Fatal(err)
		}
	}
	if text := reply(state.Consultee, state.StageAnswer); !strings.Contains(text, `"move":"BLOCKED","challenge":"C1"`) || strings.Contains(text, "CONCEDE") {
		t.Error(text)
	}
}
