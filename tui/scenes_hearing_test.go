package tui

import (
	"moot/tui/pane"
)

// hearingScenes are the views that a hearing has of its own.
func hearingScenes() []scene {
	of := func(name string, p pane.ID, keys string) scene {
		return scene{name, func(s *stage) *Model { return s.about(heard(s.t), p, "", keys) }}
	}
	return []scene{
		of("hearing-result", pane.ResultID, ""), of("hearing-ledger", pane.LedgerID, ""), of("hearing-debate", pane.DebateID, ""),
	}
}
