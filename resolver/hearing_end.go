package resolver

import (
	"fmt"

	"moot/resolver/hearing"
	"moot/state"
)

// EndOf says with which exit a hearing ends after its present round, and why; the exit
// is ExitNone where a further round follows.
func EndOf(s *state.State) (exit state.Exit, reason string) {
	if p := s.Point(QuestionPoint); p != nil && p.UserRuling != nil {
		return state.ExitDecided, "the user ruled on the question"
	}
	switch s.Course() {
	case state.FormSingle, state.FormSelective:
		if s.Hearing.Gated != nil {
			return state.ExitDecided, fmt.Sprintf("the gate %s stayed shut", s.Hearing.Gated.Gate)
		}
		return state.ExitDecided, "each side argued once"
	case state.FormAudit:
		if s.Round >= LastRound(s) {
			return state.ExitDecided, "each claim was argued and ruled alone"
		}
		return state.ExitNone, ""
	case state.FormMulti, state.FormAnchored:
	}
	if s.Round < 2 {
		return state.ExitNone, ""
	}
	switch ExchangeOf(s).Ends() {
	case hearing.StopLast:
		return state.ExitCap, fmt.Sprintf("round %d is the last", s.Round)
	case hearing.StopNoFact:
		return state.ExitConverged, fmt.Sprintf("round %d cited no fact that was not cited before", s.Round)
	case hearing.StopSettled:
		return state.ExitConverged, fmt.Sprintf("both confidences moved by less than 0.1 in round %d", s.Round)
	case hearing.StopNot:
	}
	return state.ExitNone, ""
}

// ExchangeOf is what decides whether a further round follows the present one.
func ExchangeOf(s *state.State) hearing.Exchange {
	e := hearing.Exchange{Round: s.Round, Last: LastRound(s), Unanswered: len(Unprobed(s)) > 0 || len(Fresh(s)) > 0}
	now, before := citedIn(s)
	for fact := range now {
		if !before[fact] {
			e.NewFacts++
		}
	}
	for _, side := range []struct {
		seat        state.Seat
		now, before *float64
	}{{state.Architect, &e.A, &e.BeforeA}, {state.Skeptic, &e.S, &e.BeforeS}} {
		if a := s.Hearing.Argument(side.seat, s.Round); a != nil {
			*side.now = a.Confidence
		}
		if a := s.Hearing.Argument(side.seat, s.Round-1); a != nil {
			*side.before = a.Confidence
		}
	}
	return e
}

// Fresh are the contradictions of the present round that wait for an answer in the next one: an
// exchange must not end when a side had no chance to answer.
func Fresh(s *state.State) []*state.Challenge {
	var open []*state.Challenge
	for _, c := range s.Challenges.All() {
		if c.Round == s.Round && len(c.Facts) > 0 && len(c.Defenses) == 0 && Contested(s.Point(c.Point)) {
			open = append(open, c)
		}
	}
	return open
}

// citedIn are the facts that anybody cited in the present round, and before it: in
// claims, also those that were given up since, in challenges and in answers.
func citedIn(s *state.State) (now, before map[string]bool) {
	now, before = map[string]bool{}, map[string]bool{}
	cite := func(round int, facts []string) {
		cited := before
		if round >= s.Round {
			cited = now
		}
		for _, fact := range facts {
			cited[fact] = true
		}
	}
	for _, p := range s.Points.All() {
		cite(p.Round, p.Facts)
	}
	for _, c := range s.Challenges.All() {
		cite(c.Round, c.Facts)
		for i := range c.Defenses {
			cite(c.Defenses[i].Round, c.Defenses[i].Facts)
		}
	}
	return now, before
}
