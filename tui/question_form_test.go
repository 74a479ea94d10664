package tui

import (
	"strings"
	"testing"

	"moot/protocol"
)

// A small screen shows the effect of an answer, and the question can be scrolled. No answer is selected at first,
// so enter alone advances nothing.
func TestAQuestionIsReadOnASmallScreen(t *testing.T) {
	m := screenOf(t, pressed(t), Options{NoColor: true}, 40, 12)
	tell(m, protocol.Waiting{Questions: []string{"Q1"}})
	for _, step := range []struct{ keys, shows, not string }{
		{"n", "1 cleared", "no longer holds"},
		{"enter", "a value is required", "is answered"},
		{"1", "C1 no longer holds", "blocks the field"},
		{"2", "C1 blocks the field", "no longer holds"},
		{strings.Repeat("pgdown ", 20), "without an", "rollback.command, "},
		{strings.Repeat("pgup ", 20), "rollback.command, ", "without an"},
		{"enter", "Q1 is answered; n answe", "best for"},
	} {
		typeKeys(m, step.keys)
		carry(m, &noting{})
		if text := screenText(m); !strings.Contains(text, step.shows) || strings.Contains(text, step.not) {
			t.Fatalf("%s: it does not show %q, or shows %q:\n%s", step.keys, step.shows, step.not, text)
		}
	}
}

// The effect of an answer is computed again when the question is opened again.
func TestAnAnswerDoesWhatItDoesNow(t *testing.T) {
	r := pressed(t)
	m := screenOf(t, r, Options{NoColor: true}, 100, 40)
	tell(m, protocol.Waiting{Questions: []string{"Q1"}})
	typeKeys(m, "n esc")
	events, err := protocol.AdmitUser(r.state, protocol.AnswerQuestion{Question: "Q2", Answer: "withdraw"})
	if err != nil {
		t.Fatal(err)
	}
	tell(m, r.advanced(events...))
	typeKeys(m, "n")
	if text := screenText(m); !strings.Contains(text, "the proposal advances") {
		t.Errorf("it is what it was before:\n%s", text)
	}
}
