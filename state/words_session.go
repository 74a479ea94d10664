package state

import "moot/internal/enum"

// Deadlock is why a point stays disputed (EX8).
type Deadlock string

// The classes of deadlock.
const (
	DeadlockNone         Deadlock = ""
	DeadlockMissingData  Deadlock = "missing-data"
	DeadlockDefinitional Deadlock = "definitional"
	DeadlockCriteria     Deadlock = "criteria"
)

// Deadlocks returns every Deadlock.
func Deadlocks() []Deadlock {
	return []Deadlock{DeadlockNone, DeadlockMissingData, DeadlockDefinitional, DeadlockCriteria}
}

// String returns the word itself.
func (d Deadlock) String() string { return string(d) }

// UnmarshalText refuses a word that is no Deadlock.
func (d *Deadlock) UnmarshalText(text []byte) error {
	return enum.Unmarshal("deadlock", text, Deadlocks(), d)
}

// QuestionKind is the subject of a question to the user.
type QuestionKind string

// The kinds of questions.
const (
	QuestionBlocked     QuestionKind = "blocked"
	QuestionTradeoff    QuestionKind = "tradeoff"
	QuestionDefinition  QuestionKind = "definition"
	QuestionAnchorShift QuestionKind = "anchor-shift"
	QuestionPriority    QuestionKind = "priority"
	QuestionApproval    QuestionKind = "approval"
	QuestionEscalation  QuestionKind = "escalation"
)

// QuestionKinds returns every QuestionKind.
func QuestionKinds() []QuestionKind {
	return []QuestionKind{
		QuestionBlocked, QuestionTradeoff, QuestionDefinition, QuestionAnchorShift,
		QuestionPriority, QuestionApproval, QuestionEscalation,
	}
}

// String returns the word itself.
func (k QuestionKind) String() string { return string(k) }

// UnmarshalText refuses a word that is no QuestionKind.
func (k *QuestionKind) UnmarshalText(text []byte) error {
	return enum.Unmarshal("kind of question", text, QuestionKinds(), k)
}

// RequestKind is the kind of a request that the protocol makes once.
type RequestKind string

// The kinds of requests.
const (
	// RequestEvidence asks which evidence would settle the point (JU5).
	RequestEvidence RequestKind = "evidence"
	// RequestClarification asks an author what an ill-formed point means (AC12).
	RequestClarification RequestKind = "clarification"
	// RequestTerms asks both sides to define their terms (JU6).
	RequestTerms RequestKind = "terms"
	// RequestCrux asks two authors for what would decide between them (RD1b).
	RequestCrux RequestKind = "crux"
	// RequestRestate asks a challenger to say the flaw in one sentence (JU1).
	RequestRestate RequestKind = "restate"
)

// RequestKinds returns every RequestKind.
func RequestKinds() []RequestKind {
	return []RequestKind{RequestEvidence, RequestClarification, RequestTerms, RequestCrux, RequestRestate}
}

// String returns the word itself.
func (k RequestKind) String() string { return string(k) }

// UnmarshalText refuses a word that is no RequestKind.
func (k *RequestKind) UnmarshalText(text []byte) error {
	return enum.Unmarshal("kind of request", text, RequestKinds(), k)
}

// Exit is how a session ended.
type Exit string

// The exits (EX).
const (
	ExitNone      Exit = ""
	ExitConverged Exit = "converged"
	// ExitUnresolved ends a session in which nobody is left to ask and points stay
	// Unresolved.
	ExitUnresolved Exit = "unresolved"
	ExitCap        Exit = "cap"
	ExitTrivial    Exit = "trivial"
	ExitQuality    Exit = "quality"
	ExitUser       Exit = "user"
	ExitBudget     Exit = "budget"
	ExitPaused     Exit = "paused"
	ExitDecided    Exit = "decided"
)

// Exits returns every Exit.
func Exits() []Exit {
	return []Exit{
		ExitNone, ExitConverged, ExitUnresolved, ExitCap, ExitTrivial, ExitQuality, ExitUser, ExitBudget,
		ExitPaused, ExitDecided,
	}
}

// String returns the word itself.
func (e Exit) String() string { return string(e) }

// UnmarshalText refuses a word that is no Exit.
func (e *Exit) UnmarshalText(text []byte) error { return enum.Unmarshal("exit", text, Exits(), e) }

// PauseKind is why a session waits.
type PauseKind string

// The kinds of pauses.
const (
	PauseNone        PauseKind = ""
	PauseUser        PauseKind = "user"
	PauseBudget      PauseKind = "budget"
	PauseUnreachable PauseKind = "unreachable"
	PauseContext     PauseKind = "context"
)

// PauseKinds returns every PauseKind.
func PauseKinds() []PauseKind {
	return []PauseKind{PauseNone, PauseUser, PauseBudget, PauseUnreachable, PauseContext}
}

// String returns the word itself.
func (k PauseKind) String() string { return string(k) }

// UnmarshalText refuses a word that is no PauseKind.
func (k *PauseKind) UnmarshalText(text []byte) error {
	return enum.Unmarshal("kind of pause", text, PauseKinds(), k)
}
