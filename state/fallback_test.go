package state

import (
	"strings"
	"testing"
)

// There is one warning for a fallback, and its conversation is never attributed to the
// participant that it replaces.
func TestFallbackAnswered(t *testing.T) {
	s := State{Round: 1, Seats: []SeatAssignment{{Seat: Consultee, Participant: "codex"}}}
	for _, reply := range []*ReplyReceived{
		{Seat: Consultee, Valid: true, Conversation: "first"},
		{Seat: Consultee, Valid: true, Conversation: "other", By: "ollama:qwen3"},
		{Seat: Consultee, Valid: true, By: "ollama:qwen3"},
		{Seat: Consultee, Valid: true, By: "ollama:qwen3"},
	} {
		s.Round++
		if err := reply.Fold(&s); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Conversation(Consultee); got != "first" {
		t.Errorf("the conversation is %q", got)
	}
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "its fallback ollama:qwen3 answered in place of codex, since round 3") {
		t.Errorf("warned: %q", s.Warnings)
	}
}
