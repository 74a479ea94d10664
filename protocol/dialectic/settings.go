package dialectic

import (
	"slices"

	"moot/playbook"
	"moot/protocol"
	"moot/state"
	"moot/view"
)

// Settings implements protocol.Format.
func (Format) Settings() protocol.Settings {
	return protocol.Settings{About: "a proposal, attacked until it may go ahead", Rules: protocol.SearchRules, Fields: slices.Concat([]view.Field{
		{
			Key: "playbook", Label: "Playbook", Kind: view.FieldSelect, Help: "What to look for, and how strict to be.",
			Choices: protocol.Choices[string](nil, playbook.Names()...),
			Other:   "a file of your own", OtherPlaceholder: "its file", OtherHelp: "Your own playbook: a TOML file.",
		},
		protocol.SeatField(state.Proposer, "Proposer", "It makes the proposal and fixes it.", view.FirstFound, ""),
		protocol.SeatField(state.PressureTester, "Pressure-tester", "It attacks the proposal.", view.SecondFound, ""),
	}, protocol.ContextFields())}
}
