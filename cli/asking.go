package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/state"
)

// asking is a question and all that it is opened with, as the person gave it: on
// the command line or in a form.
type asking struct {
	question string
	// typed says that the question is an argument: it may be @FILE, or - for
	// standard input. Otherwise it is the text itself, or @FILE for a proposal.
	typed bool

	format, framing, mode string
	highStakes            bool
	seats                 seatOptions
	press                 dialecticOptions
	panel                 panelOptions
	council               councilOptions
	hearing               hearingOptions
	// rounds and then are as typed, "" for the usual: several formats take them.
	rounds, then string
	workspace    workspaceOptions
	commands     commandOptions
	given        givenOptions
	budget       budgetOptions
	promptBudget int
	// metricWeights are as typed, "" for the usual.
	metricWeights string
	calls         callOptions
	// holding is what the configuration says; nil is nothing.
	holding *holding
	// flagged are the flags themselves, nil where it is a form.
	flagged *pflag.FlagSet
}

// openQuestion opens a session on a question from a form, for a screen. Nothing
// is asked on the way: those who speak in each round must be named. Notes
// are what is to be said of it: what was cut, and what was redacted. A value that
// is wrong is a *fieldError, and then nothing was made. An empty format, framing or
// mode is the usual one. The caller closes the sitting.
func openQuestion(ctx context.Context, c *Console, a asking, front frontOptions) (s *sitting, notes []string, err error) {
	a.format = cmp.Or(a.format, string(state.FormatConsult))
	row := rowOf(state.Format(a.format))
	for _, name := range row.names() {
		// Nobody can be found for them on the way.
		seat := state.Seat(name)
		if needed := seat == row.first || seat == row.second; needed && a.seats.named[seat] == "" {
			return nil, nil, in(field(seat), usage("the seat %s is empty: name a participant, or rules, which is no language model", seat))
		}
	}
	a.framing = cmp.Or(a.framing, string(state.FramingPropose))
	a.mode = cmp.Or(a.mode, string(state.ModeStandard))
	s, err = a.sitDown(ctx, c, front, func(note string) { notes = append(notes, note) })
	return s, notes, err
}

// sitDown checks all values, and opens the session when they hold.
func (a *asking) sitDown(ctx context.Context, c *Console, front frontOptions, note func(string)) (*sitting, error) {
	h, err := c.mayAsk()
	if err != nil {
		return nil, err
	}
	a.holding = h
	if err := a.settle(h); err != nil {
		return nil, err
	}
	opening, err := a.opening(c, note)
	if err != nil {
		return nil, err
	}
	s := &sitting{console: c, front: front, calls: a.calls, commandTime: a.commands.timeout, holding: h}
	if err := s.open(ctx, opening); err != nil {
		s.close()
		return nil, err
	}
	for _, said := range s.notes {
		note(said)
	}
	return s, nil
}

// settle fills in what was not given and holds for good. A form asks for no budget,
// and its limits are those of its screen.
func (a *asking) settle(h *holding) error {
	flags := a.flagged
	if flags == nil {
		cmd := &cobra.Command{}
		given, prompt := a.budget, a.promptBudget
		// To define the flags sets them to their defaults.
		a.budget.flags(cmd, &a.promptBudget)
		err := fill(cmd.Flags(), h.budget)
		a.budget = budgetOptions{
			maxTokens: cmp.Or(given.maxTokens, a.budget.maxTokens), maxCost: cmp.Or(given.maxCost, a.budget.maxCost),
			timeout: cmp.Or(given.timeout, a.budget.timeout),
		}
		a.promptBudget = cmp.Or(prompt, a.promptBudget)
		return err
	}
	return errors.Join(fill(flags, h.limits), fill(flags, h.budget))
}

