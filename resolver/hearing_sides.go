package resolver

import (
	"cmp"

	"moot/resolver/hearing"
	"moot/state"
)

// ClaimsOf are the claims of a side that it raised up to a round, had not given up
// then, and that the user had not dismissed, in order.
func ClaimsOf(s *state.State, seat state.Seat, round int) []*state.Point {
	var claims []*state.Point
	for _, p := range s.Points.All() {
		if p.IsAuthor(seat) && made(s, p, round) {
			claims = append(claims, p)
		}
	}
	return claims
}

// made reports whether a point is a claim that was made after a round.
func made(s *state.State, p *state.Point, round int) bool {
	at, conceded := p.Conceded()
	return p.ID != QuestionPoint && p.MergedInto == "" && p.Round <= round && (!conceded || at > round) &&
		!dismissedBy(s, p, round)
}

// dismissedBy reports whether the user had dismissed a claim by the end of a round.
func dismissedBy(s *state.State, p *state.Point, round int) bool {
	u := p.UserRuling
	if u == nil || u.Bucket != state.BucketDismissed {
		return false
	}
	return round >= s.Round || u.Seq <= lastArgued(s, round)
}

// lastArgued is the place of the last conclusion of a round, 0 where there is none.
func lastArgued(s *state.State, round int) int {
	last := 0
	for i := range s.Hearing.Arguments {
		if a := &s.Hearing.Arguments[i]; a.Round <= round {
			last = max(last, a.Seq)
		}
	}
	return last
}

// FactsOf are the distinct facts that a side cites up to a round: in claims that it
// still makes, against claims of the other, and in its answers; in the order in which
// it first cited them.
func FactsOf(s *state.State, seat state.Seat, round int) []string {
	var cited []string
	for _, p := range ClaimsOf(s, seat, round) {
		cited = append(cited, p.Facts...)
	}
	for _, c := range s.Challenges.All() {
		if c.By == seat && c.Round <= round {
			cited = append(cited, c.Facts...)
		}
		for i := range c.Defenses {
			if d := &c.Defenses[i]; d.By == seat && d.Round <= round {
				cited = append(cited, d.Facts...)
			}
		}
	}
	return hearing.Distinct(cited)
}

// SideOf is what the judge reads of a side after a round; ok is false before it has
// argued.
func SideOf(s *state.State, seat state.Seat, round int) (side hearing.Side, ok bool) {
	last := s.Hearing.Argument(seat, round)
	if last == nil {
		return side, false
	}
	return hearing.Side{Confidence: last.Confidence, Facts: FactsOf(s, seat, round)}, true
}

// confidenceIn is the confidence of a side in a claim after a round, 0 where it gave
// none.
func confidenceIn(s *state.State, p *state.Point, seat state.Seat, round int) float64 {
	confidence := 0.0
	for _, c := range s.Confidence.All() {
		if c.Seat == seat && c.Point == p.ID && c.Round <= round {
			confidence = c.Admitted
		}
	}
	return confidence
}

// compareConfidence compares the confidences of a side in two of its claims.
func compareConfidence(s *state.State, seat state.Seat, a, b *state.Point, round int) int {
	return cmp.Compare(confidenceIn(s, a, seat, round), confidenceIn(s, b, seat, round))
}
