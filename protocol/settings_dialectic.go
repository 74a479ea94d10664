package protocol

import (
	"slices"

	"moot/playbook"
	"moot/state"
	"moot/view"
)

func dialecticSettings() Settings {
	return Settings{About: "a proposal, attacked until it may go ahead", Rules: searchRules, Fields: slices.Concat([]view.Field{
		{
			Key: "playbook", Label: "Playbook", Kind: view.FieldSelect, Help: "What to look for, and how strict to be.",
			Choices: choices[string](nil, playbook.Names()...),
			Other:   "a file of your own", OtherPlaceholder: "its file", OtherHelp: "Your own playbook: a TOML file.",
		},
		seatField(state.Proposer, "Proposer", "It makes the proposal and fixes it.", view.FirstFound, ""),
		seatField(state.PressureTester, "Pressure-tester", "It attacks the proposal.", view.SecondFound, ""),
	}, contextFields())}
}
