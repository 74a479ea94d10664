package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"moot/state"
)

// A contradiction of the moderator is told in the header also where there is little
// room, whole.
func TestTheNarrowHeaderTellsOfAContradiction(t *testing.T) {
	r := councilled(t)
	at := slices.IndexFunc(r.events, func(e state.Event) bool { return e.Data.Kind() == "consensus-tested" })
	s, err := state.Replay(r.events[:at+1])
	if err != nil {
		t.Fatal(err)
	}
	m := screenOf(t, &recorder{t: t, state: s, events: r.events[:at+1]}, Options{NoColor: true}, 40, 12)
	if row := strings.Split(screenText(m), "\n")[1]; !strings.Contains(row, "unsettled ! contradicted") || strings.Contains(row, "…") {
		t.Errorf("the header says %q", row)
	}
}

// The claim that is selected stays in sight when the screen gets smaller.
func TestASmallerScreenKeepsTheSelectionInSight(t *testing.T) {
	for _, view := range []string{"2", "6"} {
		m := screenOf(t, councilledOver(t), Options{NoColor: true}, 120, 40)
		typeKeys(m, view+" end")
		m.View()
		for _, size := range [][2]int{{80, 24}, {40, 12}} {
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			if screen := screenText(m); !strings.Contains(screen, m.look.Glyphs.Pointer+"P9 ") {
				t.Errorf("in view %s at %v P9 is not to be seen:\n%s", view, size, screen)
			}
		}
	}
}
