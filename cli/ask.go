package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent/record"
	"moot/state"
)

// askOptions are the flags and arguments of moot ask.
type askOptions struct {
	asking
	console *Console
	front   frontOptions
}

// frontOptions say how a session is shown, and how its result is printed.
type frontOptions struct {
	step, auto, headless, plain bool
	// record is the file of the recording, or "".
	record   string
	output   string
	required requireOptions
	looks    lookOptions
}

// asking is a question with everything that a session starts with, from the command line or from a form.
type asking struct {
	question string
	// typed is set if the question is an argument: @FILE and - are read then. In a form, only a proposal can be @FILE.
	typed bool

	format, framing, mode string
	highStakes            bool
	seats                 seatOptions
	press                 dialecticOptions
	panel                 panelOptions
	council               councilOptions
	hearing               hearingOptions
	// rounds and then are flags of several formats; "" is the default.
	rounds, then  string
	workspace     workspaceOptions
	commands      commandOptions
	given         givenOptions
	budget        budgetOptions
	promptBudget  int
	metricWeights string
	calls         callOptions
	defaults      *defaults
	// flagged are the flags of the command line, or nil in a form.
	flagged *pflag.FlagSet
}

func newAsk(c *Console) *cobra.Command {
	o := &askOptions{console: c, asking: asking{typed: true}}
	cmd := &cobra.Command{
		Use:   "ask [flags] QUESTION",
		Short: "Start a session on a question",
		Long: "Start a session on a question: on a terminal with a screen, else headless. The question is the\n" +
			"text, @FILE for a file, or - for standard input. A participant is rules, me, script:FILE,\n" +
			"exec:PATH, codex, claude, gemini-cli, opencode, PRESET:MODEL, http://host:port/v1#MODEL, or a\n" +
			"name from your configuration, which also sets the default participants.",
		Example: "  moot ask \"Should the job queue move from lists to streams?\"\n" +
			"  moot ask --headless --orchestrator rules --consultee rules \"Where are retries limited?\"\n" +
			"  moot ask --consultee openai:gpt-5.2 --orchestrator ollama:qwen3 --fact \"writes are idempotent\" " +
			"@question.md\n" +
			"  moot ask --framing compare --option \"keep lists\" --option streams \"Which queue?\"\n" +
			"  moot ask --format dialectic --playbook code-review --proposer openai:gpt-5.2 --pressure-tester " +
			"ollama:qwen3 @change.md\n" +
			"  moot ask --format panel --then consult --panelist openai:gpt-5.2 --panelist ollama:qwen3 --panelist " +
			"codex " +
			"\"Is this queue safe to retry?\"",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && o.hearing.packet != "" {
				// The domain of the packet has a question.
				return nil
			}
			if len(args) == 0 && o.format == string(state.FormatHearing) {
				return in(fieldClosedWorld, o.hearing.missing())
			}
			return oneArgument("question", `moot ask "Is the cache safe under load?"`)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.question = firstOf(args)
			return o.run(cmd.Context())
		},
	}
	o.flags(cmd)
	c.completeFlags(cmd)
	return cmd
}

func (o *askOptions) flags(cmd *cobra.Command) {
	group(cmd, "Question", func(f *pflag.FlagSet) {
		f.StringVar(&o.format, "format", string(state.FormatConsult), "the format of the session: "+formatNames())
	})
	o.given.flags(cmd)
	o.seats.flags(cmd)
	for _, row := range formatRows() {
		group(cmd, "Flags of --format "+string(row.format), func(f *pflag.FlagSet) { row.flags(&o.asking, f) })
	}
	o.workspace.flags(cmd)
	o.commands.flags(cmd)
	o.front.flags(cmd)
	group(cmd, "Run", func(f *pflag.FlagSet) {
		f.StringVar(&o.metricWeights, "metric-weights", "",
			"the weights of the summaries in the metric overall, as in\nprocess_rigor=0.4,consensus_strength=0.6 "+
				"(default: equal weights)")
	})
	o.budget.flags(cmd, &o.promptBudget)
	o.calls.flags(cmd)
	o.flagged = cmd.Flags()
}

func (o *frontOptions) flags(cmd *cobra.Command) {
	group(cmd, "Run", func(f *pflag.FlagSet) {
		f.BoolVar(&o.step, "step", false, "wait before each turn")
		f.BoolVar(&o.auto, "auto", false, "run without waiting from the start")
		f.BoolVar(&o.headless, "headless", false, "no screen and no questions: run to the end")
		f.BoolVar(&o.plain, "plain", false, "no screen: labeled lines and numbered choices (also ACCESSIBLE=1)")
		f.StringVar(&o.record, "record", "",
			"record requests and replies in this new FILE, without keys: for script:FILE and\nfor bug reports")
		o.required.flags(f)
	})
	outputFlag(cmd, &o.output, outputs()...)
	o.looks.flags(cmd)
}

// check refuses flags that exclude one another, and chooses the front end.
func (o *frontOptions) check(c *Console) error {
	if _, err := parseOutput(o.output, outputs()...); err != nil {
		return err
	}
	if err := o.required.parse(); err != nil {
		return err
	}
	if o.record != "" {
		if _, err := os.Lstat(c.path(o.record)); err == nil {
			return in(fieldRecord, usage("--record: record to %s: %w", o.record, record.ErrExists))
		}
	}
	switch {
	case o.headless && o.plain:
		return usage("--headless asks nothing and --plain does: choose one")
	case o.headless && o.step:
		return usage("--step waits for you, and --headless never waits: choose one, or use --plain --step")
	case o.step && o.auto:
		return usage("--step and --auto exclude each other")
	}
	if !o.headless && c.Getenv("ACCESSIBLE") == "1" && c.InTerminal {
		o.plain = true
	}
	if !o.plain && !c.interactive() {
		o.headless = true
		if o.step {
			return usage("--step waits for you, but there is no terminal: add --plain to answer on standard input")
		}
	}
	return o.looks.load(c, !o.headless && !o.plain)
}

