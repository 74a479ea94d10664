package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/tui/pane"
)

// The map opens at the point that is looked at, moves to what bears on it, and
// collapses to that.
func TestGraphSelectsAndCollapses(t *testing.T) {
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
	typeKeys(m, "c")
	content := ansi.Strip(m.View().Content)
	if main, _, _ := strings.Cut(content, "8 Buckets"); !strings.Contains(main, "Graph, only P2") || strings.Contains(main, "throughput doubles") {
		t.Errorf("the map does not collapse:\n%s", content)
	}
	if _, nodes := m.graph.Graph.Size(); nodes == 0 || len(m.graph.Graph.Nodes()) != 3 {
		t.Errorf("%d boxes bear on P2: itself, C1 and its answer", len(m.graph.Graph.Nodes()))
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
