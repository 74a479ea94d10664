package state

import (
	"errors"
	"fmt"
	"slices"
)

// SeatMissed records that a panelist gave no answer. The others continue.
type SeatMissed struct {
	Seat   Seat   `json:"seat"`
	Stage  Stage  `json:"stage"`
	Reason string `json:"reason"`
	// Answered says that replies came, and none could be taken.
	Answered bool `json:"answered"`
}

// Kind implements Payload.
func (*SeatMissed) Kind() string { return "seat-missed" }

// Fold implements Payload.
func (e *SeatMissed) Fold(s *State) error {
	if _, seated := s.Assignment(e.Seat); !seated {
		return unknown("seat", string(e.Seat))
	}
	if !s.Panel.Misses(e.Seat) {
		s.Panel.Missing = append(slices.Clip(s.Panel.Missing),
			Missing{Seat: e.Seat, Stage: e.Stage, Reason: e.Reason, Answered: e.Answered})
	}
	return nil
}

// SeatRecalled has a panelist asked again that gave no answer.
type SeatRecalled struct {
	Seat Seat `json:"seat"`
	By   Seat `json:"by"`
}

// Kind implements Payload.
func (*SeatRecalled) Kind() string { return "seat-recalled" }

// Fold implements Payload.
func (e *SeatRecalled) Fold(s *State) error {
	// A request that the seat could not answer does not count.
	var vain []Stage
	for _, m := range s.Panel.Missing {
		if m.Seat == e.Seat {
			vain = append(vain, m.Stage)
		}
	}
	s.Panel.Missing = slices.DeleteFunc(slices.Clone(s.Panel.Missing), func(m Missing) bool { return m.Seat == e.Seat })
	itself := func(c SeatCount) bool { return c.Seat == e.Seat }
	s.Failures = slices.DeleteFunc(slices.Clone(s.Failures), itself)
	s.QualityOf = slices.DeleteFunc(slices.Clone(s.QualityOf), itself)
	s.Asked = slices.DeleteFunc(slices.Clone(s.Asked), func(a Asked) bool {
		return a.Seat == e.Seat && (a.Replies == 0 || slices.Contains(vain, a.Stage))
	})
	return nil
}

// ConflictFound says that two points do not go together.
type ConflictFound struct {
	ID   string       `json:"id"`
	What ConflictKind `json:"what"`
	A    string       `json:"a"`
	B    string       `json:"b"`
	By   Seat         `json:"by"`
	// Challenges were raised just before, one on either point.
	Challenges []string `json:"challenges"`
}

// Kind implements Payload.
func (*ConflictFound) Kind() string { return "conflict-found" }

// Fold implements Payload.
func (e *ConflictFound) Fold(s *State) error {
	switch {
	case e.ID != NextID('K', s.Panel.Conflicts.Len()):
		return fmt.Errorf("the conflict %q is out of turn", e.ID)
	case s.Point(e.A) == nil:
		return unknown("point", e.A)
	case s.Point(e.B) == nil:
		return unknown("point", e.B)
	case e.A == e.B:
		return errors.New("a point is in no conflict with itself")
	case !slices.Contains(ConflictKinds(), e.What):
		return fmt.Errorf("unknown kind of conflict %q", e.What)
	}
	s.Panel.Conflicts = s.Panel.Conflicts.Append(&Conflict{
		ID: e.ID, Kind: e.What, A: e.A, B: e.B, By: e.By, Challenges: slices.Clone(e.Challenges), Found: s.Seq,
		Seq: s.Seq,
	})
	s.touchConflicts()
	return nil
}

// touchConflicts marks every point as changed: who holds what bears on all that
// is contested with it.
func (s *State) touchConflicts() { s.Constraints = s.Seq }

// changeConflict changes a copy of a conflict.
func (s *State) changeConflict(id string, change func(*Conflict)) error {
	i := index(id, 'K')
	if s.Panel.Conflicts.At(i) == nil {
		return unknown("conflict", id)
	}
	s.Panel.Conflicts = s.Panel.Conflicts.Update(i, func(c *Conflict) {
		c.Seq = s.Seq
		change(c)
	})
	s.touchConflicts()
	return nil
}

// ConflictDropped says that two points go together after all.
type ConflictDropped struct {
	ID     string `json:"id"`
	By     Seat   `json:"by"`
	Reason string `json:"reason"`
}

// Kind implements Payload.
func (*ConflictDropped) Kind() string { return "conflict-dropped" }

// Fold implements Payload.
func (e *ConflictDropped) Fold(s *State) error {
	return s.changeConflict(e.ID, func(c *Conflict) { c.Dropped, c.DroppedReason = true, e.Reason })
}

// ConflictSettled is the result of the strategy for a conflict, computed by code from the
// positions before it; verify recomputes it. A later one replaces it.
type ConflictSettled struct {
	ID string `json:"id"`
	Settlement
}

// Kind implements Payload.
func (*ConflictSettled) Kind() string { return "conflict-settled" }

// Fold implements Payload.
func (e *ConflictSettled) Fold(s *State) error {
	settlement := e.Settlement
	return s.changeConflict(e.ID, func(c *Conflict) { c.Settlement = &settlement })
}

// ConflictArgued has the two sides of a conflict argue it out from the next round
// on.
type ConflictArgued struct {
	ID string `json:"id"`
	// By is user, or protocol where the session was opened so.
	By Seat `json:"by"`
	// Challenges were raised just before, where none said so to either side yet.
	Challenges []string `json:"challenges"`
}

// Kind implements Payload.
func (*ConflictArgued) Kind() string { return "conflict-argued" }

// Fold implements Payload.
func (e *ConflictArgued) Fold(s *State) error {
	return s.changeConflict(e.ID, func(c *Conflict) {
		c.Argued, c.ArguedBy = true, e.By
		c.Challenges = append(slices.Clip(c.Challenges), e.Challenges...)
	})
}
