package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// choosing is the form for a question with the screen on which the first participant is chosen.
func choosing(t *testing.T, width, height int) *Model {
	t.Helper()
	m := homeOf(t, &house{found: someFound()}, Options{NoColor: true}, width, height)
	typeAtHome(m, "n")
	toParticipant(m)
	typeAtHome(m, "ctrl+o")
	return m
}

// toParticipant moves the focus of the form for a question to its first participant.
func toParticipant(m *Model) *Model {
	for range 30 {
		if _, ok := m.question.Participant(); ok {
			break
		}
		typeAtHome(m, "tab")
	}
	return m
}

// The chooser of participants says what each one is and why one is not usable, at every size.
func TestTheChooserShowsWhatEachParticipantIs(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}, {200, 60}} {
		m := choosing(t, size[0], size[1])
		text := ansi.Strip(m.View().Content)
		wanted := []string{"Participant: ", "openai:gpt-5.2", "model", "rules", "me", "what  ", "1/6"}
		if size[1] > smallHeight {
			wanted = append(wanted, "claude-code", "program")
		}
		for _, want := range wanted {
			if !strings.Contains(text, want) {
				t.Errorf("%v: there is no %q in\n%s", size, want, text)
			}
		}
		typeAtHome(m, "c l a u d e")
		text = ansi.Strip(m.View().Content)
		if strings.Contains(text, "ollama:qwen3") || !strings.Contains(text, "not usable") {
			t.Errorf("%v: the filter shows\n%s", size, text)
		}
		if size[0] >= besideWidth && !strings.Contains(text, "not usable: /usr/bin/claude is on the PATH") {
			t.Errorf("%v: the details do not say why:\n%s", size, text)
		}
		typeAtHome(m, "enter")
		if _, open := m.dialog().(*picker); !open {
			t.Errorf("%v: one that is not usable was chosen", size)
		}
	}
}

// Enter chooses the participant and goes back to the form, esc goes back without a choice.
func TestTheChooserFillsTheField(t *testing.T) {
	m := choosing(t, 100, 30)
	field, _ := m.question.Participant()
	key := field.Key
	before := m.question.Values()[key]
	typeAtHome(m, "esc")
	if got := m.question.Values()[key]; got != before || m.dialog() != dialog(m.question.formDialog) {
		t.Errorf("esc leaves %q in %s, and shows %T", got, key, m.dialog())
	}
	typeAtHome(m, "ctrl+o r u l e s enter")
	if got := m.question.Values()[key]; got != "rules" || m.dialog() != dialog(m.question.formDialog) {
		t.Errorf("the field has %q, and %T is shown", got, m.dialog())
	}
}

// In a field for something else, the key says where it works.
func TestTheChooserNeedsAParticipant(t *testing.T) {
	m := homeOf(t, &house{found: someFound()}, Options{NoColor: true}, 100, 30)
	typeAtHome(m, "n ctrl+o")
	if _, open := m.dialog().(*picker); open || !strings.Contains(fmt.Sprint(m.flash), "participant") {
		t.Errorf("it says %q", m.flash)
	}
}
