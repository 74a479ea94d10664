package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/protocol/protocoltest"
	"moot/tui/pane"
)

// The parts of an emoji are typed in whatever pieces the terminal sends. Control characters are not.
func TestTypeable(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, "🏳": true, "\ufe0f": true, "\u200d": true, "\ufe0f\u200d": true, "\u200d🌈": true, "🏳\ufe0f\u200d🌈": true,
		"\x1b": false, "a\u202e": false, "\u200b": false,
	} {
		if got := typeable(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// The mouse focuses a pane, selects an item, scrolls, and closes a text.
func TestMouseSelectsAndCloses(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 120, 40)
	clickOn(t, m, "P2  consumer groups")
	if m.focus != pane.BucketsID || m.topic != "P2" {
		t.Errorf("a click selects %s in %v", m.topic, m.focus)
	}
	typeKeys(m, "w")
	m.Update(tea.MouseWheelMsg{X: 60, Y: 20, Button: tea.MouseWheelDown})
	m.Update(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
	if m.dialog() != nil {
		t.Error("a click beside a text does not close it")
	}
}

// clickOn clicks a text on the screen.
func clickOn(t *testing.T, m *Model, text string) {
	t.Helper()
	for y, row := range strings.Split(ansi.Strip(m.View().Content), "\n") {
		if before, _, found := strings.Cut(row, text); found {
			m.Update(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
			return
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, ansi.Strip(m.View().Content))
}
