package rules_test

import (
	"sync"
	"testing"
	"time"

	"moot/agent/rules"
	"moot/protocol"
	"moot/redact"
	"moot/research"
	"moot/state"
	"moot/state/store"
)

// What every session is held with: to build them is dear, and nothing changes them.
var (
	theParser   = sync.OnceValues(protocol.NewParser)
	theRedactor = sync.OnceValues(redact.New)
	// blind are rules that read nothing but the session, and ferry those that read the
	// corpus.
	blind = sync.OnceValue(func() *rules.Rules { return rules.New(rules.Options{}) })
	ferry = sync.OnceValue(func() *rules.Rules { return rules.New(rules.Options{Workspace: corpus}) })
)

// held opens a session and drives it to its end, with citations looked up in its
// workspace.
func held(
	t testing.TB, format protocol.Format, opened *state.SessionOpened, seats map[state.Seat]protocol.Participant,
) (*protocol.Runner, *store.Memory) {
	t.Helper()
	at := time.Unix(1_700_000_000, 0).UTC()
	first := state.Event{Seq: 1, At: at, Data: opened}
	s, err := state.Apply(state.State{}, first)
	if err != nil {
		t.Fatal(err)
	}
	log := &store.Memory{}
	if err := log.Append([]state.Event{first}); err != nil {
		t.Fatal(err)
	}
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	citation, err := research.OpenCitation(opened.Settings.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer citation.Close()
	runner := protocol.NewRunner(protocol.Options{
		Format: format, State: s, Log: log, Participants: seats, Researcher: citation, Parser: parser, Now: func() time.Time { return at },
	})
	if err := runner.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return runner, log
}
