package claims

import (
	"moot/internal/lists"
	"moot/protocol"
	"moot/state"
)

// Due lists the open tasks of a seat in its turn, by id. The prompt shows them to a model;
// other participants read them from the state.
type Due struct {
	// Triage and Classify are points.
	Triage, Classify []string
	// Answer and Judge are challenges.
	Answer, Judge []string
	// Weigh are items of evidence whose relevance the seat was not asked about yet.
	Weigh []string
	// Score are the points for which the seat has not reported a confidence.
	Score []string
	// Optional says that the points in Classify need not be classified.
	Optional bool
	// Requests are the open requests to the seat from earlier rounds.
	Requests []*state.Request
}

// IDsOf returns the IDs of points.
func IDsOf(points []*state.Point) []string {
	return lists.Map(points, func(p *state.Point) string { return p.ID })
}

// Format has the methods of a format that debates claims, besides those of protocol.Format.
type Format interface {
	// AnswerSeat returns the seat that answers the question at the end (AN1), or "" if the format's
	// own decision is the answer.
	AnswerSeat(s *state.State) state.Seat
	// Seated returns the seats that take part in the rounds.
	Seated(s *state.State) []state.Seat
	// Due returns the open tasks of the asked seat.
	Due(s *state.State, ask protocol.Ask) Due
	// Answerable reports whether a challenge that is raised now can still be answered.
	Answerable(s *state.State) bool
	// Examines reports whether all prose that the user gave is under examination, so that it is no evidence
	// (RV4).
	Examines(s *state.State) bool
	// AsksAtOnce reports whether a request to a seat is due in the round it was made in; otherwise
	// it is due in the next.
	AsksAtOnce() bool
}

// Of returns the format of a session that debates claims, or a base without claims.
func Of(s *state.State) Format {
	if f, ok := s.Rules.(Format); ok {
		return f
	}
	return Base{}
}

// Base implements the methods of Format that most debates have in common. A format embeds it.
type Base struct{ protocol.Base }
