package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"moot/state"
)

// otherName is the option behind which a participant's name is typed.
const otherName = "another…"

// openAsking opens the form of a new question, with what was typed into it
// before.
func (m *Model) openAsking() tea.Cmd {
	p := m.home
	if p.draft == nil {
		p.draft = newQuestionFields(p.found)
	}
	m.push(p.draft)
	return m.findCandidates()
}

// findCandidates looks outside for who could take a seat, and for the playbooks.
func (m *Model) findCandidates() tea.Cmd {
	home := m.options.Home
	if home == nil || home.Found == nil {
		return nil
	}
	return tea.Batch(m.findPlaybooks(), m.outside(func() answer {
		found := home.Found(context.Background())
		return func(m *Model) tea.Cmd {
			m.home.found = &found
			if m.home.draft != nil {
				m.home.draft.offer(&found)
			}
			return nil
		}
	}))
}

// newQuestionFields is the form of a new question. The fields of a format that is
// not chosen are hidden, and keep what is in them.
func newQuestionFields(found *Candidates) *fieldForm {
	heard := func(v map[string]string) bool { return state.Format(v["format"]) == state.FormatHearing }
	fields := []*field{
		{
			name: "question", label: "Question", kind: fieldText, required: true, placeholder: "what is to be argued", help: "What is to be argued; one question.",
			unless: heard,
		},
		{name: "format", label: "Format", kind: fieldChoice, options: formatChoices(), help: "For a proposal the question may be @FILE: the change that it is about."},
	}
	fields = append(fields, inFormat(state.FormatConsult, framingFields()...)...)
	fields = append(fields, inFormat(state.FormatDialectic, pressFields()...)...)
	fields = append(fields, inFormat(state.FormatPanel, panelFields()...)...)
	fields = append(fields, inFormat(state.FormatCouncil, councilFields()...)...)
	fields = append(fields, inFormat(state.FormatHearing, hearingFields()...)...)
	fields = append(
		fields,
		&field{name: "context", label: "Context files", kind: fieldText, placeholder: "none", help: "Text files for the participants, one a line.", hidden: heard},
		&field{name: "fact", label: "Facts", kind: fieldText, placeholder: "none", help: "Facts and constraints that bind all, one a line.", hidden: heard},
		&field{name: "workspace", label: "Workspace", placeholder: "none: citations are refused", help: "The folder that citations refer to; empty for none.", hidden: heard},
	)
	fields = append(fields, inFormat(state.FormatConsult, modeFields()...)...)
	fields = append(fields, &field{name: "run", label: "Runs", kind: fieldChoice, options: []choice{
		{value: "auto", help: "goes on by itself"}, {value: "step", help: "waits for you before each turn"},
	}})
	f := newFieldForm("A new question", fields, nil)
	f.sends = func(values map[string]string) perform {
		return func(m *Model) tea.Cmd { return m.askNew(f, values) }
	}
	f.offer(found)
	f.offerPlaybooks(nil)
	return f
}

// framingFields are how a consultation opens, and who sits in it.
func framingFields() []*field {
	framing := func(framings ...state.Framing) func(map[string]string) bool {
		return func(v map[string]string) bool { return !slices.Contains(framings, state.Framing(v["framing"])) }
	}
	return slices.Concat([]*field{
		{name: "framing", label: "Framing", kind: fieldChoice, options: framingChoices()},
		{
			name: "design", label: "Design file", required: true, help: "The file with the design, the partial solution or the reasoning.",
			hidden: framing(state.FramingCritique, state.FramingComplete, state.FramingVerify, state.FramingRedteam),
		},
		{name: "position", label: "Position", required: true, help: "The view to argue against or about.", hidden: framing(state.FramingSteelman, state.FramingPosition)},
		{name: "option", label: "Options", kind: fieldText, required: true, help: "Two or more, one a line.", hidden: framing(state.FramingCompare)},
		{name: "view", label: "Views", kind: fieldText, required: true, help: "Two or more, one a line: NAME=TEXT.", hidden: framing(state.FramingSynthesize)},
	}, seatFields("orchestrator", "Orchestrator", "It triages, evaluates and challenges."),
		seatFields("consultee", "Consultee", "It proposes and defends."),
		seatFields("arbiter", "Arbiter", "It looks at the result before it is given."))
}

// modeFields say how much of a consultation runs.
func modeFields() []*field {
	return []*field{
		{name: "mode", label: "Mode", kind: fieldChoice, options: []choice{
			{value: string(state.ModeStandard), help: "the whole protocol"},
			{value: string(state.ModeMinimal), help: "without stress test and arbitration"},
			{value: string(state.ModeQuick), help: "two rounds, no session file; no context, no facts"},
		}},
		{name: "high-stakes", label: "High stakes", kind: fieldChoice, options: []choice{
			{value: "no"}, {value: "yes", help: "a stress test, and the arbiter's look, whatever the seats agree on"},
		}},
	}
}

// framingChoices say of each framing what it opens with.
func framingChoices() []choice {
	var list []choice
	for _, f := range state.Framings() {
		list = append(list, choice{value: string(f), help: framingMeans(f)})
	}
	return list
}

