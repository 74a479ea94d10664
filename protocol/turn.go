package protocol

import (
	"moot/ledger"
	"moot/protocol/move"
	"moot/state"
)

// Turn is the next thing to do. Exactly one of its fields is set, except that Exit comes with Close.
type Turn struct {
	// Events are those that the rules record by themselves.
	Events []state.Payload
	// Check are the ids of evidence items that a researcher has to check.
	Check []string
	// Asks are the seats to ask. They are asked at the same time, and none sees another's reply.
	Asks []Ask
	// Least are the asks that the round makes at least, Asks included. They are only used to forecast its cost; nil
	// means Asks alone.
	Least []Ask
	// Await are the questions that the user has to answer before anything else can happen.
	Await []string
	// Close ends the session; the final rulings are in the state already. Exit renames the exit after a decision that
	// followed the end, or is empty.
	Close bool
	Exit  state.ExitReached
}

// Ask is one seat's turn.
type Ask struct {
	Seat  state.Seat
	Stage state.Stage
	// Moves are the allowed moves.
	Moves []move.Kind
	// Retry says why the seat is asked again, or is "".
	Retry string
	// Kinds are the kinds of evidence that the session takes beyond citations and commands.
	Kinds []ledger.Kind
}

// Admission is the result of a reply.
type Admission struct {
	Events  []state.Payload
	Refused []state.Refusal
}

// Step is a possible next turn. It returns the turn, and whether it is due now.
type Step func(s *state.State) (Turn, bool)

// FirstDue returns the turn of the first step that is due now.
func FirstDue(s *state.State, steps ...Step) (Turn, bool) {
	for _, step := range steps {
		if turn, due := step(s); due {
			return turn, due
		}
	}
	return NotDue()
}

// Emit is the turn that records events.
func Emit(payloads ...state.Payload) (Turn, bool) { return Turn{Events: payloads}, true }

// NotDue is the result of a step that is not due.
func NotDue() (Turn, bool) { return Turn{}, false }
