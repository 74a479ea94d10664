package tui

import (
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/dialectic"
)

// A command that the person allowed runs while no seat speaks: the screen says so,
// for how long, and how to end it.
func TestRunningCommandIsShown(t *testing.T) {
	d := held(t)
	d.reply(dialectic.Proposer, `{"move":"SUPPLY_EVIDENCE","challenge":"C1","reference":"$ make check","quote":"exit 0"}`)
	now := demoTime
	m := screenOf(t, d.recorder, Options{Now: func() time.Time { return now }}, 100, 30)
	m.ended = false
	tell(m, protocol.Waiting{Questions: []string{"Q1"}})
	if len(m.running()) > 0 || m.disabled(ActionCancel) == "" {
		t.Error("it runs before it is allowed")
	}
	moved, err := protocol.AdmitUser(d.state, protocol.AnswerQuestion{Question: "Q1", Answer: "once"})
	if err != nil {
		t.Fatal(err)
	}
	tell(m, d.advanced(moved...))
	if !m.ticking {
		t.Error("the seconds stand still")
	}
	now = now.Add(12 * time.Second)
	m.Update(tick{})
	if got := screenText(m); !strings.Contains(got, "running $ make check  12 s") || !strings.Contains(got, "esc cancel") {
		t.Errorf("it is not shown:\n%s", got)
	}
	if got := strings.Join(ordered(m, "esc"), " "); got != "cancel" || !strings.Contains(screenText(m), "is refused") {
		t.Errorf("esc orders %q:\n%s", got, screenText(m))
	}
}
