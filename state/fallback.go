package state

import (
	"fmt"
	"slices"
)

// StandIn is a fallback that answered in place of who sits in a seat, because the user
// named it for that.
type StandIn struct {
	Seat Seat
	// For is who sits there, By who answered, as the record names them.
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

// Answered is who answered for a seat, or is to: who sits there, then the fallbacks
// that answered in its place.
func (s *State) Answered(a SeatAssignment) []string {
	names := []string{a.Participant}
	for _, one := range s.StandIns {
		if one.Seat == a.Seat && one.For == a.Participant {
			names = append(names, one.By)
		}
	}
	return names
}
