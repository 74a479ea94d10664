package tui

import (
	"testing"

	"moot/protocol"
	"moot/state"
)

// panelScenes are the other views of a panel, what the person decides there, and
// what they are asked in its seats.
func panelScenes() []scene {
	of := func(name, shows string, record func(t testing.TB) *recorder, keys string) scene {
		return scene{name, shows, func(s *stage) *Model { return s.convened(record).session(keys, ready(state.Panelist)) }}
	}
	seated := func(name, shows string, h func(t testing.TB) *recorder, ask protocol.Ask) scene {
		return scene{name, shows, func(s *stage) *Model {
			s.convened(h)
			return s.session("", requested{&request{answer: make(chan string, 1), gone: make(chan struct{}), call: protocol.Call{Ask: ask, State: s.record.state}}})
		}}
	}
	voting := func(t testing.TB) *recorder {
		h := convened(t)
		for _, seat := range []string{"panelist", "panelist-2", "panelist-3", "panelist-4"} {
			delete(h.replies, seat+"/vote")
		}
		h.run()
		return h.recorder
	}
	return []scene{
		of("panel-points", "said by", compared, "2"),
		of("panel-point", "1 of 1 open", compared, ": P 2 enter"),
		of("panel-challenges", "9 Challenges 1 open", compared, "9"),
		of("panel-conflict", "The other side, P7", compared, "9 enter"),
		of("panel-override", "decide K1 for P2", compared, "9 u"),
		of("panel-pair", "contradict each other", compared, "9 u m a r k enter tab"),
		of("panel-question", "asks you", compared, "n"),
		of("panel-record", "conflict", compared, "7"),
		seated("panel-compares", "Which points are on one subject?", uncompared, protocol.Ask{
			Seat: state.Orchestrator, Stage: state.StageTriage, Moves: []protocol.MoveKind{protocol.MoveTriage, protocol.MoveMerge, protocol.MoveFlag},
		}),
		seated("panel-votes", "which side do you hold?", voting, protocol.Ask{
			Seat: "panelist-4", Stage: state.StageVote, Moves: []protocol.MoveKind{protocol.MoveClassify, protocol.MoveCite, protocol.MoveFlag},
		}),
	}
}
