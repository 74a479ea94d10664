package report

import "moot/state"

// Outcome is what a format concludes beyond its rulings. Each format has a type
// of its own; all carry the format's name as "kind".
type Outcome any

// form is how the sessions of one format are reported.
type form struct {
	// outcome is what the format concludes; the exported type of its result is
	// that of the schema.
	outcome func(*state.State) Outcome
	// first tells of a session where a point stood by the answers of round 1
	// (Baseline).
	first func(*state.State) func(*state.Point) state.Bucket
	// warnings are what a reader must know beside what all formats warn of.
	warnings func(*state.State) []string
	// measure adds to the metrics what only the format has; nil where there is none.
	measure func(*Metrics, *state.State)
	// arrange fills the outline that text and Markdown are rendered from.
	arrange func(*outline, *state.State, []state.Ruling)
}

// forms has an entry for every format. A further format adds its own.
func forms() map[state.Format]form {
	return map[state.Format]form{
		state.FormatConsult:   consultForm(),
		state.FormatDialectic: dialecticForm(),
		state.FormatPanel:     panelForm(),
		state.FormatCouncil:   councilForm(),
		state.FormatHearing:   hearingForm(),
	}
}

// formOf is the form of a session; one without a format is reported as a
// consultation.
func formOf(s *state.State) form {
	if f, ok := forms()[s.Settings.Format]; ok {
		return f
	}
	return consultForm()
}

func consultForm() form {
	return form{
		outcome:  func(s *state.State) Outcome { return Consultation{Kind: s.Settings.Format} },
		first:    firstAnswers,
		warnings: consultWarnings,
		arrange:  arrangeConsultation,
	}
}

// Consultation is the outcome of the format consult: its rulings say all.
type Consultation struct {
	Kind state.Format `json:"kind"`
}
