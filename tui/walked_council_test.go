package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// The claim that is selected stays in sight when the screen gets smaller.
func TestASmallerScreenKeepsTheSelectionInSight(t *testing.T) {
	for _, view := range []string{"2"} {
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
