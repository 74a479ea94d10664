package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent/endpoint"
	"moot/enum"
	"moot/protocol"
	"moot/state"
)

// askOptions are what moot ask was told.
type askOptions struct {
	console *Console
	// question is as typed: the text, @FILE, or - for standard input.
	question string

	format, framing, mode string
	highStakes            bool
	seats                 seatOptions
	workspace             workspaceOptions
	given                 givenOptions
	front                 frontOptions
	budget                budgetOptions
	promptBudget          int
	limits                endpoint.Limits
}

// frontOptions say how a session is shown and how its result is written.
type frontOptions struct {
	step, auto, headless, plain bool
	output                      string
}

// budgetOptions are the caps of a session; 0 is none.
type budgetOptions struct {
	maxTokens int
	maxCost   float64
	timeout   time.Duration
}

func newAsk(c *Console) *cobra.Command {
	o := &askOptions{console: c}
	cmd := &cobra.Command{
		Use:   "ask [flags] QUESTION",
		Short: "Open a session on a question",
		Long: "Open a session on a question: in the terminal with a screen, else headless.\n" +
			"The question is the text, @FILE for a file, or - for standard input.\n" +
			"Participants are named rules, me, script:FILE, PRESET:MODEL or http://host:port/v1#MODEL.",
		Example: "  moot ask \"Should the job queue move from lists to streams?\"\n" +
			"  moot ask --headless --orchestrator rules --consultee rules \"Where are retries limited?\"\n" +
			"  moot ask --consultee openai:gpt-5.2 --orchestrator ollama:qwen3 --fact \"writes are idempotent\" @question.md\n" +
			"  moot ask --framing compare --option \"keep lists\" --option streams \"Which queue?\"",
		Args: oneArgument("question", `moot ask "Is the cache safe under load?"`),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.question = args[0]
			return o.run(cmd.Context())
		},
	}
	o.flags(cmd)
	return cmd
}

func (o *askOptions) flags(cmd *cobra.Command) {
	group(cmd, "The question", func(f *pflag.FlagSet) {
		f.StringVar(&o.format, "format", string(state.FormatConsult), "who speaks when, and with which moves: consult")
		f.StringVar(&o.framing, "framing", string(state.FramingPropose), "how a consultation opens: propose, critique, steelman, complete, compare,\nverify, position, synthesize, redteam, parallel")
		f.StringVar(&o.mode, "mode", string(state.ModeStandard), "how much of the protocol runs: standard, minimal, quick")
		f.BoolVar(&o.highStakes, "high-stakes", false, "a stress test, and the look of the arbiter where one is named, whatever the seats agree on")
	})
	o.given.flags(cmd)
	o.seats.flags(cmd)
	o.workspace.flags(cmd)
	o.front.flags(cmd)
	o.budget.flags(cmd, &o.promptBudget)
	limitFlags(cmd, &o.limits)
}

func (o *frontOptions) flags(cmd *cobra.Command) {
	group(cmd, "How it runs", func(f *pflag.FlagSet) {
		f.BoolVar(&o.step, "step", false, "wait before each turn")
		f.BoolVar(&o.auto, "auto", false, "go on by itself from the start")
		f.BoolVar(&o.headless, "headless", false, "no screen and no questions: run to the end")
		f.BoolVar(&o.plain, "plain", false, "no screen: labelled lines and numbered choices (also ACCESSIBLE=1)")
		f.StringVar(&o.output, "output", "text", "the form of the result: text, markdown, json")
	})
}

func (o *budgetOptions) flags(cmd *cobra.Command, promptBudget *int) {
	group(cmd, "Budget (a cap that is reached pauses the session)", func(f *pflag.FlagSet) {
		f.IntVar(&o.maxTokens, "max-tokens", 0, "cap on prompt and completion tokens")
		f.Float64Var(&o.maxCost, "max-cost", 0, "cap on the cost in US dollars")
		f.DurationVar(&o.timeout, "timeout", 0, "cap on the running time, as in 10m")
		if promptBudget != nil {
			f.IntVar(promptBudget, "prompt-budget", 0, fmt.Sprintf("size of a prompt in tokens, taken as bytes/4 (default %d)", protocol.DefaultPromptBudget))
		}
	})
}

