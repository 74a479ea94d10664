package resolver_test

import (
	"fmt"
	"testing"

	"moot/resolver"
	"moot/state"
)

// largePanel is a panel of 12 seats with 20 points each, in 200 conflicts, of
// which a quarter is argued; every tenth pair says the same.
func largePanel(t testing.TB) state.State {
	s := &session{t: t}
	seats := []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Panelist}}
	for i := 2; i <= 12; i++ {
		seats = append(seats, state.SeatAssignment{Seat: state.Seat(fmt.Sprintf("panelist-%d", i))})
	}
	s.add(&state.SessionOpened{
		Version: state.Version, ID: "large", Settings: state.Settings{Format: state.FormatPanel, Panel: &state.PanelSettings{Strategy: "tiered", Contradiction: 0.3, Agreement: 0.8}}, Seats: seats,
	}, &state.RoundStarted{Round: 1})
	for i := range 240 {
		id := state.NextID('P', i)
		s.add(&state.PointRaised{ID: id, By: seats[1+i/20].Seat, Text: fmt.Sprintf("The queue number %d keeps its order and is nicer than %d others", i, i%7), Value: i%3 == 0},
			&state.PointTriaged{Point: id, Scope: state.InScope})
	}
	for k := range 200 {
		a, b := state.NextID('P', k), state.NextID('P', (k*7+20)%240)
		if a == b {
			b = "P240"
		}
		s.add(&state.PointsPaired{A: a, B: b, Same: true, Opposed: k%2 == 0, By: state.Orchestrator})
		if k%10 == 0 {
			s.add(&state.PointsPaired{A: a, B: state.NextID('P', (k+41)%240), Same: true, Alike: true, By: state.Orchestrator})
		}
		challenges := []string{}
		if k%2 == 0 {
			for _, point := range []string{a, b} {
				id := state.NextID('C', s.state.Challenges.Len())
				s.add(&state.ChallengeRaised{ID: id, Point: point, By: state.Protocol, What: state.Skeptical, Objection: "the other says the opposite"})
				challenges = append(challenges, id)
			}
		}
		s.add(&state.ConflictFound{ID: state.NextID('K', k), What: state.Contradiction, A: a, B: b, By: state.Orchestrator, Challenges: challenges})
		for v := range 4 {
			s.add(&state.PointClassified{Point: []string{a, b}[v%2], By: seats[1+(k+v)%12].Seat, Class: []state.Class{state.Agree, state.Reject}[k%2], Value: v == 0})
		}
	}
	table := resolver.NewTable(&s.state)
	for k, c := range table.Conflicts() {
		if k%4 == 0 {
			s.add(&state.ConflictArgued{ID: c.ID, By: state.Protocol, Challenges: []string{}})
			continue
		}
		s.add(&state.ConflictSettled{ID: c.ID, Settlement: table.Settle(c)})
	}
	return s.state
}

// BenchmarkTable lays, rules and settles a panel of 12 seats, 240 points and 200
// conflicts. Target: 1 ms to rule.
func BenchmarkTable(b *testing.B) {
	s := largePanel(b)
	b.Run("lay", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resolver.NewTable(&s)
		}
	})
	b.Run("rule", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resolver.Rule(s)
		}
	})
	b.Run("settle", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table := resolver.NewTable(&s)
			for _, c := range table.Conflicts() {
				table.Settle(c)
			}
		}
	})
	b.Run("matrix", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resolver.NewTable(&s).Matrix()
		}
	})
}
