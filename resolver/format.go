package resolver

import (
	"encoding/json"
	"slices"

	"moot/ledger"
	"moot/state"
)

// Format rules on the sessions of one format. A value serves one use with one state, and may cache
// what it computes.
type Format interface {
	// Rule returns the rulings of all points, RuleOne that of one of them.
	Rule(s *state.State) []state.Ruling
	RuleOne(s *state.State, p *state.Point) state.Ruling
	// Basis collects what the rules read about a point.
	Basis(s *state.State, p *state.Point) *Basis
	// LastRound returns the maximum number of rounds.
	LastRound(s *state.State) int
	// Evaluators returns the seats that must judge a point (RD3).
	Evaluators(s *state.State, p *state.Point) []state.Seat
	// Debated reports whether the format lets seats argue about the point now.
	Debated(s *state.State, p *state.Point) bool
	// CalledValue reports whether a seat calls another point that bears on this one
	// a value judgment, so that it counts as an evaluator of this one.
	CalledValue(s *state.State, p *state.Point) bool
	// FacesRules reports whether only built-in rules face the authors of a point.
	FacesRules(s *state.State, p *state.Point) bool
	// Idle reports whether a challenge of code needs no answer.
	Idle(s *state.State, c *state.Challenge) bool
	// Inconclusive reports whether the session has no result.
	Inconclusive(s *state.State, rulings []state.Ruling) bool

	// Says returns a rule of the format as a sentence, or "" for rules of other formats.
	Says(rule string) string
	// Describe describes an item that a ruling read; it returns "" for unknown ids.
	Describe(b *Basis, id string) string
	// Because completes the explanation of a rule. Explain adds near misses and figures of
	// the format.
	Because(b *Basis, e *Explanation)
	Explain(b *Basis, e *Explanation)

	// Candidates adds what seats, evidence and the user could do next about a point.
	Candidates(l *Candidates)
	// Follow adds the events that code adds next.
	Follow(x *Scenario)

	// Claimed reports whether a point is a claim of a seat, which metrics count.
	Claimed(p *state.Point) bool
	// GaveUp reports whether a seat gave up or changed its point after an item of evidence against
	// it.
	GaveUp(s *state.State, p *state.Point, item *ledger.Evidence, author state.Seat) bool
	// Measure adjusts the metrics to the format.
	Measure(m *Measurement, metrics *state.Metrics)
}

// FormatOf returns the rules of a session's format. A session that is not open yet has no format, points or rounds.
func FormatOf(s *state.State) Format {
	if f, ok := s.Rules.(interface{ Rulings() Format }); ok {
		return f.Rulings()
	}
	return unopened{}
}

// unopened is the Format of a session that is not open yet.
type unopened struct{ Base }

func (unopened) LastRound(*state.State) int                         { return 0 }
func (unopened) Evaluators(*state.State, *state.Point) []state.Seat { return nil }
func (unopened) Candidates(*Candidates)                             {}

// Rule computes the rulings of all points, in their order, by the rules of the session's format.
// Points that were merged into another get a ruling that says so; results leave them out. A session
// of an earlier version keeps the rulings that it stores.
func Rule(s *state.State) []state.Ruling {
	if s.ByEarlierRules() {
		return RuleEach(s, stored)
	}
	return FormatOf(s).Rule(s)
}

// RuleOne returns the ruling of one point; ok is false if there is no point with the id.
func RuleOne(s *state.State, point string) (ruling state.Ruling, ok bool) {
	p := s.Point(point)
	if p == nil {
		return state.Ruling{}, false
	}
	if s.ByEarlierRules() {
		return stored(s, p), true
	}
	return FormatOf(s).RuleOne(s, p), true
}

// stored returns the recorded ruling of a point.
func stored(s *state.State, p *state.Point) state.Ruling {
	if r := s.Ruling(p.ID); r != nil && r.Point == p.ID {
		return *r
	}
	return state.Ruling{
		Point: p.ID, Bucket: state.BucketOpen, Reason: "the session stores no ruling of it",
		Receipt: state.Receipt{Reads: []string{}},
	}
}

// RuleEach applies a rule to every point.
func RuleEach(s *state.State, rule func(*state.State, *state.Point) state.Ruling) []state.Ruling {
	rulings := make([]state.Ruling, 0, s.Points.Len())
	for _, p := range s.Points.All() {
		rulings = append(rulings, rule(s, p))
	}
	return rulings
}

// LastRound returns the maximum number of rounds, by the session's mode (PH1) or its playbook.
func LastRound(s *state.State) int { return FormatOf(s).LastRound(s) }

