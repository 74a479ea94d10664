package consult

import (
	"slices"
	"strings"

	"moot/protocol"
	"moot/state"
	"moot/view"
)

// maxConsultees is the maximum number of consultees.
const maxConsultees = 9

// Settings implements protocol.Format.
func (Format) Settings() protocol.Settings {
	framing := view.Field{
		Key: "framing", Label: "Framing", Kind: view.FieldSelect, Flag: "how the consultation starts",
		Choices: protocol.Choices(map[state.Framing]string{
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
			state.FramingAudit:      "the statements of a written review are checked",
		}, state.Framings()...),
	}
	design := view.Field{
		Key: "design", Label: "Design file", Required: true,
		Help: "The file with the design, the partial solution, the reasoning or the written review.",
	}
	position := view.Field{
		Key: "position", Label: "Position", Required: true,
		Help: "The view to argue against or about.",
	}
	option := view.Field{
		Key: "option", Label: "Options", Kind: view.FieldText, Required: true, Help: "Two or more, one per line.",
		Flag: "an option to compare (two or more)",
	}
	views := view.Field{
		Key: "view", Label: "Views", Kind: view.FieldText, Required: true,
		Help: "Two or more, one per line: NAME=TEXT.",
		Flag: "a stakeholder's view, as NAME=TEXT (two or more)",
	}
	mode := view.Field{
		Key: "mode", Label: "Mode", Kind: view.FieldSelect, Flag: "how much of the protocol runs (quick saves nothing)",
		Choices: []view.Choice{
			{Value: string(state.ModeStandard), Help: "the whole protocol"},
			{Value: string(state.ModeMinimal), Help: "without stress test and arbitration"},
			{Value: string(state.ModeQuick), Help: "two rounds, no session file; no context, no facts"},
		},
	}
	return protocol.Settings{
		About: "a question, argued claim by claim", Rules: protocol.SearchRules,
		NoRules:  map[state.Seat]string{state.Arbiter: "they judge nothing"},
		Repeated: state.Consultee, Most: maxConsultees, Open: open,
		Fields: slices.Concat([]view.Field{
			framing,
			protocol.OnlyIf(design, "framing", state.FramingCritique, state.FramingComplete, state.FramingVerify,
				state.FramingRedteam, state.FramingAudit),
			protocol.OnlyIf(position, "framing", state.FramingSteelman, state.FramingPosition),
			protocol.OnlyIf(option, "framing", state.FramingCompare),
			protocol.OnlyIf(views, "framing", state.FramingSynthesize),
			protocol.SeatField(state.Orchestrator, "Orchestrator", "triages, evaluates and challenges",
				view.SecondFound, ""),
			protocol.SeatField(state.Consultee, "Consultee", "proposes and defends", view.FirstFound, ""),
			protocol.SeatField(state.Arbiter, "Arbiter", "reviews the result before it is given", "", "nobody"),
		}, protocol.ContextFields(), []view.Field{mode, {
			Key: "high-stakes", Label: "High stakes", Kind: view.FieldConfirm,
			Help: "A stress test and the arbiter's review, whatever the seats agree on.",
		}}),
	}
}

// open reads the settings of a consultation.
func open(v view.Values, files protocol.Files, s *state.Settings) (none protocol.Opening, err error) {
	s.Framing, s.Mode, s.HighStakes = state.Framing(v["framing"]), state.Mode(v["mode"]), v["high-stakes"] == view.Yes
	if v["design"] != "" {
		if s.Input.Design, err = files.Text(v["design"]); err != nil {
			return none, &view.FieldError{Key: "design", Err: err}
		}
		s.Input.DesignPath = v["design"]
	}
	s.Input.Position = files.Redact("--position", v["position"])
	for _, option := range v.Lines("option") {
		s.Input.Options = append(s.Input.Options, files.Redact("--option", option))
	}
	for _, line := range v.Lines("view") {
		name, text, ok := strings.Cut(line, "=")
		name, text = strings.TrimSpace(name), strings.TrimSpace(text)
		if !ok || name == "" || text == "" {
			return none, protocol.WrongValue("view",
				`--view is NAME=TEXT, as in --view "operations=no new service to run"; got %q`, line)
		}
		s.Input.Views = append(s.Input.Views, state.View{Name: name, Text: files.Redact("--view "+name, text)})
	}
	row := framingOf(s.Framing)
	flag, _, _ := strings.Cut(strings.TrimPrefix(row.needs, "--"), " ")
	question := " QUESTION"
	if s.Framing == state.FramingAudit {
		flag, question = "design", "" // the file takes the place of the question
	}
	given := map[string]bool{
		"":         true,
		"design":   strings.TrimSpace(s.Input.Design) != "",
		"position": strings.TrimSpace(s.Input.Position) != "",
		"option":   len(s.Input.Options) >= 2,
		"view":     len(s.Input.Views) >= 2,
	}
	if !given[flag] {
		return none, protocol.WrongValue(flag, "--framing %s needs %s; type: moot ask --framing %s %s%s",
			s.Framing, row.needs, s.Framing, row.needs, question)
	}
	if s.Mode == state.ModeQuick && v["fact"]+v["context"] != "" {
		return none, protocol.WrongValue("mode", "--mode quick is for questions without constraints, and --fact or "+
			"--context was given; use --mode standard")
	}
	if s.HighStakes && s.Mode != state.ModeStandard {
		return none, protocol.WrongValue("high-stakes", "--high-stakes asks for a stress test and arbitration, which "+
			"--mode %s leaves out; use --mode standard", s.Mode)
	}
	return none, nil
}
