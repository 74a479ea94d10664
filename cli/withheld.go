package cli

import (
	"moot/internal/plain"
	"moot/state"
)

// withhold notes what participants do not see.
func (m *material) withhold(withheld ...*state.Withheld) {
	for _, w := range withheld {
		place := w.Path
		if w.Lines != "" {
			place += ":" + w.Lines
		}
		m.say("not shown  %s: %s", plain.Line(place), w.Reason)
	}
	m.withheld = append(m.withheld, withheld...)
}
