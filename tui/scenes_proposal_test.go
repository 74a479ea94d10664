package tui

import (
	"moot/protocol"
	"moot/state"
)

// asksSeat puts a seat of a proposal to the person.
func asksSeat(r *recorder, seat state.Seat) requested {
	ask := protocol.Ask{Seat: seat, Stage: state.StagePropose, Moves: []protocol.MoveKind{
		protocol.MovePropose, protocol.MoveRevise, protocol.MoveDefend, protocol.MoveConcede, protocol.MoveWithdraw, protocol.MoveSupply,
	}}
	if seat == state.PressureTester {
		ask.Stage = state.StageEvaluate
		ask.Moves = []protocol.MoveKind{protocol.MoveObject, protocol.MoveRequest, protocol.MoveSupply, protocol.MoveNoObjection}
	}
	return requested{&request{answer: make(chan string, 1), gone: make(chan struct{}), call: protocol.Call{Ask: ask, State: r.state}}}
}

// proposalDecisionScenes are what the person decides about a proposal.
func proposalDecisionScenes() []scene {
	keys := func(name, shows, keys string) scene {
		return scene{name, shows, func(s *stage) *Model {
			s.cast = &cast{record: pressed(s.t), text: s.text}
			return s.session(keys)
		}}
	}
	seated := func(name, shows string, seat state.Seat, keys string) scene {
		return scene{name, shows, func(s *stage) *Model {
			s.cast = &cast{record: held(s.t).recorder, text: s.text}
			m := s.session("", asksSeat(s.record, seat))
			m.armed = true
			pressAll(m, keys)
			return m
		}}
	}
	return []scene{
		keys("proposal-question", "Q1 asks you", "n"),
		keys("proposal-question-field", "Q3 asks you", "u Q 3 enter down"),
		{"proposal-approval", "make check", func(s *stage) *Model {
			d := held(s.t)
			d.reply(state.Proposer, `{"move":"SUPPLY_EVIDENCE","challenge":"C1","reference":"$ make check","quote":"exit 0"}`)
			s.cast = &cast{record: d.recorder, text: s.text}
			return s.session("n")
		}},
		seated("proposal-proposer", "Answer what holds the proposal", state.Proposer, ""),
		seated("proposal-moves", "Which move?", state.Proposer, "ctrl+l"),
		seated("proposal-tester", "Look at every field", state.PressureTester, ""),
		seated("proposal-object", "Red flag", state.PressureTester, "ctrl+l enter tab"),
		keys("proposal-override", "Override, about P1", ": P 1 enter u"),
		keys("proposal-verdict", "Rule on C7", "u r u l e enter C 7 enter"),
		keys("proposal-flags", "By which red flag?", ": P 1 enter u o b j e c t enter"),
		keys("proposal-objection", "Object to P1", ": P 1 enter u o b j e c t enter enter"),
		keys("proposal-evidence", "Evidence on P1", ": P 1 enter u e v i d enter"),
		keys("proposal-limit", "A limit on P1", ": P 1 enter u l i m i t enter tab tab"),
	}
}
