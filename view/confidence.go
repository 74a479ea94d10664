package view

import (
	"fmt"
	"slices"

	"moot/resolver"
	"moot/state"
)

// Trace is the confidence of the seats in a point over the rounds.
type Trace struct {
	Point string
	Seats []SeatTrace
	// Remarks name drops without a cause, and seats that verified evidence against them did not move (ST3).
	Remarks []string
}

// SeatTrace is the confidence of a seat by round.
type SeatTrace struct {
	Seat   state.Seat
	Rounds [state.MaxRounds + 1]Reported
}

// Reported is the confidence that a seat reported in a round. Marked says that a remark is about it.
type Reported struct {
	Known, Marked bool
	Admitted      float64
}

// Traces returns the confidence of all seats in a point, or for "" in all points that have reports, in their order.
func Traces(s *state.State, point string) []Trace {
	live := func(id string) string {
		if p := s.Live(id); p != nil {
			return p.ID
		}
		return id
	}
	byPoint := map[string]*Trace{}
	report := func(id string, seat state.Seat, round int, admitted float64) {
		if point != "" && id != point {
			return
		}
		if byPoint[id] == nil {
			byPoint[id] = &Trace{Point: id}
		}
		byPoint[id].seat(seat).Rounds[min(round, state.MaxRounds)] = Reported{Known: true, Admitted: admitted}
	}
	for _, c := range s.Confidence.All() {
		report(live(c.Point), c.Seat, c.Round, c.Admitted)
	}
	// A format may keep reports on the question as a whole in its own part of the state.
	if own, ok := s.Own.(interface{ Overall() []state.Confidence }); ok {
		for _, c := range own.Overall() {
			report(c.Point, c.Seat, c.Round, c.Admitted)
		}
	}
	for _, a := range s.Seats {
		found := resolver.Calibrate(s, a.Seat)
		for _, shift := range found.Shifts {
			now := shift.Now
			if t := byPoint[live(now.Point)]; t != nil && shift.Uncaused() > 0 {
				t.seat(a.Seat).Rounds[min(now.Round, state.MaxRounds)].Marked = true
				t.Remarks = append(t.Remarks, fmt.Sprintf(
					"retreat: %s in round %d, from %.2f to %.2f without a cause; %.2f counts",
					a.Seat, now.Round, shift.Before.Stated, now.Stated, now.Admitted))
			}
		}
		for _, counter := range found.Counter {
			item := counter.Item
			t := byPoint[item.Point]
			if counter.Moved || t == nil {
				continue
			}
			t.Remarks = append(t.Remarks, fmt.Sprintf("rigid: %s in round %d, %s %s the point and moved nothing",
				a.Seat, item.Round, item.ID, item.Relation))
			rounds := &t.seat(a.Seat).Rounds
			for round := item.Round; round < len(rounds); round++ {
				if rounds[round].Known {
					rounds[round].Marked = true
					break
				}
			}
		}
	}
	var traces []Trace
	for _, p := range s.Points.All() {
		if t := byPoint[p.ID]; t != nil {
			traces = append(traces, *t)
		}
	}
	return traces
}

// seat returns the trace of a seat, which is added if it is new.
func (t *Trace) seat(seat state.Seat) *SeatTrace {
	i := slices.IndexFunc(t.Seats, func(one SeatTrace) bool { return one.Seat == seat })
	if i < 0 {
		i = len(t.Seats)
		t.Seats = append(t.Seats, SeatTrace{Seat: seat})
	}
	return &t.Seats[i]
}

// confidence is the confidence of each seat in a point over the rounds, as a table.
func (a *Argument) confidence(p *state.Point) Section {
	sec := Section{Title: "CONFIDENCE", Uncounted: true}
	for _, t := range Traces(a.state, p.ID) {
		widest, last := len("round"), 1
		for i := range t.Seats {
			widest = max(widest, len(t.Seats[i].Seat))
			for round, r := range t.Seats[i].Rounds {
				if r.Known {
					last = max(last, round)
				}
			}
		}
		head := []string{fmt.Sprintf("%-*s", widest, "round")}
		for round := 1; round <= last; round++ {
			head = append(head, fmt.Sprintf("%4d", round))
		}
		sec.Table = [][]string{head}
		for i := range t.Seats {
			row := []string{fmt.Sprintf("%-*s", widest, t.Seats[i].Seat)}
			for _, r := range t.Seats[i].Rounds[1 : last+1] {
				cell := "   -"
				if r.Known {
					cell = fmt.Sprintf("%.2f", r.Admitted)
				}
				row = append(row, cell)
			}
			sec.Table = append(sec.Table, row)
		}
		for _, text := range t.Remarks {
			sec.Items = append(sec.Items, Item{Role: RoleWarn, Text: text})
		}
	}
	return sec
}
