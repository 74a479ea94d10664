package view

import (
	"moot/state"
)

// Format provides what one format adds to the document: its outcome, rows, sections and warnings,
// and the words for its own events.
type Format interface {
	// Outcome returns the results of the format besides its rulings, for the exported JSON. All
	// outcomes carry the format's name as "kind".
	Outcome(s *state.State) any
	// Point and Challenge return what the format adds to a point and a challenge, for the exported
	// JSON, or nil.
	Point(p *state.Point) any
	Challenge(s *state.State, c *state.Challenge) any
	// Statements returns the sentences of the format that say something about all of a record, or a part of it,
	// with their conditions (SE1).
	Statements() Statements
	// RequestResult says what became of a request for evidence, for the exported JSON, or returns "".
	RequestResult(s *state.State, r *state.Request) string
	// Counts returns figures that only the format has, for the exported JSON, or nil.
	Counts(s *state.State) any
	// Decision returns the sentence by which the format answers the question, or "" if a seat
	// answers it (AN4).
	Decision(s *state.State) string
	// FirstAnswers returns a function for the bucket of a point after the first answers (ST5).
	FirstAnswers(s *state.State) func(*state.Point) state.Bucket
	// Opposed returns the seats that are meant to challenge each other, or to answer on their own.
	// withRules says that built-in rules in these seats are worth a warning too.
	Opposed(s *state.State) (seats []state.Seat, withRules bool)
	// Warnings returns what a reader must know besides the rulings.
	Warnings(s *state.State) []string
	// Status describes in a few words what the session is doing, besides its phase and round, or
	// returns "".
	Status(s *state.State, rulings []state.Ruling) (string, Role)
	// Map returns what the argument map shows of the format.
	Map(s *state.State) Map
	// Why adds sections to the explanation of a ruling.
	Why(s *state.State, r *state.Ruling) []Section
	// Explain explains something other than a point, such as a conflict (K1); ok is false if the
	// format has nothing with that id.
	Explain(s *state.State, name string) (d Document, ok bool)
	// Fill adds rows, the verdict and sections to the result.
	Fill(d *Document, s *state.State, rulings []state.Ruling)
	// Event describes an event in the format's own words. If ok is false, the shared words are
	// used.
	Event(before, after *state.State, data state.Payload) (lines []Line, ok bool)
	// HasEvent reports whether a move refused with this code has an event of its own, so
	// that the refusal need not be shown.
	HasEvent(code string) bool
}

// Space is the solution space of a question, as a seat drew it (RD1).
type Space struct {
	Shape        string   `json:"shape"`
	Tangents     string   `json:"tangents"`
	DriftSignals string   `json:"drift_signals"`
	Ambiguities  []string `json:"ambiguities"`
}

// SpaceOf returns the solution space for the exported JSON. It is empty if the format has no Space method, or none was
// drawn.
func SpaceOf(s *state.State) Space {
	var space Space
	if f, ok := FormatOf(s).(interface{ Space(s *state.State) Space }); ok {
		space = f.Space(s)
	}
	space.Ambiguities = Some(space.Ambiguities)
	return space
}

// Variant names the configuration of a session within its format, such as the playbook of a
// dialectic, or returns "".
func Variant(s *state.Settings) string {
	if own, ok := s.Own.(interface{ Variant() string }); ok {
		return own.Variant()
	}
	return ""
}

// FormatOf returns the Format of a session. A session that is not open yet has Claims.
func FormatOf(s *state.State) Format {
	if f, ok := s.Rules.(interface{ View() Format }); ok {
		return f.View()
	}
	return Claims{}
}

// Base implements Format for a session without claims. Formats embed it and add what they have to say.
type Base struct{}

// Outcome implements Format.
func (Base) Outcome(s *state.State) any { return Conclude(s) }

// Fill implements Format: the rows above the result, and why a session has no result.
func (Base) Fill(d *Document, s *state.State, _ []state.Ruling) {
	d.Header(s)
	d.Row("usage", UsageRow(s.Usage))
	if s.Over() && s.Inconclusive {
		d.Heading, d.Verdict = Inconclusive, []string{"It ended because: " + s.ExitReason}
	}
}

// FirstAnswers implements Format.
func (Base) FirstAnswers(*state.State) func(*state.Point) state.Bucket {
	return func(*state.Point) state.Bucket { return state.BucketNotEvaluated }
}

// Opposed implements Format: no seats challenge each other.
func (Base) Opposed(*state.State) (seats []state.Seat, withRules bool) { return nil, false }

// Warnings implements Format.
func (Base) Warnings(*state.State) []string { return nil }

// Map implements Format: there is nothing to draw.
func (Base) Map(*state.State) Map { return Map{} }

// RequestResult implements Format.
func (Base) RequestResult(*state.State, *state.Request) string { return "" }

// Point implements Format.
func (Base) Point(*state.Point) any { return nil }

// Challenge implements Format.
func (Base) Challenge(*state.State, *state.Challenge) any { return nil }

// Statements implements Format.
func (Base) Statements() Statements { return nil }

// Counts implements Format.
func (Base) Counts(*state.State) any { return nil }

// Decision implements Format.
func (Base) Decision(*state.State) string { return "" }

// Status implements Format.
func (Base) Status(*state.State, []state.Ruling) (string, Role) { return "", RolePlain }

// Why implements Format.
func (Base) Why(*state.State, *state.Ruling) []Section { return nil }

// Explain implements Format.
func (Base) Explain(*state.State, string) (d Document, ok bool) { return Document{}, false }

// Event implements Format: no event has words of its own.
func (Base) Event(_, _ *state.State, _ state.Payload) (lines []Line, ok bool) { return nil, false }

// HasEvent implements Format.
func (Base) HasEvent(string) bool { return false }
