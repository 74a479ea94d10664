package cli

import (
	"moot/internal/plain"
	"moot/state"
	"moot/workspace"
)

// shownName is the name of a file for prompts and the record: a name may hold a secret, too.
func (m *material) shownName(path string) string {
	if m.redactor == nil {
		return path
	}
	return workspace.ShownName(path)
}

// withhold notes what participants do not see.
func (m *material) withhold(withheld ...*state.Withheld) {
	for _, w := range withheld {
		w.Path = m.shownName(w.Path)
		place := w.Path
		if w.Lines != "" {
			place += ":" + w.Lines
		}
		m.say("not shown  %s: %s", plain.Line(place), w.Reason)
	}
	m.withheld = append(m.withheld, withheld...)
}
