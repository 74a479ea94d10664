package view

import (
	"maps"
	"slices"

	"moot/state"
)

// Claims implements Format for a debate over claims that are challenged, defended and judged.
// Formats embed it and override what differs.
type Claims struct{}

// ClaimsOutcome is the outcome of a debate over claims, which has only rulings and an answer.
type ClaimsOutcome struct {
	Concluded
}

// Outcome implements Format.
func (Claims) Outcome(s *state.State) any { return ClaimsOutcome{Conclude(s)} }

// Point implements Format.
func (Claims) Point(*state.Point) any { return nil }

// Challenge implements Format.
func (Claims) Challenge(*state.State, *state.Challenge) any { return nil }

// Counts implements Format.
func (Claims) Counts(*state.State) any { return nil }

// RequestResult implements Format.
func (Claims) RequestResult(_ *state.State, r *state.Request) string {
	switch {
	case r.Answered:
		return "answered"
	case r.Passed:
		return "not answered"
	}
	return ""
}

// Decision implements Format.
func (Claims) Decision(*state.State) string { return "" }

// Opposed implements Format.
func (Claims) Opposed() (seats []state.Seat, withRules bool) {
	return []state.Seat{state.Orchestrator, state.Consultee}, false
}

// Warnings implements Format.
func (Claims) Warnings(s *state.State) []string { return DriftWarnings(s) }

// Status implements Format.
func (Claims) Status(*state.State, []state.Ruling) (string, Role) { return "", RolePlain }

// Map implements Format.
func (Claims) Map(s *state.State) Map { return OpposedPairs(s) }

// Why implements Format.
func (Claims) Why(*state.State, *state.Ruling) []Section { return nil }

// Explain implements Format.
func (Claims) Explain(*state.State, string) (d Document, ok bool) { return Document{}, false }

// Fill lists the points by bucket.
func (Claims) Fill(d *Document, s *state.State, rulings []state.Ruling) {
	d.Header(s)
	d.AddVerdict(s, rulings)
	d.AddPoints(s, rulings, nil)
}

// FirstAnswers uses the judgments of other seats in round 1. A claim that several seats raised is
// agreed, too.
func (Claims) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if p.Round > 1 {
			return state.BucketNotEvaluated
		}
		if contradicted(s, p) {
			return state.BucketUnresolved
		}
		said := map[state.Seat]state.Bucket{}
		for _, seat := range p.Authors {
			if len(p.Authors) > 1 && !s.ByRules(seat) {
				said[seat] = state.BucketAgreed
			}
		}
		for _, c := range p.Classes {
			if c.Round != 1 || c.ByRules || p.IsAuthor(c.Seat) {
				continue
			}
			switch c.Class {
			case state.Agree:
				said[c.Seat] = state.BucketAgreed
			case state.Reject:
				said[c.Seat] = state.BucketDismissed
			case state.Skeptical, state.IllFormed:
				said[c.Seat] = state.BucketUnresolved
			}
		}
		buckets := slices.Collect(maps.Values(said))
		slices.Sort(buckets)
		if buckets = slices.Compact(buckets); len(buckets) == 1 {
			return buckets[0]
		}
		return state.BucketUnresolved
	}
}

// contradicted reports whether triage found that another seat's first answer contradicts the point
// (RD1b).
func contradicted(s *state.State, p *state.Point) bool {
	for _, pair := range s.Pairs.All() {
		if !pair.Opposed {
			continue
		}
		a, b := s.Live(pair.A), s.Live(pair.B)
		if a != nil && b != nil && a.Round == 1 && b.Round == 1 && (a.ID == p.ID || b.ID == p.ID) {
			return true
		}
	}
	return false
}

// Event implements Format: no event has words of its own.
func (Claims) Event(_, _ *state.State, _ state.Payload) (lines []Line, ok bool) { return nil, false }

// HasEvent implements Format.
func (Claims) HasEvent(string) bool { return false }