// opening checks all that was given before anything is made.
func (a *asking) opening(c *Console, note func(string)) (*opening, error) {
	if err := a.budget.check(); err != nil {
		return nil, err
	}
	settings, err := a.settings()
	if err != nil {
		return nil, err
	}
	op := &opening{}
	if op.question, err = a.text(c); err != nil {
		return nil, in(fieldQuestion, err)
	}
	if a.hearing.deterministic {
		if err := a.hearing.seatRules(&a.seats); err != nil {
			return nil, err
		}
	}
	if op.places, err = a.table(settings.Format); err != nil {
		return nil, err
	}
	if op.facts, err = a.given.read(c, &op.question, &settings, note); err != nil {
		return nil, err
	}
	if err := rowOf(settings.Format).read(a, c, &settings, note); err != nil {
		return nil, err
	}
	if settings.Format == state.FormatHearing {
		if op.packet, err = a.hearing.freeze(c, a.given.noRedact, note); err != nil {
			return nil, err
		}
	}
	if op.question == "" {
		op.question = settings.Hearing.Domain.Question
	}
	if err := a.workspace.settle(c, &settings); err != nil {
		return nil, err
	}
	a.citable(c, &settings)
	if op.allowed, err = a.commands.patterns(); err != nil {
		return nil, err
	}
	if settings.Workspace == "" && len(op.allowed) > 0 {
		return nil, in(fieldAllowCommand, usage("--allow-command: commands run in the workspace, and --no-workspace leaves it out"))
	}
	if settings.Nonce, err = nonce(c.Random); err != nil {
		return nil, err
	}
	op.settings = settings
	return op, nil
}

// table is who was named, and who sits where nobody was. A form shows who sits, so
// that nobody is added to it.
func (a *asking) table(format state.Format) ([]place, error) {
	named, err := a.seats.places(format)
	if err != nil || !a.typed {
		return named, err
	}
	places := a.holding.seated(named, format)
	if a.hearing.form == string(state.FormSingle) && !sits(named, state.Oracle) {
		// It has no round in which an oracle would be asked.
		places = slices.DeleteFunc(places, func(p place) bool { return p.seat == state.Oracle })
	}
	return places, nil
}

// citable names the given files as citations name files.
func (a *asking) citable(c *Console, s *state.Settings) {
	for i := range s.Context {
		s.Context[i].Path = citablePath(c, s.Workspace, s.Context[i].Path)
	}
	if name, isFile := strings.CutPrefix(a.question, "@"); a.typed && isFile {
		s.QuestionPath = citablePath(c, s.Workspace, name)
	}
}

// text is the question itself.
func (a *asking) text(c *Console) (string, error) {
	if a.format == string(state.FormatHearing) && strings.TrimSpace(a.question) == "" {
		// That of its domain is asked then.
		return "", nil
	}
	if a.typed {
		return readQuestion(c, a.question)
	}
	if text := strings.TrimSpace(a.question); a.format == string(state.FormatDialectic) && strings.HasPrefix(text, "@") {
		return readQuestion(c, text)
	}
	return checkQuestion(a.question, "the question")
}

// settings reads the words that were given.
func (a *asking) settings() (state.Settings, error) {
	s := state.Settings{
		HighStakes: a.highStakes, PromptBudget: a.promptBudget, NoRedact: a.given.noRedact,
		MaxTokens: a.budget.maxTokens, MaxCost: a.budget.maxCost,
		MaxSeconds: int((a.budget.timeout + time.Second - 1) / time.Second),
	}
	var err error
	if s.MetricWeights, err = readMetricWeights(a.metricWeights); err != nil {
		return s, in(fieldMetricWeights, err)
	}
	if err := word(fieldFormat, a.format, &s.Format, state.Formats()); err != nil {
		return s, err
	}
	return s, a.otherFormat()
}

// word reads a word of a closed list into a setting.
func word[T ~string](f field, text string, into *T, known []T) error {
	parsed, err := enum.Parse("value", text, known)
	if err == nil {
		*into = parsed
		return nil
	}
	var unknown *enum.UnknownError
	if errors.As(err, &unknown) {
		unknown.What = string(f)
	}
	return in(f, usage("%w", err))
}
