package report

import (
	"moot/resolver"
	"moot/state"
)

func councilForm() form {
	return form{
		outcome:  func(s *state.State) Outcome { return validated(s) },
		first:    firstAnswers,
		warnings: consultWarnings,
		arrange:  arrangeConsultation,
	}
}

// Validated is the outcome of the format council: how each claim stands against
// CV1 to CV4, and what was found of the constitution and of agreement.
type Validated struct {
	Kind state.Format `json:"kind"`
	// Claims are those that were neither merged nor revised, in order.
	Claims []resolver.Validation `json:"claims"`
	// Tests are the tests for consensus, one for each round.
	Tests []state.Consensus `json:"consensus"`
	// Syntheses are what the moderator said.
	Syntheses []state.Synthesis `json:"syntheses"`
	// Violations are those of the constitution, mended or not.
	Violations []state.Breach `json:"violations"`
}

func (Validated) outcomeOf() state.Format { return state.FormatCouncil }

func validated(s *state.State) Validated {
	v := Validated{
		Kind: s.Settings.Format, Claims: []resolver.Validation{}, Tests: append([]state.Consensus{}, s.Council.Tested...),
		Syntheses: append([]state.Synthesis{}, s.Council.Syntheses...), Violations: append([]state.Breach{}, s.Council.Breaches...),
	}
	for _, p := range s.Points.All() {
		if p.MergedInto == "" && p.RevisedBy == "" {
			v.Claims = append(v.Claims, resolver.Validate(s, p))
		}
	}
	return v
}
