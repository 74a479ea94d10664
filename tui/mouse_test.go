package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
)

// A session is gone through by the mouse alone.
func TestMouseAlone(t *testing.T) {
	r := demo(t)
	now := demoTime
	m := screenOf(t, r, Options{NoColor: true, Now: func() time.Time { return now }}, 120, 40)
	tell(m, ready(state.Consultee))
	clickOn(t, m, "space next turn")
	if got := strings.Join(ordered(m, ""), ", "); got != "step" {
		t.Errorf("the footer ordered %q", got)
	}

	tell(m, r.advanced(&state.QuestionSurfaced{ID: "Q2", Point: "P1", What: state.QuestionTradeoff, Text: "Which?", Options: []string{"one way", "the other way"}}))
	now = now.Add(time.Second)
	clickOn(t, m, "2 asked")
	clickOn(t, m, "over 1000")
	clickOn(t, m, "ctrl+s send")
	if got := strings.Join(ordered(m, ""), ", "); !strings.Contains(got, "Q1") || !strings.Contains(got, "over 1000") {
		t.Errorf("the question was answered by %q", got)
	}
	m.dialogs = nil

	clickOn(t, m, "9 Challenges")
	if m.focus != pane.ChallengesID {
		t.Errorf("a title gives the focus to %v", m.focus)
	}
	clickOn(t, m, "P2  consumer groups")
	if m.focus != pane.BucketsID || m.topic != "P2" {
		t.Errorf("a click selects %s in %v", m.topic, m.focus)
	}
	clickOn(t, m, "A agree")
	clickOn(t, m, "ctrl+s send")
	if got := strings.Join(ordered(m, ""), ", "); !strings.Contains(got, "P2") || !strings.Contains(got, "RuleOn") {
		t.Errorf("the point was ruled on by %q", got)
	}
	clickOn(t, m, "w why")
	if m.dialog() == nil {
		t.Fatal("no receipt is open")
	}
	clickOn(t, m, "esc close")
	if m.dialog() != nil {
		t.Fatal("the receipt stays open")
	}
	clickOn(t, m, "F1  writes")
	clickOn(t, m, "F1  writes")
	if m.dialog() == nil {
		t.Fatal("a second click opens nothing")
	}
	m.Update(tea.MouseWheelMsg{X: 60, Y: 20, Button: tea.MouseWheelDown})
	m.Update(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
	if m.dialog() != nil {
		t.Error("a click beside what is read does not close it")
	}
	clickOn(t, m, "q leave")
	if got := strings.Join(ordered(m, ""), ", "); got != "leave" || !m.leaving {
		t.Errorf("leaving ordered %q", got)
	}
}

// What comes by itself is not answered by a click that was on its way.
func TestClickWaitsForQuestion(t *testing.T) {
	r := demo(t)
	now := demoTime
	m := screenOf(t, r, Options{NoColor: true, Now: func() time.Time { return now }}, 120, 40)
	tell(m, ready(state.Consultee), r.advanced(&state.QuestionSurfaced{ID: "Q2", Point: "P1", What: state.QuestionTradeoff, Text: "Which?", Options: []string{"one", "two"}}), protocol.Waiting{Questions: []string{"Q2"}})
	clickOn(t, m, "2 asked")
	if m.dialog() != nil {
		t.Error("it opens at once")
	}
	now = now.Add(quietTime)
	clickOn(t, m, "2 asked")
	if m.dialog() == nil {
		t.Error("it does not open")
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
