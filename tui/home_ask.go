package tui

import (
	"context"
	"errors"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"moot/protocol/formats"
	"moot/state"
	"moot/view"
)

// openAsking opens the form of a new question, with its draft.
func (m *Model) openAsking() tea.Cmd {
	p := m.home
	if p.draft == nil {
		p.draft = m.newQuestionForm()
	}
	m.push(p.draft)
	return m.findCandidates()
}

// findCandidates looks for who could take a seat.
func (m *Model) findCandidates() tea.Cmd {
	home := m.options.Home
	if home == nil || home.Found == nil {
		return nil
	}
	return m.outside(func() answer {
		found := home.Found(context.Background())
		return func(m *Model) tea.Cmd {
			m.home.found = &found
			if f := m.home.draft; f != nil {
				f.SetFields(questionFields(&found, state.Format(f.Values()["format"])))
			}
			return nil
		}
	})
}

// newQuestionForm is the form of a new question. It has the fields of the chosen format; what
// was entered for another format is kept.
func (m *Model) newQuestionForm() *formDialog {
	var f *formDialog
	f = newForm("A new question", questionFields(m.home.found, state.FormatConsult), func(v view.Values) perform {
		return func(m *Model) tea.Cmd { return m.askNew(f, v) }
	})
	format := state.FormatConsult
	f.changed = func() {
		if now := state.Format(f.Values()["format"]); now != format {
			format = now
			f.SetFields(questionFields(m.home.found, format))
		}
	}
	return f
}

// questionFields are the fields of a new question in a format.
func questionFields(found *Candidates, format state.Format) []view.Field {
	if found == nil {
		found = &Candidates{}
	}
	settings := formats.ByName(format).Settings()
	formatField := view.Field{
		Key: "format", Label: "Format", Kind: view.FieldSelect,
		Help: "For a proposal, the question may be @FILE: the change that it is about.",
	}
	for _, f := range state.Formats() {
		formatField.Choices = append(formatField.Choices, view.Choice{Value: string(f), Help: formats.ByName(f).Settings().About})
	}
	fields := []view.Field{{
		Key: "question", Label: "Question", Kind: view.FieldText, Required: !settings.OptionalQuestion,
		Placeholder: "what to argue about", Help: "One question to argue about.",
	}, formatField}
	for _, f := range settings.Fields {
		switch {
		case f.Kind == view.FieldParticipant:
			f = found.seatField(f, settings.Rules)
		case f.Key == "workspace":
			f.Default = found.Workspace
		case len(found.Choices[f.Key]) > 0:
			f.Choices = found.Choices[f.Key]
		}
		fields = append(fields, f)
	}
	return append(fields, view.Field{Key: "run", Label: "Runs", Kind: view.FieldSelect, Choices: []view.Choice{
		{Value: "auto", Help: "without stopping"}, {Value: "step", Help: "waits for you before each turn"},
	}})
}

// seatField fills in who can take a seat: first who the configuration names. rules says what
// rules do there.
func (c *Candidates) seatField(f view.Field, rules string) view.Field {
	first, second := c.Consultee, c.Orchestrator
	if first == "" {
		first = "rules"
	}
	if second == "" {
		second = "rules"
	}
	if f.None.Label != "" {
		f.Choices = []view.Choice{f.None}
	}
	third := ""
	for _, one := range slices.Concat(c.Named, c.Found) {
		if one.Usable {
			f.Choices = append(f.Choices, view.Choice{Value: one.Name, Help: one.Title + ": " + one.Why})
			if third == "" && one.Name != first && one.Name != second && !slices.Contains(c.Named, one) {
				third = one.Name
			}
		}
	}
	f.Choices = append(f.Choices, view.Choice{Value: "rules", Help: rules}, view.Choice{Value: "me", Help: "you, at this screen"})
	f.Default = map[string]string{view.FirstFound: first, view.SecondFound: second, view.ThirdFound: third}[f.Default]
	configured, ok := c.Seats[f.Key]
	named := slices.ContainsFunc(slices.Collect(maps.Keys(c.Seats)), isPanelist)
	if named && isPanelist(f.Key) && f.None.Label != "" {
		// A configuration that names one panelist names them all.
		f.Default, ok = configured, ok && configured != ""
	}
	if ok && configured != "" {
		f.Default = configured
		if !slices.ContainsFunc(f.Choices, func(o view.Choice) bool { return o.Value == configured }) {
			f.Choices = append(f.Choices, view.Choice{Value: configured, Help: "from the configuration"})
		}
	}
	return f
}

func isPanelist(seat string) bool { return state.Seat(seat).IsPanelist() }

// askNew opens a session on what was filled in. The form stays until the session is open; an
// error shows at its field.
func (m *Model) askNew(f *formDialog, v view.Values) tea.Cmd {
	m.push(f)
	f.Busy = "opening the session"
	home := m.options.Home
	q := Question{Text: v["question"], Format: state.Format(v["format"]), Step: v["run"] == "step", Settings: v}
	return m.outside(func() answer {
		o, err := home.New(context.Background(), q)
		return func(m *Model) tea.Cmd {
			f.Busy = ""
			if err == nil {
				m.home.draft = nil
				m.sit(o)
				return nil
			}
			if m.dialog() != f {
				m.say(err.Error(), true)
			}
			wrong, ok := errors.AsType[*view.FieldError](err)
			if !ok {
				wrong = &view.FieldError{Key: "question", Err: err}
			}
			f.SetError(wrong.Key, err.Error())
			return nil
		}
	})
}
