package protocol

import (
	"moot/ledger"
	"moot/state"
)

// UserMove is a decision of the user that overrules everyone, between any two events: one of the types below, or of
// those that a format adds.
type UserMove any

// RuleOn decides a point: Agree, Dismiss, Unresolved or Reopen.
type RuleOn struct {
	Point  string
	What   state.OverrideKind
	Reason string
}

// RecordFact adds a user fact; Supersedes is an older one or "".
type RecordFact struct {
	Text       string
	Supersedes string
	Predicate  *ledger.Predicate
}

// ChallengePoint attacks a point in the user's name.
type ChallengePoint struct {
	Point, Objection string
	// Class is SKEPTICAL or REJECT.
	Class state.Class
}

// AnswerChallenge defends a challenge in a seat's place.
type AnswerChallenge struct{ Challenge, Text string }

// SupplyEvidence gives what counts as verified and textual.
type SupplyEvidence struct {
	Point, Text, Reference string
	Relation               ledger.Relation
	// Challenge is the objection to a field that it bears on; "" is every one.
	Challenge string
}

// WeighEvidence says whether an item of evidence bears on its point, above what the seats say.
type WeighEvidence struct {
	Evidence string
	Accept   bool
	Reason   string
}

// AnswerQuestion answers a question that the session surfaced: missing data, a
// side of a tradeoff, a definition, consent to an anchor shift, priorities.
type AnswerQuestion struct{ Question, Answer string }

// SetKind makes a point empirical or a value judgment.
type SetKind struct {
	Point string
	Kind  state.Kind
}

// ConcedePoint gives up a point that the user brought.
type ConcedePoint struct{ Point, Reason string }

// SetPriority keeps these points in scope and puts the others aside.
type SetPriority struct{ Points []string }

// SetBudget sets new caps; 0 lifts one.
type SetBudget struct {
	MaxTokens  int
	MaxCost    float64
	MaxSeconds int
}

// AskArbitration has the arbiter look at the points now (AR).
type AskArbitration struct{}

// EndSession closes the session now (EX5); what is open becomes Unresolved.
type EndSession struct{ Reason string }
