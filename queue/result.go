package queue

import (
	"slices"
	"time"

	"moot/state"
)

// Outcome says how an item ended (BA3).
type Outcome string

// The outcomes. An item without one runs, waits for its turn, or was cut off.
const (
	// Concluded means that the session has a result.
	Concluded Outcome = "concluded"
	// Inconclusive means that it ended without one.
	Inconclusive Outcome = "inconclusive"
	// NeedsYou means that a person must decide.
	NeedsYou Outcome = "needs-you"
	// Failure means that it could not be opened or continued, or has no decision that counts.
	Failure Outcome = "failed"
	// Stopped means that it was paused: by a person, by a budget, or because the batch was stopped.
	Stopped Outcome = "stopped"
)

// Outcomes returns every Outcome.
func Outcomes() []Outcome { return []Outcome{Concluded, Inconclusive, NeedsYou, Failure, Stopped} }

// Result describes how a session ended.
type Result struct {
	Outcome Outcome `json:"outcome,omitempty"`
	// Reason says why, in a phrase, or is "". It may hold foreign text.
	Reason string `json:"reason,omitempty"`
	// Decision is the format's, such as ADVANCE, or "".
	Decision string `json:"decision,omitempty"`
	// Answer is the first sentence of the session's answer, or "". It is foreign text.
	Answer string `json:"answer,omitempty"`
	// Code is the exit code of the session alone.
	Code int `json:"code"`
	// Rounds is how many rounds began, Seconds the running time.
	Rounds  int     `json:"rounds,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	// Usage counts calls, tokens and cost.
	Usage state.Usage `json:"usage"`
	// Ended is when the session ended or paused.
	Ended time.Time `json:"ended,omitzero"`
}

// ExitCode is the exit code of a batch with some outcomes, where "" is an item without one: 1 if some failed, 5 if
// some need a person, 3 if some are not concluded.
func ExitCode(outcomes []Outcome) int {
	code := 0
	for _, o := range outcomes {
		switch {
		case o == Failure:
			return 1
		case o == NeedsYou:
			code = 5
		case o != Concluded && code == 0:
			code = 3
		}
	}
	return code
}

// again says which outcomes the same command runs again: what failed is retried, what was stopped continues.
func (o Outcome) again() bool { return slices.Contains([]Outcome{"", Failure, Stopped}, o) }
