package protocol

import (
	"slices"

	"moot/resolver"
	"moot/state"
)

// ExitCode is how a command ends. The exported JSON of a session has the code of its result.
type ExitCode int

// The exit codes. Meaning says when each is used.
const (
	ExitConcluded    ExitCode = 0
	ExitError        ExitCode = 1
	ExitUsage        ExitCode = 2
	ExitInconclusive ExitCode = 3
	ExitFound        ExitCode = 4
	ExitPerson       ExitCode = 5
	ExitTimeout      ExitCode = 124
	ExitHangup       ExitCode = 129
	ExitInterrupted  ExitCode = 130
	ExitTerminated   ExitCode = 143
)

// ExitCodes returns every ExitCode, the one that takes precedence first.
func ExitCodes() []ExitCode {
	return []ExitCode{
		ExitHangup, ExitInterrupted, ExitTerminated, ExitTimeout, ExitUsage, ExitError, ExitFound, ExitPerson,
		ExitInconclusive, ExitConcluded,
	}
}

// Meaning says when a command ends with the code, for the documentation.
func (c ExitCode) Meaning() string {
	switch c {
	case ExitConcluded:
		return "concluded: the session has a result (also FOUND, ADVANCE, MERGE, a verdict, a consensus), or the command did " +
			"what it was asked to do"
	case ExitError:
		return "an error: something failed, such as a file that cannot be read; a review without a decision, or one whose comment could not be written"
	case ExitUsage:
		return "usage: a mistake in the command line, or in a file that it names"
	case ExitInconclusive:
		return "no result, or a bad one: INCONCLUSIVE, paused, a council without consensus, HOLD, DON'T MERGE, a search " +
			"that found nothing"
	case ExitFound:
		return "a check found something: verify, recheck, audit (also as --framing audit), config check, doctor, packet check and diff, " +
			"failed sessions of lab run, or a metric below --require, also if the session is inconclusive or ended early"
	case ExitPerson:
		return "a person must decide: ESCALATE, also while the session waits for the person; NEEDS YOU; a hearing whose gate " +
			"fires on the verdict when nobody is there to look at it"
	case ExitTimeout:
		return "the sessions that moot wait waited for have not all ended in time"
	case ExitHangup:
		return "the terminal was closed (SIGHUP); the session is saved"
	case ExitInterrupted:
		return "interrupted with ctrl-c (SIGINT); the session is saved"
	case ExitTerminated:
		return "terminated (SIGTERM); the session is saved"
	}
	return "unknown"
}

// FirstExitCode returns the code that takes precedence: a command that does several things ends with it.
func FirstExitCode(codes ...ExitCode) ExitCode {
	for _, code := range ExitCodes() {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return ExitConcluded
}

// SessionExitCode is the exit code for the result of a session. missed reports that a finished session misses a
// requirement.
func SessionExitCode(s *state.State, missed bool) ExitCode {
	code := ExitConcluded
	if s.Inconclusive {
		code = ExitInconclusive
	}
	if f, ok := s.Rules.(interface{ ExitCode(s *state.State) ExitCode }); ok {
		code = f.ExitCode(s)
	}
	switch {
	case !s.Closed && (code == ExitPerson || code == ExitError):
		return code
	case !s.Closed:
		return ExitInconclusive
	case s.Exit == state.ExitQuality:
		code = FirstExitCode(code, ExitInconclusive)
	}
	if missed {
		code = FirstExitCode(code, ExitFound)
	}
	return code
}

// Closing returns the event that ends a session (EX9). Exit renames the exit after a decision of the user that followed
// the end, or is empty.
func Closing(s *state.State, exit state.ExitReached) *state.SessionClosed {
	over := *s
	e := &state.SessionClosed{Exit: s.Exit}
	if exit.Exit != state.ExitNone {
		e.Exit, e.Reason = exit.Exit, exit.Reason
		over.Exit, over.ExitReason = exit.Exit, exit.Reason
	}
	rulings := resolver.Rule(&over)
	e.Inconclusive = resolver.FormatOf(&over).Inconclusive(&over, rulings)
	e.Digest = resolver.Digest(rulings)
	return e
}
