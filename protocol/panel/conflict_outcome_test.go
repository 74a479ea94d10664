package panel_test

import (
	"slices"
	"testing"

	"moot/ledger"
	"moot/protocol/panel"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// apart is a panel of three whose first two contradict each other in K1: P1 and
// P2.
func apart(t *testing.T) *session {
	t.Helper()
	s := newSession(t)
	return s.add(
		&state.SessionOpened{
			Rules:   panel.Format{},
			Version: state.Version, ID: "x", Question: "?",
			Settings: state.Settings{Format: panel.Name, Own: &panel.Settings{Strategy: "tiered"}},
			Seats: []state.SeatAssignment{
				{Seat: state.Orchestrator, Participant: "rules"},
				{Seat: panel.Panelist, Participant: "a"},
				{Seat: "panelist-2", Participant: "b"},
				{Seat: "panelist-3", Participant: "c"},
			},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: panel.Panelist, Text: "it is safe"},
		&state.PointRaised{ID: "P2", By: "panelist-2", Text: "it is not safe"},
		&state.PointTriaged{Point: "P1", By: state.Orchestrator, Scope: state.InScope},
		&state.PointTriaged{Point: "P2", By: state.Orchestrator, Scope: state.InScope},
		&state.PointsPaired{A: "P1", B: "P2", Same: true, Opposed: true, By: state.Orchestrator},
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Protocol, Kind: state.Skeptical, Objection: "P2 says the opposite"},
		&state.ChallengeRaised{ID: "C2", Point: "P2", By: state.Protocol, Kind: state.Skeptical, Objection: "P1 says the opposite"},
		&panel.ConflictFound{ID: "K1", What: conflict.Contradiction, A: "P1", B: "P2", By: state.Orchestrator, Challenges: []string{"C1", "C2"}},
	)
}

func settled(method, measure, winner string) *panel.ConflictSettled {
	return &panel.ConflictSettled{ID: "K1", Settlement: panel.Settlement{
		Method: method, Measure: measure, Winner: winner, Confidence: 0.7, Reasoning: "because", Settled: winner != "", Positions: []panel.Position{},
	}}
}

func TestAConflictShowsItsOutcome(t *testing.T) {
	t.Parallel()
	argued := []state.Payload{&panel.ConflictArgued{ID: "K1", By: state.Protocol}, &state.RoundStarted{Round: 2}}
	asked := &state.QuestionSurfaced{ID: "Q1", What: state.QuestionEscalation, About: "conflict K1", Text: "which?", Options: []string{}}
	rule := func(what state.OverrideKind, point string) state.Payload {
		return &state.OverrideMade{What: what, Point: point, Reason: "mine"}
	}
	for name, c := range map[string]struct {
		then []state.Payload
		by   panel.EndedBy
		want string
	}{
		"just found":    {nil, panel.EndedByNothing, "not settled"},
		"by vote":       {[]state.Payload{settled("vote", "", "P1")}, panel.EndedByVote, "settled for P1 by vote: because"},
		"by evidence":   {[]state.Payload{settled("evidence_weight", "evidence", "P2")}, panel.EndedByWeight, "settled for P2 by evidence: because"},
		"by tokens":     {[]state.Payload{settled("evidence_weight", "tokens", "P2")}, panel.EndedByWeight, "settled for P2 by tokens: because"},
		"escalated":     {[]state.Payload{settled("escalate", "", "")}, panel.EndedByNothing, "not settled: because"},
		"while argued":  {argued, panel.EndedByNothing, "being argued"},
		"asked after":   {append(argued, asked), panel.EndedByNothing, "waits for you, Q1: arguing did not end it"},
		"given up":      {append(argued, &state.ChallengeConceded{Challenge: "C1", By: panel.Panelist}), panel.EndedByDebate, "argued out for P2: P1 fell: conceded by all its authors in round 2"},
		"not defended":  {append(argued, &state.ChallengeUndefended{Challenge: "C2", Reason: "no answer"}), panel.EndedByDebate, "argued out for P1: P2 fell: C2 was not answered after a reminder (challenged in round 1)"},
		"both given up": {append(argued, &state.ChallengeConceded{Challenge: "C1", By: panel.Panelist}, &state.ChallengeConceded{Challenge: "C2", By: "panelist-2"}), panel.EndedByDebate, "argued out for neither: P1 fell: conceded by all its authors in round 2; P2 fell: conceded by all its authors in round 2"},
		"asked":         {[]state.Payload{settled("escalate", "", ""), asked}, panel.EndedByNothing, "waits for you, Q1: because"},
		"left":          {[]state.Payload{settled("vote", "", ""), asked, &state.ExitReached{Exit: state.ExitDecided}}, panel.EndedByNothing, "left to you, Q1: because"},
		"for one":       {[]state.Payload{rule(state.OverrideAgree, "P1"), rule(state.OverrideDismiss, "P2")}, panel.EndedByUser, "decided for P1 by you: P2 fell: mine"},
		"as asked": {[]state.Payload{
			&state.OverrideMade{What: state.OverrideAgree, Point: "P1", Reason: "decided K1"}, &state.OverrideMade{What: state.OverrideDismiss, Point: "P2", Reason: "decided K1"},
		}, panel.EndedByUser, "decided for P1 by you"},
		"for neither":    {[]state.Payload{rule(state.OverrideDismiss, "P1"), rule(state.OverrideDismiss, "P2")}, panel.EndedByUser, "decided for neither by you: P1 fell: mine; P2 fell: mine"},
		"against a vote": {[]state.Payload{settled("vote", "", "P1"), rule(state.OverrideDismiss, "P1")}, panel.EndedByUser, "decided for P2 by you: P1 fell: mine"},
		"for both":       {[]state.Payload{rule(state.OverrideAgree, "P1"), rule(state.OverrideAgree, "P2")}, panel.EndedByUser, "decided for both by you"},
		"dropped":        {[]state.Payload{&panel.ConflictDropped{ID: "K1", By: state.User, Reason: "marked anew"}}, panel.EndedByNothing, "no conflict: marked anew"},
		"alike":          {[]state.Payload{&state.PointsPaired{A: "P1", B: "P2", Same: true, Alike: true, By: state.User}}, panel.EndedByNothing, "no conflict: its sides say the same by now, or one was put aside"},
		"put aside":      {[]state.Payload{&state.PointTriaged{Point: "P2", By: state.User, Scope: state.OutOfScope}}, panel.EndedByNothing, "no conflict: its sides say the same by now, or one was put aside"},
		"against a fact": {
			[]state.Payload{
				&state.FactRecorded{ID: "F1", Tag: ledger.TagUser, Seat: state.User, Text: "it is safe"},
				&state.ViolationNamed{Point: "P2", Fact: "F1", By: state.Orchestrator, Confirmed: true},
			}, panel.EndedByUser, "decided for P1 by you: P2 fell: the user confirmed that it contradicts F1",
		},
	} {
		s := apart(t).add(c.then...).State
		ending := panel.NewTable(s).Ending(panel.Of(s).Conflict("K1"))
		if got := ending.Words("you"); got != c.want || ending.By != c.by {
			t.Errorf("%s: ended by %q: %s; want %q: %s", name, ending.By, got, c.by, c.want)
		}
	}
}

