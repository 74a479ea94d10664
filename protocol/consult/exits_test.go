package consult_test

import (
	"testing"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/protocoltest"
	"moot/state"
)

// EX4: failures end with the participant that made them, and with the exit that
// the user reopened.
func TestFailuresAreForgotten(t *testing.T) {
	failed := &state.ReplyRefused{Seat: state.Consultee, Stage: state.StageAnswer}
	d := protocoltest.Challenged(t, nil)
	d.Append(failed, &state.SeatTaken{SeatAssignment: state.SeatAssignment{
		Seat:        state.Consultee,
		Participant: "other",
	}, By: state.User}, failed)
	if turn := protocol.Of(d.State).Next(d.State); len(turn.Asks) != 1 {
		t.Fatalf("the newcomer is not asked again: %+v", turn)
	}
	d.Append(failed)
	d.Append(protocol.Of(d.State).Next(d.State).Events...)
	if d.State.Exit != state.ExitQuality {
		t.Fatalf("exit %q", d.State.Exit)
	}
	events, err := protocol.AdmitUser(d.State, claims.RuleOn{Point: "P1", What: state.OverrideReopen})
	if err != nil {
		t.Fatal(err)
	}
	d.Append(events...)
	if turn := protocol.Of(d.State).Next(d.State); len(turn.Asks) != 1 || d.State.Over() {
		t.Fatalf("the session does not go on: %+v", turn)
	}
}
