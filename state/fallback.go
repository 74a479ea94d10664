package state

import (
	"fmt"
	"slices"
)

// StandIn is a fallback that answered in place of who sits in a seat, because the user
// named it for that.
type StandIn struct {
	Seat Seat
	// For is the seat's participant and By the fallback that answered, as the record names
	// them.
	For, By string
}

// stoodIn keeps that a fallback answered for a seat, and warns of it once.
func (s *State) stoodIn(seat Seat, by string) {
	a, ok := s.Assignment(seat)
	one := StandIn{Seat: seat, For: a.Participant, By: by}
	if !ok || by == "" || slices.Contains(s.StandIns, one) {
		return
	}
	s.StandIns = append(slices.Clip(s.StandIns), one)
	s.warn(fmt.Sprintf("%s: its fallback %s answered in place of %s, since round %d", seat, by, one.For, s.Round))
}

// Answered returns the participants that answered or may answer for a seat: its own, then
// the fallbacks that replaced it.
func (s *State) Answered(a SeatAssignment) []string {
	names := []string{a.Participant}
	for _, one := range s.StandIns {
		if one.Seat == a.Seat && one.For == a.Participant {
			names = append(names, one.By)
		}
	}
	return names
}
