package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Run runs one command line, without the program's name, and returns the exit
// code.
func Run(ctx context.Context, c *Console, args []string) int {
	root := newRoot(c)
	// Of no arguments the library would take those of the process.
	root.SetArgs(append([]string{}, args...))
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	err := root.ExecuteContext(ctx)
	if err != nil && err.Error() != "" {
		c.Say("moot: %s", err)
	}
	return exitCode(err)
}

func newRoot(c *Console) *cobra.Command {
	var showVersion, plainly bool
	looks := &lookOptions{}
	root := &cobra.Command{
		Use:   "moot",
		Short: "Put a question to several models, let them argue it claim by claim",
		Long: "moot puts a question to several models and lets them argue it claim by claim.\n" +
			"Code, not a model, decides what stands. Alone it shows your sessions.",
		Example: "  moot ask \"Should the job queue move to streams?\"\n" +
			"  moot ask --headless --output json --consultee ollama:qwen3 \"Is the cache safe under load?\"\n" +
			"  moot resume\n" +
			"  moot verify 20261121-153045-k3f9",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case showVersion:
				return c.Print("moot " + version() + "\n")
			case len(args) > 0:
				return noSuchCommand(cmd, args[0])
			}
			screen := c.interactive() && !plainly && c.Getenv("ACCESSIBLE") != "1"
			if err := looks.settle(c, screen); err != nil {
				return err
			}
			if screen {
				return atHome(cmd.Context(), c, looks)
			}
			return welcome(c)
		},
	}
	root.Flags().BoolVar(&showVersion, "version", false, "print the version and leave")
	root.Flags().BoolVar(&plainly, "plain", false, "no screen: your sessions and what to type (also ACCESSIBLE=1)")
	looks.flags(root)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newAsk(c), newDemo(c), newResume(c), newFork(c), newReplay(c), newList(c), newShow(c), newExport(c),
		newVerify(c), newResolve(c), newConflicts(c), newJudge(c), newPacket(c), newRemove(c), newLabel(c), newLab(c),
		newConfig(c), newKey(c), newDoctor(c),
	)
	for _, command := range root.Commands() {
		command.DisableFlagsInUseLine = true
	}
	root.SetUsageFunc(func(cmd *cobra.Command) error { return writeUsage(cmd.OutOrStdout(), cmd) })
	return root
}

// atMostOne takes an argument that may be left out.
func atMostOne(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usage("one %s at a time; got %d", what, len(args))
		}
		return nil
	}
}

// firstOf is the first argument, or "".
func firstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// noArguments, oneArgument and the like say what is missing in words.
func oneArgument(what, example string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usage("the %s is missing; for example: %s", what, example)
		case len(args) > 1:
			return usage("one %s is enough, not %d; for example: %s", what, len(args), example)
		}
		return nil
	}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no argument, but %q was given", cmd.CommandPath(), args[0])
	}
	return nil
}

// writeUsage is the usage of a command: its line, examples, commands, and its
// flags in their groups.
func writeUsage(w io.Writer, cmd *cobra.Command) error {
	out := &usageWriter{w: w}
	out.printf("Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		out.printf("\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				out.printf("  %-9s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	if cmd.Example != "" {
		out.printf("\nExamples:\n%s\n", cmd.Example)
	}
	for _, group := range flagGroups(cmd) {
		out.printf("\n%s:\n%s", group.title, group.flags.FlagUsages())
	}
	if cmd.HasAvailableSubCommands() {
		out.printf("\n%s COMMAND --help says more about a command.\n", cmd.CommandPath())
	}
	return out.err
}

// usageWriter keeps the first error of many writes.
type usageWriter struct {
	w   io.Writer
	err error
}

func (u *usageWriter) printf(format string, args ...any) {
	if u.err == nil {
		_, u.err = fmt.Fprintf(u.w, format, args...)
	}
}
