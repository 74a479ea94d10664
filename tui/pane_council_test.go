package tui

import (
	"testing"

	"moot/state"
)

// openCouncil is a council before anything was said.
func openCouncil(t testing.TB) *recorder {
	t.Helper()
	r := &recorder{t: t}
	open := opened(
		state.SeatAssignment{Seat: state.Strategist, Participant: "openai:gpt-5.2"}, state.SeatAssignment{Seat: state.Critic, Participant: "claude"},
		state.SeatAssignment{Seat: state.Adversary, Participant: "ollama:qwen3"}, state.SeatAssignment{Seat: state.Moderator, Participant: "rules", NoModel: true},
	)
	open.Settings.Format = state.FormatCouncil
	open.Settings.Council = &state.CouncilSettings{Rounds: state.DefaultCouncilRounds, Weights: state.DefaultWeights(), Decision: state.DefaultDecision}
	r.add(open)
	return r
}
