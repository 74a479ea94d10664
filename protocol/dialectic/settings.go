package dialectic

import (
	"slices"
	"strings"

	"moot/protocol"
	"moot/protocol/dialectic/playbook"
	"moot/state"
	"moot/view"
)

// Settings implements protocol.Format.
func (Format) Settings() protocol.Settings {
	return protocol.Settings{
		About: "a proposal, attacked until it may go ahead", Rules: protocol.SearchRules,
		NoRules: map[state.Seat]string{Proposer: "they write no proposals"}, QuestionFile: true, Open: open,
		Fields: slices.Concat([]view.Field{
			{
				Key: "playbook", Label: "Playbook", Kind: view.FieldSelect, Required: true,
				Help:    "What to look for, and how strict to be.",
				Choices: protocol.Choices[string](nil, playbook.Names()...),
				Other:   "a file of your own", OtherPlaceholder: "its file",
				OtherHelp: "Your own playbook: a TOML file.",
			},
			protocol.SeatField(Proposer, "Proposer", "makes the proposal and fixes it", view.FirstFound, ""),
			protocol.SeatField(PressureTester, "Pressure-tester", "attacks the proposal", view.SecondFound, ""),
		}, protocol.ContextFields()),
	}
}

// open records the playbook with the session.
func open(v view.Values, files protocol.Files, s *state.Settings) (none protocol.Opening, err error) {
	name := v["playbook"]
	if name == "" {
		return none, protocol.WrongValue("playbook", "--format dialectic needs --playbook: a TOML file, or one of %s",
			strings.Join(playbook.Names(), ", "))
	}
	book, err := playbook.Open(name, files.Read, files.Redact)
	if err != nil {
		return none, &view.FieldError{Key: "playbook", Err: err}
	}
	s.Own = &Settings{Playbook: book}
	return none, nil
}
