package council

import (
	"slices"

	"moot/protocol"
	"moot/state"
)

// Least implements Format. Each seat speaks once in a round.
func (Format) Least(s state.State, asks []protocol.Ask) []protocol.Ask {
	least := slices.Clone(asks)
	for _, next := range []protocol.Ask{
		{Seat: state.Critic, Stage: state.StageCritique},
		{Seat: state.Adversary, Stage: state.StageAttack},
		{Seat: state.Expert, Stage: state.StageAdvise},
		{Seat: state.Moderator, Stage: state.StageSynthesize},
	} {
		_, seated := s.Assignment(next.Seat)
		already := s.AskedOf(next.Seat, next.Stage).Replies > 0 ||
			slices.ContainsFunc(asks, func(a protocol.Ask) bool { return a.Seat == next.Seat && a.Stage == next.Stage })
		if seated && !already {
			least = append(least, next)
		}
	}
	return least
}

// phase returns the name of the current phase, or "" before the first.
func phase(s *state.State) string {
	asked := func(seat state.Seat, stage state.Stage) bool {
		a := s.AskedOf(seat, stage)
		return a.Sent > 0 || a.Replies > 0
	}
	names := phases()
	switch {
	case s.Round == 0:
		return ""
	case s.Over() || asked(state.Moderator, state.StageSynthesize):
		return names[3]
	case asked(state.Adversary, state.StageAttack):
		return names[2]
	case s.Round > 1 || asked(state.Critic, state.StageCritique):
		return names[1]
	}
	return names[0]
}

// phases returns the names of the phases in order.
func phases() []string {
	return []string{"presentation", "critical analysis", "adversarial testing", "consensus"}
}
