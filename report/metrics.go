package report

import (
	"slices"

	"moot/ledger"
	"moot/state"
)

// Metrics are figures about a session that can be computed from its events.
type Metrics struct {
	// Seats holds one entry for each seat that a participant fills.
	Seats []SeatMetrics `json:"seats"`
}

// SeatMetrics says how a seat moved (ST3).
type SeatMetrics struct {
	Seat state.Seat `json:"seat"`
	// Retreat is the retreat index, 0 to 1: how far the seat's stated
	// confidence dropped without a cause, on average over its Reports; those
	// are its confidence reports that followed an earlier one on the point.
	Retreat float64 `json:"retreat"`
	Reports int     `json:"reports"`
	// Rigidity is the rigidity index, 0 to 1: the share of Counter that moved
	// nothing; Counter counts the verified items of others that spoke against
	// what the seat held when they came.
	Rigidity float64 `json:"rigidity"`
	Counter  int     `json:"counter"`
}

// Measure computes the figures of a session.
func Measure(s *state.State) Metrics {
	m := Metrics{Seats: []SeatMetrics{}}
	for _, a := range s.Seats {
		seat := SeatMetrics{Seat: a.Seat}
		var dropped float64
		for _, d := range steps(s, a.Seat) {
			seat.Reports++
			dropped += d.uncaused()
		}
		if seat.Reports > 0 {
			seat.Retreat = dropped / float64(seat.Reports)
		}
		unmoved := 0
		for _, item := range s.Evidence.All() {
			if against(s, item, a.Seat) {
				seat.Counter++
				if !moved(s, item, a.Seat) {
					unmoved++
				}
			}
		}
		if seat.Counter > 0 {
			seat.Rigidity = float64(unmoved) / float64(seat.Counter)
		}
		m.Seats = append(m.Seats, seat)
	}
	return m
}

// step is a confidence report and the one before it on the same point.
type step struct{ before, now *state.Confidence }

func steps(s *state.State, seat state.Seat) []step {
	var found []step
	last := map[string]*state.Confidence{}
	for _, c := range s.Confidence.All() {
		if c.Seat != seat {
			continue
		}
		if before := last[c.Point]; before != nil {
			found = append(found, step{before, c})
		}
		last[c.Point] = c
	}
	return found
}

// uncaused is how far the stated number dropped, 0 where the drop had a cause:
// then the protocol admitted it. A number that only goes back to what is
// admitted withdraws a rise that never counted, and is no drop.
func (d step) uncaused() float64 {
	if d.now.Admitted == d.now.Stated {
		return 0
	}
	return max(0, d.before.Stated-d.now.Stated)
}

// against reports whether a verified item of another seat speaks against what
// the seat held when it was checked: a point of its own, or its doubt.
func against(s *state.State, item *ledger.Evidence, seat state.Seat) bool {
	p := s.Live(item.Point)
	if p == nil || !item.Counts() || item.OfferedBy == string(seat) {
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

// moved reports whether the seat gave way after the item came: it gave up or
// revised its point, agreed or accepted a defense, or its admitted confidence
// went the item's way.
func moved(s *state.State, item *ledger.Evidence, seat state.Seat) bool {
	p := s.Live(item.Point)
	refutes := item.Relation == ledger.Refutes
	if refutes && (p.RevisedBy != "" || slices.ContainsFunc(p.Concessions, func(c state.Concession) bool { return c.Seat == seat })) {
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
	for _, d := range steps(s, seat) {
		if d.now.Point != p.ID || d.now.Round < item.Round {
			continue
		}
		if refutes && d.now.Admitted < d.before.Admitted || !refutes && d.now.Admitted > d.before.Admitted {
			return true
		}
	}
	return false
}
