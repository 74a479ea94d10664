package report_test

import (
	"path/filepath"
	"testing"
	"time"

	"moot/agent/script"
	"moot/protocol"
	"moot/protocol/council"
	"moot/protocol/formats"
	"moot/state"
)

// sitting is a session of the format council as a test runs it: the seats say what
// stands in testdata/council, and the user moves after the run has paused.
type sitting struct {
	script   string
	rounds   int
	parallel bool
	expert   bool
	// alone has one participant on every seat, unchecked a constitution that code
	// looks after in nothing.
	alone, unchecked bool
	// away is a seat that cannot be reached, or "".
	away    state.Seat
	answers []protocol.UserMove
}

// The sessions of the tests: one with claims in every bucket, one that agrees at
// once while the moderator says otherwise, one that waits for a seat, one that the
// user ended, one in which nobody claimed anything, and one that only one
// participant filled.
func sittings() map[string]sitting {
	return map[string]sitting{
		"mixed":   {script: "mixed", rounds: 2},
		"agreed":  {script: "agreed", rounds: 3, parallel: true, expert: true},
		"waiting": {script: "mixed", rounds: 3, away: state.Adversary},
		"stopped": {script: "mixed", rounds: 3, away: state.Adversary, answers: []protocol.UserMove{protocol.EndSession{Reason: "another time"}}},
		"empty":   {script: "empty", rounds: 3},
		"alone":   {script: "agreed", rounds: 3, alone: true, unchecked: true},
	}
}

// smallConstitution has one constraint for each check that the sessions meet.
func smallConstitution() state.Constitution {
	return state.Constitution{Name: "small", Constraints: []state.Constraint{
		{ID: "cite-facts", Seat: state.Strategist, Text: "Cite evidence for each fact.", Check: state.CheckCites},
		{ID: "admit-limits", Seat: state.Strategist, Text: "Say where your data end.", Check: state.CheckUncertainty},
		{ID: "be-feasible", Seat: state.Strategist, Text: "Say how a proposal is carried out.", Check: state.CheckFeasible},
		{ID: "no-harm", Seat: state.Strategist, Text: "Nobody is to lose data.", Check: state.CheckNoHarm, Deny: []string{"drop the log"}},
		{ID: "two-sides", Seat: state.Strategist, Text: "Look at both sides.", Check: state.CheckBias},
		{ID: "attack-method", Seat: state.Critic, Text: "Attack how a claim is known.", Check: state.CheckMethod},
		{ID: "doubt-hopes", Seat: state.Adversary, Text: "Doubt what is hoped."},
	}}
}

// sat runs one of the sessions.
func sat(t *testing.T, name string) (state.State, []state.Ruling) {
	t.Helper()
	p, ok := sittings()[name]
	if !ok {
		t.Fatalf("there is no session %q", name)
	}
	lines, err := script.Open(filepath.Join("testdata", "council", p.script+".script"))
	if err != nil {
		t.Fatal(err)
	}
	book := smallConstitution()
	if p.unchecked {
		book = state.Constitution{Name: "house", Constraints: []state.Constraint{{ID: "fair", Seat: state.Strategist, Text: "Be fair."}}}
	}
	d := &table{t: t, clock: time.Date(2026, 11, 21, 15, 30, 45, 0, time.UTC)}
	var seats []state.SeatAssignment
	participants := map[state.Seat]protocol.Participant{}
	for _, seat := range state.CouncilSeats() {
		if seat == state.Expert && !p.expert {
			continue
		}
		name := "openai:" + string(seat)
		if p.alone {
			name = "openai:gpt"
		}
		seats = append(seats, state.SeatAssignment{Seat: seat, Participant: name})
		participants[seat] = lines
		if seat == p.away {
			participants[seat] = away{lines}
		}
	}
	d.add(&state.SessionOpened{
		Rules:   formats.ByName(state.FormatCouncil),
		Version: state.Version, ID: "20261121-153045-k3f9", Question: "Is the queue safe?", Seats: seats,
		Settings: state.Settings{
			Format: state.FormatCouncil, Nonce: "5eed", Workspace: "work",
			Council: &state.CouncilSettings{
				Rounds: p.rounds, Parallel: p.parallel, Weights: state.DefaultWeights(), Decision: state.DefaultDecision, Constitution: book,
			},
			Input: state.Input{Options: []string{}, Views: []state.View{}},
		},
	})
	return d.answered(council.Format{}, participants, p.answers)
}
