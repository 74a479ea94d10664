package tui

import (
	"testing"

	"moot/protocol"
	"moot/protocol/hearing"
	"moot/state"
	"moot/tui/pane"
)

// hearingMoves are those of an exchange.
func hearingMoves() []protocol.MoveKind {
	return []protocol.MoveKind{
		protocol.MoveClaim, protocol.MoveContradict, protocol.MoveAnswer, protocol.MoveScore, protocol.MoveConcede, protocol.MoveConclude,
	}
}

// hearingScenes are the views that a hearing has of its own.
func hearingScenes() []scene {
	of := func(name string, p pane.ID, keys string) scene {
		return scene{name, func(s *stage) *Model { return s.about(heard(s.t), p, "", keys) }}
	}
	return []scene{
		of("hearing-facts", pane.HearingID, ""), of("hearing-confidence", pane.HearingID, "c"), of("hearing-judge", pane.HearingID, "c c"),
		of("hearing-debate", pane.DebateID, ""),
	}
}

// heardByGate is a hearing that a gate sent on.
var heardByGate = kept("heardByGate", func(t testing.TB) *recorder {
	t.Helper()
	open, first := heard(t), heardOpened()
	first.Settings.Hearing.Form, first.Settings.Hearing.Gate, first.Settings.Hearing.Then = state.FormSelective, state.GateEither, state.FormAnchored
	r := &recorder{t: t}
	r.add(first)
	for _, e := range open.events[1:] {
		if begun, ok := e.Data.(*state.RoundStarted); ok && begun.Round == 2 {
			r.add(&state.Gated{Gating: hearing.GatingOf(&r.state)})
		}
		if _, ruled := e.Data.(*state.Ruled); !ruled {
			r.add(e.Data)
		}
	}
	return r
})
