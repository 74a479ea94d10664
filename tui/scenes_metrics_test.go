package tui

import (
	"testing"

	"moot/state"
)

// metricsScenes are the figures of sessions.
func metricsScenes() []scene {
	of := func(name, shows string, record func(t testing.TB) *recorder, keys string) scene {
		return scene{name, shows, func(s *stage) *Model { return s.summoned(record).session(keys, ready(state.Adversary)) }}
	}
	return []scene{
		of("metrics", "Process rigor", councilled, "0"),
		of("metrics-violations", "mended", councilled, "0 end"),
		of("metrics-first", "n/a", councilledFirst, "0"),
		{"metrics-consult", "no move was under a constitution", func(s *stage) *Model { return s.session("0") }},
		{"metrics-panel", "no move was under a constitution", func(s *stage) *Model {
			return s.convened(compared).session("0", ready(state.Panelist))
		}},
	}
}
