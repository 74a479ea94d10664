package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/protocol"
	"moot/state"
)

// askOptions are what moot ask was told.
type askOptions struct {
	asking
	console *Console
	front   frontOptions
}

// frontOptions say how a session is shown and how its result is written.
type frontOptions struct {
	step, auto, headless, plain bool
	// record is the file of the recording, "" for none.
	record   string
	output   string
	required requireOptions
	looks    lookOptions
}

// budgetOptions are the caps of a session; 0 is none.
type budgetOptions struct {
	maxTokens int
	maxCost   float64
	timeout   time.Duration
}

func newAsk(c *Console) *cobra.Command {
	o := &askOptions{console: c, asking: asking{typed: true}}
	cmd := &cobra.Command{
		Use:   "ask [flags] QUESTION",
		Short: "Open a session on a question",
		Long: "Open a session on a question: in the terminal with a screen, else headless.\n" +
			"The question is the text, @FILE for a file, or - for standard input.\n" +
			"Participants are named rules, me, script:FILE, exec:PATH, codex, claude, gemini-cli, opencode,\n" +
			"PRESET:MODEL or http://host:port/v1#MODEL, or have a name in your configuration, which also says\n" +
			"who sits where nobody is named.",
		Example: "  moot ask \"Should the job queue move from lists to streams?\"\n" +
			"  moot ask --headless --orchestrator rules --consultee rules \"Where are retries limited?\"\n" +
			"  moot ask --consultee openai:gpt-5.2 --orchestrator ollama:qwen3 --fact \"writes are idempotent\" @question.md\n" +
			"  moot ask --framing compare --option \"keep lists\" --option streams \"Which queue?\"\n" +
			"  moot ask --format dialectic --playbook code-review --proposer openai:gpt-5.2 --pressure-tester ollama:qwen3 @change.md\n" +
			"  moot ask --format panel --then consult --panelist openai:gpt-5.2 --panelist ollama:qwen3 --panelist codex \"Is this queue safe to retry?\"",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && o.hearing.packet != "" {
				// A packet is asked the question of its domain.
				return nil
			}
			if len(args) == 0 && o.format == string(state.FormatHearing) {
				return in(fieldClosedWorld, o.hearing.missing())
			}
			return oneArgument("question", `moot ask "Is the cache safe under load?"`)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.question = args[0]
			}
			return o.run(cmd.Context())
		},
	}
	o.flags(cmd)
	return cmd
}

func (o *askOptions) flags(cmd *cobra.Command) {
	group(cmd, "The question", func(f *pflag.FlagSet) {
		f.StringVar(&o.format, "format", string(state.FormatConsult), "who speaks when, and with which moves: "+formatNames())
	})
	o.given.flags(cmd)
	o.seats.flags(cmd)
	for _, row := range formatRows() {
		group(cmd, "What --format "+string(row.format)+" takes", func(f *pflag.FlagSet) { row.flags(&o.asking, f) })
	}
	o.workspace.flags(cmd)
	o.commands.flags(cmd)
	o.front.flags(cmd)
	group(cmd, "How it runs", func(f *pflag.FlagSet) {
		f.StringVar(&o.metricWeights, "metric-weights", "", "how much each summary counts in the metric overall, as in\nprocess_rigor=0.4,consensus_strength=0.6 (default: all the same)")
	})
	o.budget.flags(cmd, &o.promptBudget)
	o.calls.flags(cmd)
	o.flagged = cmd.Flags()
}

func (o *frontOptions) flags(cmd *cobra.Command) {
	group(cmd, "How it runs", func(f *pflag.FlagSet) {
		f.BoolVar(&o.step, "step", false, "wait before each turn")
		f.BoolVar(&o.auto, "auto", false, "go on by itself from the start")
		f.BoolVar(&o.headless, "headless", false, "no screen and no questions: run to the end")
		f.BoolVar(&o.plain, "plain", false, "no screen: labelled lines and numbered choices (also ACCESSIBLE=1)")
		f.StringVar(&o.output, "output", "text", "the form of the result: text, markdown, json")
		f.StringVar(&o.record, "record", "", "write what goes over the wire to this new FILE, without keys: for script:FILE and\nfor reports of defects")
		o.required.flags(f)
	})
	o.looks.flags(cmd)
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

func (o *askOptions) run(ctx context.Context) error {
	if err := o.front.check(o.console); err != nil {
		return err
	}
	s, err := o.sitDown(ctx, o.console, o.front, func(note string) { o.console.Say("%s", note) })
	if err != nil {
		return err
	}
	defer s.close()
	return s.run(ctx)
}

// check refuses flags that exclude one another, and forms that do not exist.
func (o *frontOptions) check(c *Console) error {
	if _, err := enum.Parse("form of output", o.output, outputs()); err != nil {
		return usage("--output: %w", err)
	}
	if err := o.required.check(); err != nil {
		return err
	}
	if err := o.checkRecord(c); err != nil {
		return err
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
	return o.looks.settle(c, !o.headless && !o.plain)
}

func (o *budgetOptions) check() error {
	for _, limit := range []struct {
		field    field
		negative bool
	}{{fieldMaxTokens, o.maxTokens < 0}, {fieldMaxCost, o.maxCost < 0}, {fieldTimeout, o.timeout < 0}} {
		if limit.negative {
			return in(limit.field, usage("a cap is a positive number; leave the flag out for no cap"))
		}
	}
	return nil
}
