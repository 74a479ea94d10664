package tui

import (
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/panel"
	"moot/tui/pane"
)

// What a model thinks is shown as such, in a few rows, until it speaks.
func TestThoughtsAreShownAsSuch(t *testing.T) {
	now := demoTime
	m := screenOf(t, convened(t).recorder, Options{Now: func() time.Time { return now }}, 120, 36)
	m.ended = false
	tell(m, panelCalls()[:1]...)
	now = now.Add(2 * time.Second)
	tell(m, protocol.Reported{Seat: panel.Panelist, Text: "429, again in 1 s (2/5)"})
	tell(m, protocol.Thinking{Seat: panel.Panelist, Text: strings.Repeat("an early doubt ", 200) + "\x1b[31m\n"},
		protocol.Thinking{Seat: panel.Panelist, Text: "perhaps the lists"})
	got := screenText(m)
	if !strings.Contains(got, "    thinks  ") || !strings.Contains(got, "perhaps the lists") || strings.Contains(got, "429") {
		t.Errorf("the thought is not shown:\n%s", got)
	}
	if n := strings.Count(got, "an early doubt an early doubt"); n == 0 || n > pane.ThoughtRows*10 {
		t.Errorf("%d pieces of the thought are shown:\n%s", n, got)
	}
	rows := 0
	for line := range strings.SplitSeq(got, "\n") {
		if strings.Contains(line, "an early doubt") || strings.Contains(line, "perhaps the lists") {
			rows++
		}
	}
	if rows > pane.ThoughtRows {
		t.Errorf("the thought takes %d rows", rows)
	}
	drawn := m.View().Content
	if i := strings.Index(drawn, "perhaps the lists"); !strings.Contains(drawn[max(0, i-200):i], m.look.Thought.On) {
		t.Error("the thought looks like a reply")
	}
	tell(m, protocol.Streamed{Seat: panel.Panelist, Text: "1. Streams lose nothing"})
	if got := screenText(m); strings.Contains(got, "thinks") || !strings.Contains(got, "Streams lose nothing") {
		t.Errorf("the reply does not take the place of the thought:\n%s", got)
	}
}
