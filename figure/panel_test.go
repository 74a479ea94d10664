package figure

import (
	"fmt"
	"strings"
	"testing"

	"moot/resolver"
	"moot/state"
)

// panelled is a panel of three: K1 is settled by vote, K2 is open, K3 was argued
// out, and P7 says the same as P1.
func panelled(t testing.TB) *recorder {
	r := &recorder{t: t}
	r.add(&state.SessionOpened{
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
	table := resolver.NewTable(&r.state)
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

func TestGoldenMapOfAPanel(t *testing.T) {
	r := panelled(t)
	for _, width := range []int{60, 120} {
		for _, ascii := range []bool{false, true} {
			g := Map(&r.state, resolver.Rule(r.state), MapOptions{Width: width, ASCII: ascii})
			golden(t, fmt.Sprintf("map-panel-%d%s.golden", width, when(ascii, "-ascii", "")), whole(g, "P1")+"\n\n"+text(g.Legend(width)))
		}
	}
	golden(t, "map-panel.svg", Map(&r.state, resolver.Rule(r.state), MapOptions{Width: 120}).SVG(SVGStyle{}))
}

// A conflict is a line between two points: it has heads at both ends as long as it
// is open, and one at the side that fell.
func TestTheMapTellsConflicts(t *testing.T) {
	r := panelled(t)
	g := Map(&r.state, resolver.Rule(r.state), MapOptions{Width: 120})
	var lines []string
	for i := range g.links {
		if l := &g.links[i]; l.between {
			lines = append(lines, fmt.Sprintf("%s; both %t, dashed %t", l.title, l.both, l.dashed))
		}
	}
	drawn := whole(g, "")
	said := strings.Join(lines, "\n")
	for _, want := range []string{
		"K1: P1 contradicts P2, settled for P1 by vote; both false, dashed false",
		"K2: P3 differs from P4, waits for the user, Q1; both true, dashed true",
		"K3: P6 contradicts P5, argued out for P6; both false, dashed false",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no line says %q:\n%s", want, said)
		}
	}
	for _, want := range []string{"the same as P1", "won K1 from P2 by vote", "lost K1 to P1 by vote", "K2 with P4 is open", "lost K3 to P6 by debate", "C4.1 answer"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("the map does not say %q:\n%s", want, drawn)
		}
	}
	for _, wrong := range []string{"C1 ", "C2 ", "C3 ", "opposed to"} {
		if strings.Contains(drawn, wrong) {
			t.Errorf("the map says %q:\n%s", wrong, drawn)
		}
	}
	if summary := g.Summary(); !strings.Contains(summary, "3 conflicts: 1 settled by vote, 1 argued out, 1 left to the user.") {
		t.Errorf("the summary is %q", summary)
	}
	if only := Map(&r.state, nil, MapOptions{Width: 80, Focus: "P2", Only: true}); only.index["P1"] == 0 && only.nodes[0].ID != "P1" {
		t.Errorf("the other side of a conflict is left out of %v", only.Nodes())
	}
}
