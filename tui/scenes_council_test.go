package tui

import (
	"testing"

	"moot/protocol"
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
	seated := func(name, shows string, seat state.Seat, at state.Stage, moves ...protocol.MoveKind) scene {
		return scene{name, shows, func(s *stage) *Model {
			s.summoned(councilled)
			ask := protocol.Ask{Seat: seat, Stage: at, Moves: moves}
			return s.session("", requested{&request{answer: make(chan string, 1), gone: make(chan struct{}), call: protocol.Call{Ask: ask, State: s.record.state}}})
		}}
	}
	return []scene{
		of("council-points", "CV", councilled, "2"),
		of("council-point", "P4", councilled, ": P 4 enter"),
		of("council-challenges", "9 Challenges", councilled, "9"),
		of("council-over", "no consensus", councilledOver, "1"),
		of("council-override", "about P4", councilled, "6 home down u k e y"),
		seated("council-critic", "You speak as critic", state.Critic, state.StageCritique,
			protocol.MoveClassify, protocol.MoveChallenge, protocol.MoveCite, protocol.MoveContest, protocol.MoveScore, protocol.MoveClarify, protocol.MoveFlag),
		{"council-form", "council", func(s *stage) *Model { return s.home(s.house(), "n tab 4 tab") }},
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
