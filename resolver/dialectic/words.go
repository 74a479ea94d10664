package dialectic

import (
	"moot/internal/enum"
	"moot/ledger"
)

// Severity is how much hangs on an objection or a field.
type Severity string

// The severities, gravest first.
const (
	Blocking Severity = "BLOCKING"
	High     Severity = "HIGH"
	Medium   Severity = "MEDIUM"
	Low      Severity = "LOW"
)

// Severities returns every Severity, gravest first.
func Severities() []Severity { return []Severity{Blocking, High, Medium, Low} }

// String returns the word itself.
func (s Severity) String() string { return string(s) }

// UnmarshalText refuses a word that is no Severity.
func (s *Severity) UnmarshalText(text []byte) error {
	return enum.Unmarshal("severity", text, Severities(), s)
}

// Outcome is where an objection ended.
type Outcome string

// The outcomes.
const (
	// Cleared says that the objection does not hold.
	Cleared Outcome = "CLEARED"
	// Upheld says that it does.
	Upheld Outcome = "UPHELD"
	// Unresolved says that the evidence does not settle it.
	Unresolved Outcome = "UNRESOLVED"
	// Moot says that what it was raised against is gone.
	Moot Outcome = "MOOT"
)

// Outcomes returns every Outcome.
func Outcomes() []Outcome { return []Outcome{Cleared, Upheld, Unresolved, Moot} }

// String returns the word itself.
func (o Outcome) String() string { return string(o) }

// UnmarshalText refuses a word that is no Outcome.
func (o *Outcome) UnmarshalText(text []byte) error {
	return enum.Unmarshal("outcome", text, Outcomes(), o)
}

// Holds reports whether an objection with this outcome is still open.
func (o Outcome) Holds() bool { return o == Upheld || o == Unresolved }

// Ruling is the decision of the user on an objection (R0).
type Ruling string

// The rulings.
const (
	RulingNone    Ruling = ""
	RulingCleared Ruling = "cleared"
	RulingUpheld  Ruling = "upheld"
)

// Rulings returns every Ruling that says something.
func Rulings() []Ruling { return []Ruling{RulingCleared, RulingUpheld} }

// String returns the word itself.
func (r Ruling) String() string { return string(r) }

// UnmarshalText refuses an unknown word. An empty one is RulingNone.
func (r *Ruling) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*r = RulingNone
		return nil
	}
	return enum.Unmarshal("ruling", text, Rulings(), r)
}

// Decision is the result for the proposal.
type Decision string

// The decisions.
const (
	// Advance means that nothing holds the proposal.
	Advance Decision = "ADVANCE"
	// Hold says that another round is needed.
	Hold Decision = "HOLD"
	// Escalate says that the user must decide.
	Escalate Decision = "ESCALATE"
)

// Decisions returns every Decision.
func Decisions() []Decision { return []Decision{Advance, Hold, Escalate} }

// String returns the word itself.
func (d Decision) String() string { return string(d) }

// UnmarshalText refuses a word that is no Decision.
func (d *Decision) UnmarshalText(text []byte) error {
	return enum.Unmarshal("decision", text, Decisions(), d)
}

// Operation is how the number of a derived field follows from others.
type Operation string

// The operations. Diff and ratio take two operands, in their order; count is
// how many operands there are.
const (
	Sum     Operation = "sum"
	Diff    Operation = "diff"
	Ratio   Operation = "ratio"
	Minimum Operation = "min"
	Maximum Operation = "max"
	Count   Operation = "count"
)

// Operations returns every Operation.
func Operations() []Operation {
	return []Operation{Sum, Diff, Ratio, Minimum, Maximum, Count}
}

// String returns the word itself.
func (o Operation) String() string { return string(o) }

// UnmarshalText refuses a word that is no Operation.
func (o *Operation) UnmarshalText(text []byte) error {
	return enum.Unmarshal("operation", text, Operations(), o)
}

// kinds is how many source kinds there are.
const kinds = 7

// kindIndex is the place of a kind in ledger.SourceKinds. A word that is no kind
// counts as the last, which decides nothing.
func kindIndex(kind ledger.SourceKind) int {
	switch kind {
	case ledger.UserOverride:
		return 0
	case ledger.LiveAPI:
		return 1
	case ledger.OfficialSource:
		return 2
	case ledger.DomainEvidence:
		return 3
	case ledger.FreshResearch:
		return 4
	case ledger.ModeledFallback:
		return 5
	case ledger.LLMInference:
		return 6
	}
	return kinds - 1
}

// Gravity is the place of a severity in Severities. An unknown word counts as the gravest.
func (s Severity) Gravity() int {
	switch s {
	case Blocking:
		return 0
	case High:
		return 1
	case Medium:
		return 2
	case Low:
		return 3
	}
	return 0
}
