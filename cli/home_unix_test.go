//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"moot/cli"
	"moot/protocol"
	"moot/state/store"
)

// asks opens a session of rules that waits before each turn.
func (s *screen) asks(question string) {
	s.t.Helper()
	s.walk(
		act{keys: "n", shows: "Orchestrator   rules"},
		act{keys: question, shows: question},
		// How it runs is the last field.
		act{keys: backtab + "2" + send, shows: "next: orchestrator map"},
	)
	s.shows("no language model", "step by step")
}

// stateIn makes a folder for sessions, and one to ask questions about.
func stateIn(t *testing.T) (workspace string) {
	t.Helper()
	t.Setenv(store.StateVariable, t.TempDir())
	t.Setenv(cli.ConfigVariable, filepath.Join(t.TempDir(), "config.toml"))
	if err := os.WriteFile(os.Getenv(cli.ConfigVariable), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	workspace = t.TempDir()
	if err := os.WriteFile(filepath.Join(workspace, "consumer.go"), []byte("// maxRetries limits how often the consumer retries.\nconst maxRetries = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return workspace
}

// From the first start over a question and its session to its deletion.
func TestTheWholeWayFromHome(t *testing.T) {
	s := newScreen(t, 120, 36)
	s.moot(stateIn(t))
	s.atHome()
	s.shows("What to do", "ask a question")
	s.asks("Where are retries limited?")
	s.walk(act{keys: "q", shows: "saved; press enter to continue"})
	s.shows("Where are retries limited?", "paused")
	// The same session at once, and again.
	for range 2 {
		s.walk(act{keys: enter, shows: "next: orchestrator map"})
		s.shows("CONSTRUCTIVE", "step by step")
		s.walk(act{keys: "q", shows: "saved; press enter to continue"})
	}
	s.walk(act{keys: "d", shows: "This cannot be undone"})
	s.shows("Where are retries limited?")
	s.walk(act{keys: down + enter, shows: "deleted 2"})
	s.shows("What to do")
	s.press("q")
	s.left(int(protocol.ExitConcluded))
	if said := s.said.String(); said != "" {
		t.Errorf("it says %q", said)
	}
}
