package protocol

import "moot/state"

// Format is a system of deliberation: who speaks when, with which moves.
type Format interface {
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
	// userMove does what a move of the user's means in this format, where that
	// is something of its own; handled says whether it is.
	userMove(u *userAdmission, move UserMove) (handled bool, err error)
	// missing does what it means that a seat cannot be asked, where the others go on
	// without it; nil has the session wait for it (EX7).
	missing(s *state.State, ask Ask, reason string) []state.Payload
	// seated are the seats that take part in the rounds.
	seated(s *state.State) []state.Seat
	// due is what the asked seat owes.
	due(s *state.State, ask Ask) Due
	// deliberated are the points under deliberation, in order.
	deliberated(s *state.State) []*state.Point
	// answerable reports whether a challenge that is raised now can still be answered.
	answerable(s *state.State) bool
	// undecided reports whether a session that ended came to nothing, whatever
	// its rulings say.
	undecided(s *state.State) bool
}

// FormatOf returns the format with the name; nil where there is none.
func FormatOf(name state.Format) Format {
	switch name {
	case state.FormatConsult:
		return Consult{}
	case state.FormatDialectic:
		return Dialectic{}
	case state.FormatPanel:
		return Panel{}
	case state.FormatCouncil:
		return Council{}
	case state.FormatHearing:
		return Hearing{}
	}
	return nil
}

// formatOf is the format of a session; one that is not known is held as a
// consultation.
func formatOf(s *state.State) Format {
	if f := FormatOf(s.Settings.Format); f != nil {
		return f
	}
	return Consult{}
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
