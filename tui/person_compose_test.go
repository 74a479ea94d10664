package tui

import (
	"testing"

	"moot/protocol"
	"moot/state"
)

// Every move of a proposal is written by a form, as a line that the parser reads.
func TestMovesAreWrittenByForms(t *testing.T) {
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		seat state.Seat
		keys string
		want protocol.MoveKind
	}{
		{state.Proposer, "p r o p o s e enter a . b enter 1 0 enter 4 enter 3 enter s o ctrl+s", protocol.MovePropose},
		{state.Proposer, "r e v i s e enter 2 enter x enter s o enter a . m d : 1 enter y ctrl+s", protocol.MoveRevise},
		{state.Proposer, "d e f e n d enter 1 enter n o ctrl+s", protocol.MoveDefend},
		{state.Proposer, "c o n c e d e enter 2 ctrl+s", protocol.MoveConcede},
		{state.Proposer, "w i t h enter 1 enter n o ctrl+s", protocol.MoveWithdraw},
		{state.Proposer, "s u p p l y enter 1 enter 2 enter $ space m a k e enter e x i t space 0 enter", protocol.MoveSupply},
		{state.PressureTester, "o b j e c t enter 1 enter 3 enter n o ctrl+s", protocol.MoveObject},
		{state.PressureTester, "r e q u e s t enter 1 enter a space r u n ctrl+s", protocol.MoveRequest},
		{state.PressureTester, "n o _ o b j enter n o n e ctrl+s", protocol.MoveNoObjection},
	} {
		m := screenOf(t, held(t).recorder, Options{NoColor: true}, 100, 40)
		asked := asksSeat(held(t).recorder, test.seat)
		tell(m, asked)
		m.armed = true
		typeKeys(m, "ctrl+l "+test.keys)
		f, ok := m.dialog().(*personForm)
		if !ok || f.area.Value() == "" {
			t.Errorf("%s: the screen is\n%s", test.keys, screenText(m))
			continue
		}
		typeKeys(m, "ctrl+s")
		reply := <-asked.request.answer
		if parsed, failure := parser.Parse(reply, asked.request.call.Ask); failure != nil || len(parsed.Moves) != 1 || len(parsed.Refused) != 0 ||
			parsed.Moves[0].Kind() != test.want {
			t.Errorf("%q is not read: %+v %v", reply, parsed, failure)
		}
	}
}

// Where the person speaks in a consultation no form writes moves.
func TestAConsultationHasNoFormsOfMoves(t *testing.T) {
	r := demo(t)
	m := screenOf(t, r, Options{NoColor: true}, 100, 40)
	tell(m, askedOf(r, state.Consultee, state.StageAnswer, protocol.ConsultMoves()...))
	m.armed = true
	typeKeys(m, "ctrl+l")
	if _, still := m.dialog().(*personForm); !still {
		t.Errorf("a form is open:\n%s", screenText(m))
	}
}
