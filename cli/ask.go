package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent/record"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/report"
	"moot/serve"
	"moot/state"
	"moot/view"
)

// askOptions are the flags and arguments of moot ask.
type askOptions struct {
	asking
	console *Console
	front   frontOptions
}

// frontOptions say how a session is shown, and how its result is printed.
type frontOptions struct {
	step, headless, plain, metrics bool
	// agent says that a coding agent runs the session.
	agent bool
	// dryRun prints the first prompts instead of running.
	dryRun bool
	// record is the file of the recording, or "".
	record   string
	output   report.Form
	required requirements
	looks    lookOptions
}

// asking is a question with everything that a session starts with, from the command line or from a form.
type asking struct {
	question string
	// typed is set if the question is an argument: @FILE and - are read then. In a form, only a proposal can be @FILE.
	typed bool
	// file is the file of the question if it is examined, or "".
	file string

	format string
	// follows is the session that the question follows up on, or "".
	follows string
	// values are the settings of the format by key.
	values        view.Values
	seats         seatOptions
	workspace     workspaceOptions
	commands      commandOptions
	given         givenOptions
	budget        budgetOptions
	promptBudget  int
	metricWeights map[string]string
	calls         callOptions
	defaults      *defaults
	// demo are the participants of a demo by name, or nil. A demo has no configuration.
	demo map[string]protocol.Participant
	// caller is the coding agent that asks, or nil. It takes a seat, and may name files only where moot mcp checks them.
	caller *serve.Caller
	agent  bool
	// roots are the folders that an agent's program works in.
	roots []string
	// claims are facts that the agent gives. They bind nobody.
	claims []string
	// flagged are the flags of the command line, or nil in a form.
	flagged *pflag.FlagSet
}

func newAsk(c *Console) *cobra.Command {
	o := &askOptions{console: c, asking: asking{typed: true}}
	cmd := &cobra.Command{
		Use: "ask",
		Args: func(cmd *cobra.Command, args []string) error {
			if f, err := c.format(o.format); len(args) == 0 && err == nil && f.Settings().OptionalQuestion {
				return nil
			}
			return cobra.ExactArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.question = firstOf(args)
			if o.follows != "" && !cmd.Flags().Changed("format") {
				earlier, err := read(c, o.follows)
				if err != nil {
					return err
				}
				o.format = string(earlier.state.Settings.Format)
			}
			return o.run(cmd.Context())
		},
	}
	group(cmd, "Question", func(f *pflag.FlagSet) {
		names := c.formatNames()
		f.StringVar(&o.format, "format", names[0], "the format of the session: "+strings.Join(names, ", "))
		f.StringVar(&o.follows, "follow", "", "follow up on the session with this `ID`, given its answer, "+
			"your facts and its open points")
	})
	_ = cmd.RegisterFlagCompletionFunc("follow",
		func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeSessions(cmd, nil, typed)
		})
	o.flags(cmd, c.formats()...)
	c.completeFlags(cmd)
	return cmd
}

// flags adds the flags of questions in some formats. The first is the default.
func (o *askOptions) flags(cmd *cobra.Command, formats ...protocol.Format) {
	o.format = string(formats[0].Name())
	o.given.flags(cmd)
	o.seats.flags(cmd, formats)
	o.values = view.Values{}
	settingFlags(cmd, o.values, formats)
	o.workspace.flags(cmd)
	o.commands.flags(cmd)
	o.front.flags(cmd)
	group(cmd, "Run", func(f *pflag.FlagSet) {
		f.BoolVar(&o.front.dryRun, "dry-run", false, "print the first prompts and their sizes; send and store nothing")
		f.StringToStringVar(&o.metricWeights, "metric-weights", nil,
			"the `weights` of the summaries in the metric overall, as in process_rigor=0.4,consensus_strength=0.6 "+
				"(default: equal weights)")
		f.Lookup("metric-weights").DefValue = ""
	})
	o.budget.flags(cmd, &o.promptBudget)
	o.calls.flags(cmd)
	o.flagged = cmd.Flags()
}

func (o *frontOptions) flags(cmd *cobra.Command) {
	group(cmd, "Run", func(f *pflag.FlagSet) {
		f.BoolVar(&o.step, "step", false, "wait before each turn")
		f.BoolVar(&o.headless, "headless", false, "no screen and no questions: run to the end")
		f.BoolVar(&o.plain, "plain", false, "no screen: labeled lines and numbered choices (also ACCESSIBLE=1)")
		f.StringVar(&o.record, "record", "",
			"record requests and replies in this new `FILE`, without keys, for bug reports")
		o.required.flags(f)
	})
	outputFlag(cmd, &o.output, outputs()...)
	group(cmd, "Output", func(f *pflag.FlagSet) { metricsFlag(f, &o.metrics) })
	o.looks.flags(cmd)
}

