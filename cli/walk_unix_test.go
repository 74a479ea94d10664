//go:build unix

package cli_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/reply"
	"moot/protocol/run"
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

// recomputed replays events, and returns the state at the end.
func recomputed(t *testing.T, events []state.Event) (*state.State, error) {
	t.Helper()
	parser, err := reply.NewParser(formats.All())
	if err != nil {
		t.Fatal(err)
	}
	return run.Verify(parser, events)
}

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
func verified(t *testing.T) []*state.State {
	t.Helper()
	dir, err := store.Dir()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*state.State
	for _, file := range files {
		opened, err := store.Read(file, formats.Rules()...)
		if errors.Is(err, store.ErrEmpty) {
			continue // It was killed before the first event.
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := recomputed(t, opened.Events)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		all = append(all, s)
	}
	return all
}

// Keys take a person through a whole session: everything to see, decide and export.
func TestWalk(t *testing.T) {
	s := newScreen(t, 120, 36)
	var copied []string
	s.emulator.RegisterOscHandler(52, func(data []byte) bool {
		copied = append(copied, string(data))
		return true
	})
	dir := stateIn(t)
	scripts(t, dir)
	s.moot(dir, "ask", "How often is a job retried?", "--orchestrator", "script:orchestrator.txt", "--consultee", "script:consultee.txt",
		"--fact", "jobs are idempotent", "--step")
	s.walk(act{shows: "next: orchestrator to map"})
	s.walk(
		act{keys: " ", shows: "next: consultee to propose"},
		act{keys: "n", shows: "your answer"},
		act{keys: "per job, not per queue" + enter, shows: "Q1 is answered"},
		act{keys: "p", shows: "The next prompt"},
		act{keys: "e", shows: "The next prompt to consultee"},
		act{keys: "Be brief. " + send, shows: "space sends it"},
		act{keys: " ", shows: "next: orchestrator to evaluate"},
		act{keys: " ", shows: "next: consultee to answer"},
	)
	s.walk(
		act{keys: "8" + home + "A", shows: "Reason"},
		act{keys: enter, shows: "P1 is Agreed, by you"},
		act{keys: end + "D", shows: "Reason"},
		act{keys: "a matter of taste" + enter, shows: "P3 is Dismissed, by you"},
		act{keys: "R", shows: "Reason"},
		act{keys: enter, shows: "P3 is open again, by you"},
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
		act{keys: home + down, shows: "┌▸E1 ✓ Cited"},
		act{keys: "6", shows: "▸ 6 Confidence"},
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
		act{keys: "1 ", shows: "next: orchestrator to judge"},
	)
	s.walk(
		// Nothing is asked about a point that the user left unresolved.
		act{keys: "a", shows: "Still open: P3."},
		act{keys: "q"},
	)
	s.left(int(protocol.ExitConcluded))
	if want := base64.StdEncoding.EncodeToString([]byte("P1")); len(copied) != 1 || !strings.Contains(copied[0], want[:2]) {
		t.Errorf("the terminal was told to copy %q", copied)
	}
	if export, err := os.ReadFile(filepath.Join(dir, "result.md")); err != nil || !bytes.Contains(export, []byte("retries three times")) {
		t.Errorf("%v: %s", err, export)
	}
	closed, paused := 0, 0
	for _, session := range verified(t) {
		switch {
		case session.Closed && session.Exit == state.ExitUnresolved:
			closed++
		case session.Paused == state.PauseUser:
			paused++
		}
	}
	if closed != 1 || paused != 1 {
		t.Errorf("%d sessions are closed and %d paused, not one each", closed, paused)
	}
}
