package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
)

// The map opens at the point that is looked at, and moves to what bears on it.
func TestGraphSelects(t *testing.T) {
	m := screenOf(t, demo(t), Options{NoColor: true}, 120, 40)
	typeKeys(m, "8 end 5")
	m.View()
	if m.graph.Selected() != "P2" {
		t.Fatalf("%s is selected, and P2 was in Buckets", m.graph.Selected())
	}
	typeKeys(m, "right")
	if m.graph.Selected() != "C1" || m.topic != "P2" {
		t.Errorf("%s is selected, the topic is %s", m.graph.Selected(), m.topic)
	}
	typeKeys(m, "enter")
	if d, ok := m.dialog().(*reader); !ok || d.heading != "C1" {
		t.Error("enter does not open the challenge")
	}
}

// A click selects a box, the wheel pans, a search finds what a box says.
func TestGraphWithTheMouseAndSearch(t *testing.T) {
	m := screenOf(t, demo(t), Options{NoColor: true}, 100, 20)
	typeKeys(m, "5")
	m.View()
	r := m.layout.Panes[pane.GraphID]
	m.Update(tea.MouseWheelMsg{X: r.X + 2, Y: r.Y + 1, Button: tea.MouseWheelDown})
	if m.graph.Top != wheelRows {
		t.Errorf("the wheel pans to row %d", m.graph.Top)
	}
	m.Update(tea.MouseWheelMsg{X: r.X + 2, Y: r.Y + 1, Button: tea.MouseWheelUp})
	n, _ := m.graph.Graph.Node("E1")
	m.Update(tea.MouseClickMsg{X: r.X + n.Rect.X + 2, Y: r.Y + n.Rect.Y + 1, Button: tea.MouseLeft})
	if m.graph.Selected() != "E1" {
		t.Errorf("%s is selected", m.graph.Selected())
	}
	typeKeys(m, "/ d o u b l e s enter")
	if m.graph.Selected() != "P5" {
		t.Errorf("the search ends at %s", m.graph.Selected())
	}
}
