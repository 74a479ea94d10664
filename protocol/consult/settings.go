package consult

import (
	"slices"

	"moot/protocol"
	"moot/state"
	"moot/view"
)

// Settings implements protocol.Format.
func (Format) Settings() protocol.Settings {
	return protocol.Settings{About: "a question, argued claim by claim", Rules: protocol.SearchRules, Fields: slices.Concat([]view.Field{
		{Key: "framing", Label: "Framing", Kind: view.FieldSelect, Choices: protocol.Choices(map[state.Framing]string{
			state.FramingPropose:    "the consultee proposes an answer",
			state.FramingCritique:   "your design is attacked",
			state.FramingSteelman:   "the best case against your position",
			state.FramingComplete:   "the gaps of your design are filled",
			state.FramingCompare:    "your options are compared",
			state.FramingVerify:     "each step of your reasoning is checked",
			state.FramingPosition:   "your position against the orchestrator's",
			state.FramingSynthesize: "the views of several people are brought together",
			state.FramingRedteam:    "your design is attacked as an enemy would",
			state.FramingParallel:   "both seats answer without seeing each other's answer",
		}, state.Framings()...)},
		{
			Key: "design", Label: "Design file", Required: true, Help: "The file with the design, the partial solution or the reasoning.",
			Hidden: protocol.Unless("framing", state.FramingCritique, state.FramingComplete, state.FramingVerify, state.FramingRedteam),
		},
		{
			Key: "position", Label: "Position", Required: true, Help: "The view to argue against or about.",
			Hidden: protocol.Unless("framing", state.FramingSteelman, state.FramingPosition),
		},
		{
			Key: "option", Label: "Options", Kind: view.FieldText, Required: true, Help: "Two or more, one per line.",
			Hidden: protocol.Unless("framing", state.FramingCompare),
		},
		{
			Key: "view", Label: "Views", Kind: view.FieldText, Required: true, Help: "Two or more, one per line: NAME=TEXT.",
			Hidden: protocol.Unless("framing", state.FramingSynthesize),
		},
		protocol.SeatField(state.Orchestrator, "Orchestrator", "It triages, evaluates and challenges.", view.SecondFound, ""),
		protocol.SeatField(state.Consultee, "Consultee", "It proposes and defends.", view.FirstFound, ""),
		protocol.SeatField(state.Arbiter, "Arbiter", "It reviews the result before it is given.", "", "nobody"),
	}, protocol.ContextFields(), []view.Field{
		{Key: "mode", Label: "Mode", Kind: view.FieldSelect, Choices: []view.Choice{
			{Value: string(state.ModeStandard), Help: "the whole protocol"},
			{Value: string(state.ModeMinimal), Help: "without stress test and arbitration"},
			{Value: string(state.ModeQuick), Help: "two rounds, no session file; no context, no facts"},
		}},
		{
			Key: "high-stakes", Label: "High stakes", Kind: view.FieldConfirm,
			Help: "A stress test and the arbiter's review, whatever the seats agree on.",
		},
	})}
}
