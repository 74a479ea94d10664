package research

import "moot/internal/enum"

// RunOutcome is how the run of a command came out, as a word that a caller can
// decide by; the finding's reason says the same to a person.
type RunOutcome string

// The outcomes. Only RunMet is verified.
const (
	// RunMet: it ended, and all came that was expected.
	RunMet RunOutcome = "met"
	// RunUnmet: it ended, and something else came.
	RunUnmet RunOutcome = "unmet"
	// RunUnreadable: the command or what is expected of it cannot be read.
	RunUnreadable RunOutcome = "unreadable"
	// RunNotFound: there is no such program.
	RunNotFound RunOutcome = "not-found"
	// RunNotExecutable: the file is no program that may run here.
	RunNotExecutable RunOutcome = "not-executable"
	// RunLate: it was still running at its deadline, and was ended.
	RunLate RunOutcome = "late"
	// RunEndless: it wrote over MaxOutput bytes, and was ended.
	RunEndless RunOutcome = "endless"
	// RunSignalled: a signal ended it.
	RunSignalled RunOutcome = "signalled"
	// RunHeld: it ended, and what it had started held its output open.
	RunHeld RunOutcome = "held"
	// RunEnded: the check was cancelled, and the command ended.
	RunEnded RunOutcome = "ended"
	// RunFailed: the system could not run it.
	RunFailed RunOutcome = "failed"
)

// RunOutcomes returns every RunOutcome, the verified one first.
func RunOutcomes() []RunOutcome {
	return []RunOutcome{
		RunMet, RunUnmet, RunUnreadable, RunNotFound, RunNotExecutable, RunLate, RunEndless, RunSignalled,
		RunHeld, RunEnded, RunFailed,
	}
}

// String returns the word itself.
func (o RunOutcome) String() string { return string(o) }

// UnmarshalText refuses a word that is no RunOutcome.
func (o *RunOutcome) UnmarshalText(text []byte) error {
	return enum.Unmarshal("outcome of a run", text, RunOutcomes(), o)
}
