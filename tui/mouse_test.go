package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/tui/pane"
)

// The mouse focuses a pane, selects an item, scrolls, and closes a text.
func TestMouseSelectsAndCloses(t *testing.T) {
	m := screenOf(t, demo(t), Options{NoColor: true}, 120, 40)
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
