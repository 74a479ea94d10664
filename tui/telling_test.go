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
func TestAnObjectionIsToldAsItCameOut(t *testing.T) {
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

// The transcript tells an outcome once, and again only where it came out
// otherwise.
func TestTheTranscriptTellsWhatCameOutAnew(t *testing.T) {
	r := pressed(t)
	told := pane.NewTranscript()
	told.Add(r.events)
	count := map[string]int{}
	for _, e := range told.Entries {
		if id, _, found := strings.Cut(e.Lead, " "); found && strings.Contains(e.Lead, " by R") {
			count[id]++
		}
	}
	for id, want := range map[string]int{"C1": 2, "C2": 1, "C3": 2, "C5": 2, "C7": 2} {
		if count[id] != want {
			t.Errorf("the outcome of %s is told %d times, not %d", id, count[id], want)
		}
	}
}

// A field's history tells its values, the first one as who raised it proposed it.
func TestAFieldTellsItsValues(t *testing.T) {
	m := screenOf(t, pressed(t), Options{NoColor: true}, 120, 40)
	m.setTopic("P1")
	text := paneText(m, pane.PointID)
	for _, want := range []string{"was 25 in round 1", "P1: rollout.percent = 25", "P1: revised: rollout.percent = 10"} {
		if !strings.Contains(text, want) {
			t.Errorf("the field does not say %q:\n%s", want, text)
		}
	}
}
