package figure

import (
	"strings"
	"testing"

	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/resolver"
	"moot/state"
)

// panelled is a panel of three: K1 is settled by vote, K2 is open, K3 was argued
// out, and P7 says the same as P1.
func panelled(t testing.TB) *recorder {
	r := &recorder{t: t}
	r.add(&state.SessionOpened{
		Rules:   formats.ByName(state.FormatPanel),
		Version: state.Version, ID: "p4n3", Question: "Is the queue safe?",
		Settings: state.Settings{Format: state.FormatPanel, Panel: &state.PanelSettings{Strategy: "tiered"}},
		Seats: []state.SeatAssignment{
			{Seat: state.Orchestrator, Participant: "rules"},
			{Seat: state.Panelist, Participant: "a"},
			{Seat: "panelist-2", Participant: "b"},
			{Seat: "panelist-3", Participant: "c"},
		},
	}, &state.RoundStarted{Round: 1})
	for i, p := range []struct {
		by   state.Seat
		text string
	}{
		{state.Panelist, "the queue is safe to retry"},
		{"panelist-2", "the queue is not safe to retry"},
		{state.Panelist, "lists are nicer"},
		{"panelist-2", "streams are nicer"},
		{state.Panelist, "retries are bounded"},
		{"panelist-3", "retries are unbounded"},
		{"panelist-3", "a retry harms nothing"},
		{"panelist-3", "names matter"},
	} {
		id := state.NextID('P', i)
		r.add(&state.PointRaised{ID: id, By: p.by, Text: p.text}, &state.PointTriaged{Point: id, By: state.Orchestrator, Scope: state.InScope})
	}
	r.add(&state.PointsPaired{A: "P1", B: "P7", Same: true, Alike: true, By: state.Orchestrator})
	for i, sides := range [][2]string{{"P1", "P2"}, {"P3", "P4"}, {"P5", "P6"}} {
		kind, challenges := state.Contradiction, []string{}
		if i == 1 {
			kind = state.Disagreement
		}
		r.add(&state.PointsPaired{A: sides[0], B: sides[1], Same: true, Opposed: i != 1, By: state.Orchestrator})
		if i != 1 {
			for j := range sides {
				id := state.NextID('C', r.state.Challenges.Len())
				r.add(&state.ChallengeRaised{ID: id, Point: sides[j], By: state.Protocol, What: state.Skeptical, Objection: sides[1-j] + " says the opposite"})
				challenges = append(challenges, id)
			}
		}
		r.add(&state.ConflictFound{ID: state.NextID('K', i), What: kind, A: sides[0], B: sides[1], By: state.Orchestrator, Challenges: challenges})
	}
	table := panel.NewTable(&r.state)
	for _, c := range table.Conflicts() {
		r.add(&state.ConflictSettled{ID: c.ID, Settlement: table.Settle(c)})
	}
	r.add(
		&state.QuestionSurfaced{ID: "Q1", What: state.QuestionEscalation, About: "conflict K2", Text: "which?", Options: []string{}},
		&state.ConflictArgued{ID: "K3", By: state.Protocol}, &state.RoundStarted{Round: 2},
		&state.ChallengeAnswered{Challenge: "C4", By: "panelist-3", Text: "nothing counts them"},
		&state.ChallengeConceded{Challenge: "C3", By: state.Panelist},
	)
	return r
}

// The boxes of both sides name a conflict and how it ended. A challenge that only
// repeats a conflict has no box.
func TestTheMapNamesConflicts(t *testing.T) {
	r := panelled(t)
	drawn := whole(Map(&r.state, resolver.Rule(r.state), MapOptions{Width: 120}), "")
	w := newWriter(&r.state, resolver.Rule(r.state), newRuler(nil, false))
	for id, want := range map[string]string{
		"P1": "K1 contradicts P2, settled for P1 by vote; the same as P7",
		"P2": "K1 contradicts P1, settled for P1 by vote",
		"P4": "K2 differs from P3, waits for the user, Q1",
		"P6": "K3 contradicts P5, argued out for P6",
	} {
		if got := strings.Join(w.point(r.state.Point(id)).also, "; "); got != want {
			t.Errorf("%s says %q, want %q", id, got, want)
		}
	}
	for _, want := range []string{"K1 contradicts P2", "K2 differs from P4", "K3 contradicts P5", "C4.1 answer"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("the map does not say %q:\n%s", want, drawn)
		}
	}
	for _, wrong := range []string{"C1 ", "C2 ", "C3 ", "opposed to"} {
		if strings.Contains(drawn, wrong) {
			t.Errorf("the map says %q:\n%s", wrong, drawn)
		}
	}
	only := Map(&r.state, nil, MapOptions{Width: 80, Focus: "P2", Only: true})
	if _, found := only.Node("P1"); !found {
		t.Errorf("the other side of a conflict is left out of %v", only.Nodes())
	}
}
