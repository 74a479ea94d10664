package state

import (
	"fmt"
	"slices"
)

// SeatConversation is a conversation that the participant of a seat keeps across
// rounds, by the name that the participant gave it.
type SeatConversation struct {
	Seat Seat
	// ID is the participant's own name of it. It is foreign text.
	ID string
}

// Conversation returns the ID of the conversation that the participant of a seat keeps. It
// is "" if the participant keeps none, if another took the seat since, and in a fork: the
// conversation may contain what followed the fork in the original session.
func (s *State) Conversation(seat Seat) string {
	for _, c := range s.Conversations {
		if c.Seat == seat {
			return c.ID
		}
	}
	return ""
}

// converse keeps a seat's conversation; "" forgets it.
func (s *State) converse(seat Seat, id string) {
	s.Conversations = slices.DeleteFunc(slices.Clone(s.Conversations),
		func(c SeatConversation) bool { return c.Seat == seat })
	forked := s.Fork.From != "" && s.Seq <= s.Fork.Seq
	if id != "" && !forked {
		s.Conversations = append(s.Conversations, SeatConversation{seat, id})
	}
}

// recovered adds a warning that a seat's conversation was started again (JU8).
func (s *State) recovered(seat Seat, how string) {
	s.warn(fmt.Sprintf("%s: recovered at round %d: %s", seat, s.Round, how))
}

// warn adds a warning once.
func (s *State) warn(text string) {
	if !slices.Contains(s.Warnings, text) {
		s.Warnings = append(slices.Clip(s.Warnings), text)
	}
}
