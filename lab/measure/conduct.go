package measure

import (
	"moot/internal/enum"
	"moot/state"
)

// Conduct is how one seat kept to its confidence, over turns from the second round on.
type Conduct struct {
	// Retreats are turns in which the confidence fell although no new fact stood
	// against the seat, among the turns without such a fact.
	Retreats Proportion `json:"retreats"`
	// Rigid are turns in which it did not fall, and the seat did not name what would
	// change its mind, although a new fact stood against it; among the turns with one.
	Rigid Proportion `json:"rigid"`
	// HeldBack are turns in which the rule of conviction kept the old value, among all.
	HeldBack Proportion `json:"held_back"`
}

// Add takes a turn in, and the one before it of the same seat.
func (c *Conduct) Add(before, now *Turn) {
	c.HeldBack.Add(now.HeldBack > 0)
	if len(now.Rebutted) == 0 {
		c.Retreats.Add(now.Confidence < before.Confidence)
		return
	}
	c.Rigid.Add(now.Confidence >= before.Confidence && !now.Named)
}

// Failure is why a verdict is wrong.
type Failure string

// The failures, in the order in which they are looked for: the first that holds is
// the verdict's. The side that the verdict went against is the loser; where nobody
// won, the side that should have. The other is the gainer.
const (
	// Retreat is a loser that lowered its confidence although no new fact stood
	// against it.
	Retreat Failure = "retreat"
	// Rigidity is a gainer that did not move although a new fact stood against it.
	Rigidity Failure = "rigidity"
	// OverAggression is a verdict for a side whose last confidence is above 0.85,
	// which nothing above has shaken.
	OverAggression Failure = "over-aggression"
	// Miscalibration is what remains: the numbers did not say what is so.
	Miscalibration Failure = "miscalibration"
)

// Failures returns every Failure, in the order in which they are looked for.
func Failures() []Failure { return []Failure{Retreat, Rigidity, OverAggression, Miscalibration} }

// String returns the word itself.
func (f Failure) String() string { return string(f) }

// UnmarshalText refuses a word that is no Failure.
func (f *Failure) UnmarshalText(text []byte) error {
	return enum.Unmarshal("failure", text, Failures(), f)
}

// aggressive is above which confidence a side decides alone (judge v2).
const aggressive = 0.85

// FailureOf says why a wrong verdict is wrong; "" of a right one, and of none.
func FailureOf(c Case, r *Result) Failure {
	if r.Failed != "" || r.Right(c) {
		return ""
	}
	var loser, gainer func(*Round) *Turn
	architect, skeptic := func(r *Round) *Turn { return &r.Architect }, func(r *Round) *Turn { return &r.Skeptic }
	switch {
	case r.Outcome == state.Dismissed, r.Outcome == state.Inconclusive && c.Expected == state.Confirmed:
		loser, gainer = architect, skeptic
	default:
		loser, gainer = skeptic, architect
	}
	var lost, gained Conduct
	for i := 1; i < len(r.Rounds); i++ {
		lost.Add(loser(&r.Rounds[i-1]), loser(&r.Rounds[i]))
		gained.Add(gainer(&r.Rounds[i-1]), gainer(&r.Rounds[i]))
	}
	switch {
	case lost.Retreats.Hits > 0:
		return Retreat
	case gained.Rigid.Hits > 0:
		return Rigidity
	case r.Outcome != state.Inconclusive && r.Confidence > aggressive:
		return OverAggression
	}
	return Miscalibration
}
