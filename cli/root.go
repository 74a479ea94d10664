// Package cli is the command line, with one file per command: an options struct, a constructor and a run function.
// It connects the store, participants, researcher, protocol and screens. Standard output carries only results;
// everything else goes to standard error. The Console owns the streams, the environment and the clock; no command uses
// os.Stdout. Start with Run in root.go, then read ask.go and session.go.
//
// The help is cobra's with our own usage function, because ask has more than sixty flags, which are readable only in
// groups; the help of charmbracelet/fang has no groups of flags. docs/commands.md has the same text.
package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"moot/state/store"
)

// The groups of commands in the help.
const (
	groupStart    = "start"
	groupLook     = "look"
	groupCheck    = "check"
	groupAutomate = "automate"
	groupSetUp    = "set up"
)

// Run runs one command line, without the program's name, and returns the exit code.
func Run(ctx context.Context, c *Console, args []string) int {
	root := newRoot(c)
	// Without arguments, cobra would read those of the process.
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
	var showVersion, plainMode bool
	looks := &lookOptions{}
	root := &cobra.Command{
		Use:           "moot",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case showVersion:
				return printVersion(c)
			case len(args) > 0:
				return noSuchCommand(cmd, args[0])
			}
			screen := c.showsScreen(plainMode)
			if err := looks.load(c, screen); err != nil {
				return err
			}
			if screen {
				return runHome(cmd.Context(), c, looks)
			}
			return welcome(c)
		},
	}
	root.Flags().BoolVar(&showVersion, "version", false, "print the version and exit")
	root.Flags().BoolVar(&plainMode, "plain", false, "no screen: list your sessions and commands to type (also "+
		"ACCESSIBLE=1)")
	looks.flags(root)
	root.SetFlagErrorFunc(flagError)
	add := func(id, title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: id, Title: title})
		for _, cmd := range commands {
			cmd.GroupID = id
		}
		root.AddCommand(commands...)
	}
	add(groupStart, "Start and continue", newAsk(c), newReview(c), newDemo(c), newResume(c), newAttach(c), newFork(c),
		newAnswer(c))
	add(groupLook, "Look at sessions", newList(c), newShow(c), newReplay(c), newExport(c), newRemove(c))
	add(groupCheck, "Check", newVerify(c), newLabel(c), newPacket(c))
	add(groupAutomate, "Automate and measure", newResolve(c), newConflicts(c), newJudge(c), newLab(c), newMCP(c),
		newSkill(c))
	add(groupSetUp, "Set up", newConfig(c), newKey(c), newDoctor(c), newMan(c),
		&cobra.Command{
			Use: "version", Args: cobra.ExactArgs(0),
			RunE: func(*cobra.Command, []string) error { return printVersion(c) },
		})
	root.SetCompletionCommandGroupID(groupSetUp)
	for _, command := range root.Commands() {
		command.DisableFlagsInUseLine = true
	}
	addHelp(root)
	explainArguments(root)
	root.SetUsageFunc(func(cmd *cobra.Command) error { return writeUsage(cmd.OutOrStdout(), cmd) })
	return root
}

// newMan writes the manual page of a command, for man -l -.
func newMan(c *Console) *cobra.Command {
	return &cobra.Command{
		Use: "man",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noSuchCommand(cmd.Root(), strings.Join(args, " "))
			}
			var page strings.Builder
			now := c.Now()
			if err := doc.GenMan(about, &doc.GenManHeader{Section: "1", Source: "moot", Date: &now},
				&page); err != nil {
				return fmt.Errorf("write the manual page of %s: %w", about.CommandPath(), err)
			}
			return c.Print(page.String())
		},
	}
}

func printVersion(c *Console) error { return c.Print("moot " + version() + "\n") }

// parent makes a command that has only subcommands.
func parent(cmd *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return noSuchCommand(cmd, args[0])
		}
		var names []string
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		return usage("the command is missing: %s; see %s --help", strings.Join(names, ", "), cmd.CommandPath())
	}
	for _, sub := range subcommands {
		sub.DisableFlagsInUseLine = true
	}
	cmd.AddCommand(subcommands...)
	return cmd
}

// explainArguments makes the errors of wrong arguments usage errors with an example.
func explainArguments(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if _, explained := errors.AsType[*codeError](err); err == nil || explained {
				return err
			}
			example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
			return usage("%s %w; for example: %s", cmd.CommandPath(), err, example)
		}
	}
	for _, sub := range cmd.Commands() {
		explainArguments(sub)
	}
}

// firstOf is the first argument, or "".
func firstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// welcome prints what moot shows without a command and a screen: the sessions, and commands to type.
func welcome(c *Console) error {
	if err := (&listOptions{form: outputText}).run(c); err != nil {
		return err
	}
	return c.Print("  moot demo                                   watch a recorded session, no key needed\n" +
		"  moot ask \"Is the cache safe under load?\"    start a session\n" +
		"  moot resume                                 continue the newest one\n" +
		"  moot --help                                 list all commands\n")
}

// listSessions returns all sessions, the newest first.
func listSessions() ([]store.Summary, error) {
	dir, err := store.Dir()
	if err != nil {
		return nil, err
	}
	return store.List(dir)
}

// version is the version that the build recorded, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	text := "(devel)"
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			text += " " + s.Value[:min(len(s.Value), 12)]
		}
	}
	if slices.Contains(info.Settings, debug.BuildSetting{Key: "vcs.modified", Value: "true"}) {
		text += "+changes"
	}
	return text
}
