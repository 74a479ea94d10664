package hearing

import (
	"fmt"
	"strconv"

	"moot/domain"
	"moot/protocol"
	"moot/state"
	"moot/view"
)

// Settings implements protocol.Format.
func (Format) Settings() protocol.Settings {
	forms := map[state.Form]string{
		state.FormAudit:     "each claim is put to the other side and ruled on",
		state.FormSingle:    "each side argues once",
		state.FormMulti:     "the sides exchange arguments",
		state.FormAnchored:  "the sides exchange arguments; confidence falls by facts alone",
		state.FormSelective: "continues only if a gate says so",
	}
	oracle := protocol.SeatField(state.Oracle, "Oracle", "It brings the strongest argument against the more confident side, or nobody does.", "", "nobody")
	oracle.Hidden = func(v view.Values) bool { return v["form"] == string(state.FormSingle) }
	exchanges := func(key string) func(view.Values) bool {
		return protocol.Unless(key, state.FormMulti, state.FormAnchored)
	}
	return protocol.Settings{
		About: "a yes-or-no question, argued only from the facts of a packet", OptionalQuestion: true,
		Rules: "no language model: applies the rules of the domain to the facts",
		Fields: []view.Field{
			{
				Key: "closed-world", Label: "Packet", Required: true, Placeholder: "packet.json",
				Help: "The facts that both sides argue from: a JSON file. moot packet makes one.",
			},
			{
				Key: "domain", Label: "Domain", Kind: view.FieldSelect, Choices: protocol.Choices[string](nil, domain.BuiltInName),
				Help:  "What kind of question it is. Its own question is asked if you ask none.",
				Other: "a file of your own", OtherPlaceholder: "its file", OtherHelp: "Your own domain: a TOML file.",
			},
			protocol.SeatField(state.Architect, "Architect", "It argues for yes.", view.FirstFound, ""),
			protocol.SeatField(state.Skeptic, "Skeptic", "It argues for no.", view.SecondFound, ""),
			{
				Key: "form", Label: "Form", Kind: view.FieldSelect, Help: "The order of the turns.",
				Choices: protocol.Choices(forms, state.FormMulti, state.FormSingle, state.FormAnchored, state.FormAudit, state.FormSelective),
			},
			oracle,
			{
				Key: "gate", Label: "Gate", Kind: view.FieldSelect, Help: "What makes the hearing continue.",
				Hidden: protocol.Unless("form", state.FormSelective),
				Choices: protocol.Choices(map[state.Gate]string{
					state.GateEscalation:     "a verdict in the middle",
					state.GateMiscalibration: "a verdict that looks more certain than its facts",
					state.GateEither:         "a verdict in the middle, or one that looks too certain",
				}, state.GateEither, state.GateEscalation, state.GateMiscalibration),
			},
			{
				Key: "then", Label: "Then", Kind: view.FieldSelect, Help: "The form that follows if the gate opens.",
				Hidden: protocol.Unless("form", state.FormSelective), Choices: protocol.Choices(forms, state.FormMulti, state.FormAnchored, state.FormAudit),
			},
			{
				Key: "rounds", Label: "Rounds", Default: strconv.Itoa(state.DefaultHearingRounds),
				Help: fmt.Sprintf("How often the sides argue at most, 2 to %d. It ends earlier if nothing new is cited.",
					state.MaxHearingRounds),
				Hidden: func(v view.Values) bool { return exchanges("form")(v) && exchanges("then")(v) },
			},
			{
				Key: "judge", Label: "Judge", Kind: view.FieldSelect, Help: "The arithmetic that decides.",
				Choices: protocol.Choices(map[state.JudgeVersion]string{
					state.JudgeV1:        "one side certain, the other not",
					state.JudgeV1Facts:   "as v1, then the side that cites more than twice the facts",
					state.JudgeV2:        "one side very certain, or ahead",
					state.JudgeV2Bounded: "one side very certain and the other not, or ahead",
				}, state.JudgeV2, state.JudgeV2Bounded, state.JudgeV1, state.JudgeV1Facts),
			},
		},
	}
}
