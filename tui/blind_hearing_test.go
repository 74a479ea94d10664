package tui

import (
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/state"
)

// seatedAsSkeptic is a hearing in its third round, in which the person argues for the
// skeptic and has answered in the two before.
func seatedAsSkeptic(t *testing.T) *hall {
	t.Helper()
	h := beingHeard(t)
	h.add(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: judge.Skeptic, Participant: mine}})
	return h
}

// architectArgues returns the architect's third round.
func architectArgues() []state.Payload {
	return []state.Payload{
		&state.ReplyReceived{Seat: judge.Architect, Stage: hearing.StageExchange, Valid: true, Text: "the copy was sold"},
		&state.PointRaised{ID: "P6", By: judge.Architect, Text: "the copy was sold", Facts: []string{"f08"}},
		&hearing.Argued{Seat: judge.Architect, Stated: 0.93, Confidence: 0.93},
	}
}

// A person who argues for a side reads nothing of what the other says in the round
// before their own argument is given, and all of it then.
func TestThePersonArguesUnseen(t *testing.T) {
	h := seatedAsSkeptic(t)
	m := screenOf(t, h.recorder, Options{}, 120, 40)
	m.ended = false
	tell(m,
		protocol.CallStarted{Ask: protocol.Ask{Seat: judge.Architect, Stage: hearing.StageExchange}, Participant: "openai:gpt-5.2", At: demoTime},
		protocol.CallStarted{Ask: protocol.Ask{Seat: judge.Skeptic, Stage: hearing.StageExchange}, Participant: mine, At: demoTime},
		protocol.Streamed{Seat: judge.Architect, Text: "the copy was sold"},
	)
	hidden := func(when string) {
		t.Helper()
		for _, view := range []string{"1", "2", "6", "7", "8", "9"} {
			typeKeys(m, view)
			if got := screenText(m); strings.Contains(got, "was sold") || strings.Contains(got, "P6") || strings.Contains(got, "0.93") {
				t.Errorf("%s: view %s shows the other side:\n%s", when, view, got)
			}
		}
	}
	hidden("while it is said")
	tell(m, protocol.CallEnded{Seat: judge.Architect}, h.advanced(architectArgues()...))
	hidden("once it is said")
	tell(m, protocol.CallEnded{Seat: judge.Skeptic}, h.advanced(
		&state.ReplyReceived{Seat: judge.Skeptic, Stage: hearing.StageExchange, Valid: true},
		&hearing.Argued{Seat: judge.Skeptic, Stated: 0.5, Confidence: 0.5, WouldChange: "another account"},
	))
	if typeKeys(m, "1 end"); m.blind() || !strings.Contains(screenText(m), "was sold") {
		t.Errorf("the other side is hidden for ever:\n%s", screenText(m))
	}
}
