package resolver

import (
	"slices"

	"moot/state"
)

// Contradictions are the challenges to a claim of the side that it was shown since it
// last argued: what the other's latest argument, the oracle or the user cites against
// it.
func Contradictions(s *state.State, p *state.Point) []*state.Challenge {
	var found []*state.Challenge
	for _, id := range p.Challenges {
		c := s.Challenge(id)
		if len(c.Facts) > 0 && latest(s, c) {
			found = append(found, c)
		}
	}
	return found
}

// latest reports whether a challenge is of the argument that is answered now: of this
// round where claims are contested and answered in one, of the round before where
// arguments are exchanged.
func latest(s *state.State, c *state.Challenge) bool {
	if s.Course() == state.FormAudit {
		return c.Round == s.Round || c.Round == s.Round-1
	}
	return c.Round == s.Round-1
}

// FreshFacts are the facts of a challenge that were not answered before on its claim.
func FreshFacts(s *state.State, c *state.Challenge) []string {
	p := s.Point(c.Point)
	var fresh []string
	for _, fact := range c.Facts {
		if !answeredBefore(s, p, c, fact) {
			fresh = append(fresh, fact)
		}
	}
	return fresh
}

// answeredBefore reports whether the fact was cited against the claim in another
// challenge, and answered in an earlier round.
func answeredBefore(s *state.State, p *state.Point, than *state.Challenge, fact string) bool {
	return slices.ContainsFunc(p.Challenges, func(id string) bool {
		c := s.Challenge(id)
		return c.ID != than.ID && c.Round < than.Round && slices.Contains(c.Facts, fact) &&
			slices.ContainsFunc(c.Defenses, func(d state.Defense) bool { return d.Round < s.Round })
	})
}

// CauseOf is the fact that lets the confidence in a claim fall: the one that is named
// where it is among them, else the first; "" where there is none.
func CauseOf(s *state.State, p *state.Point, named string) string {
	first := ""
	for _, c := range Contradictions(s, p) {
		for _, fact := range FreshFacts(s, c) {
			if fact == named {
				return fact
			}
			if first == "" {
				first = fact
			}
		}
	}
	return first
}

// Conviction is what counts of a side's number for one of its claims: in an anchored
// hearing it falls only by a fact that contradicts the claim and was not answered
// before. The cause is that fact, or "".
func Conviction(s *state.State, seat state.Seat, p *state.Point, stated float64, named string) (admitted float64, cause string) {
	cause = CauseOf(s, p, named)
	if cause == "" && s.Hearing.Holds(named) {
		cause = named
	}
	before := p.Score(seat)
	if before == nil || s.Course() != state.FormAnchored || stated >= before.Admitted {
		return stated, cause
	}
	if CauseOf(s, p, named) == "" {
		return before.Admitted, ""
	}
	return stated, cause
}

// ConvictionOverall is what counts of a side's number for its side of the question:
// in an anchored hearing it falls by no more than its claims did in the round.
func ConvictionOverall(s *state.State, seat state.Seat, stated float64) float64 {
	before := s.Hearing.Argument(seat, s.Round-1)
	if before == nil || s.Course() != state.FormAnchored || stated >= before.Confidence {
		return stated
	}
	fell := 0.0
	for i := range s.Hearing.Changes {
		if c := &s.Hearing.Changes[i]; c.Seat == seat && c.Round == s.Round {
			fell = max(fell, c.From-c.To)
		}
	}
	return max(stated, before.Confidence-fell)
}

// Rebutted are the challenges to claims of the side that cite a fact which was not
// answered before, and that it has not answered.
func Rebutted(s *state.State, seat state.Seat) []*state.Challenge {
	var open []*state.Challenge
	for _, p := range s.Points.All() {
		if !p.IsAuthor(seat) || gone(p) {
			continue
		}
		for _, c := range Contradictions(s, p) {
			if !answeredBy(c, seat) && len(FreshFacts(s, c)) > 0 {
				open = append(open, c)
			}
		}
	}
	return open
}

// gone reports whether its author gave the claim up.
func gone(p *state.Point) bool {
	_, conceded := p.Conceded()
	return conceded
}

func answeredBy(c *state.Challenge, seat state.Seat) bool {
	return slices.ContainsFunc(c.Defenses, func(d state.Defense) bool { return d.By == seat && d.Seq > c.Since })
}

// Unprobed are the challenges of the oracle that one of the sides has not answered.
func Unprobed(s *state.State) []*state.Challenge {
	var open []*state.Challenge
	for _, c := range s.Challenges.All() {
		if c.By == state.Oracle && (!answeredBy(c, state.Architect) || !answeredBy(c, state.Skeptic)) {
			open = append(open, c)
		}
	}
	return open
}
