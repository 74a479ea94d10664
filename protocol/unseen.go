package protocol

import "moot/state"

// Owes reports whether the participant has yet to answer what others are asked at the
// same time, so that nobody sees the answer of another.
func Owes(s *state.State, participant string) bool {
	owes, _ := Of(s).Blind(s, participant)
	return owes
}

// Unseen reports whether there are answers that the participant may not see yet, since
// it owes its own.
func Unseen(s *state.State, participant string) bool {
	_, unseen := Of(s).Blind(s, participant)
	return unseen
}
