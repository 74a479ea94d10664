package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/state"
)

// calls says that the panelists are asked, the fourth of them the person.
func panelCalls() []any {
	var list []any
	for _, seat := range []state.Seat{"panelist", "panelist-2", "panelist-3", "panelist-4"} {
		participant := when(seat == "panelist-4", mine, "openai:gpt-5.2")
		list = append(list, protocol.CallStarted{Ask: protocol.Ask{Seat: seat, Stage: state.StagePropose}, Participant: participant, At: demoTime})
	}
	return list
}

// A person who sits in a panel sees nothing of the other answers before their own
// is given, and all of it then.
func TestThePersonAnswersUnseen(t *testing.T) {
	h := convened(t)
	m := screenOf(t, h.recorder, Options{}, 120, 36)
	m.ended = false
	tell(m, panelCalls()...)
	tell(m, protocol.Streamed{Seat: "panelist", Text: "streams are the"}, protocol.CallEnded{Seat: "panelist"})
	tell(m, h.advanced(&state.PointRaised{ID: "P1", By: "panelist", Text: "streams are the simpler interface"}))
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
	tell(m, protocol.CallEnded{Seat: "panelist-4"})
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
