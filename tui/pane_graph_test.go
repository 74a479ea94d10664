package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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
	typeKeys(m, "down")
	if m.graph.Selected() != "C1" || m.topic != "P2" {
		t.Errorf("%s is selected, the topic is %s", m.graph.Selected(), m.topic)
	}
	typeKeys(m, "enter")
	if d, ok := m.dialog().(*reader); !ok || d.heading != "C1" {
		t.Error("enter does not open the challenge")
	}
}

// A click selects a box, the wheel scrolls, a search finds what a box says.
func TestGraphWithTheMouseAndSearch(t *testing.T) {
	m := screenOf(t, demo(t), Options{NoColor: true}, 100, 20)
	typeKeys(m, "5")
	top := func() string {
		m.View()
		r := m.layout.Panes[pane.GraphID]
		return ansi.Strip(m.graph.View(r.W, r.H)[0])
	}
	before, r := top(), m.layout.Panes[pane.GraphID]
	m.Update(tea.MouseWheelMsg{X: r.X + 2, Y: r.Y + 1, Button: tea.MouseWheelDown})
	if top() == before {
		t.Error("the wheel does not scroll")
	}
	m.Update(tea.MouseWheelMsg{X: r.X + 2, Y: r.Y + 1, Button: tea.MouseWheelUp})
	y := slices.IndexFunc(m.graph.View(r.W, r.H), func(row string) bool { return strings.Contains(ansi.Strip(row), "E1 ") })
	m.Update(tea.MouseClickMsg{X: r.X + 10, Y: r.Y + y + 1, Button: tea.MouseLeft})
	if m.graph.Selected() != "E1" {
		t.Errorf("%s is selected", m.graph.Selected())
	}
	typeKeys(m, "/ d o u b l e s enter")
	if m.graph.Selected() != "P5" {
		t.Errorf("the search ends at %s", m.graph.Selected())
	}
}
