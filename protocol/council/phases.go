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

// Phase returns the number and name of the current phase, 1 to 4, or 0 before the first.
func Phase(s *state.State) (number int, name string) {
	asked := func(seat state.Seat, stage state.Stage) bool {
		a := s.AskedOf(seat, stage)
		return a.Sent > 0 || a.Replies > 0
	}
	names := Phases()
	switch {
	case s.Round == 0:
		return 0, ""
	case s.Over() || asked(state.Moderator, state.StageSynthesize):
		number = len(names)
	case asked(state.Adversary, state.StageAttack):
		number = 3
	case s.Round > 1 || asked(state.Critic, state.StageCritique):
		number = 2
	default:
		number = 1
	}
	return number, names[number-1]
}

// Phases returns the names of the phases in order.
func Phases() []string {
	return []string{"presentation", "critical analysis", "adversarial testing", "consensus"}
}
