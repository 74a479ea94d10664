package hearing

import (
	"fmt"
	"strconv"
	"strings"

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
	oracle := protocol.SeatField(state.Oracle, "Oracle",
		"brings the strongest argument against the more confident side",
		"", "nobody")
	oracle.Hidden = func(v view.Values) bool { return v["form"] == string(state.FormSingle) }
	gate := view.Field{
		Key: "gate", Label: "Gate", Kind: view.FieldSelect, Help: "What makes the hearing continue.",
		Choices: protocol.Choices(map[state.Gate]string{
			state.GateEscalation:     "a verdict in the middle",
			state.GateMiscalibration: "a verdict that looks more certain than its facts",
			state.GateEither:         "a verdict in the middle, or one that looks too certain",
		}, state.GateEither, state.GateEscalation, state.GateMiscalibration),
	}
	then := view.Field{
		Key: "then", Label: "Then", Kind: view.FieldSelect, Help: "The form that follows if the gate opens.",
		Choices: protocol.Choices(forms, state.FormMulti, state.FormAnchored, state.FormAudit),
	}
	const noFiles = "a hearing reads no files and runs no commands: both sides argue only from its packet; leave it out"
	return protocol.Settings{
		ClosedWorld: true,
		About:       "a yes-or-no question, argued only from the facts of a packet", OptionalQuestion: true,
		Rules: "no language model: applies the rules of the domain to the facts", Open: open,
		Refused: map[string]string{
			"context": "both sides of a hearing read only its packet; moot packet make turns texts into one",
			"fact": "the facts of a hearing are those of its packet, and no claim can cite another one: add it to " +
				"the packet " +
				"(moot packet make), or record it during the hearing with F",
			"workspace": noFiles, "official": noFiles, "allow-path": noFiles, "allow-command": noFiles,
		},
		Fields: []view.Field{
			{
				Key: "closed-world", Label: "Packet", Required: true, Placeholder: "packet.json",
				Help: "The facts that both sides argue from: a JSON file. moot packet make makes one.",
				Flag: "the packet of facts that both sides argue from: a JSON file (moot packet makes one)",
			},
			{
				Key: "domain", Label: "Domain", Kind: view.FieldSelect, Choices: protocol.Choices[string](nil,
					domain.BuiltInName),
				Help: "What kind of question it is. Its own question is asked if you ask none.",
				Flag: "the kind of question: security, or a TOML file of your own", Other: "a file of your own",
				OtherPlaceholder: "its file", OtherHelp: "Your own domain: a TOML file.",
			},
			protocol.SeatField(state.Architect, "Architect", "argues for yes", view.FirstFound, ""),
			protocol.SeatField(state.Skeptic, "Skeptic", "argues for no", view.SecondFound, ""),
			{
				Key: "form", Label: "Form", Kind: view.FieldSelect, Help: "The order of the turns.",
				Choices: protocol.Choices(forms, state.FormMulti, state.FormSingle, state.FormAnchored, state.FormAudit,
					state.FormSelective),
			},
			oracle,
			protocol.OnlyIf(gate, "form", state.FormSelective),
			protocol.OnlyIf(then, "form", state.FormSelective),
			{
				Key: "rounds", Label: "Rounds", Default: strconv.Itoa(state.DefaultHearingRounds),
				Help: fmt.Sprintf("How often the sides argue at most, 2 to %d. It ends earlier if nothing new is "+
					"cited.",
					state.MaxHearingRounds),
				Flag:   fmt.Sprintf("2 to %d", state.MaxHearingRounds),
				Hidden: func(v view.Values) bool { return !exchanges(v["form"]) && !exchanges(v["then"]) },
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

// exchanges reports whether the sides exchange arguments in a form.
func exchanges(form string) bool {
	return form == string(state.FormMulti) || form == string(state.FormAnchored)
}

// open reads the settings of a hearing, and its packet.
func open(v view.Values, files protocol.Files, s *state.Settings) (opening protocol.Opening, err error) {
	h := &state.HearingSettings{
		Form: state.Form(v["form"]), Judge: state.JudgeVersion(v["judge"]), Gate: state.Gate(v["gate"]),
		Then: state.Form(v["then"]), Rounds: state.DefaultHearingRounds, Oracle: v[string(state.Oracle)] != "",
	}
	s.Hearing = h
	if v["rounds"] != "" && !exchanges(v["form"]) && !exchanges(v["then"]) {
		return opening, protocol.WrongValue("rounds",
			"--rounds is for --form multi and anchored, whose sides exchange "+"arguments; the form is %s", h.Form)
	}
	if err := protocol.ReadNumber(v, "rounds", 2, state.MaxHearingRounds, &h.Rounds); err != nil {
		return opening, err
	}
	if h.Domain, err = ReadDomain(v["domain"], files.Read); err != nil {
		return opening, &view.FieldError{Key: "domain", Err: err}
	}
	if h.Oracle && h.Form == state.FormSingle {
		return opening, protocol.WrongValue(string(state.Oracle),
			"--oracle: both sides answer the oracle after round 1, "+
				"and --form single has no other round: use multi, anchored, audit or selective")
	}
	if v["closed-world"] == "" {
		return opening, protocol.WrongValue("closed-world", "--format hearing needs a packet of facts: name it with "+
			"--closed-world PACKET.json; moot packet make makes one")
	}
	packet, err := files.Packet(v["closed-world"])
	if err != nil {
		return opening, &view.FieldError{Key: "closed-world", Err: err}
	}
	return protocol.Opening{Question: h.Domain.Question, Events: state.PacketEvents(packet)}, nil
}

// ReadDomain returns the built-in domain of that name, or reads a TOML file.
func ReadDomain(name string, read func(name string, limit int64) ([]byte, error)) (state.Domain, error) {
	if !strings.HasSuffix(name, ".toml") {
		return domain.BuiltIn(name)
	}
	data, err := read(name, domain.MaxBytes+1)
	if err != nil {
		return state.Domain{}, err
	}
	return domain.Read(data, name)
}
