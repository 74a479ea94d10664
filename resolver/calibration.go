package resolver

import (
	"slices"

	"moot/ledger"
	"moot/state"
)

// Calibration describes how the confidence and positions of one seat moved (ST3).
type Calibration struct {
	Shifts  []Shift
	Counter []Counter
}

// Shift is a confidence report of a seat and the one before it on the same point.
type Shift struct{ Before, Now *state.Confidence }

// Uncaused returns how far the stated confidence dropped without a cause, 0 to 1. With a cause, the
// protocol admitted the drop. Returning to the admitted number only withdraws a rise that never
// counted, and is not a drop.
func (s Shift) Uncaused() float64 {
	if s.Now.Admitted == s.Now.Stated {
		return 0
	}
	return max(0, s.Before.Stated-s.Now.Stated)
}

// Counter is a verified item of another seat against a position of the seat, and whether the seat
// changed its position.
type Counter struct {
	Item  *ledger.Evidence
	Moved bool
}

// Calibrate returns the shifts of a seat and the evidence against its positions, in order.
func Calibrate(s *state.State, seat state.Seat) Calibration {
	c := Calibration{Shifts: shifts(s, seat)}
	byPoint := map[string][]Shift{}
	for _, shift := range c.Shifts {
		byPoint[shift.Now.Point] = append(byPoint[shift.Now.Point], shift)
	}
	for _, item := range s.Evidence.All() {
		if p := s.Live(item.Point); p != nil && against(p, item, seat) {
			c.Counter = append(c.Counter, Counter{Item: item, Moved: moved(s, p, item, seat, byPoint[p.ID])})
		}
	}
	return c
}

func shifts(s *state.State, seat state.Seat) []Shift {
	var found []Shift
	last := map[string]*state.Confidence{}
	for _, c := range s.Confidence.All() {
		if c.Seat != seat {
			continue
		}
		if before := last[c.Point]; before != nil {
			found = append(found, Shift{before, c})
		}
		last[c.Point] = c
	}
	return found
}

// against reports whether a verified item of another seat was evidence against the seat's position
// when it was checked: against its own point, or for a point that it doubted.
func against(p *state.Point, item *ledger.Evidence, seat state.Seat) bool {
	if !item.Proven() || item.OfferedBy == string(seat) {
		return false
	}
	switch item.Relation {
	case ledger.Refutes:
		return p.IsAuthor(seat)
	case ledger.Supports:
		held := state.Class("")
		for _, c := range p.Classes {
			if c.Seat == seat && c.Seq < item.Seq {
				held = c.Class
			}
		}
		return held == state.Skeptical || held == state.Reject
	case ledger.Neutral:
	}
	return false
}

// moved reports whether the seat changed its position after the item: it gave up or revised its
// point or field, agreed or accepted a defense, or its admitted confidence moved in the item's
// direction.
func moved(s *state.State, p *state.Point, item *ledger.Evidence, seat state.Seat, shifts []Shift) bool {
	refutes := item.Relation == ledger.Refutes
	if refutes && FormatOf(s).GaveUp(s, p, item, seat) {
		return true
	}
	if latest := p.Latest(seat); !refutes && latest != nil && latest.Class == state.Agree {
		return true
	}
	for _, id := range p.Challenges {
		c := s.Challenge(id)
		if last := c.Last(); !refutes && c.By == seat && last != nil && last.Judgment == state.Accepted {
			return true
		}
	}
	for _, shift := range shifts {
		if shift.Now.Round < item.Round {
			continue
		}
		if refutes && shift.Now.Admitted < shift.Before.Admitted ||
			!refutes && shift.Now.Admitted > shift.Before.Admitted {
			return true
		}
	}
	return false
}

// GaveUp implements Format.
func (Base) GaveUp(_ *state.State, p *state.Point, _ *ledger.Evidence, seat state.Seat) bool {
	return p.RevisedBy != "" || slices.ContainsFunc(p.Concessions,
		func(c state.Concession) bool { return c.Seat == seat })
}
