package dialectic_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/state"
)

// say admits what a seat says, and counts what was refused as too many.
func say(d *protocoltest.Desk, seat state.Seat, stage state.Stage, moves []move.Move) (refused int) {
	d.T.Helper()
	ask := protocol.Ask{Seat: seat, Stage: stage, Moves: lists.Map(moves, move.KindOf)}
	admission := dialectic.Format{}.Admit(d.State, ask, moves)
	d.Append(admission.Events...)
	for _, r := range admission.Refused {
		if r.Code != state.NotTaken {
			d.T.Errorf("refused as %s: %s", r.Code, r.Text)
		}
		refused++
	}
	return refused
}

// A proposal has 60 fields, a reply 20 objections and 20 requests, a field 12
// objections and a session 120: what is beyond that is refused.
func TestBoundsOfAProposal(t *testing.T) {
	d := protocoltest.New(t, protocoltest.Opened(dialectic.Name))
	d.Append(&state.RoundStarted{Round: 1})
	var moves []move.Move
	for i := range 61 {
		moves = append(moves, &dialectic.Propose{
			Path: fmt.Sprintf("f%d", i), Value: json.RawMessage("1"),
			Category: "Taste",
		})
	}
	if refused := say(d, dialectic.Proposer, state.StagePropose, moves); refused != 1 || d.State.Points.Len() != 60 {
		t.Errorf("%d fields, %d refused", d.State.Points.Len(), refused)
	}
	objections := func(n int, field func(i int) string) []move.Move {
		var moves []move.Move
		for i := range n {
			moves = append(moves, &dialectic.Object{
				Point: field(i), Text: fmt.Sprintf("it is wrong, %d of %d", d.State.Challenges.Len(), i),
				Category: "Taste", Severity: gates.High, Predicate: "it is right",
			})
		}
		return moves
	}
	one := func(int) string { return "f0" }
	if refused := say(d, dialectic.PressureTester, state.StageEvaluate, objections(13, one)); refused != 1 ||
		d.State.Challenges.Len() != 12 {
		t.Errorf("%d objections to one field, %d refused", d.State.Challenges.Len(), refused)
	}
	each := func(i int) string { return fmt.Sprintf("f%d", 1+(d.State.Challenges.Len()+i)%59) }
	if refused := say(d, dialectic.PressureTester, state.StageEvaluate, objections(21, each)); refused != 1 ||
		d.State.Challenges.Len() != 32 {
		t.Errorf("%d objections after 20 more, %d refused", d.State.Challenges.Len(), refused)
	}
	refused := 0
	for range 5 {
		refused += say(d, dialectic.PressureTester, state.StageEvaluate, objections(20, each))
	}
	if refused != 12 || d.State.Challenges.Len() != 120 {
		t.Errorf("%d objections of a session, %d refused", d.State.Challenges.Len(), refused)
	}
	moves = nil
	for i := range 21 {
		moves = append(moves, &dialectic.RequestEvidence{Challenge: fmt.Sprintf("C%d", 1+i), Text: "show it"})
	}
	if refused := say(d, dialectic.PressureTester, state.StageEvaluate, moves); refused != 1 || d.State.Requests.Len() != 20 {
		t.Errorf("%d requests, %d refused", d.State.Requests.Len(), refused)
	}
}
