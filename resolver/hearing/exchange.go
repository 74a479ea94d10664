package hearing

import "math"

// settledBy is under which change a confidence counts as settled.
const settledBy = 0.1

// Stop is why an exchange ends.
type Stop string

// Why an exchange ends; StopNot while it continues.
const (
	StopNot     Stop = ""
	StopLast    Stop = "last round"
	StopNoFact  Stop = "no new fact"
	StopSettled Stop = "confidences settled"
)

// Exchange is what decides whether a further round follows, from round 2 on.
type Exchange struct {
	Round, Last int
	// NewFacts counts the facts cited in the round that were not cited before.
	NewFacts int
	// Unanswered says that a contradiction of the round, or a challenge of the oracle, waits for
	// an answer: an exchange must not end exactly when a side refuses to move.
	Unanswered bool
	// A and S are the confidences of the round, BeforeA and BeforeS those before it.
	A, S, BeforeA, BeforeS float64
}

// Ends says why the exchange ends after a round, from the second on: StopNot before.
func (e Exchange) Ends() Stop {
	switch {
	case e.Round >= e.Last:
		return StopLast
	case e.Round < 2 || e.Unanswered:
		return StopNot
	case e.NewFacts == 0:
		return StopNoFact
	case math.Abs(e.A-e.BeforeA) < settledBy && math.Abs(e.S-e.BeforeS) < settledBy:
		return StopSettled
	}
	return StopNot
}
