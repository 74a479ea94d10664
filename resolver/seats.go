package resolver

import (
	"slices"

	"moot/state"
)

// quickRounds is the cap of mode quick.
const quickRounds = 2

// lastOfMode is the cap on rounds of the session's mode (PH1).
func lastOfMode(s *state.State) int {
	if s.Settings.Mode == state.ModeQuick {
		return quickRounds
	}
	return state.MaxRounds
}

// Evaluators returns the seats that must judge a point: never its only author
// (RD3).
func Evaluators(s *state.State, p *state.Point) []state.Seat {
	return systemOf(s.Settings.Format).evaluators(s, p)
}

// otherSide are the evaluators of a point in a consultation: the orchestrator
// judges what consultees hold; consultees judge what the orchestrator or the user
// hold. Built-in rules evaluate nothing (RV2).
func otherSide(s *state.State, p *state.Point) []state.Seat {
	return slices.DeleteFunc(facing(s, p), s.ByRules)
}

// facing are the seats across the table from the authors of a point.
func facing(s *state.State, p *state.Point) []state.Seat {
	byConsultee := slices.ContainsFunc(p.Authors, state.Seat.IsConsultee)
	if byConsultee && !p.IsAuthor(state.Orchestrator) {
		return []state.Seat{state.Orchestrator}
	}
	return s.Consultees()
}

// FacesRules reports whether only built-in rules face the authors of a point of a
// consultation: nobody there can judge it.
func FacesRules(s *state.State, p *state.Point) bool {
	return s.Settings.Format == state.FormatConsult && len(otherSide(s, p)) == 0 &&
		slices.ContainsFunc(facing(s, p), s.ByRules)
}

// Defenders returns the seats that answer challenges on a point: its authors;
// the orchestrator for the user's points.
func Defenders(p *state.Point) []state.Seat {
	var seats []state.Seat
	for _, a := range p.Authors {
		if _, conceded := p.Conceded(); !p.Holds(a) && !conceded {
			// The others hold it still.
			continue
		}
		if a == state.User || a == state.Protocol {
			a = state.Orchestrator
		}
		if !slices.Contains(seats, a) {
			seats = append(seats, a)
		}
	}
	return seats
}

// JudgeOf returns the seat that judges defenses against a challenge: the
// challenger (CH5); for challenges of the user or by code, the point's first
// evaluator.
func JudgeOf(s *state.State, c *state.Challenge) state.Seat {
	if c.By != state.User && c.By != state.Protocol {
		return c.By
	}
	if p := s.Point(c.Point); p != nil {
		if seats := Evaluators(s, p); len(seats) > 0 {
			return seats[0]
		}
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
	for _, id := range p.Challenges {
		if c := s.Challenge(id); c != nil && c.Status == state.StandsUndefended {
			return true
		}
	}
	return false
}

// Debated reports whether seats are still asked about the point: it is held,
// not deadlocked, and no undefended challenge and no user fact has dismissed
// it, and the format puts it to them.
func Debated(s *state.State, p *state.Point) bool {
	if debated := systemOf(s.Settings.Format).debated; debated != nil && !debated(s, p) {
		return false
	}
	return Held(p) && p.Deadlock == state.DeadlockNone && !Lost(s, p) && !Violates(s, p)
}

// Contradicted returns a point that was found to say the opposite of the named
// one and that stands: another seat agrees with it, or its challenges were
// accepted (RD1b, ST6). It returns nil where there is none.
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