// limitFlags are the limits on a model endpoint.
func limitFlags(cmd *cobra.Command, l *endpoint.Limits) {
	d := endpoint.DefaultLimits()
	group(cmd, "Limits on a call to a model endpoint", func(f *pflag.FlagSet) {
		f.IntVar(&l.Attempts, "attempts", d.Attempts, "how often a call is tried in all")
		f.DurationVar(&l.BaseWait, "base-wait", d.BaseWait, "the first wait between attempts, doubled each time")
		f.DurationVar(&l.MaxWait, "max-wait", d.MaxWait, "the longest wait of our own choosing")
		f.DurationVar(&l.MaxRetryAfter, "max-retry-after", d.MaxRetryAfter, "the longest wait that a server may ask for")
		f.DurationVar(&l.Connect, "connect-timeout", d.Connect, "how long a connection may take")
		f.DurationVar(&l.FirstToken, "first-token-timeout", d.FirstToken, "how long the first token may take")
		f.DurationVar(&l.Idle, "idle-timeout", d.Idle, "the longest silence after the first token")
		f.DurationVar(&l.Total, "call-timeout", d.Total, "how long a call may take with all its attempts")
		f.IntVar(&l.MaxReplyBytes, "max-reply-bytes", d.MaxReplyBytes, "the longest reply")
	})
}

func (o *askOptions) run(ctx context.Context) error {
	if err := o.front.check(o.console); err != nil {
		return err
	}
	if err := o.budget.check(); err != nil {
		return err
	}
	opening, err := o.opening()
	if err != nil {
		return err
	}
	s := &sitting{console: o.console, front: o.front, limits: o.limits}
	defer s.close()
	if err := s.open(ctx, opening); err != nil {
		return err
	}
	return s.run(ctx)
}

// check refuses flags that exclude one another, and forms that do not exist.
func (o *frontOptions) check(c *Console) error {
	if _, err := enum.Parse("form of output", o.output, outputs()); err != nil {
		return usage("--output: %w", err)
	}
	switch {
	case o.headless && o.plain:
		return usage("--headless asks nothing and --plain does: choose one")
	case o.headless && o.step:
		return usage("--step waits for you, and --headless for nobody: choose one, or --plain --step")
	case o.step && o.auto:
		return usage("--step and --auto exclude each other")
	}
	if !o.headless && c.Getenv("ACCESSIBLE") == "1" && c.InTerminal {
		o.plain = true
	}
	if !o.plain && !c.interactive() {
		o.headless = true
		if o.step {
			return usage("--step waits for you, and there is no terminal to wait at: add --plain to answer on standard input")
		}
	}
	return nil
}

func (o *budgetOptions) check() error {
	if o.maxTokens < 0 || o.maxCost < 0 || o.timeout < 0 {
		return usage("a cap is a positive number; leave the flag out for no cap")
	}
	return nil
}

// later are the formats that are named in the documents and do not run yet.
func later() []string { return []string{"dialectic", "council", "hearing", "panel"} }

// settings reads the words of the question's flags.
func (o *askOptions) settings() (state.Settings, error) {
	s := state.Settings{
		HighStakes: o.highStakes, Attended: !o.front.headless, PromptBudget: o.promptBudget, NoRedact: o.given.noRedact,
		MaxTokens: o.budget.maxTokens, MaxCost: o.budget.maxCost,
		MaxSeconds: int((o.budget.timeout + time.Second - 1) / time.Second),
	}
	for _, format := range later() {
		if o.format == format {
			return s, usage("--format %s comes in a later release; this one runs: consult", format)
		}
	}
	if err := word("--format", o.format, &s.Format, append(state.Formats(), toFormats(later())...)); err != nil {
		return s, err
	}
	if err := word("--framing", o.framing, &s.Framing, state.Framings()); err != nil {
		return s, err
	}
	return s, word("--mode", o.mode, &s.Mode, state.Modes())
}

func toFormats(words []string) []state.Format {
	var formats []state.Format
	for _, w := range words {
		formats = append(formats, state.Format(w))
	}
	return formats
}

// word reads a word of a closed list from a flag.
func word[T ~string](flag, text string, into *T, known []T) error {
	parsed, err := enum.Parse("value", text, known)
	if err == nil {
		*into = parsed
		return nil
	}
	var unknown *enum.UnknownError
	if errors.As(err, &unknown) {
		unknown.What = flag[2:]
	}
	return usage("%w", err)
}
