package protocol

import (
	"slices"

	"moot/state"
)

// Owes reports whether the participant has yet to answer what others are asked at the
// same time, so that nobody sees the answer of another: the question of a panel, or the
// turn of a side in a hearing.
func Owes(s *state.State, participant string) bool {
	_, owes := owedBeside(s, participant)
	return owes || s.Owes(participant)
}

// Unseen reports whether there are answers that the participant may not see yet, since
// it owes its own.
func Unseen(s *state.State, participant string) bool {
	stage, owes := owedBeside(s, participant)
	if !owes {
		return s.Unseen(participant)
	}
	return slices.ContainsFunc(sides(), func(seat state.Seat) bool {
		asked := s.AskedOf(seat, stage)
		return !fills(s, seat, participant) && asked.Replies+asked.Failed > 0
	})
}

// owedBeside is the stage of a hearing in which the participant has yet to argue for
// one side while somebody else argues for the other.
func owedBeside(s *state.State, participant string) (state.Stage, bool) {
	if s.Settings.Format != state.FormatHearing {
		return "", false
	}
	mine := 0
	for _, seat := range sides() {
		if fills(s, seat, participant) {
			mine++
		}
	}
	if mine != 1 {
		return "", false
	}
	for _, due := range []step{pleading, contesting, meeting, exchanging} {
		turn, ok := due(s)
		if !ok {
			continue
		}
		owes := slices.ContainsFunc(turn.Asks, func(ask Ask) bool { return fills(s, ask.Seat, participant) })
		return turn.Asks[0].Stage, owes
	}
	return "", false
}

// fills reports whether the participant sits in the seat.
func fills(s *state.State, seat state.Seat, participant string) bool {
	a, seated := s.Assignment(seat)
	return seated && a.Participant == participant
}