// A conflict that the strategy settled is a result, unless the session ended for its quality (EX9).
func TestASettledConflictIsAResult(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settled string
		exit    state.Exit
		want    bool
	}{
		"settled":             {"P1", state.ExitDecided, false},
		"not settled":         {"", state.ExitDecided, true},
		"settled, no quality": {"P1", state.ExitQuality, true},
	} {
		s := apart(t).add(settled("vote", "", c.settled), &state.ExitReached{Exit: c.exit}).State
		if got := resolver.FormatOf(s).Inconclusive(s, resolver.Rule(s)); got != c.want {
			t.Errorf("%s: inconclusive is %v", name, got)
		}
	}
}

// An argued point is judged by the panelists that hold the other side, each once: not by one that gave it up, holds the
// point as well, or is missing.
func TestWhoJudgesAnArguedPoint(t *testing.T) {
	t.Parallel()
	raised := func(id, text string, also ...state.Seat) []state.Payload {
		var events []state.Payload
		next := 4
		for _, seat := range also {
			other := state.NextID('P', next-1)
			events = append(events,
				&state.PointRaised{ID: other, By: seat, Text: text},
				&state.PointsMerged{Into: id, From: []string{other}, By: state.Protocol})
			next++
		}
		return events
	}
	for name, c := range map[string]struct {
		then []state.Payload
		want []state.Seat
	}{
		"one holds the other side":  {nil, []state.Seat{"panelist-2"}},
		"two hold the other side":   {raised("P2", "not safe", "panelist-3"), []state.Seat{"panelist-2", "panelist-3"}},
		"one of them gave it up":    {append(raised("P2", "not safe", "panelist-3"), &state.PointConceded{Point: "P2", By: "panelist-2"}), []state.Seat{"panelist-3"}},
		"one of them is missing":    {append(raised("P2", "not safe", "panelist-3"), &state.SeatMissed{Seat: "panelist-2"}), []state.Seat{"panelist-3"}},
		"the orchestrator holds it": {raised("P2", "not safe", state.Orchestrator), []state.Seat{"panelist-2"}},
		"its author says both":      {raised("P2", "not safe", panel.Panelist), []state.Seat{"panelist-2"}},
		"the other side is missing": {[]state.Payload{&state.SeatMissed{Seat: "panelist-2"}}, []state.Seat{state.Orchestrator}},
		"two conflicts with one seat": {[]state.Payload{
			&state.PointRaised{ID: "P4", By: "panelist-2", Text: "it loses messages"},
			&panel.ConflictFound{ID: "K2", What: conflict.Contradiction, A: "P1", B: "P4", By: state.Orchestrator},
			&panel.ConflictArgued{ID: "K2", By: state.Protocol},
		}, []state.Seat{"panelist-2"}},
	} {
		s := apart(t).add(
			&state.PointRaised{ID: "P3", By: "panelist-3", Text: "it is slow"},
			&panel.ConflictArgued{ID: "K1", By: state.Protocol}, &state.RoundStarted{Round: 2},
		).add(c.then...).State
		if got := resolver.Evaluators(s, s.Point("P1")); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q judge P1, want %q", name, got, c.want)
		}
	}
}
