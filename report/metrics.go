package report

import (
	"moot/resolver"
	"moot/state"
)

// Metrics are figures about a session that can be computed from its events.
type Metrics struct {
	// Seats holds one entry for each seat that a participant fills.
	Seats []SeatMetrics `json:"seats"`
	// Panel is about the answers of a panel, nil in other formats.
	Panel *PanelMetrics `json:"panel"`
	// Debate says how good the debate was, in all formats.
	Debate state.Metrics `json:"debate"`
}

// PanelMetrics say how far the answers of a panel agree, and what became of
// where they do not.
type PanelMetrics struct {
	// Answered counts the panelists whose first answer came, Missing those that
	// gave none.
	Answered int `json:"answered"`
	Missing  int `json:"missing"`
	// Claims are those that a panelist holds and that belong to the question: all
	// who answered say SharedByAll of them, several SharedBySome, one Alone.
	Claims       int `json:"claims"`
	SharedByAll  int `json:"shared_by_all"`
	SharedBySome int `json:"shared_by_some"`
	Alone        int `json:"alone"`
	// Contradictions and Disagreements are the conflicts that stand.
	Contradictions int `json:"contradictions"`
	Disagreements  int `json:"disagreements"`
	// The others count these by what ended them; LeftToUser are those that
	// nothing did.
	SettledByVote     int `json:"settled_by_vote"`
	SettledByEvidence int `json:"settled_by_evidence"`
	SettledByTokens   int `json:"settled_by_tokens"`
	ArguedOut         int `json:"argued_out"`
	DecidedByUser     int `json:"decided_by_user"`
	LeftToUser        int `json:"left_to_user"`
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

// Measure computes the figures of a session; rulings are those of it as it stands.
func Measure(s *state.State, rulings []state.Ruling) Metrics {
	m := Metrics{Seats: []SeatMetrics{}, Debate: resolver.Measure(s, rulings)}
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
	if measure := formOf(s).measure; measure != nil {
		measure(&m, s)
	}
	return m
}

func measurePanel(metrics *Metrics, s *state.State) {
	t := resolver.NewTable(s)
	n := t.Counts()
	m := &PanelMetrics{
		Answered: n.Answered, Missing: n.Missing, Claims: n.Claims, SharedByAll: n.ByAll, SharedBySome: n.BySeveral,
		Alone:          n.ByOne,
		Contradictions: n.Contradictions, Disagreements: n.Disagreements,
		SettledByVote: n.ByVote, SettledByEvidence: n.ByEvidence, SettledByTokens: n.ByTokens,
		ArguedOut: n.ArguedOut, DecidedByUser: n.ByUser, LeftToUser: n.Left,
	}
	metrics.Panel = m
}
