// Package cli is the command line, with one file per command: an options struct, a constructor and a run function.
// It connects the store, participants, researcher, protocol and screens. Standard output carries only results;
// everything else goes to standard error. The Console owns the streams, the environment and the clock; no command uses
// os.Stdout. Start with Run in root.go, then read ask.go and session.go.
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
	"moot/protocol"
	"moot/state"
	"moot/state/store"
	"moot/view"
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
	add(groupStart, "Start and continue", newAsk(c), newReview(c), newDemo(c), newResume(c), newAttach(c), newFork(c),
		newAnswer(c))
	add(groupLook, "Look at sessions", newList(c), newShow(c), newReplay(c), newExport(c), newRemove(c))
	add(groupCheck, "Check", newVerify(c), newLabel(c), newPacket(c))
	add(groupAutomate, "Automate and measure", newResolve(c), newConflicts(c), newJudge(c),
		parent("lab", newLabRun(c)), newMCP(c), newSkill(c))
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

// command makes a command without flags.
func command(name string, args cobra.PositionalArgs, run func(args []string) error) *cobra.Command {
	return &cobra.Command{
		Use: name, Args: args, RunE: func(_ *cobra.Command, args []string) error { return run(args) },
	}
}

// parent makes a command that has only subcommands.
func parent(name string, subcommands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Args: cobra.ArbitraryArgs}
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
		return fmt.Sprintf("%s: %s and %s are missing", cmd.CommandPath(), strings.Join(missing[:last], ", "), missing[last])
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

// listSessions returns all sessions, the newest first. Decisions are only known of the given formats.
func listSessions(formats ...state.Rules) ([]store.Summary, error) {
	dir, err := store.Dir()
	if err != nil {
		return nil, err
	}
	return store.List(dir, formats...)
}

// version is the version that the build recorded.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
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

// codeError is an error with an exit code. Nothing is printed if err is nil.
type codeError struct {
	code protocol.ExitCode
	err  error
}

// Error implements error.
func (e *codeError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// Unwrap returns the cause.
func (e *codeError) Unwrap() error { return e.err }

// leaveWith ends a command with an exit code, without printing an error.
func leaveWith(code protocol.ExitCode) error {
	if code == protocol.ExitConcluded {
		return nil
	}
	return &codeError{code: code}
}

// usage is an error in the command line or in a file that it names.
func usage(format string, args ...any) error {
	return &codeError{code: protocol.ExitUsage, err: fmt.Errorf(format, args...)}
}

// found is the error of a check that failed.
func found(format string, args ...any) error {
	return &codeError{code: protocol.ExitFound, err: fmt.Errorf(format, args...)}
}

// exitCode is the exit code for an error. Of several that were joined, the code that takes precedence counts.
func exitCode(err error) protocol.ExitCode {
	switch e := err.(type) { //nolint:errorlint // it looks at each error of the tree itself
	case nil:
		return protocol.ExitConcluded
	case *codeError:
		return e.code
	case interface{ Unwrap() error }:
		if cause := e.Unwrap(); cause != nil {
			return exitCode(cause)
		}
	case interface{ Unwrap() []error }:
		var codes []protocol.ExitCode
		for _, cause := range e.Unwrap() {
			codes = append(codes, exitCode(cause))
		}
		return protocol.FirstExitCode(codes...)
	}
	return protocol.ExitError
}

// in says which value of a new session is wrong: the flag of moot ask, which is the key of the form too, or "question".
// A nil error stays nil.
func in(key string, err error) error {
	if err == nil {
		return nil
	}
	return &view.FieldError{Key: key, Err: err}
}

// asUsage makes a wrong value that a format reported a usage error.
func asUsage(err error) error {
	_, wrong := errors.AsType[*view.FieldError](err)
	if _, coded := errors.AsType[*codeError](err); wrong && !coded {
		return &codeError{code: protocol.ExitUsage, err: err}
	}
	return err
}

// oneOf parses a word of a closed list.
func oneOf[T ~string](what, text string, known []T) (T, error) {
	word, err := enum.Parse(what, text, known)
	if unknown, ok := errors.AsType[*enum.UnknownError](err); ok {
		return word, usage("%w", unknown)
	}
	return word, err
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

// describeType says what a flag of a type takes, or "" if the flag's own error says it.
func describeType(kind string) string {
	switch kind {
	case "int":
		return "an integer"
	case "uint", "uint64":
		return "an integer of 0 or more"
	case "float64":
		return "a number"
	case "duration":
		return "a duration with its unit, as in 90s or 10m"
	case "bool":
		return "true or false, or nothing"
	default:
		return ""
	}
}

// noSuchCommand names the nearest command.
func noSuchCommand(parent *cobra.Command, word string) error {
	var known []string
	for _, c := range parent.Commands() {
		if !c.Hidden {
			known = append(known, c.Name())
		}
	}
	if nearest := enum.Nearest(word, known); nearest != "" {
		return usage("unknown command %q: did you mean %s %s?", word, parent.CommandPath(), nearest)
	}
	if strings.ContainsAny(word, " ?") && !parent.HasParent() {
		return usage("unknown command %q; to ask a question, type: moot ask %q", word, word)
	}
	return usage("unknown command %q; see %s --help", word, parent.CommandPath())
}
