package run

import (
	"encoding/json"
	"fmt"
	"testing"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/protocol/move"
	"moot/state"
)

// bounded is a session of a proposal in which seats say too much.
type bounded struct {
	t *testing.T
	s *state.State
}

func (b *bounded) add(payloads ...state.Payload) {
	b.t.Helper()
	for _, p := range payloads {
		next, err := state.Apply(b.s, state.Event{Seq: b.s.Seq + 1, Data: p})
		if err != nil {
			b.t.Fatal(err)
		}
		b.s = next
	}
}

// say admits what a seat says, and counts what was refused as too many.
func (b *bounded) say(seat state.Seat, stage state.Stage, moves []move.Move) (refused int) {
	b.t.Helper()
	ask := protocol.Ask{Seat: seat, Stage: stage, Moves: lists.Map(moves, move.KindOf)}
	admission := dialectic.Format{}.Admit(b.s, ask, moves)
	b.add(admission.Events...)
	for _, r := range admission.Refused {
		if r.Code != state.NotTaken {
			b.t.Errorf("refused as %s: %s", r.Code, r.Text)
		}
		refused++
	}
	return refused
}

// A proposal has 60 fields, a reply 20 objections and 20 requests, a field 12
// objections and a session 120: what is beyond that is refused.
func TestBoundsOfAProposal(t *testing.T) {
	b := &bounded{t: t, s: &state.State{}}
	b.add(&state.SessionOpened{
		Rules:   formats.ByName(dialectic.Name),
		Version: state.Version, ID: "s", Question: "Set it",
		Settings: state.Settings{Format: dialectic.Name},
	},
		&state.RoundStarted{Round: 1})
	var moves []move.Move
	for i := range 61 {
		moves = append(moves, &dialectic.Propose{
			Path: fmt.Sprintf("f%d", i), Value: json.RawMessage("1"),
			Category: "Taste",
		})
	}
	if refused := b.say(dialectic.Proposer, state.StagePropose, moves); refused != 1 || b.s.Points.Len() != 60 {
		t.Errorf("%d fields, %d refused", b.s.Points.Len(), refused)
	}
	objections := func(n int, field func(i int) string) []move.Move {
		var moves []move.Move
		for i := range n {
			moves = append(moves, &dialectic.Object{
				Point: field(i), Text: fmt.Sprintf("it is wrong, %d of %d", b.s.Challenges.Len(), i),
				Category: "Taste", Severity: gates.High, Predicate: "it is right",
			})
		}
		return moves
	}
	one := func(int) string { return "f0" }
	if refused := b.say(dialectic.PressureTester, state.StageEvaluate, objections(13, one)); refused != 1 ||
		b.s.Challenges.Len() != 12 {
		t.Errorf("%d objections to one field, %d refused", b.s.Challenges.Len(), refused)
	}
	each := func(i int) string { return fmt.Sprintf("f%d", 1+(b.s.Challenges.Len()+i)%59) }
	if refused := b.say(dialectic.PressureTester, state.StageEvaluate, objections(21, each)); refused != 1 ||
		b.s.Challenges.Len() != 32 {
		t.Errorf("%d objections after 20 more, %d refused", b.s.Challenges.Len(), refused)
	}
	refused := 0
	for range 5 {
		refused += b.say(dialectic.PressureTester, state.StageEvaluate, objections(20, each))
	}
	if refused != 12 || b.s.Challenges.Len() != 120 {
		t.Errorf("%d objections of a session, %d refused", b.s.Challenges.Len(), refused)
	}
	moves = nil
	for i := range 21 {
		moves = append(moves, &dialectic.RequestEvidence{Challenge: fmt.Sprintf("C%d", 1+i), Text: "show it"})
	}
	if refused := b.say(dialectic.PressureTester, state.StageEvaluate, moves); refused != 1 || b.s.Requests.Len() != 20 {
		t.Errorf("%d requests, %d refused", b.s.Requests.Len(), refused)
	}
}
