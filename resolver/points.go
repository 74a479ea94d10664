package resolver

import (
	"slices"

	"moot/state"
)

// JudgeOf returns the seat that judges defenses against a challenge: the challenger (CH5). For
// challenges of the user or by code it is the author of the contradicting point, else an evaluator
// that is not an author, else an author that did not answer.
func JudgeOf(s *state.State, c *state.Challenge) state.Seat {
	if c.By != state.User && c.By != state.Protocol {
		return c.By
	}
	p := s.Point(c.Point)
	if p == nil {
		return state.Orchestrator
	}
	if other := s.Live(c.About); other != nil {
		for _, seat := range other.Defenders() {
			if !p.IsAuthor(seat) && !s.ByRules(seat) {
				return seat
			}
		}
	}
	seats := Evaluators(s, p)
	if AllAuthors(s, p) {
		seats = p.Defenders()
		if last := c.Last(); last != nil && len(seats) > 1 {
			seats = slices.DeleteFunc(seats, func(seat state.Seat) bool { return seat == last.By })
		}
	}
	if len(seats) > 0 {
		return seats[0]
	}
	return state.Orchestrator
}

// Held reports whether a point is neither merged, revised, conceded, decided by
// the user, late nor out of scope.
func Held(p *state.Point) bool {
	if p.MergedInto != "" || p.RevisedBy != "" || p.UserRuling != nil {
		return false
	}
	if _, conceded := p.Conceded(); conceded {
		return false
	}
	return p.Scope == state.InScope || p.Scope == state.Untriaged
}

// Lost reports whether a challenge on the point is undefended (AC7).
func Lost(s *state.State, p *state.Point) bool {
	return slices.ContainsFunc(p.Challenges, func(id string) bool {
		c := s.Challenge(id)
		return c != nil && c.Status == state.StandsUndefended
	})
}

// Debated reports whether seats are still asked about the point: it is held, not deadlocked, not
// dismissed by an undefended challenge or a user fact, and under debate in its format.
func Debated(s *state.State, p *state.Point) bool {
	return FormatOf(s).Debated(s, p) && Held(p) && p.Deadlock == state.DeadlockNone && !Lost(s, p) && !Violates(s, p)
}

// Contradicted returns a supported point that says the opposite of the named one:
// another seat agrees with it, or its challenges were accepted (RD1b, ST6). It returns
// nil if there is no such point.
func Contradicted(s *state.State, id string) *state.Point {
	for _, pair := range s.Pairs.All() {
		if !pair.Opposed {
			continue
		}
		for _, ids := range [][2]string{{pair.A, pair.B}, {pair.B, pair.A}} {
			this, other := s.Live(ids[0]), s.Live(ids[1])
			if this == nil || this.ID != id || other == nil || other.ID == id {
				continue
			}
			if Held(other) && other.Deadlock == state.DeadlockNone && Upheld(s, other) {
				return other
			}
		}
	}
	return nil
}

// FacesRules reports whether only built-in rules face the authors of a point of a
// consultation: then no seat can judge it.
func FacesRules(s *state.State, p *state.Point) bool { return FormatOf(s).FacesRules(s, p) }

// Idle reports whether a challenge needs no answer, because it only records a conflict that nobody
// argues about.
func Idle(s *state.State, c *state.Challenge) bool { return FormatOf(s).Idle(s, c) }

// Waiting returns the challenge on the point that waits for an answer or a judgment, or nil.
func Waiting(s *state.State, p *state.Point) *state.Challenge { return activeBasis(s, p).Waiting() }

// Disputed returns the first challenge on the point that was not accepted,
// conceded or lost, or nil.
func Disputed(s *state.State, p *state.Point) *state.Challenge { return activeBasis(s, p).disputed() }

// activeBasis returns the basis of a point without idle challenges.
func activeBasis(s *state.State, p *state.Point) *Basis {
	b := NewBasis(s, p, state.Empirical)
	b.Challenges = slices.DeleteFunc(b.Challenges, func(c *state.Challenge) bool { return Idle(s, c) })
	return b
}

// Tradeoff returns the REJECT challenge that makes the point a tradeoff (AC11),
// or nil.
func Tradeoff(s *state.State, p *state.Point) *state.Challenge {
	b := NewBasis(s, p, KindOf(s, p))
	rejected := b.rejected()
	if rejected == nil {
		return nil
	}
	if ruling, _ := Acceptance().Rule(b); ruling.Rule != "AC11" {
		return nil
	}
	return rejected
}

// Rejected reports whether a REJECT of the point is upheld, so that no seat is asked about it
// anymore (AC10, AC11).
func Rejected(s *state.State, p *state.Point) bool {
	return NewBasis(s, p, state.Empirical).rejected() != nil
}

// Supported reports whether the point has supporting evidence that counts, of type execution or
// textual.
func Supported(s *state.State, p *state.Point) bool {
	return NewBasis(s, p, state.Empirical).FirmSupport() != nil
}

// Upheld reports whether another seat agrees with the point or every challenge
// on it was accepted, with none waiting.
func Upheld(s *state.State, p *state.Point) bool {
	_, ok := NewBasis(s, p, state.Empirical).Upheld()
	return ok
}

// Violates reports whether the point contradicts a live user fact (AC5).
func Violates(s *state.State, p *state.Point) bool {
	fact, _ := violated(s, p)
	return fact != nil
}
