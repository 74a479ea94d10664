package hearing

import (
	"slices"

	"moot/protocol"
	"moot/state"
)

// Blind implements Format. The sides of a hearing argue in parallel.
func (Format) Blind(s *state.State, participant string) (owes, unseen bool) {
	stage, owes := parallelStage(s, participant)
	if !owes {
		return s.Owes(participant), s.Unseen(participant)
	}
	return true, slices.ContainsFunc(sides(), func(seat state.Seat) bool {
		asked := s.AskedOf(seat, stage)
		return !fills(s, seat, participant) && asked.Replies+asked.Failed > 0
	})
}

// parallelStage returns the stage in which the participant has yet to argue for one side
// while another participant argues for the other.
func parallelStage(s *state.State, participant string) (state.Stage, bool) {
	mine := 0
	for _, seat := range sides() {
		if fills(s, seat, participant) {
			mine++
		}
	}
	if mine != 1 {
		return "", false
	}
	for _, due := range []protocol.Step{askArguments, askAudit, askAnswers, askExchange} {
		turn, ok := due(s)
		if !ok {
			continue
		}
		owes := slices.ContainsFunc(turn.Asks, func(ask protocol.Ask) bool { return fills(s, ask.Seat, participant) })
		return turn.Asks[0].Stage, owes
	}
	return "", false
}

// fills reports whether the participant is assigned to the seat.
func fills(s *state.State, seat state.Seat, participant string) bool {
	a, seated := s.Assignment(seat)
	return seated && a.Participant == participant
}
