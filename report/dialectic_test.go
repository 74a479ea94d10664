package report_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"moot/agent/script"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/dialectic"
	"moot/protocol/formats"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
)

// pressing is a session of the format dialectic as a test runs it: the seats say
// what stands in testdata/dialectic, code checks it and resolves it, and the user
// answers after the run has paused.
type pressing struct {
	script string
	config string
	facts  []string
	// answers are the user's moves where the session waits for them.
	answers []protocol.UserMove
}

// pressings are the sessions of the tests: one advances at once, one is held for a round, one waits for the user, who
// answers in another one and ends yet another. The odd one has unknown words and ids, and citations that are too old.
func pressings() map[string]pressing {
	answered := []protocol.UserMove{
		protocol.AnswerQuestion{Question: "Q1", Answer: "cleared"},
		protocol.AnswerQuestion{Question: "Q2", Answer: "upheld"},
		protocol.AnswerQuestion{Question: "Q3", Answer: "accept"},
	}
	return map[string]pressing{
		"advance":  {script: "advance"},
		"hold":     {script: "hold", config: `{"maxRounds":2}`, facts: []string{"it must be taken back within a minute"}},
		"waiting":  {script: "escalate", config: `{"maxRounds":1}`},
		"escalate": {script: "escalate", config: `{"maxRounds":1}`, answers: answered},
		"odd":      {script: "odd", config: `{"maxRounds":1,"freshness":{"live-api":"1s"}}`},
		"stopped":  {script: "escalate", config: `{"maxRounds":1}`, answers: []protocol.UserMove{protocol.EndSession{Reason: "another time"}}},
	}
}

// sources checks citations: run/ is the output of a command, gone/ does not exist, everything else is a passage of a
// file.
type sources struct{}

func (sources) Check(_ context.Context, reference, quote string) ledger.Finding {
	f := ledger.Finding{
		Verified: true, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
		Reference: reference, Excerpt: quote, Digest: "sha256:0", Reason: "verbatim at the cited lines",
	}
	switch {
	case strings.HasPrefix(reference, "run/"):
		f.Type, f.SourceKind, f.Confidence = ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution
	case strings.HasPrefix(reference, "gone/"):
		return ledger.Finding{Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord, Reason: "there is no such file"}
	}
	return f
}

// table is a session while it runs.
type table struct {
	t      *testing.T
	state  state.State
	clock  time.Time
	events []state.Event
}

// Append implements protocol.Log.
func (d *table) Append(events []state.Event) error {
	d.events = append(d.events, events...)
	return nil
}

func (d *table) now() time.Time {
	d.clock = d.clock.Add(time.Second)
	return d.clock
}

// add records what nobody of the table said.
func (d *table) add(payloads ...state.Payload) {
	d.t.Helper()
	for _, p := range payloads {
		e := state.Event{Seq: d.state.Seq + 1, At: d.now(), Data: p}
		next, err := state.Apply(d.state, e)
		if err != nil {
			d.t.Fatal(err)
		}
		d.state, d.events = next, append(d.events, e)
	}
}

// theParser reads the replies of all sessions: it is made once, and nothing changes
// it.
var theParser = sync.OnceValues(protocol.NewParser)

// run drives the session until it ends or waits.
func (d *table) run(format protocol.Format, participants map[state.Seat]protocol.Participant) {
	d.t.Helper()
	parser, err := theParser()
	if err != nil {
		d.t.Fatal(err)
	}
	ctx, leave := context.WithCancel(d.t.Context())
	defer leave()
	err = run.New(run.Options{
		State: d.state, Log: d, Researcher: sources{}, Parser: parser, Now: d.now, Attended: d.state.Settings.Attended,
		Participants: participants,
		Watch: func(n protocol.Notice) {
			if _, waits := n.(protocol.Waiting); waits {
				leave()
			}
		},
	}).Run(ctx)
	if err != nil && !errors.Is(err, protocol.ErrStopped) {
		d.t.Fatal(err)
	}
	if d.state, err = state.Replay(d.events); err != nil {
		d.t.Fatal(err)
	}
}

// answered runs the session, has the user answer what waits, runs it on, and gives
// its end as it recomputes.
func (d *table) answered(format protocol.Format, participants map[state.Seat]protocol.Participant, answers []protocol.UserMove) (state.State, []state.Ruling) {
	d.t.Helper()
	d.run(format, participants)
	for _, move := range answers {
		payloads, err := protocol.AdmitUser(d.state, move)
		if err != nil {
			d.t.Fatal(err)
		}
		d.add(payloads...)
	}
	if len(answers) > 0 {
		d.run(format, participants)
	}
	s, err := resolver.Verify(d.events)
	if err != nil {
		d.t.Fatal(err)
	}
	return s, resolver.Rule(s)
}

// pressed runs one of the sessions.
func pressed(t *testing.T, name string) (state.State, []state.Ruling) {
	t.Helper()
	p, ok := pressings()[name]
	if !ok {
		t.Fatalf("there is no session %q", name)
	}
	participant, err := script.Open(filepath.Join("testdata", "dialectic", p.script+".script"))
	if err != nil {
		t.Fatal(err)
	}
	d := &table{t: t, clock: time.Date(2026, 11, 21, 15, 30, 45, 0, time.UTC)}
	d.add(&state.SessionOpened{
		Rules:   formats.ByName(state.FormatDialectic),
		Version: state.Version, ID: "20261121-153045-k3f9", Question: "Roll out the new queue to some of our users?",
		Settings: state.Settings{
			Format: state.FormatDialectic, Nonce: "5eed", Workspace: "work", Input: state.Input{Options: []string{}, Views: []state.View{}},
			Playbook: smallPlaybook(p.config),
		},
		Seats: []state.SeatAssignment{
			{Seat: state.Proposer, Participant: "openai:gpt-5.2", Model: "gpt-5.2-2026-01"},
			{Seat: state.PressureTester, Participant: "ollama:qwen3"},
		},
	})
	for i, text := range p.facts {
		d.add(&state.FactRecorded{ID: state.NextID('F', i), Tag: ledger.TagUser, Seat: state.User, Text: text})
	}
	participants := map[state.Seat]protocol.Participant{state.Proposer: participant, state.PressureTester: participant}
	return d.answered(dialectic.Format{}, participants, p.answers)
}

func smallPlaybook(config string) *state.Playbook {
	return &state.Playbook{
		Name: "small", Config: json.RawMessage(config),
		Flags: []state.RedFlag{
			{
				ID: "no-rollback", Title: "no way back", Look: "a change that cannot be undone", Category: "Safety", Severity: "BLOCKING",
				Predicate: "the change can be undone", Clears: "a tested way back",
			},
			{
				ID: "untested", Title: "not tested", Look: "what no test covers", Category: "Factual", Severity: "HIGH",
				Predicate: "a test covers the change", Clears: "the test",
			},
			{
				ID: "undocumented", Title: "not documented", Look: "what users must know", Category: "Categorical", Severity: "MEDIUM",
				Predicate: "the change is documented", Clears: "the passage",
			},
		},
	}
}
