package protocol

import (
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Format is a system of deliberation: who speaks when, with which moves.
type Format interface {
	state.Rules
	// Rulings rules on the points of a session.
	Rulings() resolver.Format
	// View puts a session into words.
	View() view.Format
	// Settings describes what is asked for when a session is opened.
	Settings() Settings
	// Next says what happens now. It is a pure function of the state: after a
	// crash it says the same again.
	Next(s state.State) Turn
	// Admit turns a parsed reply into events, or refuses its moves one by one
	// with a reason each. The events are in order and can be applied.
	Admit(s state.State, ask Ask, moves []Move) Admission
	// Prompt says what the asked seat is shown.
	Prompt(s state.State, ask Ask) Prompt
	// Least returns the asks that a round makes at least, given those that it
	// begins with.
	Least(s state.State, asks []Ask) []Ask
	// UserMove does what a move of the user's means in this format, where that
	// is something of its own; handled says whether it is.
	UserMove(u *UserAdmitter, move UserMove) (handled bool, err error)
	// Missing does what it means that a seat cannot be asked, where the others go on
	// without it; nil has the session wait for it (EX7).
	Missing(s *state.State, ask Ask, reason string) []state.Payload
	// Seated are the seats that take part in the rounds.
	Seated(s *state.State) []state.Seat
	// Due is what the asked seat owes.
	Due(s *state.State, ask Ask) Due
	// Deliberated are the points under deliberation, in order.
	Deliberated(s *state.State) []*state.Point
	// Answerable reports whether a challenge that is raised now can still be answered.
	Answerable(s *state.State) bool
	// Undecided reports whether a session that ended came to nothing, whatever
	// its rulings say.
	Undecided(s *state.State) bool
	// Asking explains a question of the format's own to the user; ok is false for the
	// questions that all formats share.
	Asking(s *state.State, q *state.Question) (a Asking, ok bool)
	// Blind reports whether the participant owes an answer that others give at the same
	// time, and whether there are answers of others that it must not see before.
	Blind(s *state.State, participant string) (owes, unseen bool)
	// AsksAtOnce reports whether a request to a seat is due in the round it was made in; otherwise
	// it is due in the next.
	AsksAtOnce() bool
	// Overrides lists the decisions that the user can make now.
	Overrides(o Decisions) []Override
}

// Of returns the format of a session. It is nil if the session was opened without one, as in
// tests of packages that need no turns.
func Of(s *state.State) Format {
	f, _ := s.Rules.(Format)
	return f
}

// Turn is what happens next. Exactly one of its fields is set.
type Turn struct {
	// Events are what the rules themselves do now.
	Events []state.Payload
	// Check are the ids of evidence items to be checked by a researcher.
	Check []string
	// Asks are the seats to be asked; more than one are asked at once and none
	// sees another's reply.
	Asks []Ask
	// Await are the questions that only the user can answer, and on which
	// everything else depends.
	Await []string
	// Close ends the session; the final rulings are in the state already.
	Close bool
}

// Ask is one seat's turn.
type Ask struct {
	Seat  state.Seat
	Stage state.Stage
	// Moves are those that the seat may make.
	Moves []MoveKind
	// Retry says that the seat is asked again, and why.
	Retry string
}

// Admission is what became of a reply.
type Admission struct {
	Events  []state.Payload
	Refused []state.Refusal
}
