package person_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"moot/protocol/formats"

	"moot/agent/person"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/dialectic"
	"moot/protocol/hearing"
	"moot/state"
)

// types is a person who types one thing, or cannot.
type types struct {
	text string
	err  error
}

func (a types) Ask(context.Context, protocol.Call) (string, error) { return a.text, a.err }

// Typed text is the reply unchanged, and empty text is a reply without moves.
func TestReplyIsWhatIsTyped(t *testing.T) {
	t.Parallel()
	gone := errors.New("the terminal is gone")
	for _, test := range []struct {
		typed types
		want  string
	}{
		{types{text: "1. one\n2. two"}, "1. one\n2. two"},
		{types{text: " \n"}, `{"moves":[]}`},
		{types{err: gone}, ""},
	} {
		me := person.New(test.typed)
		reply, err := me.Reply(t.Context(), protocol.Call{State: &state.State{}}, nil)
		if reply.Text != test.want || !errors.Is(err, test.typed.err) || me.Name() != person.Name || !me.Modelless() {
			t.Errorf("typed %+v: %q, %v", test.typed, reply.Text, err)
		}
	}
}

// consultMoves are moves of a consultation.
func consultMoves() []protocol.MoveKind {
	return append(protocol.AnswerMoves(), protocol.MoveRaise, protocol.MoveTriage, protocol.MoveClassify, protocol.MoveJudge,
		consult.MoveSteelman, protocol.MoveFlag)
}

// Every stage has a line that shows what can be typed, and moves that only some formats have show theirs.
func TestHints(t *testing.T) {
	t.Parallel()
	stages := state.SharedStages()
	for _, f := range formats.All() {
		stages = append(stages, f.Own().Stages...)
	}
	for _, stage := range stages {
		if len(person.Hints(&protocol.Ask{Stage: stage, Moves: consultMoves()})) == 0 {
			t.Errorf("the stage %s has no hint", stage)
		}
	}
	for _, c := range []struct {
		stage       state.Stage
		moves       []protocol.MoveKind
		shows, omit string
	}{
		{state.StagePropose, []protocol.MoveKind{dialectic.MovePropose, dialectic.MoveNoObjection}, "PROPOSE rollout", "[GUESS]"},
		{state.StageEvaluate, []protocol.MoveKind{dialectic.MoveObject, dialectic.MoveRequest}, "OBJECT P1", "AGREE:"},
		{state.StageAnswer, []protocol.MoveKind{protocol.MoveDefend, protocol.MoveWithdraw}, "WITHDRAW P3", "REBUT C1"},
		{council.StageFix, []protocol.MoveKind{dialectic.MovePropose, protocol.MoveRevise}, "REVISE P1", "WITHDRAW"},
		{state.StageAnswer, []protocol.MoveKind{hearing.MoveRebut, protocol.MoveConcede}, "REBUT C1 [f02]", "Re C1"},
		{state.StageAnswer, consultMoves(), "Re C1", "REVISE P1"},
	} {
		hints := strings.Join(person.Hints(&protocol.Ask{Stage: c.stage, Moves: c.moves}), "\n")
		if !strings.Contains(hints, c.shows) || strings.Contains(hints, c.omit) {
			t.Errorf("%s with %v:\n%s", c.stage, c.moves, hints)
		}
	}
}
