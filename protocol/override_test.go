package protocol_test

import (
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// What could not be read back from the session file is refused.
func TestOverridesThatAreNoneAreRefused(t *testing.T) {
	d := challenged(t, nil)
	for _, move := range []protocol.UserMove{
		protocol.SetKind{Point: "P1", Kind: "matter of taste"},
		protocol.SupplyEvidence{Point: "P1", Text: "x", Relation: "proves"},
		protocol.RecordFact{Text: "x", Predicate: &ledger.Predicate{Path: "a", Op: "=", Value: []byte("{")}},
	} {
		if events, err := protocol.AdmitUser(d.s, move); err == nil {
			t.Errorf("%+v gave %v", move, events)
		}
	}
	if _, err := protocol.AdmitUser(d.s, protocol.SetKind{Point: "P1", Kind: state.Value}); err != nil {
		t.Error(err)
	}
}

// CH7: a seat that has no part in a point does not call it blocked.
func TestBlockedByAStranger(t *testing.T) {
	d := challenged(t, nil)
	d.append(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: "consultee-2"}, By: state.User})
	ask := protocol.Ask{Seat: "consultee-2", Stage: state.StageAnswer, Moves: []protocol.MoveKind{protocol.MoveBlocked}}
	a := d.format.Admit(d.s, ask, []protocol.Move{&protocol.Blocked{Point: "P2", Measurement: "m", Threshold: "t", Below: "b", Above: "a"}})
	if len(a.Refused) != 1 || len(a.Events) != 0 {
		t.Fatalf("%+v", a)
	}
}