func (o *askOptions) run(ctx context.Context) error {
	if err := o.front.check(o.console); err != nil {
		return err
	}
	s, err := o.open(ctx, o.console, o.front, func(note string) { o.console.Say("%s", note) })
	if err != nil {
		return err
	}
	defer s.close()
	return s.run(ctx)
}

// openQuestion opens a session on a question from a form. The seats that speak in each round must be named; an empty
// format, framing or mode is the default. If a value is wrong, the error is a *fieldError and nothing was made. The
// caller closes the session.
func openQuestion(
	ctx context.Context, c *Console, a asking, front frontOptions,
) (s *session, notes []string, err error) {
	a.format = cmp.Or(a.format, string(state.FormatConsult))
	row := rowOf(state.Format(a.format))
	for _, name := range row.names() {
		seat := state.Seat(name)
		if required := seat == row.first || seat == row.second; required && a.seats.named[seat] == "" {
			return nil, nil, in(field(seat), usage("the seat %s is empty: name a participant, or rules, which needs "+
				"no model", seat))
		}
	}
	a.framing = cmp.Or(a.framing, string(state.FramingPropose))
	a.mode = cmp.Or(a.mode, string(state.ModeStandard))
	s, err = a.open(ctx, c, front, func(note string) { notes = append(notes, note) })
	return s, notes, err
}

// open checks all values and opens the session.
func (a *asking) open(ctx context.Context, c *Console, front frontOptions, note func(string)) (*session, error) {
	d, err := c.validDefaults()
	if err != nil {
		return nil, err
	}
	a.defaults = d
	if err := a.applyDefaults(); err != nil {
		return nil, err
	}
	opening, err := a.opening(c, note)
	if err != nil {
		return nil, err
	}
	s := &session{console: c, front: front, calls: a.calls, commandTime: a.commands.timeout, defaults: d}
	if err := s.create(ctx, opening); err != nil {
		s.close()
		return nil, err
	}
	for _, text := range s.notes {
		note(text)
	}
	return s, nil
}

// applyDefaults sets the limits and caps that weren't given. A form has no budget, and uses the limits of its screen.
func (a *asking) applyDefaults() error {
	if a.flagged != nil {
		return errors.Join(setUnchanged(a.flagged, a.defaults.limits), setUnchanged(a.flagged, a.defaults.budget))
	}
	// Defining the flags resets the values.
	cmd, budget, prompt := &cobra.Command{}, a.budget, a.promptBudget
	a.budget.flags(cmd, &a.promptBudget)
	err := setUnchanged(cmd.Flags(), a.defaults.budget)
	a.budget = budgetOptions{
		maxTokens: cmp.Or(budget.maxTokens, a.budget.maxTokens), maxCost: cmp.Or(budget.maxCost, a.budget.maxCost),
		timeout: cmp.Or(budget.timeout, a.budget.timeout),
	}
	a.promptBudget = cmp.Or(prompt, a.promptBudget)
	return err
}

// opening checks everything before a session is made.
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
	row := rowOf(settings.Format)
	if err := row.read(a, c, &settings, note); err != nil {
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
	if err := a.workspace.resolve(c, &settings); err != nil {
		return nil, err
	}
	for i := range settings.Context {
		settings.Context[i].Path = citablePath(c, settings.Workspace, settings.Context[i].Path)
	}
	if name, isFile := strings.CutPrefix(a.question, "@"); a.typed && isFile {
		settings.QuestionPath = citablePath(c, settings.Workspace, name)
	}
	if op.allowed, err = a.commands.patterns(); err != nil {
		return nil, err
	}
	if settings.Workspace == "" && len(op.allowed) > 0 {
		return nil, in(fieldAllowCommand, usage("--allow-command needs a workspace to run commands in, and "+
			"--no-workspace was given"))
	}
	if settings.Nonce, err = nonce(c.Random); err != nil {
		return nil, err
	}
	op.settings = settings
	return op, nil
}

// table returns the seats that were named, and on the command line the default seats too. A form shows its seats, so
// nothing is added to them.
func (a *asking) table(format state.Format) ([]place, error) {
	named, err := a.seats.places(format)
	if err != nil || !a.typed {
		return named, err
	}
	places := a.defaults.addSeats(named, format)
	if a.hearing.form == string(state.FormSingle) && !sits(named, state.Oracle) {
		// This form has no round for an oracle.
		places = slices.DeleteFunc(places, func(p place) bool { return p.seat == state.Oracle })
	}
	return places, nil
}

// text is the question.
func (a *asking) text(c *Console) (string, error) {
	text := strings.TrimSpace(a.question)
	if a.format == string(state.FormatHearing) && text == "" {
		// The domain of the packet has a question.
		return "", nil
	}
	switch {
	case a.typed:
		return readQuestion(c, a.question)
	case a.format == string(state.FormatDialectic) && strings.HasPrefix(text, "@"):
		return readQuestion(c, text)
	}
	return checkQuestion(a.question, "the question")
}

// settings parses the settings that all formats share.
func (a *asking) settings() (state.Settings, error) {
	s := state.Settings{
		HighStakes: a.highStakes, PromptBudget: a.promptBudget, NoRedact: a.given.noRedact,
		MaxTokens: a.budget.maxTokens, MaxCost: a.budget.maxCost, MaxSeconds: wholeSeconds(a.budget.timeout),
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
