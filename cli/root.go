// Package cli is the command line: a command is a constructor with its flags and a run function, in a file named after
// it or after the command that it belongs to. It connects the store, participants, researcher, protocol and screens.
// Standard output carries only results; everything else goes to standard error. The Console owns the streams, the
// environment and the clock; no command uses os.Stdout. Start with Run in root.go, then read ask.go, build.go (what a
// session starts with) and session.go (a session that runs).
//
// The help is cobra's with our own usage function, because ask has more than sixty flags, which are readable only in
// groups; the help of charmbracelet/fang has no groups of flags. docs/commands.md has the same text.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/report"
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
	c.args = args
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
	return int(exitCode(err))
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
	add(groupStart, "Start and continue", newAsk(c), newReview(c), newDemo(c), newResume(c), newAttach(c), newPause(c),
		newFork(c), newAnswer(c))
	add(groupLook, "Look at sessions", newList(c), newSearch(c), newStatus(c), newWait(c), newShow(c), newReplay(c), newExport(c), newImport(c),
		newUsage(c), newTag(c), newRemove(c))
	add(groupCheck, "Check", newVerify(c), newRecheck(c), newAudit(c), newLabel(c), newPacket(c))
	add(groupAutomate, "Automate and measure", slices.Concat([]*cobra.Command{newBatch(c)}, queueCommands(c), []*cobra.Command{
		newResolve(c), newConflicts(c), newJudge(c), parent("lab", newLabRun(c), newLabReviews(c)), newMCP(c), newSkill(c),
	})...)
	add(groupSetUp, "Set up", newConfig(c), newKey(c), newDoctor(c), newMan(c),
		command("version", cobra.ExactArgs(0), func([]string) error { return printVersion(c) }))
	root.SetCompletionCommandGroupID(groupSetUp)
	for _, command := range root.Commands() {
		command.DisableFlagsInUseLine = true
	}
	addHelp(root)
	explainArguments(root)
	root.SetUsageFunc(func(cmd *cobra.Command) error { return writeUsage(cmd.OutOrStdout(), cmd) })
	return root
}

// welcome prints what moot shows without a command and a screen: the sessions, and commands to type.
func welcome(c *Console) error {
	if err := (&listOptions{form: report.FormText}).run(c); err != nil {
		return err
	}
	return c.Print("  moot demo                                   watch a recorded session, no key needed\n" +
		"  moot ask \"Is the cache safe under load?\"    start a session\n" +
		"  moot resume                                 continue the newest one\n" +
		"  moot --help                                 list all commands\n")
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

func printVersion(c *Console) error {
	var settings []debug.BuildSetting
	if info, ok := debug.ReadBuildInfo(); ok {
		settings = info.Settings
	}
	return c.Print(versionLine(version(), settings))
}

// versionLine returns what moot version prints: the version, and the commit and its date if the build recorded them. Go
// records them when it builds in a clone, but not in "go install MODULE@VERSION", where the version names the commit.
func versionLine(version string, settings []debug.BuildSetting) string {
	recorded := map[string]string{}
	for _, s := range settings {
		recorded[s.Key] = s.Value
	}
	built := []string{"no commit recorded"}
	if commit := recorded["vcs.revision"]; commit != "" {
		built = []string{"commit " + commit}
		if date := recorded["vcs.time"]; date != "" {
			built = append(built, "of "+date)
		}
		if recorded["vcs.modified"] == "true" {
			built = append(built, "with changes")
		}
	}
	return fmt.Sprintf("moot %s (%s), %s %s/%s\n", version, strings.Join(built, " "),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// explainArguments makes the errors of wrong arguments usage errors with an example.
func explainArguments(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if _, explained := errors.AsType[*codeError](err); explained {
				return err
			}
			var wrong string
			switch {
			case err != nil:
				wrong = wrongArguments(cmd, args)
			case slices.Contains(args, ""):
				wrong = cmd.CommandPath() + ": an argument is empty"
			default:
				return nil
			}
			example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
			return usage("%s; for example: %s", wrong, example)
		}
	}
	for _, sub := range cmd.Commands() {
		explainArguments(sub)
	}
}

// wrongArguments says which arguments of a command are missing, or how many it takes. The arguments are not shown: one
// may be a key.
func wrongArguments(cmd *cobra.Command, args []string) string {
	nouns := map[string]string{
		"ID": "session ID", "FILE": "file", "NAME": "name of the variable", "BEFORE": "first packet",
		"AFTER": "second packet", "true|false": "word true or false",
	}
	_, form, _ := strings.Cut(regexp.MustCompile(`\[flags\]|\[-[^]]*\]|--\S+ \S+`).ReplaceAllString(cmd.Use, ""), " ")
	words := strings.Fields(form)
	var required []string
	for _, word := range words {
		if word[0] != '[' {
			word = strings.TrimRight(word, ".…")
			required = append(required, "the "+cmp.Or(nouns[word], strings.ToLower(word)))
		}
	}
	all, missing := len(words), required[min(len(args), len(required)):]
	takes := "no arguments"
	switch {
	case len(missing) == 1:
		return fmt.Sprintf("%s: %s is missing", cmd.CommandPath(), missing[0])
	case len(missing) > 1:
		last := len(missing) - 1
		return fmt.Sprintf(
			"%s: %s and %s are missing",
			cmd.CommandPath(),
			strings.Join(missing[:last], ", "),
			missing[last],
		)
	case all > len(required):
		takes = "at most " + plain.Counted(all, "argument")
	case all > 0:
		takes = plain.Counted(all, "argument")
	}
	wrong := fmt.Sprintf("%s takes %s and got %d", cmd.CommandPath(), takes, len(args))
	if all > 0 {
		wrong += "; put one that has spaces in quotes"
	}
	return wrong
}

// flagError explains what is wrong with a flag, with the nearest known one.
func flagError(command *cobra.Command, err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if takes := describeType(wrong.GetFlag().Value.Type()); takes != "" {
			return usage("--%s takes %s, not %q", wrong.GetFlag().Name, takes, wrong.GetValue())
		}
		return usage("--%s: %w", wrong.GetFlag().Name, errors.Unwrap(wrong))
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return usage("%w; see %s --help", err, command.CommandPath())
	}
	name := "--" + unknown.GetSpecifiedName()
	var known []string
	command.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	if nearest := enum.Nearest(name, known); nearest != "" {
		return usage("unknown flag %s: did you mean %s?", name, nearest)
	}
	return usage("unknown flag %s; see %s --help", name, command.CommandPath())
}
