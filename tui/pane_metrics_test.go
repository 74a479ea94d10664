package tui

import (
	"strings"
	"testing"

	"moot/state"
	"moot/tui/pane"
)

// Every format has its metrics under one key. What cannot be measured says so, and a
// council lists its violations.
func TestTheMetricsAreShown(t *testing.T) {
	for _, c := range []struct {
		record *recorder
		says   []string
	}{
		{demo(t), []string{"overall", "rounds to consensus           n/a", "constitutional compliance     n/a"}},
		{pressed(t), []string{"process rigor", "P1  "}},
		{compared(t), []string{"evidence quality", "perspective coverage"}},
		{councilledOver(t), []string{"violations", "C2 attack-method (critic)", "is carried out; violated", "; mended", "P9"}},
	} {
		m := screenOf(t, c.record, Options{NoColor: true}, 160, 60)
		typeKeys(m, "0")
		screen := said(m)
		for _, want := range c.says {
			if !strings.Contains(screen, want) {
				t.Errorf("%s: it does not say %q:\n%s", c.record.state.Settings.Format, want, screen)
			}
		}
	}
}

// The figures are those of what is shown: they change while the session runs, and in
// a replay they are those of then.
func TestTheMetricsAreThoseOfTheMoment(t *testing.T) {
	r := councilled(t)
	m := screenOf(t, r, Options{NoColor: true}, 120, 60)
	typeKeys(m, "0")
	now := said(m)
	tell(m, r.advanced(&state.ConfidenceReported{Seat: state.Critic, Point: "P1", Stated: 0.1, Admitted: 0.1}))
	if said(m) == now {
		t.Error("they stay while the session goes on")
	}
	typeKeys(m, "r")
	m.seek(30)
	finish(m, m.findPast())
	m.rearrange()
	if past := said(m); past == now || !strings.Contains(past, "process rigor") {
		t.Errorf("in a replay they say\n%s", past)
	}
}

// A point is selected by a click or a search and opens in its view.
func TestAPointOfTheMetrics(t *testing.T) {
	m := screenOf(t, councilled(t), Options{NoColor: true}, 120, 60)
	typeKeys(m, "0 / t h r o u g h p u t enter esc")
	if m.metrics.Selected() != "P4" || !strings.Contains(m.metrics.Copied(), "1 challenge") {
		t.Fatalf("%s is selected, copied is %q", m.metrics.Selected(), m.metrics.Copied())
	}
	clickOn(t, m, "P6  0")
	if m.metrics.Selected() != "P6" {
		t.Errorf("a click selects %s", m.metrics.Selected())
	}
	typeKeys(m, "enter")
	if m.focus != pane.PointID || m.topic != "P6" {
		t.Errorf("enter shows %s of %s", m.focus, m.topic)
	}
}
