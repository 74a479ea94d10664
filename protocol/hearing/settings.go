package hearing

import (
	"fmt"
	"strconv"
	"strings"

	"moot/protocol"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/state"
	"moot/view"
)

// Settings implements protocol.Format.
func (Format) Settings() protocol.Settings {
	forms := map[Form]string{
		FormAudit:     "each claim is put to the other side and ruled on",
		FormSingle:    "each side argues once",
		FormMulti:     "the sides exchange arguments",
		FormAnchored:  "the sides exchange arguments; confidence falls by facts alone",
		FormSelective: "continues only if a gate says so",
	}
	oracle := protocol.SeatField(Oracle, "Oracle", "gives the strongest argument against the more confident side", "",
		"nobody")
	rounds := view.Field{
		Key: "rounds", Label: "Rounds", Default: strconv.Itoa(DefaultRounds),
		Help: fmt.Sprintf("How often the sides argue at most, 2 to %d. It ends earlier if nothing new is cited.",
			MaxRounds),
		Flag: fmt.Sprintf("2 to %d", MaxRounds),
	}
	gate := view.Field{
		Key: "gate", Label: "Gate", Kind: view.FieldSelect, Help: "What makes the hearing continue.",
		Choices: protocol.Choices(map[judge.Gate]string{
			judge.GateEscalation:     "a verdict in the middle",
			judge.GateMiscalibration: "a verdict that looks more certain than its facts",
			judge.GateEither:         "a verdict in the middle, or one that looks too certain",
		}, judge.GateEither, judge.GateEscalation, judge.GateMiscalibration),
	}
	then := view.Field{
		Key: "then", Label: "Then", Kind: view.FieldSelect, Help: "The form that follows if the gate opens.",
		Choices: protocol.Choices(forms, FormMulti, FormAnchored, FormAudit),
	}
	const noFiles = "a hearing reads no files and runs no commands: both sides argue only from its packet; leave it out"
	return protocol.Settings{
		ClosedWorld: true,
		About:       "a yes-or-no question, argued only from the facts of a packet", OptionalQuestion: true,
		Rules: "no language model: applies the rules of the domain to the facts", Open: open,
		Refused: map[string]string{
			"context": "both sides of a hearing read only its packet; moot packet make turns texts into one",
			"fact": "the facts of a hearing are those of its packet, and no claim can cite another one: add it to " +
				"the packet (moot packet make), or record it during the hearing with F",
			"workspace": noFiles, "official": noFiles, "allow-path": noFiles, "allow-command": noFiles, "allow-try": noFiles,
			"allow-host": noFiles,
		},
		Fields: []view.Field{
			{
				Key: "closed-world", Label: "Packet", Required: true, Placeholder: "packet.json or a log",
				Help: "The facts that both sides argue from: a packet of moot packet make, or a log, which becomes one.",
				Flag: "the packet of facts that both sides argue from (moot packet make), or a log, which becomes one",
			},
			{
				Key: "domain", Label: "Domain", Kind: view.FieldSelect, Choices: protocol.Choices[string](nil,
					domain.BuiltInName),
				Help: "What kind of question it is. Its own question is asked if you ask none.",
				Flag: "the kind of question: security, or a TOML file of your own", Other: "a file of your own",
				OtherPlaceholder: "its file", OtherHelp: "Your own domain: a TOML file.",
			},
			protocol.SeatField(judge.Architect, "Architect", "argues for yes", view.FirstFound, ""),
			protocol.SeatField(judge.Skeptic, "Skeptic", "argues for no", view.SecondFound, ""),
			{
				Key: "form", Label: "Form", Kind: view.FieldSelect, Help: "The order of the turns.",
				Choices: protocol.Choices(forms, FormSingle, FormMulti, FormAnchored, FormAudit,
					FormSelective),
			},
			protocol.OnlyIf(oracle, "form", FormMulti, FormAnchored, FormAudit, FormSelective),
			protocol.OnlyIf(gate, "form", FormSelective),
			protocol.OnlyIf(then, "form", FormSelective),
			protocol.OnlyIf(rounds, "form", FormMulti, FormAnchored, FormSelective),
			{
				Key: "judge", Label: "Judge", Kind: view.FieldSelect, Help: "The arithmetic that decides.",
				Choices: protocol.Choices(map[judge.Version]string{
					judge.V1:        "one side certain, the other not",
					judge.V1Facts:   "as v1, then the side that cites more than twice the facts",
					judge.V2:        "one side very certain, or ahead",
					judge.V2Bounded: "one side very certain and the other not, or ahead",
				}, judge.V2, judge.V2Bounded, judge.V1, judge.V1Facts),
			},
		},
	}
}

// open reads the settings of a hearing, and its packet.
func open(v view.Values, files protocol.Files, s *state.Settings) (opening protocol.Opening, err error) {
	h := &Settings{
		Form: Form(v["form"]), Judge: judge.Version(v["judge"]), Gate: judge.Gate(v["gate"]),
		Then: Form(v["then"]), Rounds: DefaultRounds, Oracle: v[string(Oracle)] != "",
	}
	s.Own = h
	if err := protocol.ReadNumber(v, "rounds", 2, MaxRounds, &h.Rounds); err != nil {
		return opening, err
	}
	if h.Domain, err = ReadDomain(v["domain"], files.Read); err != nil {
		return opening, &view.FieldError{Key: "domain", Err: err}
	}
	if h.Oracle && h.Form == FormSingle {
		return opening, protocol.WrongValue(string(Oracle), "--oracle: both sides answer the oracle after round 1, "+
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
func ReadDomain(name string, read func(name string, limit int64) ([]byte, error)) (domain.Domain, error) {
	if !strings.HasSuffix(name, ".toml") {
		return domain.BuiltIn(name)
	}
	data, err := read(name, domain.MaxBytes+1)
	if err != nil {
		return domain.Domain{}, err
	}
	return domain.Read(data, name)
}
