//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/cli"
	"moot/state"
)

// What the two seats of a proposal say, and the playbook that they go by.
const (
	proposerSays = `--- proposer/propose
PROPOSE retries.max = 5 | category: Factual | why: the queue gives up then | consumer.go:2 "const maxRetries = 3"
--- proposer/answer
Re C1: it is what it is
--- proposer/propose
REVISE P1 = 3 | why: as the file says | consumer.go:2 "const maxRetries = 3"
--- proposer/answer
Re C1: it is what it is
`
	testerSays = `--- pressure-tester/evaluate
OBJECT P1 [untried]: nobody has run it
--- pressure-tester/judge
NO OBJECTION: nothing new
--- pressure-tester/evaluate
NO OBJECTION: it is as the file says
--- pressure-tester/judge
NO OBJECTION: nothing new
`
	twoRounds = `title = "Two rounds"
maxRounds = 2

[[flag]]
id = "untried"
title = "nobody tried it"
look = "A change that nobody has run."
why = "It could break."
category = "Factual"
severity = "HIGH"
predicate = "somebody ran it"
clears = "A run."
`
)

func proposalFiles(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"proposer.txt": proposerSays, "tester.txt": testerSays, "book.toml": twoRounds, "change.md": "May a job be tried 3 times?",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The keys alone take a person through a proposal: the form, a round that holds
// it, the question of the escalation, the ruling, and what is decided.
func TestWalkThroughAProposal(t *testing.T) {
	s := newScreen(t, 120, 36)
	dir := stateIn(t)
	proposalFiles(t, dir)
	code := s.moot(dir)
	s.walk(
		act{shows: "no sessions yet"},
		act{keys: "n", shows: "Orchestrator   rules"},
		act{keys: "@change.md" + tab + "2", shows: "Pressure-tester"},
		act{keys: tab, shows: "code-review"},
		act{keys: "6" + tab + "none.toml" + tab, shows: "It makes the proposal"},
		act{keys: "3" + tab + "script:proposer.txt" + tab, shows: "It attacks the proposal"},
		act{keys: "3" + tab + "script:tester.txt" + send, shows: "there is no file none.toml"},
		act{keys: "\x15book.toml" + send, shows: "Q1 escalation"},
	)
	s.walk(
		act{shows: "ESCALATE"},
		act{keys: "n", shows: "best against"},
		act{keys: "2", shows: "C1 stands against the field"},
		act{keys: escape, gone: "best against"},
		act{keys: "u", shows: "Override"},
		act{keys: "rule" + enter, shows: "Which objection?"},
		act{keys: escape, gone: "Which objection?"},
		act{keys: "n", shows: "best against"},
		act{keys: "1", shows: "the proposal advances"},
		act{keys: enter, shows: "moot show"},
		act{keys: "q", shows: "finished"},
		act{keys: "q"},
	)
	if got := <-code; got != cli.ExitConcluded {
		t.Errorf("exit code %d: %s", got, s.said.String())
	}
	sessions := verified(t)
	if len(sessions) != 1 || sessions[0].Exit != state.ExitDecided {
		t.Fatalf("%d sessions, not one that is decided", len(sessions))
	}
	var decisions []string
	for _, r := range sessions[0].Dialectic.Resolved {
		decisions = append(decisions, r.Decision)
	}
	if got := strings.Join(decisions, " "); got != "HOLD ESCALATE ADVANCE" {
		t.Errorf("the rounds came out as %s", got)
	}
}
