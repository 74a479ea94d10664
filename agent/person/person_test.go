package person_test

import (
	"context"
	"errors"
	"testing"

	"moot/agent/person"
	"moot/protocol"
	"moot/state"
)

// types is a person who types one thing, or cannot.
type types struct {
	text string
	err  error
}

func (a types) Ask(context.Context, protocol.Call) (string, error) { return a.text, a.err }

// What is typed goes the road of a model's reply, as it is; nothing at all says
// that there is nothing to say.
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
		reply, err := me.Reply(t.Context(), protocol.Call{}, nil)
		if reply.Text != test.want || !errors.Is(err, test.typed.err) || me.Name() != person.Name || !me.Modelless() {
			t.Errorf("typed %+v: %q, %v", test.typed, reply.Text, err)
		}
	}
}

// Every stage, and every move of a proposal, has a line that shows what can be
// typed.
func TestHints(t *testing.T) {
	t.Parallel()
	for _, stage := range state.Stages() {
		if len(person.Hints(&protocol.Call{Ask: protocol.Ask{Stage: stage}})) == 0 {
			t.Errorf("the stage %s has no hint", stage)
		}
	}
	for _, move := range []protocol.MoveKind{
		protocol.MovePropose, protocol.MoveRevise, protocol.MoveDefend, protocol.MoveConcede, protocol.MoveWithdraw,
		protocol.MoveObject, protocol.MoveRequest, protocol.MoveSupply, protocol.MoveNoObjection,
	} {
		call := protocol.Call{Ask: protocol.Ask{Moves: []protocol.MoveKind{move}}}
		call.State.Settings.Format = state.FormatDialectic
		if len(person.Hints(&call)) == 0 {
			t.Errorf("the move %s has no hint", move)
		}
	}
}
