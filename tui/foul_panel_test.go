package tui

import (
	"fmt"
	"testing"

	"moot/ledger"
	"moot/state"
)

// foulPanel is a session of the format panel in which every text is nasty: twelve
// panelists, one of them missing, claims that are shared, and conflicts.
func foulPanel(t testing.TB, at int) *recorder {
	t.Helper()
	next := turning(at)
	r := &recorder{t: t}
	open := comparedOpened()
	open.Question, open.Seats = next(), open.Seats[:1]
	for i := range 12 {
		open.Seats = append(open.Seats, state.SeatAssignment{Seat: panelist(i), Participant: next(), Model: next()})
	}
	r.add(open, &state.RoundStarted{Round: 1}, &state.SeatMissed{Seat: panelist(11), Stage: state.StagePropose, Reason: next()})
	points := 0
	for i := range 11 {
		r.add(replied(panelist(i), state.StagePropose, next(), 1, 1)...)
		for range 2 {
			points++
			r.add(&state.PointRaised{ID: fmt.Sprint("P", points), By: panelist(i), Text: next(), Label: next()})
		}
	}
	r.add(&state.PointsPaired{A: "P1", B: "P3", Same: true, Alike: true, By: state.Orchestrator})
	for i := 5; i < 15; i += 2 {
		r.add(&state.PointsPaired{A: fmt.Sprint("P", i), B: fmt.Sprint("P", i+2), Same: true, Opposed: i%4 == 1, By: state.Orchestrator})
	}
	for i := range points {
		r.add(&state.PointTriaged{Point: fmt.Sprint("P", i+1), By: state.Orchestrator, Scope: state.InScope, Reason: next()})
	}
	for i := 0; 5+2*i < 15; i++ {
		r.add(
			&state.ConflictFound{ID: fmt.Sprint("K", i+1), What: state.ConflictKinds()[i%2], A: fmt.Sprint("P", 5+2*i), B: fmt.Sprint("P", 7+2*i), By: state.Orchestrator, Challenges: []string{}},
			&state.PointClassified{Point: fmt.Sprint("P", 5+2*i), By: panelist(10), Class: state.Agree, Reason: next()},
			&state.EvidenceOffered{ID: fmt.Sprint("E", i+1), Point: fmt.Sprint("P", 5+2*i), Relation: ledger.Supports, Reference: next(), Quote: next(), By: panelist(i + 2)},
			&state.ConflictSettled{ID: fmt.Sprint("K", i+1), Settlement: state.Settlement{Method: "vote", Winner: fmt.Sprint("P", 5+2*i), Confidence: 0.6, Reasoning: next(), Settled: i%2 == 0}},
		)
	}
	r.add(&state.QuestionSurfaced{ID: "Q1", Point: "P7", What: state.QuestionEscalation, About: "conflict K2", Text: next(), Options: []string{next(), next()}})
	return r
}

// panelist is the seat of a panelist, counted from 0.
func panelist(i int) state.Seat {
	return when(i == 0, state.Panelist, state.Seat(fmt.Sprint(state.Panelist, "-", i+1)))
}
