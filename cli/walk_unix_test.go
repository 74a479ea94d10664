//go:build unix

package cli_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/cli"
	"moot/resolver"
	"moot/state"
	"moot/state/store"
)

// What the two seats of the walks say.
const (
	orchestratorSays = `--- orchestrator/map
SHAPE: a list
AMBIGUITY: What does often mean?
--- orchestrator/evaluate
{"moves":[{"move":"CLASSIFY","point":"P1","class":"AGREE","reason":"E1 says so"},{"move":"CLASSIFY","point":"P2","class":"SKEPTICAL","flaw":"No limit is written anywhere","upgrade_if":"a line that says it"},{"move":"CLASSIFY","point":"P3","class":"AGREE","reason":"a matter of taste"}]}
--- orchestrator/judge
{"moves":[{"move":"JUDGE","challenge":"C1","judgment":"rejected","reason":"Usual is not written"}]}
`
	consulteeSays = `--- consultee/propose
1. The consumer retries three times [EVIDENCE] consumer.go:2 "const maxRetries = 3"
2. No queue is longer than nine
3. Constants are the more readable way
--- consultee/answer
Re C1: It is the usual limit
`
)

// scripts are files with what the seats say, beside what is asked about.
func scripts(t *testing.T, dir string) {
	t.Helper()
	for name, says := range map[string]string{"orchestrator.txt": orchestratorSays, "consultee.txt": consulteeSays} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(says), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// verified reads all sessions there are: each follows from its events, and its
// chain holds.
func verified(t *testing.T) []state.State {
	t.Helper()
	dir, err := store.Dir()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []state.State
	for _, file := range files {
		opened, err := store.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := resolver.Verify(opened.Events, resolver.Rule)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		all = append(all, s)
	}
	return all
}

// The keys alone take a person from the first start through a whole session:
// all that can be seen, decided and taken out of it, to its end.
func TestWalkByKeys(t *testing.T) {
	s := newScreen(t, 120, 36)
	var copied []string
	s.emulator.RegisterOscHandler(52, func(data []byte) bool {
		copied = append(copied, string(data))
		return true
	})
	dir := stateIn(t)
	scripts(t, dir)
	s.moot(dir)
	s.atHome()
	s.walk(
		act{keys: "n", shows: "Orchestrator   rules"},
		act{keys: "How often is a job retried?", shows: "job retried?"},
		act{keys: tab + tab + tab + "4", shows: "● another"},
		act{keys: down + "script:orchestrator.txt" + enter, shows: "It proposes and defends"},
		act{keys: "4" + down + "script:consultee.txt" + enter, shows: "consultee.txt"},
		act{keys: tab + tab + "jobs are idempotent", shows: "are idempotent"},
		act{keys: strings.Repeat(backtab, 10) + "2", shows: "● step"},
		act{keys: send, shows: "next: orchestrator map"},
	)
	s.walk(
		act{keys: " ", shows: "next: consultee propose"},
		act{keys: "n", shows: "your answer"},
		act{keys: "per job, not per queue" + enter, shows: "Q1 is answered"},
		act{keys: "p", shows: "What goes out next"},
		act{keys: "e", shows: "The next prompt to consultee"},
		act{keys: "Be brief. " + send, shows: "it goes out with space"},
		act{keys: " ", shows: "next: orchestrator evaluate"},
		act{keys: " ", shows: "next: consultee answer"},
	)
	s.walk(
		act{keys: "8" + home + "A", shows: "P1 is Agreed, by you"},
		act{keys: end + "D", shows: "P3 is Dismissed, by you"},
		act{keys: "R", shows: "P3 is open again, by you"},
		act{keys: "F", shows: "Record a fact"},
		act{keys: "the limit is a constant" + enter, shows: "recorded as a fact of the user"},
		act{keys: "u", shows: "Override, about P3"},
		act{keys: "unres" + enter, shows: "Leave P3 unresolved"},
		act{keys: "nobody measured it" + send, shows: "P3 is Unresolved, by you"},
		act{keys: "w", shows: "Why P3"},
		act{keys: escape, gone: "Why P3"},
	)
	s.walk(
		act{keys: "4/constant", shows: "search: constant"},
		act{keys: enter, shows: "N previous"},
		act{keys: escape, gone: "N previous"},
		act{keys: "2", shows: "▸ 2 Points"},
		act{keys: ">>", shows: "by tag ↑"},
		act{keys: "3", shows: "▸ 3 Point P3"},
		act{keys: "5", shows: "▸ 5 Graph"},
		act{keys: home + down, shows: "▸P2 ○ open"},
		act{keys: "c", shows: "Graph, only P2"},
		act{keys: "6", shows: "▸ 6 Confidence"},
		act{keys: "cc", shows: "Buckets over the rounds"},
		act{keys: "c", shows: "▸ 6 Cost"},
		act{keys: "7" + home + enter, shows: "Event #1"},
		act{keys: escape, gone: "Event #1"},
		act{keys: "8", shows: "▸ 8 Buckets"},
		act{keys: "9", shows: "▸ 9 Challenges"},
		act{keys: "1z", gone: "├─ 4 Ledger"},
		act{keys: "z", shows: "├─ 4 Ledger"},
	)
	s.walk(
		act{keys: "r", shows: "r goes back"},
		act{keys: left + left, shows: "an earlier moment"},
		act{keys: home, shows: "event 1 of"},
		act{keys: "]" + right, gone: "event 1 of"},
		act{keys: "r", gone: "r goes back"},
		act{keys: "8" + home + "y", shows: "clipboard (OSC 52"},
		act{keys: "x", shows: "Export"},
		act{keys: tab + "result.md" + send, shows: "written to "},
		act{keys: ":", shows: "Commands"},
		act{keys: "zoom" + enter, gone: "Commands"},
		act{keys: "z" + theme, shows: "theme: "},
		act{keys: "f", shows: "forked"},
		act{shows: "space next turn"},
		act{keys: "1 ", shows: "next: orchestrator judge"},
	)
	s.walk(
		act{keys: "a", shows: "nothing goes on until you answer"},
		act{keys: "n", shows: "Q2 asks you: missing data"},
		act{keys: "a count of the queues" + enter, shows: "moot show"},
		act{keys: "q", shows: "finished"},
		act{keys: "q"},
	)
	s.left(cli.ExitConcluded)
	if want := base64.StdEncoding.EncodeToString([]byte("P1")); len(copied) != 1 || !strings.Contains(copied[0], want[:2]) {
		t.Errorf("the terminal was told to copy %q", copied)
	}
	if export, err := os.ReadFile(filepath.Join(dir, "result.md")); err != nil || !bytes.Contains(export, []byte("retries three times")) {
		t.Errorf("%v: %s", err, export)
	}
	closed, paused := 0, 0
	for _, session := range verified(t) {
		switch {
		case session.Closed && session.Exit == state.ExitConverged:
			closed++
		case session.Paused == state.PauseUser:
			paused++
		}
	}
	if closed != 1 || paused != 1 {
		t.Errorf("%d sessions are closed and %d paused, not one each", closed, paused)
	}
}

// The mouse alone does all that needs no typing.
func TestWalkByMouse(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts nothing that the keys do not start")
	}
	s := newScreen(t, 120, 36)
	dir := stateIn(t)
	scripts(t, dir)
	s.moot(dir)
	s.atHome()
	s.walk(
		act{click: "n new question", shows: "Orchestrator   rules"},
		act{keys: "How often is a job retried?", shows: "job retried?"},
		act{click: "Orchestrator", shows: "another…"},
		act{click: "another…", shows: "● another…"},
		act{click: "its name", keys: "script:orchestrator.txt", shows: "script:orchestrator.txt"},
		act{click: "Consultee", shows: "○ another…"},
		act{click: "another…", shows: "● another…"},
		act{click: "its name", keys: "script:consultee.txt", shows: "script:consultee.txt"},
		act{click: "Runs", shows: "○ step"},
		act{click: "○ step", shows: "● step"},
		act{click: "ctrl+s send", shows: "next: orchestrator map"},
	)
	s.walk(
		act{click: "space next turn", shows: "next: consultee propose"},
		act{click: "p prompt", shows: "What goes out next"},
		act{click: "e edit", shows: "The next prompt to consultee"},
		act{click: "ctrl+s send", shows: "as it was"},
		act{click: "space next turn", shows: "next: orchestrator evaluate"},
		act{click: "space next turn", shows: "next: consultee answer"},
		act{click: "9 Challenges", shows: "▸ 9 Challenges"},
		act{click: "C1 SKEPTICAL on P2", shows: "esc close"},
		act{click: "esc close", gone: "esc close"},
		act{click: "P3  Constants", shows: "▸ P3  Constants"},
		act{click: "D dismiss", shows: "P3 is Dismissed, by you"},
		act{click: ": commands", shows: "type to find"},
		act{click: "why the selected point", shows: "Why P3"},
		act{click: "esc close", gone: "Why P3"},
		act{click: "u override", shows: "Override, about P3"},
		act{click: "leave P3 unresolved", shows: "Leave P3 unresolved"},
		act{click: "ctrl+s send", shows: "P3 is Unresolved, by you"},
	)
	for _, command := range []struct{ help, shows string }{
		{"Points: all in a table", "▸ 2 Points"},
		{"Point: one claim whole", "▸ 3 Point"},
		{"Ledger: what is known", "▸ 4 Ledger"},
		{"Graph: the argument", "▸ 5 Graph"},
		{"Confidence: over the rounds", "▸ 6 Confidence"},
		{"Record: every event", "▸ 7 Record"},
		{"Debate: what was said", "▸ 1 Debate"},
	} {
		s.walk(
			act{click: ": commands", shows: "type to find"},
			act{keys: strings.Repeat(wheel, 10), shows: "31 of "},
			act{click: command.help, shows: command.shows},
		)
	}
	s.walk(
		act{click: ": commands", shows: "type to find"},
		act{click: "step through the events", shows: "r goes back"},
		act{click: "◂", shows: "an earlier moment"},
		act{click: "first", shows: "event 1 of"},
		act{click: "last", shows: "the last one"},
		act{click: ": commands", shows: "type to find"},
		act{click: "step through the events", gone: "the last one"},
		act{click: ": commands", shows: "type to find"},
		act{click: "export the session to a file", shows: "Form"},
		act{click: "○ json", shows: "● json"},
		act{click: "ctrl+s send", shows: "written to "},
		act{click: "a auto", shows: "nothing goes on until you answer"},
		act{click: "u override", shows: "Override"},
		act{click: "Q3: ", shows: "1  close"},
	)
	s.walk(
		act{click: "1  close"},
		act{click: "ctrl+s send", shows: "moot show"},
		act{click: "q leave", shows: "finished"},
		act{click: "d delete", shows: "This cannot be undone"},
		act{click: "○ delete it", shows: "● delete it"},
		act{click: "ctrl+s send", shows: "deleted 2"},
		act{click: "q leave"},
	)
	s.left(cli.ExitConcluded)
}
