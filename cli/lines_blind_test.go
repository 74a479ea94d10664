package cli

import (
	"bytes"
	"strings"
	"testing"

	"moot/agent/person"
	"moot/protocol"
	"moot/state"
)

// A person in a panel who answers by lines is told nothing of the other answers
// before their own is there, also when they cancel it, and all of it then.
func TestThePersonAnswersUnseenByLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	console := &Console{Err: &out}
	f := &lineFront{console: console, progress: &progress{line: console.Say}}
	var now state.State
	tell := func(payloads ...state.Payload) {
		t.Helper()
		told := after(t, &now, payloads...)
		f.notice(t.Context(), told)
	}
	answer := func(seat state.Seat, point, text string) {
		t.Helper()
		tell(&state.ReplyReceived{Seat: seat, Stage: state.StagePropose, Valid: true}, &state.PointRaised{ID: point, By: seat, Text: text})
	}
	tell(&state.SessionOpened{
		Version: state.Version, ID: "s", Settings: state.Settings{Format: state.FormatPanel},
		Seats: []state.SeatAssignment{{Seat: "panelist", Participant: "rules"}, {Seat: "panelist-2", Participant: person.Name}},
	}, &state.RoundStarted{Round: 1})
	answer("panelist", "P1", "it is safe under load")
	f.notice(t.Context(), protocol.CallEnded{Seat: "panelist-2"})
	tell(&state.SessionPaused{Why: state.PauseUser})
	if strings.Contains(out.String(), "it is safe under load") {
		t.Errorf("another answer is told before the person's own:\n%s", &out)
	}
	answer("panelist-2", "P2", "it is slow at night")
	if got := out.String(); !strings.Contains(got, "it is safe under load") || strings.Index(got, "it is slow") < strings.Index(got, "it is safe") {
		t.Errorf("the other answers are not told, or not in their order:\n%s", got)
	}
}
