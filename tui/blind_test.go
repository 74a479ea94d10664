package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/protocoltest"
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
		list = append(list, protocol.CallStarted{Ask: protocol.Ask{Seat: seat, Stage: state.StagePropose}, Participant: participant, At: protocoltest.RecordTime()})
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
	h := protocoltest.PanelConvened(t)
	h.Add(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: "panelist-4", Participant: mine}})
	h.Add(firstAnswer()...)
	resumed := func(start func(func(protocol.Notice)) (Session, error)) *session {
		return newSession(Opened{State: h.State, Events: h.Events, Start: start}, theme.New(theme.Appearance{}))
	}
	goesOn := func(func(protocol.Notice)) (Session, error) { return nil, errors.New("not in this test") }
	if s := resumed(goesOn); s.state.Points.Len() > 0 || len(s.events)+len(s.veiled[0].Events) != len(h.Events) || !s.blind() {
		t.Errorf("%d points are shown, %d of %d events", s.state.Points.Len(), len(s.events), len(h.Events))
	}
	if s := resumed(nil); s.state.Points.Len() == 0 || len(s.veiled) > 0 {
		t.Error("who only looks at the session does not see all of it")
	}
	h.Add(&state.SeatMissed{Seat: "panelist-4", Stage: state.StagePropose, Reason: "gone"})
	if s := resumed(goesOn); s.state.Points.Len() == 0 || s.blind() {
		t.Error("a person who is missing is waited for")
	}
}

// A person who sits in a panel sees nothing of the other answers before their own
// is given, and all of it then.
func TestThePersonAnswersUnseen(t *testing.T) {
	h := protocoltest.PanelConvened(t)
	h.Add(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: "panelist-4", Participant: mine}})
	m := screenOf(t, h.Record, Options{}, 120, 36)
	m.ended = false
	tell(m, panelCalls()...)
	tell(m, protocol.Streamed{Seat: "panelist", Text: "streams are the"}, protocol.CallEnded{Seat: "panelist"})
	tell(m, advanced(h.Record, firstAnswer()...))
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
	tell(m, protocol.CallEnded{Seat: "panelist-4", Err: errors.New("cancelled")}, advanced(h.Record, &state.SessionPaused{Why: state.PauseUser}), protocol.TurnReady{})
	if got := screenText(m); strings.Contains(got, "streams are the") || !strings.Contains(got, "hidden until you have given yours; space asks you") {
		t.Errorf("who cancels sees the other answers, or is not told why they do not:\n%s", got)
	}
	typeKeys(m, "F")
	if got := screenText(m); strings.Contains(got, ";  ") {
		t.Errorf("a key is named that the form has:\n%s", got)
	}
	typeKeys(m, "esc")
	if r, err := m.result(nil); err != nil || r.State.Seq != h.State.Seq {
		t.Errorf("%d of %d events are saved: %v", r.State.Seq, h.State.Seq, err)
	}
	tell(m, panelCalls()[1:]...)
	tell(m, protocol.Streamed{Seat: "panelist-2", Text: "nobody should see this"})
	if got := screenText(m); strings.Contains(got, "streams are the") || strings.Contains(got, "nobody should") {
		t.Errorf("the other answers are not hidden when the person is asked again:\n%s", got)
	}
	tell(m, protocol.CallEnded{Seat: "panelist-4"}, advanced(h.Record, answerOf("panelist-4", "P2", "lists are enough")...))
	if got := screenText(m); !strings.Contains(got, "streams are the simpler") || !strings.Contains(got, "nobody should") {
		t.Errorf("the other answers are hidden for ever:\n%s", got)
	}
}

// Of several replies under way it is shown who is done, who is at it and who gave
// none.
func TestSeveralRepliesAreShown(t *testing.T) {
	now := protocoltest.RecordTime()
	m := screenOf(t, protocoltest.PanelConvened(t).Record, Options{Now: func() time.Time { return now }}, 120, 48)
	m.ended = false
	tell(m, panelCalls()[:3]...)
	now = now.Add(8 * time.Second)
	tell(m, protocol.CallEnded{Seat: "panelist"}, protocol.CallEnded{Seat: "panelist-2", Err: errors.New("connection refused")},
		protocol.Streamed{Seat: "panelist-3", Text: "At-least-once delivery"})
	now = now.Add(4 * time.Second)
	m.Update(tick{})
	got := screenText(m)
	for _, want := range []string{"propose ✓ answered", "8 s", "propose ! no answer", "At-least-once delivery", "2/3 ended; panelist-3 to propose: 12 s, 0 tokens/s"} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q:\n%s", want, got)
		}
	}
}

// seatedAsSkeptic is a hearing in its third round, in which the person argues for the
// skeptic and has answered in the two before.
func seatedAsSkeptic(t *testing.T) *protocoltest.Table {
	t.Helper()
	h := protocoltest.HearingTable(t)
	h.Add(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: judge.Skeptic, Participant: mine}})
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
	m := screenOf(t, h.Record, Options{}, 120, 40)
	m.ended = false
	tell(m,
		protocol.CallStarted{Ask: protocol.Ask{Seat: judge.Architect, Stage: hearing.StageExchange}, Participant: "openai:gpt-5.2", At: protocoltest.RecordTime()},
		protocol.CallStarted{Ask: protocol.Ask{Seat: judge.Skeptic, Stage: hearing.StageExchange}, Participant: mine, At: protocoltest.RecordTime()},
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
	tell(m, protocol.CallEnded{Seat: judge.Architect}, advanced(h.Record, architectArgues()...))
	hidden("once it is said")
	tell(m, protocol.CallEnded{Seat: judge.Skeptic}, advanced(h.Record,
		&state.ReplyReceived{Seat: judge.Skeptic, Stage: hearing.StageExchange, Valid: true},
		&hearing.Argued{Seat: judge.Skeptic, Stated: 0.5, Confidence: 0.5, WouldChange: "another account"},
	))
	if typeKeys(m, "1 end"); m.blind() || !strings.Contains(screenText(m), "was sold") {
		t.Errorf("the other side is hidden for ever:\n%s", screenText(m))
	}
}
