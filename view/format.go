package view

import "moot/state"

// Format says what one format adds to the document: what it concludes, its rows and
// sections, its warnings, and the words for its own events.
type Format interface {
	// Outcome says what the format concludes beyond its rulings, for the exported JSON.
	// All outcomes carry the format's name as "kind".
	Outcome(s *state.State) any
	// FirstAnswers returns the bucket that a point had by the first answers alone (ST5).
	FirstAnswers(s *state.State) func(*state.Point) state.Bucket
	// Opposed returns the seats of which the first two are meant to challenge each
	// other; the rest belong to them. It is nil if every seat has a vote of its own.
	// withRules says that built-in rules in these seats are worth a warning too.
	Opposed() (seats []state.Seat, withRules bool)
	// Warnings say what a reader must know beside the rulings.
	Warnings(s *state.State) []string
	// Fill adds rows, the verdict and sections to the result.
	Fill(d *Document, s *state.State, rulings []state.Ruling)
	// Remarks say what is remarkable about the metrics.
	Remarks(m *state.Metrics) []string
	// Event puts an event into the format's own words. If ok is false, the words that all
	// formats share apply.
	Event(before, after *state.State, data state.Payload) (lines []Line, ok bool)
	// HasEvent reports whether a move refused with this code has an event of its own, so
	// that the refusal need not be shown.
	HasEvent(code string) bool
}

// formats has an entry for every format.
func formats() map[state.Format]Format {
	return map[state.Format]Format{
		state.FormatConsult:   consult{},
		state.FormatDialectic: dialecticFormat{},
		state.FormatPanel:     panel{},
		state.FormatCouncil:   council{},
		state.FormatHearing:   hearingFormat{},
	}
}

// FormatOf returns the format of a session: the words of the format that it was opened with,
// else the built-in ones of that name. A session that was not opened yet is shown as a
// consultation.
func FormatOf(s *state.State) Format {
	if f, ok := s.Rules.(interface{ View() Format }); ok {
		return f.View()
	}
	if f, ok := formats()[s.Settings.Format]; ok {
		return f
	}
	return consult{}
}

// Claims words debates over claims.
func Claims() Format { return consult{} }

// Proposals words proposals under review.
func Proposals() Format { return dialecticFormat{} }

// Panels words panels.
func Panels() Format { return panel{} }

// Councils words councils.
func Councils() Format { return council{} }

// Hearings words hearings.
func Hearings() Format { return hearingFormat{} }
