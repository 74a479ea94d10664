package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// reading are the views that read.
func reading() []Pane {
	return []Pane{PanePoints, PanePoint, PaneLedger, PaneRecord, PaneBuckets, PaneChallenges, PaneDebate}
}

// Each view that reads is kept at each size, without colors, and with them where
// there is room for all.
func TestGoldenViews(t *testing.T) {
	r := everyBucket(t)
	for _, p := range reading() {
		for _, size := range sizes() {
			for _, theme := range []string{"mono", "dark", "light"} {
				if theme != "mono" && size[0] != 120 {
					continue
				}
				name := fmt.Sprintf("view-%s-%dx%d-%s", strings.ToLower(p.String()), size[0], size[1], theme)
				t.Run(name, func(t *testing.T) {
					m := screenOf(t, r, Options{NoColor: theme == "mono"}, size[0], size[1])
					m.appear(func(a *appearance) { a.light = theme == "light" })
					m.setTopic("P1")
					m.focusOn(p)
					content := m.View().Content
					if theme == "mono" {
						content = ansi.Strip(content)
					}
					golden(t, name, content)
				})
			}
		}
	}
}
