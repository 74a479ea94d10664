package home

import (
	"slices"

	"moot/protocol"
	"moot/state"
	"moot/tui/form"
	"moot/tui/theme"
	"moot/view"
)

// Question describes a new session.
type Question struct {
	// Text is the question. For a proposal, @FILE names a file with it.
	Text   string
	Format state.Format
	// Step waits for the user before each turn.
	Step bool
	// Settings are the values of the format's protocol.Settings.
	Settings view.Values
	// Follows is the session that it follows up on, or "".
	Follows string
	// Earlier names the claims of earlier sessions that the user takes in.
	Earlier []string
}

// Candidate is a participant that could take a seat.
type Candidate struct {
	// Name names the participant, Title is its product name, and Why says how it was found, or why it cannot take a seat.
	// Cost says what a session costs, or is "".
	Name, Title, Why, Cost string
	// Kind is "model", "program", "script", "rules" or "you"; "" is not known.
	Kind string
	// Usable says that it can take a seat now, Local that it runs on this machine.
	Usable, Local bool
}

// Candidates are the participants for a new question.
type Candidates struct {
	// Found were found on this machine, the usable ones first.
	Found []Candidate
	// Orchestrator and Consultee are the proposal, "" for rules.
	Orchestrator, Consultee string
	// Named are the participants with a name in the configuration, Seats its participants by seat.
	Named []Candidate
	Seats map[string]string
	// Choices replace the choices of settings, by key.
	Choices map[string][]view.Choice
	// Workspace is the default folder for citations.
	Workspace string
}

// AskForm asks for a new question. Values that were entered for one format are kept while another is selected.
type AskForm struct {
	*form.Form
	formats    []protocol.Format
	format     string
	candidates *Candidates
	earlier    *state.State
}

// NewForm returns the form for a new question, or for one that follows up on an earlier session.
// Its fields follow the selected format; call Update after a key.
func NewForm(formats []protocol.Format, c *Candidates, earlier *state.State) *AskForm {
	a := &AskForm{formats: formats, format: string(formats[0].Name()), candidates: c, earlier: earlier}
	if earlier == nil {
		a.Form = form.New("A new question", a.fields())
		return a
	}
	a.format = string(earlier.Settings.Format)
	a.Form = form.New("A follow-up question", a.fields())
	a.Head = func(l *theme.Look, width int) []string {
		text := "after: " + view.Title(earlier.Question) + " Its answer, your facts and what it left open go along."
		return l.Paragraph(width, nil, l.Text.Span(text), nil, 3)
	}
	return a
}

// Follows is the ID of the earlier session, or "".
func (a *AskForm) Follows() string {
	if a.earlier == nil {
		return ""
	}
	return a.earlier.ID
}

// SetCandidates changes the participants that can be selected.
func (a *AskForm) SetCandidates(c *Candidates) {
	a.candidates = c
	a.SetFields(a.fields())
}

// Update shows the fields of the selected format.
func (a *AskForm) Update() {
	if format := a.Values()["format"]; format != a.format {
		a.format = format
		a.SetFields(a.fields())
	}
}

// Question returns the question for values of the form.
func (a *AskForm) Question(v view.Values) Question {
	return Question{
		Text: v["question"], Format: state.Format(v["format"]), Step: v["run"] == "step", Settings: v,
		Follows: a.Follows(),
	}
}

func (a *AskForm) fields() []view.Field {
	c := a.candidates
	if c == nil {
		c = &Candidates{}
	}
	if a.earlier != nil {
		of := *c
		of.Workspace, of.Seats = a.earlier.Settings.Workspace, map[string]string{}
		for _, seat := range a.earlier.Seats {
			of.Seats[string(seat.Seat)] = seat.Participant
		}
		c = &of
	}
	var settings protocol.Settings
	format := view.Field{
		Key: "format", Label: "Format", Kind: view.FieldSelect, Default: a.format,
		Help: "For a proposal, the question can be @FILE: the change to review.",
	}
	for _, f := range a.formats {
		s := f.Settings()
		format.Choices = append(format.Choices, view.Choice{Value: string(f.Name()), Help: s.About})
		if string(f.Name()) == a.format {
			settings = s
		}
	}
	question := view.Field{
		Label: "Question", Placeholder: "what to argue about",
		Help: "One question to argue about; @PATH adds a file or a folder.",
	}
	if settings.Question.Label != "" {
		question = settings.Question
	}
	question.Key, question.Kind, question.Required = "question", view.FieldText, !settings.OptionalQuestion
	fields := []view.Field{question, format}
	for _, f := range settings.Fields {
		switch {
		case f.Kind == view.FieldParticipant:
			f = c.seatField(f, &settings)
		case f.Key == "workspace":
			f.Default = c.Workspace
		case len(c.Choices[f.Key]) > 0:
			f.Choices = c.Choices[f.Key]
		}
		fields = append(fields, f)
	}
	return append(fields, view.Field{Key: "run", Label: "Runs", Kind: view.FieldSelect, Choices: []view.Choice{
		{Value: "auto", Help: "without stopping"}, {Value: "step", Help: "waits for you before each turn"},
	}})
}

// seatField fills in who can take a seat; participants named in the configuration come first.
func (c *Candidates) seatField(f view.Field, settings *protocol.Settings) view.Field {
	first, second, third := state.BuiltInRules, state.BuiltInRules, ""
	if c.Consultee != "" {
		first = c.Consultee
	}
	if c.Orchestrator != "" {
		second = c.Orchestrator
	}
	if f.None.Label != "" {
		f.Choices = []view.Choice{f.None}
	}
	for _, one := range slices.Concat(c.Named, c.Found) {
		if one.Usable {
			f.Choices = append(f.Choices, view.Choice{Value: one.Name, Help: one.Title + ": " + one.Why})
			if third == "" && one.Name != first && one.Name != second && !slices.Contains(c.Named, one) {
				third = one.Name
			}
		}
	}
	f.Choices = append(f.Choices, view.Choice{Value: state.BuiltInRules, Help: settings.Rules},
		view.Choice{Value: state.Person, Help: "you, at this screen"})
	f.Default = map[string]string{
		view.FirstFound: first, view.SecondFound: second, view.ThirdFound: third,
	}[f.Default]
	isRepeated := func(seat string) bool { return state.Seat(seat).Is(settings.Repeated) }
	if isRepeated(f.Key) && f.None.Label != "" {
		for seat := range c.Seats {
			if isRepeated(seat) {
				// A configuration that names one of them names all of them.
				f.Default = ""
			}
		}
	}
	if configured := c.Seats[f.Key]; configured != "" {
		f.Default = configured
		if !slices.ContainsFunc(f.Choices, func(o view.Choice) bool { return o.Value == configured }) {
			f.Choices = append(f.Choices, view.Choice{Value: configured, Help: "named before"})
		}
	}
	return f
}
