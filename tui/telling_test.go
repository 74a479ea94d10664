package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/tui/pane"
)

// paneText returns the whole text of a pane.
func paneText(m *Model, p pane.ID) string {
	return ansi.Strip(strings.Join(m.paneOf(p).View(240, 300), "\n"))
}

// What code cleared is nowhere shown as a challenge that waits for an answer or a
// judgment: those are the words of another format.
func TestAnObjectionShowsItsOutcome(t *testing.T) {
	m := screenOf(t, pressed(t), Options{NoColor: true}, 240, 60)
	for _, topic := range []string{"P1", "P2", "P3", "P5"} {
		m.setTopic(topic)
		for _, p := range Views() {
			if p == pane.RecordID || p == pane.DebateID {
				// They show what happened, as it was then.
				continue
			}
			text := paneText(m, p)
			for _, wrong := range []string{"REJECT ", "SKEPTICAL", "not judged", "agreement only", "not answered", "not resolved yet"} {
				if strings.Contains(text, wrong) {
					t.Errorf("%s of %s says %q:\n%s", p, topic, wrong, text)
				}
			}
		}
	}
}
