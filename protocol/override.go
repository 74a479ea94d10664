package protocol

import (
	"moot/state"
)

// UserMove is a decision of the user that overrules everyone, between any two events: one of the types below, or of
// those that a format adds.
type UserMove any

// RecordFact adds a user fact; Supersedes is an older one or "".
type RecordFact struct {
	Text       string
	Supersedes string
}

// AnswerQuestion answers a question that the session surfaced: missing data, a
// side of a tradeoff, a definition, consent to an anchor shift, priorities.
type AnswerQuestion struct{ Question, Answer string }

// Through is a decision of the user with the channel that it came through. Others came through a terminal.
type Through struct {
	Channel state.Channel
	Move    UserMove
}

// SetBudget sets new caps; 0 removes one.
type SetBudget struct {
	MaxTokens  int
	MaxCost    float64
	MaxSeconds int
}

// EndSession closes the session now (EX5); open points become Unresolved.
type EndSession struct{ Reason string }
