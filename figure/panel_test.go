package figure

import (
	"testing"

	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/resolver/conflict"
	"moot/state"
)

// panelled is a panel of three: K1 is settled by vote, K2 is open, K3 was argued
// out, and P7 says the same as P1.
func panelled(t testing.TB) *recorder {
	r := &recorder{t: t, state: &state.State{}}
	r.add(&state.SessionOpened{
		Rules:   formats.ByName(panel.Name),
		Version: state.Version, ID: "p4n3", Question: "Is the queue safe?",
		Settings: state.Settings{Format: panel.Name, Own: &panel.Settings{Strategy: "tiered"}},
		Seats: []state.SeatAssignment{
			{Seat: state.Orchestrator, Participant: "rules"},
			{Seat: panel.Panelist, Participant: "a"},
			{Seat: "panelist-2", Participant: "b"},
			{Seat: "panelist-3", Participant: "c"},
		},
	}, &state.RoundStarted{Round: 1})
	for i, p := range []struct {
		by   state.Seat
		text string
	}{
		{panel.Panelist, "the queue is safe to retry"},
		{"panelist-2", "the queue is not safe to retry"},
		{panel.Panelist, "lists are nicer"},
		{"panelist-2", "streams are nicer"},
		{panel.Panelist, "retries are bounded"},
		{"panelist-3", "retries are unbounded"},
		{"panelist-3", "a retry harms nothing"},
		{"panelist-3", "names matter"},
	} {
		id := state.NextID('P', i)
		r.add(&state.PointRaised{ID: id, By: p.by, Text: p.text}, &state.PointTriaged{Point: id, By: state.Orchestrator, Scope: state.InScope})
	}
	r.add(&state.PointsPaired{A: "P1", B: "P7", Same: true, Alike: true, By: state.Orchestrator})
	for i, sides := range [][2]string{{"P1", "P2"}, {"P3", "P4"}, {"P5", "P6"}} {
		kind, challenges := conflict.Contradiction, []string{}
		if i == 1 {
			kind = conflict.Disagreement
		}
		r.add(&state.PointsPaired{A: sides[0], B: sides[1], Same: true, Opposed: i != 1, By: state.Orchestrator})
		if i != 1 {
			for j := range sides {
				id := state.NextID('C', r.state.Challenges.Len())
				r.add(&state.ChallengeRaised{ID: id, Point: sides[j], By: state.Protocol, Kind: state.Skeptical, Objection: sides[1-j] + " says the opposite"})
				challenges = append(challenges, id)
			}
		}
		r.add(&panel.ConflictFound{ID: state.NextID('K', i), What: kind, A: sides[0], B: sides[1], By: state.Orchestrator, Challenges: challenges})
	}
	table := panel.NewTable(r.state)
	for _, c := range table.Conflicts {
		r.add(&panel.ConflictSettled{ID: c.ID, Settlement: table.Settle(c)})
	}
	r.add(
		&state.QuestionSurfaced{ID: "Q1", What: state.QuestionEscalation, About: "conflict K2", Text: "which?", Options: []string{}},
		&panel.ConflictArgued{ID: "K3", By: state.Protocol}, &state.RoundStarted{Round: 2},
		&state.ChallengeAnswered{Challenge: "C4", By: "panelist-3", Text: "nothing counts them"},
		&state.ChallengeConceded{Challenge: "C3", By: panel.Panelist},
	)
	return r
}