func framingMeans(f state.Framing) string {
	switch f {
	case state.FramingPropose:
		return "the consultee proposes an answer"
	case state.FramingCritique:
		return "your design is attacked"
	case state.FramingSteelman:
		return "the best case against your position"
	case state.FramingComplete:
		return "the gaps of your design are filled"
	case state.FramingCompare:
		return "your options are weighed"
	case state.FramingVerify:
		return "each step of your reasoning is checked"
	case state.FramingPosition:
		return "your position against the orchestrator's"
	case state.FramingSynthesize:
		return "the views of several people are brought together"
	case state.FramingRedteam:
		return "your design is attacked as an enemy would"
	case state.FramingParallel:
		return "both seats answer, unseen by each other"
	}
	return ""
}

// seatFields ask who takes a seat: one of a list, or a name that is typed.
func seatFields(name, label, help string) []*field {
	return []*field{
		{name: name, label: label, kind: fieldChoice, help: help},
		{
			name: name + "-other", label: "", required: true, placeholder: "its name",
			help:   "PRESET:MODEL, codex, claude, script:FILE, exec:PATH or http://host:port/v1#MODEL.",
			hidden: func(v map[string]string) bool { return v[name] != otherName },
		},
	}
}

// offer fills in who can take the seats, and the workspace. What the person chose
// or typed stays.
func (f *fieldForm) offer(found *Candidates) {
	if found == nil {
		found = &Candidates{}
	}
	var names []choice
	for _, c := range slices.Concat(found.Named, found.Found) {
		if c.Usable {
			names = append(names, choice{value: c.Name, help: c.Title + ": " + c.Why})
		}
	}
	names = append(names,
		choice{value: "rules", help: "no language model: searches and checks"}, choice{value: "me", help: "you, at this screen"},
		choice{value: otherName, help: "a participant that you name"})
	f.named("orchestrator").offer(names, when(found.Orchestrator == "", "rules", found.Orchestrator))
	f.named("consultee").offer(names, when(found.Consultee == "", "rules", found.Consultee))
	f.named("arbiter").offer(append([]choice{{label: "nobody"}}, names...), "")
	f.offerPressing(found, names)
	f.offerPanel(found, names)
	f.offerCouncil(found, names)
	f.offerHearing(found, names)
	f.seat(found.Seats)
	if w := f.named("workspace"); !w.touched {
		w.set(found.Workspace)
	}
}

// seat fills in who sits where the configuration says so. Where it names one of
// the panelists, it names them all.
func (f *fieldForm) seat(seats map[string]string) {
	begin := func(field, participant string) {
		one := f.named(field)
		if one == nil {
			return
		}
		options := one.options
		if !slices.ContainsFunc(options, func(o choice) bool { return o.value == participant }) {
			options = append(slices.Clip(options), choice{value: participant, help: "from the configuration"})
		}
		one.offer(options, participant)
	}
	panel := slices.ContainsFunc(panelists(), func(name string) bool { return seats[name] != "" })
	for i, name := range panelists() {
		if panel && (seats[name] != "" || i > 1) {
			begin(name, seats[name])
		}
	}
	for name, participant := range seats {
		if !slices.Contains(panelists(), name) {
			begin(name, participant)
		}
	}
	if comparer := seats[string(state.Orchestrator)]; comparer != "" {
		begin("comparer", comparer)
	}
}

// questionOf makes a question out of what was filled in.
func questionOf(v map[string]string) Question {
	seat := func(name string) string { return when(v[name] == otherName, v[name+"-other"], v[name]) }
	q := Question{
		Text: v["question"], Format: state.Format(v["format"]), Framing: v["framing"], Mode: v["mode"],
		Proposer: seat("proposer"), PressureTester: seat("pressure-tester"), Playbook: seat("playbook"),
		Orchestrator: seat("orchestrator"), Consultee: seat("consultee"), Arbiter: seat("arbiter"),
		Context: linesOf(v["context"]), Facts: linesOf(v["fact"]), Design: v["design"], Position: v["position"],
		Options: linesOf(v["option"]), Views: linesOf(v["view"]), Workspace: v["workspace"],
		HighStakes: v["high-stakes"] == "yes", Step: v["run"] == "step",
		Strategy: v["strategy"], Then: v["then"],
	}
	if q.Format == state.FormatCouncil {
		q.convene(v, seat)
	}
	if q.Format == state.FormatHearing {
		q.hear(v, seat)
	}
	if q.Format == state.FormatPanel {
		q.Orchestrator = seat("comparer")
		for _, name := range panelists() {
			if who := seat(name); who != "" {
				q.Panelists = append(q.Panelists, who)
			}
		}
	}
	return q
}

// askNew opens a session on what was filled in. The form stays until it is open;
// an error shows at its field.
func (m *Model) askNew(f *fieldForm, values map[string]string) tea.Cmd {
	m.push(f)
	f.busy = "opening the session"
	home := m.options.Home
	return m.outside(func() answer {
		o, err := home.New(context.Background(), questionOf(values))
		return func(m *Model) tea.Cmd {
			f.busy = ""
			if err == nil {
				m.home.draft = nil
				m.sit(o)
				return nil
			}
			if m.dialog() != f {
				m.say(err.Error(), true)
			}
			var wrong *FieldError
			if !errors.As(err, &wrong) {
				wrong = &FieldError{Field: "question", Err: err}
			}
			name := fieldOfFlag(state.Format(values["format"]), wrong.Field)
			if values[name] == otherName {
				name += "-other"
			}
			f.setError(name, err.Error())
			return nil
		}
	})
}
