package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/state"
	"moot/tui/theme"
)

// calls says that the panelists are asked, the fourth of them the person.
func panelCalls() []any {
	var list []any
	for _, seat := range []state.Seat{"panelist", "panelist-2", "panelist-3", "panelist-4"} {
		participant := "openai:gpt-5.2"
		if seat == "panelist-4" {
			participant = mine
		}
		list = append(list, protocol.CallStarted{Ask: protocol.Ask{Seat: seat, Stage: state.StagePropose}, Participant: participant, At: demoTime})
	}
	return list
}

// answerOf is the reply of a panelist with one point.
func answerOf(seat state.Seat, point, text string) []state.Payload {
	return []state.Payload{
		&state.ReplyReceived{Seat: seat, Stage: state.StagePropose, Valid: true, Text: text},
		&state.PointRaised{ID: point, By: seat, Text: text},
	}
}

func firstAnswer() []state.Payload {
	return answerOf("panelist", "P1", "streams are the simpler interface")
}

// A continued session hides the other answers while the user owes one, but not if it is only read.
func TestAResumedPanelHidesTheOtherAnswers(t *testing.T) {
	h := convened(t)
	h.add(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: "panelist-4", Participant: mine}})
	h.add(firstAnswer()...)
	resumed := func(start func(func(protocol.Notice)) (Session, error)) *session {
		return newSession(Opened{State: h.state, Events: h.events, Start: start}, theme.New(theme.Appearance{}))
	}
	goesOn := func(func(protocol.Notice)) (Session, error) { return nil, errors.New("not in this test") }
	if s := resumed(goesOn); s.state.Points.Len() > 0 || len(s.events)+len(s.veiled[0].Events) != len(h.events) || !s.blind() {
		t.Errorf("%d points are shown, %d of %d events", s.state.Points.Len(), len(s.events), len(h.events))
	}
	if s := resumed(nil); s.state.Points.Len() == 0 || len(s.veiled) > 0 {
		t.Error("who only looks at the session does not see all of it")
	}
	h.add(&state.SeatMissed{Seat: "panelist-4", Stage: state.StagePropose, Reason: "gone"})
	if s := resumed(goesOn); s.state.Points.Len() == 0 || s.blind() {
		t.Error("a person who is missing is waited for")
	}
}

// A person who sits in a panel sees nothing of the other answers before their own
// is given, and all of it then.
func TestThePersonAnswersUnseen(t *testing.T) {
	h := convened(t)
	h.add(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: "panelist-4", Participant: mine}})
	m := screenOf(t, h.recorder, Options{}, 120, 36)
	m.ended = false
	tell(m, panelCalls()...)
	tell(m, protocol.Streamed{Seat: "panelist", Text: "streams are the"}, protocol.CallEnded{Seat: "panelist"})
	tell(m, h.advanced(firstAnswer()...))
	for _, keys := range []string{"1", "2", "6", "7", "8"} {
		typeKeys(m, keys)
		if got := screenText(m); strings.Contains(got, "streams are the") || strings.Contains(got, "P1") {
			t.Errorf("view %s shows another answer:\n%s", keys, got)
		}
	}
	typeKeys(m, "1")
	tell(m, protocol.Streamed{Seat: "panelist-2", Text: "nobody should see this"})
	if got := screenText(m); !strings.Contains(got, "hidden until you have answered") || strings.Contains(got, "nobody should") {
		t.Errorf("the other answers are not hidden, or it is not said:\n%s", got)
	}
	// Not to answer now does not lift it.
	tell(m, protocol.CallEnded{Seat: "panelist-4", Err: errors.New("cancelled")}, h.advanced(&state.SessionPaused{Why: state.PauseUser}), protocol.TurnReady{})
	if got := screenText(m); strings.Contains(got, "streams are the") || !strings.Contains(got, "hidden until you have given yours; space asks you") {
		t.Errorf("who cancels sees the other answers, or is not told why they do not:\n%s", got)
	}
	typeKeys(m, "F")
	if got := screenText(m); strings.Contains(got, ";  ") {
		t.Errorf("a key is named that the form has:\n%s", got)
	}
	typeKeys(m, "esc")
	if r, err := m.result(nil); err != nil || r.State.Seq != h.state.Seq {
		t.Errorf("%d of %d events are saved: %v", r.State.Seq, h.state.Seq, err)
	}
	tell(m, panelCalls()[1:]...)
	tell(m, protocol.Streamed{Seat: "panelist-2", Text: "nobody should see this"})
	if got := screenText(m); strings.Contains(got, "streams are the") || strings.Contains(got, "nobody should") {
		t.Errorf("the other answers are not hidden when the person is asked again:\n%s", got)
	}
	tell(m, protocol.CallEnded{Seat: "panelist-4"}, h.advanced(answerOf("panelist-4", "P2", "lists are enough")...))
	if got := screenText(m); !strings.Contains(got, "streams are the simpler") || !strings.Contains(got, "nobody should") {
		t.Errorf("the other answers are hidden for ever:\n%s", got)
	}
}

// Of several replies under way it is shown who is done, who is at it and who gave
// none.
func TestSeveralRepliesAreShown(t *testing.T) {
	now := demoTime
	m := screenOf(t, convened(t).recorder, Options{Now: func() time.Time { return now }}, 120, 48)
	m.ended = false
	tell(m, panelCalls()[:3]...)
	now = now.Add(8 * time.Second)
	tell(m, protocol.CallEnded{Seat: "panelist"}, protocol.CallEnded{Seat: "panelist-2", Err: errors.New("connection refused")},
		protocol.Streamed{Seat: "panelist-3", Text: "At-least-once delivery"})
	now = now.Add(4 * time.Second)
	m.Update(tick{})
	got := screenText(m)
	for _, want := range []string{"propose ✓ answered", "8 s", "propose ! no answer", "At-least-once delivery", "2/3 ended, panelist-3 propose  12 s"} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q:\n%s", want, got)
		}
	}
}
