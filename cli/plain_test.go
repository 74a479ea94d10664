package cli

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"moot/agent"
	"moot/agent/person"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/protocol/run"
	"moot/state"
)

// A person on a panel sees the other answers only after answering, also if they cancel their own answer first.
func TestThePersonAnswersUnseenByLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	console := &Console{Err: &out}
	f := newPlainFront(console.progress(&state.State{}))
	now := &state.State{}
	tell := func(payloads ...state.Payload) {
		t.Helper()
		told := after(t, now, payloads...)
		f.notice(t.Context(), told)
	}
	answer := func(seat state.Seat, point, text string) {
		t.Helper()
		tell(&state.ReplyReceived{Seat: seat, Stage: state.StagePropose, Valid: true}, &state.PointRaised{ID: point, By: seat, Text: text})
	}
	tell(&state.SessionOpened{
		Rules:   formats.ByName(panel.Name),
		Version: state.Version, ID: "s", Settings: state.Settings{Format: panel.Name},
		Seats: []state.SeatAssignment{{Seat: "panelist", Participant: "rules"}, {Seat: "panelist-2", Participant: person.Name}},
	}, &state.RoundStarted{Round: 1})
	answer("panelist", "P1", "it is safe under load")
	f.notice(t.Context(), protocol.CallEnded{Seat: "panelist-2"})
	tell(&state.SessionPaused{Why: state.PauseUser})
	if strings.Contains(out.String(), "it is safe under load") {
		t.Errorf("another answer is told before the person's own:\n%s", &out)
	}
	answer("panelist-2", "P2", "it is slow at night")
	if got := out.String(); !strings.Contains(got, "it is safe under load") || strings.Index(got, "it is slow") < strings.Index(got, "it is safe") {
		t.Errorf("the other answers are not told, or not in their order:\n%s", got)
	}
}

// A thinking notice is printed once per call.
func TestLinesSayOnceThatASeatThinks(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	f := newPlainFront((&Console{Err: &out}).progress(&state.State{}))
	for range 3 {
		for range 100 {
			f.notice(t.Context(), protocol.Thinking{Seat: state.Consultee, Text: "hm"})
		}
		f.notice(t.Context(), protocol.CallEnded{Seat: state.Consultee})
	}
	if told := strings.Count(out.String(), "thinks"); told != 3 {
		t.Errorf("told %d times, not once a call", told)
	}
}

// Each failed call is printed once: by the pause, or by itself if the pause names another.
func TestLinesSayAFailureOnce(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	console := &Console{Err: &out}
	f := newPlainFront(console.progress(&state.State{}))
	now := &state.State{}
	opened := after(t, now, &state.SessionOpened{
		Rules: formats.ByName(council.Name), Version: state.Version, ID: "s",
		Settings: state.Settings{Format: council.Name},
		Seats:    []state.SeatAssignment{{Seat: constitution.Critic, Participant: "a"}, {Seat: constitution.Expert, Participant: "b"}},
	}, &state.RoundStarted{Round: 1})
	f.notice(t.Context(), opened)
	f.notice(t.Context(), protocol.CallEnded{Seat: constitution.Critic, Err: errors.New("the quota is spent")})
	f.notice(t.Context(), protocol.CallEnded{Seat: constitution.Expert, Err: errors.New("no login")})
	f.notice(t.Context(), after(t, now, &state.SessionPaused{
		Why: state.PauseUnreachable, Reason: "the critic (a) gave no answer: the quota is spent",
		Failure: &state.Failure{Seat: constitution.Critic, Kind: state.FailureUnreachable, Text: "the quota is spent"},
	}))
	for _, failure := range []string{"the quota is spent", "no login"} {
		if said := strings.Count(out.String(), failure); said != 1 {
			t.Errorf("%q is printed %d times:\n%s", failure, said, &out)
		}
	}
}

