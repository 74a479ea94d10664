package protocol

import "moot/state"

// Owes reports whether the participant has yet to answer what others are asked at the
// same time, so that nobody sees the answer of another. In a session that is not open
// yet nobody does.
func Owes(s *state.State, participant string) bool {
	f := Of(s)
	if f == nil {
		return false
	}
	owes, _ := f.Blind(s, participant)
	return owes
}

// Unseen reports whether there are answers that the participant may not see yet, since
// it owes its own.
func Unseen(s *state.State, participant string) bool {
	f := Of(s)
	if f == nil {
		return false
	}
	_, unseen := f.Blind(s, participant)
	return unseen
}
