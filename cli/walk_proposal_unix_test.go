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
	s.moot(dir)
	s.atHome()
	s.walk(
		act{keys: "n", shows: "Orchestrator   rules"},
		act{keys: "@change.md" + tab + "2", shows: "code-review"},
		act{keys: tab + "6" + tab + "none.toml" + tab, shows: "It makes the proposal"},
		act{keys: "4" + tab + "script:proposer.txt" + tab, shows: "It attacks the proposal"},
		act{keys: "4" + tab + "script:tester.txt" + send, shows: "there is no file none.toml"},
		act{keys: "\x15book.toml" + send, shows: "Q1 held proposal"},
	)
	s.walk(
		act{shows: "ESCALATE"},
		act{keys: "n", shows: "best against"},
		act{keys: "2", shows: "▸ 2  upheld"},
		act{keys: escape, gone: "best against"},
		act{keys: "u", shows: "Override"},
		act{keys: "rule" + enter, shows: "Which objection?"},
		act{keys: escape, gone: "Which objection?"},
		act{keys: "n", shows: "best against"},
		act{keys: "1", shows: "▸ 1  cleared"},
		act{keys: enter, shows: "moot show"},
		act{keys: "q", shows: "finished"},
		act{keys: "q"},
	)
	s.left(cli.ExitConcluded)
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

// Without a screen a person sits in both seats, objects, and rules.
func TestPlainWalkThroughAProposal(t *testing.T) {
	s := newScreen(t, 160, 100)
	dir := stateIn(t)
	proposalFiles(t, dir)
	s.plainly(dir, "ask", "--plain", "--auto", "--format", "dialectic", "--playbook", "book.toml", "--proposer", "me", "--pressure-tester", "me", "@change.md")
	s.walk(
		act{shows: "as proposer: type your reply"},
		act{keys: "PROPOSE retries.max = 3 | category: Factual | consumer.go:2 \"const maxRetries = 3\"\r.\r", shows: "as pressure-tester: type your reply"},
		act{keys: "OBJECT P1 [untried]: nobody has run it\r.\r", shows: "I concede C2"},
		act{keys: "Re C1: it is what it is\r.\r", shows: "REVISE P1 = 5"},
		act{keys: "REVISE P1 = 3 | why: as before | cites: E1\r.\r", shows: "NO OBJECTION: what you looked for"},
		act{keys: "NO OBJECTION: nothing new\r.\r", shows: "1) cleared: C1 no longer holds the field"},
		act{keys: "clear C1 somebody ran it\r", shows: "decided: ADVANCE"},
	)
	s.left(cli.ExitConcluded)
	if sessions := verified(t); len(sessions) != 1 || sessions[0].Exit != state.ExitDecided {
		t.Errorf("%d sessions, not one that is decided", len(sessions))
	}
}

// At the screen a person speaks for a seat: moves are written with forms.
func TestWalkInASeatOfAProposal(t *testing.T) {
	s := newScreen(t, 120, 36)
	dir := stateIn(t)
	proposalFiles(t, dir)
	s.moot(dir)
	s.atHome()
	s.walk(
		act{keys: "n", shows: "Orchestrator   rules"},
		act{keys: "@change.md" + tab + "2", shows: "code-review"},
		act{keys: tab + "6" + tab + "book.toml" + tab, shows: "It makes the proposal"},
		act{keys: "2" + tab, shows: "It attacks the proposal"},
		act{keys: "4" + tab + "script:tester.txt" + send, shows: "You speak as proposer: propose"},
		act{keys: "\x0c", shows: "Which move?"},
		act{keys: enter, shows: "Category"},
		act{keys: "retries.max" + enter + "3" + send, shows: "PROPOSE retries.max = 3 | category"},
		act{keys: send, shows: "You speak as proposer: answer"},
		act{keys: "I concede C1" + send, shows: "Answer what holds the proposal"},
		act{keys: "\x0cwithdraw" + enter, shows: "▸ 1 ● P1  retries.max = 3"},
		act{keys: send, shows: "WITHDRAW P1:"},
		act{keys: send, shows: "moot show"},
		act{keys: "q", shows: "finished"},
		act{keys: "q"},
	)
	s.left(cli.ExitConcluded)
	if sessions := verified(t); len(sessions) != 1 || sessions[0].Exit != state.ExitDecided {
		t.Errorf("%d sessions, not one that is decided", len(sessions))
	}
}
