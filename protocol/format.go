package protocol

import (
	"slices"

	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Format is a system of deliberation: who speaks when, with which moves. A format may also have these methods:
//
//   - ExitCode(*state.State) ExitCode, for what it decided so far: ExitConcluded, ExitInconclusive or ExitPerson;
//   - those of DecidableAfterEnd;
//   - Blind(s *state.State, participant string) (owes, unseen bool): whether the participant still has to give an
//     answer that others give at the same time, and whether there are answers that it must not see before that;
//   - QuestionInfo(*state.State, *state.Question) (QuestionInfo, bool), for the questions that only it asks.
type Format interface {
	// The fold needs Name and Own.
	state.Rules
	// Settings describes the settings that the user gives when a session is opened.
	Settings() Settings
	// Moves are the moves that a seat and the user can make.
	Moves() Moves
	// Next returns the next turn. It is a pure function of the state: after a crash it returns the
	// same turn again.
	Next(s *state.State) Turn
	// Admit turns a parsed reply into events, or refuses its moves one by one
	// with a reason each. The events are in order and can be applied.
	Admit(s *state.State, ask Ask, moves []move.Move) Admission
	// AdmitUser turns a move of the user into events.
	AdmitUser(u *UserAdmitter, move UserMove) error
	// Prompt returns the prompt for the asked seat.
	Prompt(s *state.State, ask Ask) Prompt
	// Overrides lists the decisions that the user can make now.
	Overrides(o Decisions) []Override
	// Missing returns the events for a seat that cannot be asked if the others continue
	// without it; nil makes the session wait for the seat (EX7). The failure is nil if an older moot
	// recorded it.
	Missing(s *state.State, ask Ask, reason string, failure *state.Failure) []state.Payload
	// View describes a session in words.
	View() view.Format
	// Rulings rules on the points of a session.
	Rulings() resolver.Format
}

// Moves are the moves of a format.
type Moves struct {
	// Seats are the moves of seats, which a reply can hold; the lookups need no row.
	Seats []move.Row
	// User are the moves of the user that only this format has.
	User []UserMove
}

// Of returns the format of a session. It is nil if the session was opened without one, as some
// tests do.
func Of(s *state.State) Format {
	f, _ := s.Rules.(Format)
	return f
}

// Owes reports whether the participant still has to give an answer that others give at the same
// time, without seeing each other's. It is false before the session is open.
func Owes(s *state.State, participant string) bool {
	owes, _ := blind(s, participant)
	return owes
}

// Unseen reports whether there are answers that the participant must not see before it has given
// its own.
func Unseen(s *state.State, participant string) bool {
	_, unseen := blind(s, participant)
	return unseen
}

func blind(s *state.State, participant string) (owes, unseen bool) {
	if f, ok := s.Rules.(interface {
		Blind(s *state.State, participant string) (owes, unseen bool)
	}); ok {
		return f.Blind(s, participant)
	}
	return false, false
}

// Base implements the methods of Format that need not be a format's own. A format embeds it.
type Base struct{}

// Own implements state.Rules: the format adds nothing to a session.
func (Base) Own() state.Own { return state.Own{} }

// AdmitUser implements Format: the user has the moves that every session knows.
func (Base) AdmitUser(u *UserAdmitter, move UserMove) error { return u.Move(move) }

// Overrides implements Format: the decisions that every session knows.
func (Base) Overrides(o Decisions) []Override {
	first, rest := o.OnQuestions()
	return slices.Concat(o.SelectedFact(), first, o.OnFacts(), rest, o.SessionOverrides(), o.Answered())
}

// Missing implements Format: the session cannot continue without a seat.
func (Base) Missing(*state.State, Ask, string, *state.Failure) []state.Payload { return nil }

// View implements Format.
func (Base) View() view.Format { return view.Base{} }

// Rulings implements Format: there are no points to rule on.
func (Base) Rulings() resolver.Format { return resolver.NoClaims{} }
