package tui

import (
	"testing"

	"moot/state"
)

// summoned puts a council on the stage: the one that is asked for, or the foul one
// of the cast.
func (s *stage) summoned(of func(t testing.TB) *recorder) *stage {
	record := s.council
	if record == nil {
		record = of(s.t)
	}
	s.cast = &cast{record: record, council: s.council, text: s.text}
	return s
}

// councilScenes are how the claims of a council are tested.
func councilScenes() []scene {
	of := func(name, shows string, record func(t testing.TB) *recorder, keys string) scene {
		return scene{name, shows, func(s *stage) *Model { return s.summoned(record).session(keys, ready(state.Adversary)) }}
	}
	return []scene{
		of("council", "The moderator reports agreement, but the rules find none", councilled, "6"),
		of("council-claim", "P2, then P8", councilled, "6 end up"),
		of("council-violation", "; mended", councilled, "6 end"),
		of("council-scrolled", "strategist 0.80 (of round 1)", councilled, "6 end up right"),
		of("council-way", "The way of P9", councilled, "6 end enter"),
		of("council-first", "not tested for consensus yet", councilledFirst, "6"),
		of("council-not-begun", "The council has not begun", openCouncil, "6"),
		{"council-replay", "Round 1 of 3", func(s *stage) *Model { return s.summoned(councilled).past(50, "6") }},
	}
}