// The user confirms the proposed participants. Anything that is not a choice is asked again, and the end of the input
// confirms nothing: a model that costs money is never asked without consent.
func TestWhoTakesTheEmptySeats(t *testing.T) {
	const leaves = "no participant was chosen"
	for typed, want := range map[string]string{
		"\n": "ollama:a", "1\n": "ollama:a", " 1 \r\n": "ollama:a", "2\n": "rules", "3\n": leaves, "": leaves,
		"yes\n2\n": "rules", "4\n\x1b[A\n1\n": "ollama:a", "x\n": leaves, "http://127.0.0.1:1/v1#m, codex\n": "http://127.0.0.1:1/v1#m",
		"olama:b codex\n2\n": "rules",
	} {
		var said bytes.Buffer
		c := &Console{In: strings.NewReader(typed), Err: &said}
		chosen, err := confirmSeats(c, &agent.Proposal{Pairs: []agent.Pair{{Orchestrator: "ollama:a", Consultee: "ollama:b"}}}, true,
			"orchestrator", "consultee", func(name string) error {
				_, err := agent.Parse(name)
				return err
			})
		got := chosen.Orchestrator
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || strings.Contains(said.String(), "\x1b") {
			t.Errorf("%q: %s, said %q", typed, got, said.String())
		}
		if again := strings.Contains(said.String(), "is not a choice: type a number from 1 to 3, or two"); again != slices.Contains([]string{"yes\n2\n", "4\n\x1b[A\n1\n", "x\n"}, typed) {
			t.Errorf("%q: said %q", typed, said.String())
		}
	}
}

// By lines a command is printed whole, and nothing that was typed before approves it.
func TestACommandIsApprovedAfterItIsPrinted(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	console := &Console{Err: &out}
	f := newPlainFront(console.progress(&state.State{}))
	f.console, f.keyboard = console, &keyboard{console: console}
	f.decider = &decider{say: console.Say, state: &state.State{}, send: f.override}
	now := &state.State{}
	command := "printf " + strings.Repeat("word ", 400) + "b\u0430sh the-end"
	for _, line := range []string{"Q1 yes", "Q1 2", "Q1 once", "Q1 never"} {
		f.handle(typedLine{text: line})
	}
	f.notice(t.Context(), after(t, now, &state.SessionOpened{
		Rules: formats.ByName("consult"), Version: state.Version, ID: "s", Question: "q",
		Settings: state.Settings{Format: "consult", Attended: true, Workspace: "/work"},
	}, &state.PointRaised{ID: "P1", By: state.Consultee, Text: "It builds."}, &state.EvidenceOffered{
		ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "$ " + command, Quote: "exit 0", By: state.Consultee,
	}, &state.QuestionSurfaced{
		ID: "Q1", Point: "P1", What: state.QuestionApproval, About: claims.AboutRun + "E1", Text: "Run it?",
		Options: []string{"once", "always", "never"},
	}))
	for _, want := range []string{
		strings.Replace(command, "\u0430", "<U+0430>", 1), "NOT all ASCII: <U+0430> is \u0430 (Cyrillic)", "expected: exit 0",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not print %q:\n%s", want, &out)
		}
	}
	if n := strings.Count(out.String(), "was answered before its command was shown"); n != 3 {
		t.Errorf("%d of 3 early approvals are reported:\n%s", n, &out)
	}
	if len(f.commands) != 1 {
		t.Errorf("%d early answers count, want the refusal only", len(f.commands))
	}
	f.handle(typedLine{text: "Q1 once"})
	if len(f.commands) != 2 {
		t.Error("it can't be approved after it was printed")
	}
}

// after applies the payloads to the state, and returns the notice of them.
func after(t *testing.T, now *state.State, payloads ...state.Payload) protocol.Advanced {
	t.Helper()
	var events []state.Event
	for _, payload := range payloads {
		e := state.Event{Seq: now.Seq + 1, Data: payload}
		next, err := state.Apply(now, e)
		if err != nil {
			t.Fatal(err)
		}
		*now, events = *next, append(events, e)
	}
	shown := *now
	return run.Advanced(events, &shown)
}
