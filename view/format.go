package view

import (
	"moot/state"
)

// Format says what one format adds to the document: what it concludes, its rows and
// sections, its warnings, and the words for its own events.
type Format interface {
	// Outcome says what the format concludes beyond its rulings, for the exported JSON.
	// All outcomes carry the format's name as "kind".
	Outcome(s *state.State) any
	// Point and Challenge return what the format adds to a point and a challenge, for the exported
	// JSON, or nil.
	Point(p *state.Point) any
	Challenge(s *state.State, c *state.Challenge) any
	// Counts are figures that only the format has, for the exported JSON; nil for none.
	Counts(s *state.State) any
	// Decision is the sentence by which the format answers the question, or "" if it is answered
	// by a seat (AN4).
	Decision(s *state.State) string
	// FirstAnswers returns the bucket that a point had by the first answers alone (ST5).
	FirstAnswers(s *state.State) func(*state.Point) state.Bucket
	// Opposed returns the seats of which the first two are meant to challenge each
	// other; the rest belong to them. It is nil if every seat has a vote of its own.
	// withRules says that built-in rules in these seats are worth a warning too.
	Opposed() (seats []state.Seat, withRules bool)
	// Warnings say what a reader must know beside the rulings.
	Warnings(s *state.State) []string
	// Status says in a few words how far the session is beyond its phase and round, or "".
	Status(s *state.State, rulings []state.Ruling) (string, Role)
	// Map says what the argument map shows of the format.
	Map(s *state.State) Map
	// Why adds sections to the explanation of a ruling.
	Why(s *state.State, r *state.Ruling) []Section
	// Explain explains what is no point, such as a conflict (K1); ok is false
	// if the format has nothing of that name.
	Explain(s *state.State, name string) (d Document, ok bool)
	// Fill adds rows, the verdict and sections to the result.
	Fill(d *Document, s *state.State, rulings []state.Ruling)
	// Event puts an event into the format's own words. If ok is false, the words that all
	// formats share apply.
	Event(before, after *state.State, data state.Payload) (lines []Line, ok bool)
	// HasEvent reports whether a move refused with this code has an event of its own, so
	// that the refusal need not be shown.
	HasEvent(code string) bool
}

// Variant names what sets up a session of its format, such as the playbook of a dialectic, or returns
// "".
func Variant(s *state.Settings) string {
	if own, ok := s.Own.(interface{ Variant() string }); ok {
		return own.Variant()
	}
	return ""
}

// FormatOf returns the words of the format that a session was opened with. A session that is not
// open yet has nothing to put into words.
func FormatOf(s *state.State) Format {
	if f, ok := s.Rules.(interface{ View() Format }); ok {
		return f.View()
	}
	return Claims{}
}
