package report

import (
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// Compared is the outcome of the format panel: where the answers conflict, and
// what became of that.
type Compared struct {
	Kind state.Format `json:"kind"`
	// Review is what the strategy's resolutions come to.
	Review conflict.Review `json:"review"`
}

func (Compared) outcomeOf() state.Format { return state.FormatPanel }

func panelForm() form {
	return form{
		outcome: func(s *state.State) Outcome {
			return Compared{Kind: state.FormatPanel, Review: resolver.NewTable(s).PanelReview()}
		},
		first: firstAnswer, warnings: consultWarnings, arrange: arrangeConsultation,
	}
}
