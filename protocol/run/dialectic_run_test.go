package run

import (
	"testing"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

func pressedOptions(t *testing.T, log *record, seats map[state.Seat]protocol.Participant) Options {
	t.Helper()
	o := options(t, log, openedAs(state.FormatDialectic, func(o *state.SessionOpened) {
		o.Question = "Roll out to 10 % of users"
	}), seats)
	return o
}

// The loop drives the format as it drives the other: a session that advances is
// decided, and its record recomputes.
func TestAProposalAdvances(t *testing.T) {
	log := &record{}
	seats := map[state.Seat]protocol.Participant{
		state.Proposer: says(map[state.Stage]string{
			state.StagePropose: `{"moves":[{"move":"PROPOSE","path":"percent","value":10,"category":"Safety","citations":[{"reference":"a.md:1","quote":"10 %"}]}]}`,
		}),
		state.PressureTester: says(map[state.Stage]string{state.StageEvaluate: "NO OBJECTION: nothing found"}),
	}
	o := pressedOptions(t, log, seats)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := resolver.Verify(log.events)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Closed || s.Exit != state.ExitDecided || s.Inconclusive || s.Dialectic.Last().Decision != "ADVANCE" {
		t.Fatalf("closed=%v exit=%q inconclusive=%v", s.Closed, s.Exit, s.Inconclusive)
	}
}

// In an unattended session an escalation pauses the run. The pause is stored, and the session resumes from it.
func TestAnEscalationPausesTheRun(t *testing.T) {
	log := &record{}
	seats := map[state.Seat]protocol.Participant{
		state.Proposer: says(map[state.Stage]string{
			state.StagePropose: `{"moves":[{"move":"PROPOSE","path":"percent","value":10,"category":"Taste"}]}`,
		}),
		state.PressureTester: says(map[state.Stage]string{
			state.StageEvaluate: `{"moves":[{"move":"OBJECT","point":"P1","flag":"untested","text":"nobody tried"}]}`,
		}),
	}
	o := pressedOptions(t, log, seats)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := again(t, o, log).State
	if s.Paused != state.PauseUser || s.Closed || s.Questions.Len() != 1 {
		t.Fatalf("paused %q (%s) with %d questions", s.Paused, s.PauseReason, s.Questions.Len())
	}
	answered, err := protocol.AdmitUser(s, protocol.AnswerQuestion{Question: "Q1", Answer: "cleared"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range answered {
		log.events = append(log.events, state.Event{Seq: len(log.events) + 1, Data: p})
	}
	if err := New(again(t, o, log)).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s = again(t, o, log).State; s.Exit != state.ExitDecided || s.Dialectic.Last().Decision != "ADVANCE" {
		t.Fatalf("exit %q after %d events", s.Exit, len(log.events))
	}
	if _, err := resolver.Verify(log.events); err != nil {
		t.Fatal(err)
	}
}
