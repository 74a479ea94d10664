package resolver

import (
	"slices"

	"moot/state"
)

// Claims implements Format for debates over claims, by the shared table alone.
type Claims struct{ Base }

// LastRound returns the last round of the session's mode (PH1).
func (Claims) LastRound(s *state.State) int {
	const quickRounds = 2
	if s.Settings.Mode == state.ModeQuick {
		return quickRounds
	}
	return state.MaxRounds
}

// Debated implements Format: what an upheld challenge dismissed is not argued further, and the other challenges on it
// have ended (CH).
func (Claims) Debated(s *state.State, p *state.Point) bool {
	upheld := func(id string) bool { return s.Challenge(id).Status == state.StandsUpheld }
	if !Held(p) || !slices.ContainsFunc(p.Challenges, upheld) {
		return true
	}
	return Acceptance().RuleOne(s, p).Bucket != state.BucketDismissed
}

// Evaluators implements Format: the orchestrator judges the points of consultees, and consultees
// those of the orchestrator and the user. Built-in rules cannot judge (RV2).
func (Claims) Evaluators(s *state.State, p *state.Point) []state.Seat {
	return slices.DeleteFunc(facing(s, p), func(seat state.Seat) bool { return s.ByRules(seat) || p.IsAuthor(seat) })
}

// facing returns the seats on the other side from the authors of a point.
func facing(s *state.State, p *state.Point) []state.Seat {
	byConsultee := slices.ContainsFunc(p.Authors, state.Seat.IsConsultee)
	if byConsultee && !p.IsAuthor(state.Orchestrator) {
		return []state.Seat{state.Orchestrator}
	}
	return s.Consultees()
}

// FacesRules implements Format.
func (f Claims) FacesRules(s *state.State, p *state.Point) bool {
	return len(f.Evaluators(s, p)) == 0 && slices.ContainsFunc(facing(s, p), s.ByRules)
}

// Inconclusive implements Format: an attack on a design that was answered and judged, or granted, is a result, and
// so is an audit (EX9).
func (Claims) Inconclusive(s *state.State, rulings []state.Ruling) bool {
	a := AttacksOn(s, rulings)
	result := a != nil && a.Tested() || s.Settings.Audited() != nil
	return Inconclusive(s, rulings) && !(result && s.Exit != state.ExitQuality)
}

// Candidates implements Format.
func (Claims) Candidates(l *Candidates) {
	l.Debate()
	l.Outside()
}

// NoClaims are the rules of a session without claims: there is nothing to rule on.
type NoClaims struct{ Claims }

// Inconclusive reports whether the seats failed: what they gave otherwise is the result.
func (NoClaims) Inconclusive(s *state.State, _ []state.Ruling) bool {
	return s.Exit == state.ExitQuality
}
