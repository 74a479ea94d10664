package panel

import (
	"testing"

	"moot/protocol"
	"moot/state"
)

// Each missing panelist is named once. A reply that broke off and a reply without a valid
// move get different reasons.
func TestWhyAPanelistIsMissing(t *testing.T) {
	const who = "http://127.0.0.1:1/v1#m"
	s := &state.State{Seats: []state.SeatAssignment{{Seat: state.Panelist, Participant: who}}}
	for _, c := range []struct {
		refusal state.Refusal
		want    string
	}{
		{
			state.Refusal{Code: "broken", Text: who + " sent nothing more in 3 s"},
			"the last time, it sent nothing more in 3 s",
		},
		{state.Refusal{Code: "empty", Text: "the reply is empty"}, "the last time, the reply is empty"},
		{state.Refusal{Code: "no-moves", Text: "answer with an object"}, "the last held no move that can be read"},
	} {
		if got := lastRefusal(s, state.Panelist, c.refusal); got != c.want {
			t.Errorf("%s: %q, want %q", c.refusal.Code, got, c.want)
		}
	}
	gone := Format{}.Missing(s, protocol.Ask{Seat: state.Panelist, Stage: state.StagePropose},
		(&protocol.Unreachable{Participant: who, What: "it hung up", Fix: "call again"}).Error())
	if got := gone[0].(*state.SeatMissed).Reason; got != "it hung up; call again" {
		t.Errorf("its reason is %q", got)
	}
}
