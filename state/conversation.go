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

// Conversation is what the participant of a seat calls the conversation that it
// keeps, or "" where it keeps none, where another took the seat since, and in a
// fork: what was said after the fork in the session that it was taken from is
// none of its past.
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

// recovered warns that a seat's conversation was begun anew (JU8).
func (s *State) recovered(seat Seat, how string) {
	s.warn(fmt.Sprintf("%s: recovered at round %d: %s", seat, s.Round, how))
}

// warn adds a warning once.
func (s *State) warn(text string) {
	if !slices.Contains(s.Warnings, text) {
		s.Warnings = append(slices.Clip(s.Warnings), text)
	}
}
