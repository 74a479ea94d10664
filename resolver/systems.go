package resolver

import "moot/state"

// system is how the sessions of one format are ruled on. A further format adds
// its own here.
type system struct {
	// rule gives the rulings of all points, in their order.
	rule func(s *state.State) []state.Ruling
	// ruleOne gives the ruling that rule gives for a point.
	ruleOne func(s *state.State, p *state.Point) state.Ruling
	// ruler returns a function like rule that may reuse what did not change.
	ruler func() func(s *state.State) []state.Ruling
	// lastRound is the cap on rounds.
	lastRound func(s *state.State) int
	// because says what the rule of a ruling says of its point, and what it read,
	// by where objections stand: nil has it read that; explain what came close, and what would change it.
	because func(s *state.State, p *state.Point, e *Explanation, came *Objected)
	explain func(s *state.State, p *state.Point, e *Explanation)
	// bench is where a point is looked at that acceptance rules on.
	bench func(s *state.State, p *state.Point) *bench
	// evaluators are the seats that must judge a point (RD3).
	evaluators func(s *state.State, p *state.Point) []state.Seat
	// debated reports whether a point is one that seats are asked about; nil where
	// all are that are held.
	debated func(s *state.State, p *state.Point) bool
	// seconded reports whether what a seat says of its own point calls this one a
	// value judgment, too; nil where it cannot.
	seconded func(s *state.State, p *state.Point) bool
}

func systemOf(format state.Format) system {
	switch format {
	case state.FormatConsult:
	case state.FormatDialectic:
		return proposals()
	case state.FormatPanel:
		return panels()
	case state.FormatCouncil:
		return councils()
	case state.FormatHearing:
		return hearings()
	}
	return acceptance()
}

// Rule gives the ruling of every point, in the order of the points and by the
// rules of the session's format: the full computation. Points that were merged
// into another get a ruling that says so; results leave them out.
func Rule(s state.State) []state.Ruling { return systemOf(s.Settings.Format).rule(&s) }

// RuleOne gives the ruling that Rule gives for one point, without the others
// where that is possible; ok is false where there is no point with the id.
func RuleOne(s state.State, point string) (ruling state.Ruling, ok bool) {
	p := s.Point(point)
	if p == nil {
		return state.Ruling{}, false
	}
	return systemOf(s.Settings.Format).ruleOne(&s, p), true
}

// NewRuler returns a function that gives what Rule gives, and may reuse the
// rulings of points that did not change since its last call. It is for one
// session and one goroutine; the slices that it returns are never written again.
func NewRuler() func(state.State) []state.Ruling {
	var ruler func(*state.State) []state.Ruling
	return func(s state.State) []state.Ruling {
		if ruler == nil {
			ruler = systemOf(s.Settings.Format).ruler()
		}
		return ruler(&s)
	}
}

// LastRound returns the cap on rounds: that of the session's mode (PH1), or of
// its playbook.
func LastRound(s *state.State) int { return systemOf(s.Settings.Format).lastRound(s) }