// Evaluators returns the seats that must judge a point: never its only author
// (RD3).
func Evaluators(s *state.State, p *state.Point) []state.Seat { return FormatOf(s).Evaluators(s, p) }

// Digest returns the SHA-256 of all rulings as JSON, in hex. It is recorded in session-closed, and
// verify computes it again.
func Digest(rulings []state.Ruling) string {
	if rulings == nil {
		rulings = []state.Ruling{}
	}
	encoded, err := json.Marshal(rulings)
	if err != nil {
		// Encoding cannot fail: rulings contain only strings.
		return ""
	}
	return ledger.Hash(encoded)
}

// Changed returns the rulings that differ from the recorded ones.
func Changed(s *state.State, rulings []state.Ruling) []state.Ruling {
	changed := []state.Ruling{}
	for i := range rulings {
		if old := s.Rulings.At(i); old == nil || !old.Equal(&rulings[i]) {
			changed = append(changed, rulings[i])
		}
	}
	return changed
}

// Inconclusive reports whether a session of consultees or panelists has no result (EX9): its exit is quality, or no
// point was agreed, found, or dismissed for a reason that shows something.
func Inconclusive(s *state.State, rulings []state.Ruling) bool {
	return s.Exit == state.ExitQuality || !slices.ContainsFunc(rulings, func(r state.Ruling) bool {
		return Shows(&r) || r.Status == state.StatusFound
	})
}

// Found reports whether passages were found and nothing else is a result: the session is headed FOUND (EX9).
func Found(s *state.State, rulings []state.Ruling) bool {
	return s.Exit != state.ExitQuality &&
		!slices.ContainsFunc(rulings, func(r state.Ruling) bool { return Shows(&r) }) &&
		slices.ContainsFunc(rulings, func(r state.Ruling) bool { return r.Status == state.StatusFound })
}

// Shows reports whether a ruling is a result: the point was agreed, or dismissed by evidence, by a fact of the user or
// by the user. A point that was only conceded, not defended, rejected without evidence, revised or out of scope shows
// nothing.
func Shows(r *state.Ruling) bool {
	dismissed := r.Bucket == state.BucketDismissed && slices.Contains([]string{"AC1", "AC5", "AC8"}, r.Rule)
	return dismissed || r.Bucket == state.BucketAgreed
}

// Base implements the methods that formats share; each format overrides the ones
// that differ.
type Base struct{}

// Rule implements Format.
func (Base) Rule(s *state.State) []state.Ruling { return RuleEach(s, Acceptance().RuleOne) }

// RuleOne implements Format.
func (Base) RuleOne(s *state.State, p *state.Point) state.Ruling { return Acceptance().RuleOne(s, p) }

// RuleOne rules on a point by these rules, if it was not merged into another.
func (rules Rules) RuleOne(s *state.State, p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return MergedAway(p)
	}
	ruling, _ := rules.Rule(NewBasis(s, p, KindOf(s, p)))
	return ruling
}

// Basis implements Format.
func (Base) Basis(s *state.State, p *state.Point) *Basis { return NewBasis(s, p, KindOf(s, p)) }

// Debated implements Format.
func (Base) Debated(*state.State, *state.Point) bool { return true }

// CalledValue implements Format.
func (Base) CalledValue(*state.State, *state.Point) bool { return false }

// FacesRules implements Format.
func (Base) FacesRules(*state.State, *state.Point) bool { return false }

// Idle implements Format.
func (Base) Idle(*state.State, *state.Challenge) bool { return false }

// Inconclusive implements Format.
func (Base) Inconclusive(s *state.State, rulings []state.Ruling) bool {
	return Inconclusive(s, rulings)
}

// Says implements Format.
func (Base) Says(rule string) string {
	if rule == "RD2" {
		return "Points that say the same are one point."
	}
	return Acceptance().Says(rule)
}

// Describe implements Format.
func (Base) Describe(b *Basis, id string) string { return b.Describe(id) }

// Because shows the challenge that the point waits for if the rule read nothing.
func (Base) Because(b *Basis, e *Explanation) {
	if c := b.Waiting(); c != nil && len(e.Ruling.Reads) == 0 {
		e.Reads = append(e.Reads, Reading{ID: c.ID, What: b.Describe(c.ID)})
	}
}

// Explain implements Format.
func (Base) Explain(*Basis, *Explanation) {}

// Follow implements Format.
func (Base) Follow(x *Scenario) { x.RaiseRefutation() }

// Claimed implements Format.
func (Base) Claimed(*state.Point) bool { return true }

// Measure implements Format.
func (Base) Measure(*Measurement, *state.Metrics) {}
