package tui

import (
	"testing"

	"moot/protocol"
	"moot/state"
)

// hearingMoves are those of an exchange.
func hearingMoves() []protocol.MoveKind {
	return []protocol.MoveKind{
		protocol.MoveClaim, protocol.MoveContradict, protocol.MoveAnswer, protocol.MoveScore, protocol.MoveConcede, protocol.MoveConclude,
	}
}

// heardScenes are a hearing in the views that all formats have.
func heardScenes() []scene {
	of := func(name, shows string, record func(t testing.TB) *recorder, keys string) scene {
		return scene{name, shows, func(s *stage) *Model { return s.inHearing(record).session(keys, ready(state.Skeptic)) }}
	}
	now := func(t testing.TB) *recorder { return beingHeard(t).recorder }
	return []scene{
		of("hearing-debate", "ignored: f07 was neither answered nor heeded", heard, "1"),
		of("hearing-points", "CONFIRMED", heard, "2"),
		of("hearing-question", "Packet", heard, ": P 1 enter"),
		of("hearing-claim", "Because", heard, ": P 2 enter"),
		of("hearing-challenges", "9 Challenges", now, "9"),
		of("hearing-buckets", "P1", heard, "8"),
		of("hearing-record", "packet-frozen", heard, "7 home"),
		of("hearing-first", "10 facts", heardFirst, "1"),
		of("hearing-override", "about P2", now, "2 home down u c h a l"),
		{"hearing-person", "You speak as skeptic", func(s *stage) *Model {
			s.inHearing(now)
			ask := protocol.Ask{Seat: state.Skeptic, Stage: state.StageExchange, Moves: hearingMoves()}
			return s.session("", requested{&request{answer: make(chan string, 1), gone: make(chan struct{}), call: protocol.Call{Ask: ask, State: s.record.state}}})
		}},
		{"hearing-form", "Packet", func(s *stage) *Model { return s.home(s.house(), "n tab 5 tab") }},
		{"hearing-past", "round 2", func(s *stage) *Model { return s.inHearing(heard).past(40, "1") }},
	}
}
