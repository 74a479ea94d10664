package report

import (
	"moot/resolver"
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
		calibration := resolver.Calibrate(s, a.Seat)
		var dropped float64
		for _, shift := range calibration.Shifts {
			seat.Reports++
			dropped += shift.Uncaused()
		}
		if seat.Reports > 0 {
			seat.Retreat = dropped / float64(seat.Reports)
		}
		unmoved := 0
		for _, counter := range calibration.Counter {
			seat.Counter++
			if !counter.Moved {
				unmoved++
			}
		}
		if seat.Counter > 0 {
			seat.Rigidity = float64(unmoved) / float64(seat.Counter)
		}
		m.Seats = append(m.Seats, seat)
	}
	return m
}
