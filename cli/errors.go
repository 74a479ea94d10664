package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/protocol"
	"moot/state"
	"moot/view"
)

// The exit codes.
const (
	// ExitConcluded means that the session concluded or found passages, or the command succeeded.
	ExitConcluded = 0
	ExitError     = 1
	ExitUsage     = 2
	// ExitInconclusive means that the session is inconclusive, paused or undecided, or that a proposal may not advance.
	ExitInconclusive = 3
	// ExitFound means that a check found something, or that a result misses a requirement.
	ExitFound       = 4
	ExitHangup      = 129
	ExitInterrupted = 130
	ExitTerminated  = 143
)

// codeError is an error with an exit code. Nothing is printed if err is nil.
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

// leaveWith ends a command with an exit code, without printing an error.
func leaveWith(code int) error {
	if code == ExitConcluded {
		return nil
	}
	return &codeError{code: code}
}

// usage is an error in the command line or in a file that it names.
func usage(format string, args ...any) error {
	return &codeError{code: ExitUsage, err: fmt.Errorf(format, args...)}
}

// found is the error of a check that failed.
func found(format string, args ...any) error {
	return &codeError{code: ExitFound, err: fmt.Errorf(format, args...)}
}

// resultCode is the exit code for the result of a session. Missed reports that it misses a requirement.
func resultCode(s *state.State, missed bool) int {
	switch {
	case !s.Closed:
		return ExitInconclusive
	case missed:
		return ExitFound
	case s.Inconclusive, protocol.Of(s).Undecided(s):
		return ExitInconclusive
	}
	return ExitConcluded
}

func exitCode(err error) int {
	if err == nil {
		return ExitConcluded
	}
	if coded, ok := errors.AsType[*codeError](err); ok {
		return coded.code
	}
	return ExitError
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
		return &codeError{code: ExitUsage, err: err}
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
