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
}

// ChallengePoint attacks a point in the user's name.
type ChallengePoint struct {
	Point, Objection string
	// Class is SKEPTICAL or REJECT.
	Class state.Class
}

// AnswerChallenge defends against a challenge in place of a seat.
type AnswerChallenge struct{ Challenge, Text string }

// SupplyEvidence adds evidence that counts as verified and textual.
type SupplyEvidence struct {
	Point, Text, Reference string
	Relation               ledger.Relation
	// Challenge is the objection to a field that it bears on; "" is every one.
	Challenge string
}

// WeighEvidence decides whether an item of evidence bears on its point, overruling the seats.
type WeighEvidence struct {
	Evidence string
	Accept   bool
	Reason   string
}

// AnswerQuestion answers a question that the session surfaced: missing data, a
// side of a tradeoff, a definition, consent to an anchor shift, priorities.
type AnswerQuestion struct{ Question, Answer string }

// Through is a decision of the user with the channel that it came through. Others came through a terminal.
type Through struct {
	Channel state.Channel
	Move    UserMove
}

// SetKind sets the kind of a point; "" leaves it to the seats.
type SetKind struct {
	Point string
	Kind  state.Kind
}

// ConcedePoint gives up a point that the user brought.
type ConcedePoint struct{ Point, Reason string }

// SetPriority keeps these points in scope and puts the others aside.
type SetPriority struct{ Points []string }

// SetBudget sets new caps; 0 removes one.
type SetBudget struct {
	MaxTokens  int
	MaxCost    float64
	MaxSeconds int
}

// AskArbitration asks the arbiter to look at the points now (AR).
type AskArbitration struct{}

// EndSession closes the session now (EX5); open points become Unresolved.
type EndSession struct{ Reason string }