// check refuses flags that exclude one another, and chooses the front end.
func (o *frontOptions) check(c *Console) error {
	if o.record != "" {
		if _, err := os.Lstat(c.path(o.record)); err == nil {
			return in("record", usage("--record: record to %s: %w", o.record, record.ErrExists))
		}
	}
	switch {
	case o.headless && o.plain:
		return usage("--headless asks nothing and --plain does: choose one")
	case o.headless && o.step:
		return usage("--step waits for you, and --headless never waits: choose one, or use --plain --step")
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
	if o.front.dryRun {
		return s.dryRun()
	}
	return s.run(ctx)
}

// dryRun prints the first prompts of a session and their sizes.
func (s *session) dryRun() error {
	next := s.state
	for {
		turn := protocol.Of(next).Next(next)
		if len(turn.Events) == 0 {
			for _, ask := range turn.Asks {
				p := protocol.PromptFor(next, ask)
				tokens := protocol.EstimateTokens(len(p.System) + len(p.Text))
				_, err := fmt.Fprintf(s.console.Out, "# %s, to %s: about %d tokens\n\n%s\n\n%s\n", ask.Seat,
					ask.Stage, tokens, p.System, p.Text)
				if err != nil {
					return err
				}
			}
			return nil
		}
		after, _, err := state.Extend(next, s.console.Now(), turn.Events...)
		if err != nil {
			return err
		}
		next = after
	}
}

// openQuestion opens a session on a question from a form. The required seats must be named. If a value is wrong, the
// error is a *view.FieldError and nothing was made. The caller closes the session.
func openQuestion(
	ctx context.Context, c *Console, a asking, front frontOptions,
) (s *session, notes []string, err error) {
	format, err := c.format(a.format)
	if err != nil {
		return nil, nil, err
	}
	settings := format.Settings()
	first, second := settings.Required()
	for _, seat := range []state.Seat{first, second} {
		if a.seats.named[seat] == "" {
			return nil, nil, in(string(seat),
				usage("the seat %s is empty: name a participant, or rules, which needs no "+
					"model", seat))
		}
	}
	s, err = a.open(ctx, c, front, func(note string) { notes = append(notes, note) })
	return s, notes, err
}

// open checks all values and opens the session.
func (a *asking) open(ctx context.Context, c *Console, front frontOptions, note func(string)) (*session, error) {
	a.defaults = &defaults{}
	if a.demo == nil {
		var err error
		if a.defaults, err = c.validDefaults(); err != nil {
			return nil, err
		}
	}
	if err := a.applyDefaults(); err != nil {
		return nil, err
	}
	opening, err := a.opening(ctx, c, note)
	if err != nil {
		return nil, err
	}
	s := &session{
		console: c, front: front, calls: a.calls, commandTime: a.commands.timeout,
		unconfined: a.commands.unconfined,
		defaults:   a.defaults,
		caller:     a.caller, demo: a.demo, state: &state.State{},
	}
	if a.typed {
		s.begin = note
	}
	if err := s.create(ctx, opening); err != nil {
		s.close()
		return nil, err
	}
	for _, text := range s.notes {
		note(text)
	}
	if opening.settings.Mode == state.ModeQuick && !front.dryRun {
		note("note       mode quick keeps no session file: nothing is saved, and nothing can be resumed")
	}
	return s, nil
}

// applyDefaults sets the limits and caps that weren't given. A form has no budget, and uses the limits of its screen.
func (a *asking) applyDefaults() error {
	if a.flagged != nil {
		return errors.Join(setUnchanged(a.flagged, a.defaults.limits), setUnchanged(a.flagged, a.defaults.budget))
	}
	// Defining the flags resets the values.
	cmd := &cobra.Command{}
	maxCost := a.budget.maxCost
	a.budget.flags(cmd, &a.promptBudget)
	a.workspace.lookups = protocol.DefaultLookups
	err := setUnchanged(cmd.Flags(), a.defaults.budget)
	a.budget.maxCost = cmp.Or(maxCost, a.budget.maxCost)
	return err
}

// opening checks everything before a session is made.
func (a *asking) opening(ctx context.Context, c *Console, note func(string)) (*opening, error) {
	if err := a.budget.check(); err != nil {
		return nil, err
	}
	format, err := c.format(a.format)
	if err != nil {
		return nil, err
	}
	settings := format.Settings()
	s := state.Settings{
		Format: format.Name(), PromptBudget: a.promptBudget, NoRedact: a.given.noRedact, MaxTokens: a.budget.maxTokens,
		MaxCost: a.budget.maxCost, MaxSeconds: wholeSeconds(a.budget.timeout),
		Input: state.Input{Options: []string{}, Views: []state.View{}},
	}
	if s.MetricWeights, err = readMetricWeights(a.metricWeights); err != nil {
		return nil, in("metric-weights", err)
	}
	if err := a.refuseOthers(c, format, &settings); err != nil {
		return nil, err
	}
	values := maps.Clone(a.values)
	if values == nil {
		values = view.Values{}
	}
	if err := settings.Check(values); err != nil {
		return nil, asUsage(err)
	}
	if a.follows != "" {
		if err := a.follow(c, format, &s); err != nil {
			return nil, err
		}
	}
	op := &opening{rules: format}
	if op.places, err = a.table(format, &settings, values); err != nil {
		return nil, err
	}
	if err := a.locate(c, &settings, values, &s, note); err != nil {
		return nil, err
	}
	files, err := newMaterial(c, a.given.noRedact, note)
	if err != nil {
		return nil, err
	}
	files.roots = a.roots
	if op.question, err = a.text(ctx, files, &settings); err != nil {
		return nil, in("question", err)
	}
	if op.facts, err = a.given.read(ctx, files, &s, a.workspace.allow); err != nil {
		return nil, err
	}
	for i, claim := range a.claims {
		if strings.TrimSpace(claim) == "" {
			return nil, in("facts", usage("fact number %d is empty", i+1))
		}
		op.claims = append(op.claims, files.Redact("a fact", claim))
	}
	op.about = a.about(&s)
	if settings.Open != nil {
		values["context"], values["fact"] = strings.Join(a.given.context, "\n"), strings.Join(op.facts, "\n")
		opened, err := settings.Open(values, files, &s)
		if err != nil {
			return nil, asUsage(err)
		}
		op.question, op.payloads = cmp.Or(op.question, opened.Question), opened.Events
	}
	if files.redacted > 0 {
		files.say("redacted   %d passages that look like secrets; --no-redact keeps them", files.redacted)
	}
	for i := range s.Context {
		s.Context[i].Path = citablePath(c, s.Workspace, s.Context[i].Path)
	}
	switch a.file {
	case "":
	case "-":
		s.QuestionPath = "stdin" // as it is cited
	default:
		s.QuestionPath = citablePath(c, s.Workspace, a.file)
	}
	op.withheld = files.withheld
	op.allowed = a.commands.allowed
	if s.Workspace == "" && len(op.allowed) > 0 {
		return nil, in("allow-command", usage("--allow-command needs a workspace to run commands in, and "+
			"--no-workspace was given"))
	}
	if s.Nonce, err = nonce(c.Random); err != nil {
		return nil, err
	}
	op.settings = s
	return op, nil
}

// about is the start of the material that the question is about, or "".
func (a *asking) about(s *state.Settings) string {
	switch change := s.Change(); {
	case a.given.about != nil:
		return plain.Clip(a.given.about.Text, maxAbout)
	case a.given.change != nil && change != nil:
		return plain.Clip(change.Text, maxAbout)
	}
	return ""
}

// locate sets the workspace. On the command line it prints the first line, before anything that may take a while:
// reading folders, and asking servers and programs what they have.
func (a *asking) locate(
	c *Console, settings *protocol.Settings, values view.Values, s *state.Settings, note func(string),
) error {
	material := settings.ClosedWorld || len(a.given.context) > 0 || a.given.about != nil || a.given.change != nil || values["design"] != "" ||
		a.question == "-" || strings.Contains(" "+a.question, " @")
	if err := a.workspace.resolve(c, s, material); err != nil {
		return err
	}
	if settings.ClosedWorld {
		s.Lookups = 0
	}
	if !a.typed {
		return nil
	}
	if s.Workspace == "" {
		note("workspace  none: files cannot be cited, except those of --context")
		return nil
	}
	note("workspace  " + s.Workspace)
	if s.Tree != "" {
		note(fmt.Sprintf("commit     %.12s: citations and lookups read its files, not those of the folder", s.Tree))
	}
	return nil
}

// table returns the seats that were named, and on the command line the default seats too. A form shows its seats, so
// nothing is added to them. The seats become values too.
func (a *asking) table(
	format protocol.Format, settings *protocol.Settings, values view.Values,
) ([]state.SeatAssignment, error) {
	named, err := a.seats.places(format)
	if err != nil {
		return nil, err
	}
	places := named
	if a.typed {
		places = a.defaults.addSeats(named, seatNames(format))
		// A default has no effect on a seat that the settings leave out.
		places = slices.DeleteFunc(places, func(p state.SeatAssignment) bool {
			f := settings.Field(string(p.Seat))
			return placeOf(named, p.Seat) < 0 && !strings.HasPrefix(string(p.Seat), string(settings.Repeated)+"-") &&
				f != nil && f.Hidden != nil && f.Hidden(values)
		})
	}
	for _, p := range places {
		values[string(p.Seat)] = p.Participant
	}
	return places, nil
}

// text is the question. More than a line is material for the context, with its title as the question.
func (a *asking) text(ctx context.Context, m *material, settings *protocol.Settings) (question string, err error) {
	name, text := "", strings.TrimSpace(a.question)
	if text == "" && settings.OptionalQuestion {
		return "", nil
	}
	info, missing := os.Stat(m.console.path(strings.TrimPrefix(text, "@")))
	named := !a.agent && strings.HasPrefix(text, "@") &&
		(settings.QuestionFile || missing == nil && info.Mode().IsRegular())
	switch {
	case a.typed || named:
		name, text, err = readTyped(m.console, text, "the question", `moot ask "Is the cache safe under load?"`)
		if err != nil {
			return "", err
		}
	case text == "":
		return "", usage("the question is empty")
	case !utf8.ValidString(text):
		return "", usage("the question is not UTF-8 text")
	}
	switch {
	case a.given.change != nil:
	case a.given.about != nil:
		a.given.about.Text = m.fit(a.given.about.Path, a.given.about.Text)
	case settings.Refused["context"] != "":
		if len(text) > maxDocument {
			return "", usage("the question is longer than %d bytes", maxDocument)
		}
	case len(text) > maxQuestion || strings.Contains(text, "\n"):
		if name == "" && !a.agent {
			a.given.mentions(ctx, m, text)
		}
		if !isDiff(text) {
			// The material that the question consists of is under examination (RV4).
			a.file = name
		}
		a.given.about = &state.Document{
			Path: cmp.Or(name, "question"),
			Text: m.fit(cmp.Or(inputName(name), "the question"), text),
		}
		return titleOf(name, a.given.about.Text), nil
	default:
		if name != "-" {
			a.file = name
		}
		if !a.agent {
			a.given.mentions(ctx, m, text)
		}
	}
	return m.Redact("the question", text), nil
}

// follow adds the results of the session that a question follows up on: its answer, its
// open points and cited lines as material, the user's facts as facts. Its participants and its
// folder are the defaults.
func (a *asking) follow(c *Console, format protocol.Format, s *state.Settings) error {
	earlier, err := read(c, a.follows)
	if err != nil {
		return in("follow", err)
	}
	was := earlier.state
	s.Follows = earlierSession(was, earlier.rulings)
	var facts []string
	for _, f := range was.Facts.All() {
		if f.Live && f.Tag == ledger.TagUser && !slices.Contains(a.given.facts, f.Text) {
			facts = append(facts, f.Text)
		}
	}
	a.given.facts = append(facts, a.given.facts...)
	if was.Settings.Format == format.Name() && len(a.seats.named) == 0 {
		for _, seat := range was.Seats {
			a.seats.named[seat.Seat] = seat.Participant
		}
	}
	if _, err := os.Stat(was.Settings.Workspace); err == nil && a.workspace.dir == "" && a.typed {
		a.workspace.dir = was.Settings.Workspace
	}
	return nil
}

// earlierSession returns the part of a session that a follow-up gets.
func earlierSession(s *state.State, rulings []state.Ruling) *state.Earlier {
	const most, longest = 12, 600
	e := &state.Earlier{
		ID: s.ID, Question: plain.Clip(s.Question, longest), Answer: []string{}, Open: []string{},
		Cited: []string{},
	}
	add := func(list *[]string, text string) {
		if text = plain.Clip(text, longest); len(*list) < most && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	if answer := view.AnswerOf(s, rulings); answer != nil {
		for _, one := range answer.Sentences {
			about := one.Rests()
			if denied := one.Denied(); denied != "" {
				about = view.Join("; ", about, "denies "+denied)
			}
			if about == "" {
				about = string(one.Basis)
			}
			add(&e.Answer, one.Text+" ["+about+"]")
		}
	}
	for _, r := range rulings {
		if p := s.Point(r.Point); p.MergedInto == "" &&
			slices.Contains([]state.Bucket{state.BucketUnresolved, state.BucketOpen}, r.Bucket) {
			add(&e.Open, p.Text)
		}
	}
	for _, item := range s.Evidence.All() {
		if item.Proven() && item.SourceKind != ledger.UserOverride {
			add(&e.Cited, item.Reference+" "+item.Excerpt)
		}
	}
	return e
}
