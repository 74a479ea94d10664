package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/protocol"
	"moot/state"
	"moot/view"
)

func newAsk(c *Console) *cobra.Command {
	b := newQuestion(c)
	cmd := &cobra.Command{
		Use: "ask",
		Args: func(cmd *cobra.Command, args []string) error {
			if f, err := c.format(b.format); len(args) == 0 && err == nil && f.Settings().OptionalQuestion {
				return nil
			}
			if len(args) == 0 && b.values["framing"] == string(state.FramingAudit) {
				return usage("--framing audit needs the review; type: moot ask --framing audit FILE")
			}
			return cobra.ExactArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			b.question.text = firstOf(args)
			if b.follows != "" && !cmd.Flags().Changed("format") {
				earlier, err := read(c, b.follows)
				if err != nil {
					return err
				}
				b.format = string(earlier.state.Settings.Format)
			}
			if b.values["framing"] == string(state.FramingAudit) && b.values["design"] == "" {
				// The argument is the written review.
				b.values["design"] = b.question.text
				b.question.text = "Are the statements of this review right?"
				if name := firstOf(args); name != "-" {
					b.question.text = "Are the statements of " + name + " right?"
				}
			}
			b.earlier.offer = !b.front.headless
			return b.ask(cmd.Context())
		},
	}
	group(cmd, "Question", func(f *pflag.FlagSet) {
		names := c.formatNames()
		f.StringVar(&b.format, "format", names[0], "the format of the session: "+strings.Join(names, ", "))
		f.StringVar(&b.follows, "follow", "", "follow up on the session with this `ID`, given its answer, "+
			"your facts and its open points")
	})
	_ = cmd.RegisterFlagCompletionFunc("follow",
		func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return c.completeSessions(cmd, nil, typed)
		})
	b.flags(cmd, c.formats()...)
	b.earlier.flags(cmd)
	b.detachable(cmd)
	c.completeFlags(cmd)
	return cmd
}

// newQuestion returns a builder for a question on the command line.
func newQuestion(c *Console) *builder {
	return &builder{
		console: c, question: value{from: fromArgument}, note: func(text string) { c.Say("%s", text) },
	}
}

// flags adds the flags of questions in some formats. The first is the default.
func (b *builder) flags(cmd *cobra.Command, formats ...protocol.Format) {
	b.questionFlags(cmd, formats...)
	b.front.flags(cmd)
	group(cmd, "Run", func(f *pflag.FlagSet) {
		f.BoolVar(&b.front.dryRun, "dry-run", false, "print the first prompts and their sizes; send and store nothing")
	})
	b.weightFlag(cmd, "Run")
	b.budget.flags(cmd, &b.promptBudget)
	b.calls.flags(cmd)
	b.flagged = cmd.Flags()
}

// questionFlags adds the flags of a question that say nothing of how its session runs: material, seats, settings of the
// formats, workspace, commands and hosts.
func (b *builder) questionFlags(cmd *cobra.Command, formats ...protocol.Format) {
	b.format = string(formats[0].Name())
	b.given.flags(cmd)
	b.seats.flags(cmd, formats)
	b.values = view.Values{}
	settingFlags(cmd, b.values, formats)
	b.workspace.flags(cmd)
	b.commands.flags(cmd)
	b.hosts.flags(cmd)
}

// weightFlag adds the flag for the weights of the summaries.
func (b *builder) weightFlag(cmd *cobra.Command, title string) {
	group(cmd, title, func(f *pflag.FlagSet) {
		f.StringToStringVar(&b.metricWeights, "metric-weights", nil,
			"the `weights` of the summaries in the metric overall, as in process_rigor=0.4,consensus_strength=0.6 "+
				"(default: equal weights)")
		f.Lookup("metric-weights").DefValue = ""
	})
}

// ask opens a session on the question, and runs it.
func (b *builder) ask(ctx context.Context) error {
	if err := b.front.check(b.console); err != nil {
		return err
	}
	s, err := b.open(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	if b.front.dryRun {
		return s.dryRun()
	}
	err = s.run(ctx)
	b.complete(s)
	if b.pull != nil {
		err = s.post(ctx, b.pull, err)
	}
	return err
}

// dryRun prints the first prompts of a session and their sizes.
func (s *session) dryRun() error {
	next := s.state
	for {
		turn := protocol.Of(next).Next(next)
		if len(turn.Events) == 0 {
			for _, ask := range turn.Asks {
				p := protocol.Of(next).Prompt(next, ask)
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
