package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
)

// The exit codes.
const (
	// ExitConcluded says that the session concluded, or the command did.
	ExitConcluded = 0
	ExitError     = 1
	ExitUsage     = 2
	// ExitInconclusive says that the session is inconclusive, or paused.
	ExitInconclusive = 3
	// ExitFound says that a check found something, or that a result falls short of
	// what was required of it.
	ExitFound       = 4
	ExitHangup      = 129
	ExitInterrupted = 130
	ExitTerminated  = 143
)

// codeError is an error with an exit code of its own. A nil Err says all that
// is to be said was said.
type codeError struct {
	code int
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

// leaveWith ends a command with an exit code and nothing more to say.
func leaveWith(code int) error {
	if code == ExitConcluded {
		return nil
	}
	return &codeError{code: code}
}

// usage is an error in what was typed.
func usage(format string, args ...any) error {
	return &codeError{code: ExitUsage, err: fmt.Errorf(format, args...)}
}

// exitCode says how the process ends.
func exitCode(err error) int {
	if err == nil {
		return ExitConcluded
	}
	if coded, ok := errors.AsType[*codeError](err); ok {
		return coded.code
	}
	return ExitError
}

// flagError explains what is wrong with a flag: the nearest known one, or whose
// flag it is.
func flagError(command *cobra.Command, err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if takes := valueOf(wrong.GetFlag().Value.Type()); takes != "" {
			return usage("--%s takes %s, not %q", wrong.GetFlag().Name, takes, wrong.GetValue())
		}
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return usage("%w; %s --help shows the flags", err, command.CommandPath())
	}
	name := "--" + unknown.GetSpecifiedName()
	if instead := removedFlag(command.Name(), unknown.GetSpecifiedName()); instead != "" {
		return usage("%s was removed: %s", name, instead)
	}
	if unknown.GetSpecifiedShortnames() != "" {
		return usage("unknown flag -%s; %s --help shows the flags", unknown.GetSpecifiedName(), command.CommandPath())
	}
	var known []string
	command.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	if nearest := enum.Nearest(name, known); nearest != "" {
		return usage("unknown flag %s: did you mean %s?", name, nearest)
	}
	return usage("unknown flag %s; %s --help shows the flags", name, command.CommandPath())
}

// removedFlag returns what replaced a flag of an earlier version, or "".
func removedFlag(command, flag string) string {
	switch command + " " + flag {
	case "ask preset", "ask contradiction-threshold", "ask agreement-threshold":
		return "a panel compares claims, not the words of whole answers; moot conflicts FILE takes thresholds"
	}
	return ""
}

// valueOf says in words what a flag of the type takes; nothing of a type that tells
// what is wrong itself.
func valueOf(kind string) string {
	switch kind {
	case "int":
		return "a whole number"
	case "uint", "uint64":
		return "a whole number of 0 or more"
	case "float64":
		return "a number"
	case "duration":
		return "a time with its unit, as in 90s or 10m"
	case "bool":
		return "true or false, or nothing"
	default:
		return ""
	}
}

// noSuchCommand names the nearest command.
func noSuchCommand(root *cobra.Command, word string) error {
	var known []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			known = append(known, c.Name())
		}
	}
	if nearest := enum.Nearest(word, known); nearest != "" {
		return usage("unknown command %q: did you mean %s %s?", word, root.CommandPath(), nearest)
	}
	if strings.ContainsAny(word, " ?") && !root.HasParent() {
		return usage("unknown command %q; to ask that, type: moot ask %q", word, word)
	}
	return usage("unknown command %q; %s --help shows what there is", word, root.CommandPath())
}
