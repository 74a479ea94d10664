package state_test

import (
	"slices"
	"testing"

	"moot/state"
)

// JU8: a conversation is kept by seat until another takes it, and never crosses a fork.
func TestConversation(t *testing.T) {
	said := func(id string) state.Payload {
		return &state.ReplyReceived{Seat: state.Consultee, Stage: state.StagePropose, Valid: true, Conversation: id}
	}
	for _, test := range []struct {
		name string
		fork *state.Fork
		then []state.Payload
		want string
	}{
		{"kept", nil, []state.Payload{said("a")}, "a"},
		{"the newest counts", nil, []state.Payload{said("a"), said("b")}, "b"},
		{"silence keeps it", nil, []state.Payload{said("a"), said("")}, "a"},
		{"a model's name keeps it", nil, []state.Payload{
			said("a"), &state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: state.Consultee}, By: state.Protocol},
		}, "a"},
		{"another participant has none", nil, []state.Payload{
			said("a"), &state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: state.Consultee}, By: state.User},
		}, ""},
		{"a fork has none", &state.Fork{From: "other", Seq: 2}, []state.Payload{said("a")}, ""},
		{"after the fork it has", &state.Fork{From: "other", Seq: 2}, []state.Payload{said("a"), said("b")}, "b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &state.State{}
			opened := &state.SessionOpened{Version: state.Version, ID: "s", Question: "q", Fork: test.fork}
			for i, p := range append([]state.Payload{opened}, test.then...) {
				next, err := state.Apply(s, state.Event{Seq: i + 1, Data: p})
				if err != nil {
					t.Fatal(err)
				}
				s = next
			}
			if got := s.Conversation(state.Consultee); got != test.want {
				t.Errorf("the conversation is %q, want %q", got, test.want)
			}
		})
	}
}

// JU8: the record shows that a conversation was started again, and in which round.
func TestRecovered(t *testing.T) {
	s := &state.State{Seq: 1, ID: "s", Round: 3}
	s, err := state.Apply(s, state.Event{Seq: 2, Data: &state.ReplyReceived{Seat: state.Consultee, Valid: true, Recovered: "codex had lost it"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "consultee: recovered at round 3: codex had lost it"; !slices.Equal(s.Warnings, []string{want}) {
		t.Errorf("the warnings are %q, want %q", s.Warnings, want)
	}
}
