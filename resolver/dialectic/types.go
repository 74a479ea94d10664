package dialectic

import (
	"encoding/json"
	"time"

	"moot/ledger"
)

// Evidence is one item that bears on a field of the proposal.
type Evidence struct {
	// ID is E1, E2, …, unique in its Input.
	ID string `json:"id"`
	// SourceKind is the transport by which it came.
	SourceKind ledger.SourceKind `json:"sourceKind"`
	// Point is the path of the field that it bears on; the contract calls it
	// target.
	Point string `json:"target"`
	// Relation is Supports or Refutes; the contract calls it stance, and its
	// words are supports and contradicts.
	Relation ledger.Relation `json:"stance"`
	// Predicate states its relation to the field, in words that an objection shares.
	Predicate string `json:"predicate"`
	// Value is any JSON value.
	Value json.RawMessage `json:"value"`
	// Confidence is 0 to 1.
	Confidence float64 `json:"confidence"`
	// Reference is the source, Quote the passage, verbatim.
	Reference string `json:"reference"`
	Quote     string `json:"quote"`
	// Worker is the researcher, Round the round in which it was supplied.
	Worker string `json:"worker"`
	Round  int    `json:"round"`
	// Verified means that code checked it. Other items count as llm-inference.
	Verified bool `json:"verified"`
	// Contested means that the pressure-tester disputes it: it decides and grounds nothing.
	Contested bool `json:"contested"`
	// ObservedAt is when the source was looked at, or zero (G8).
	ObservedAt time.Time `json:"observedAt"`
}

// Proposal lists the fields of a decision.
type Proposal struct {
	ID string `json:"id"`
	// Round is the one in which it was made or last revised.
	Round  int     `json:"round"`
	Fields []Field `json:"fields"`
}

// Field is one value of a proposal.
type Field struct {
	// Path names the field, unique in its proposal: "rollout.percent".
	Path string `json:"path"`
	// Value is any JSON value.
	Value json.RawMessage `json:"value"`
	// Category decides the threshold: "Safety".
	Category string `json:"category"`
	// Severity is empty for High, the default.
	Severity Severity `json:"severity,omitempty"`
	// Grounded says that the value rests on evidence; G3 and G4 look at those.
	Grounded bool `json:"grounded"`
	// Evidence are the ids that the field cites.
	Evidence []string `json:"evidence"`
	// Derived says how the value follows from others, or is nil.
	Derived *Derivation `json:"derived,omitempty"`
}

// weight is the severity with its default.
func (f *Field) weight() Severity {
	if f.Severity == "" {
		return High
	}
	return f.Severity
}

// Derivation says how a number follows from others.
type Derivation struct {
	Op Operation `json:"op"`
	// Of are ids of evidence or paths of fields, each once.
	Of []string `json:"of"`
}

// Objection is one attack on a field.
type Objection struct {
	// ID is C1, C2, …, unique in its Artifact.
	ID string `json:"id"`
	// Target is the path of the field that it attacks.
	Target   string   `json:"target"`
	Category string   `json:"category"`
	Severity Severity `json:"severity"`
	// Predicate is the question that evidence must answer.
	Predicate string `json:"predicate"`
	// Evidence are ids that bear on it whatever their predicate.
	Evidence []string `json:"evidence"`
	// Round is the one in which it was raised.
	Round int `json:"round"`
	// Ruling is the user's (R0).
	Ruling Ruling `json:"ruling"`
	// Conceded says that the proposer granted it (R6).
	Conceded bool `json:"conceded"`
}

// Resolution is how one objection came out.
type Resolution struct {
	Objection string  `json:"objection"`
	Outcome   Outcome `json:"outcome"`
	// Rule is R0 to R6.
	Rule string `json:"rule"`
	// Decider is the id of the item that decided, "user" under R0, or "".
	Decider string `json:"decider"`
	// Threshold is the least confidence that was asked for, 0 to 1.
	Threshold float64 `json:"threshold"`
	// BestFor and BestAgainst are the best eligible items, or "": for the
	// proposal and against it.
	BestFor     string `json:"bestFor"`
	BestAgainst string `json:"bestAgainst"`
}

// GateResult is the result of one gate.
type GateResult struct {
	// Gate is G1 to G8.
	Gate string `json:"gate"`
	Pass bool   `json:"pass"`
	// Reasons say what failed, one each; of a gate that passed, what there is to
	// say about that.
	Reasons []string `json:"reasons"`
}

// Validation is the outcome of the gates.
type Validation struct {
	// ReadyToAdvance is the same as the decision ADVANCE.
	ReadyToAdvance bool         `json:"readyToAdvance"`
	Gates          []GateResult `json:"gates"`
	// Warnings are open objections that do not hold the proposal.
	Warnings []string `json:"warnings"`
}

// Artifact is a proposal with its objections and their results. Resolve computes the last two again.
type Artifact struct {
	Proposal    Proposal     `json:"proposal"`
	Objections  []Objection  `json:"objections"`
	Resolutions []Resolution `json:"resolutions"`
	Validation  Validation   `json:"validation"`
}

// Constraint is a live fact of the user that a machine can check (G6).
type Constraint struct {
	ID string `json:"id"`
	ledger.Predicate
	// Text is the words of the user, verbatim.
	Text string `json:"text"`
}

// Request asks for evidence about an objection (G7).
type Request struct {
	ID        string `json:"id"`
	Objection string `json:"objection"`
	Answered  bool   `json:"answered"`
}

// Input is all that Resolve looks at.
type Input struct {
	// Directive is the request of the user, verbatim.
	Directive string `json:"directive"`
	// Round is 1 or more; 0 counts as 1.
	Round int `json:"round"`
	// AsOf is the moment that freshness is measured from, or zero (G8).
	AsOf     time.Time    `json:"asOf"`
	Artifact Artifact     `json:"artifact"`
	Evidence []Evidence   `json:"evidence"`
	Facts    []Constraint `json:"facts"`
	Requests []Request    `json:"requests"`
	// Config is laid over DefaultConfig.
	Config Config `json:"config"`
	// Rounds are the earlier results, oldest first, for the rules that look back.
	Rounds []Result `json:"rounds"`
}

// round is the round with its default.
func (in *Input) round() int { return max(in.Round, 1) }

// Result is the outcome of Resolve.
type Result struct {
	Decision          Decision  `json:"decision"`
	NeedsAnotherRound bool      `json:"needsAnotherRound"`
	Artifact          Artifact  `json:"artifact"`
	Receipts          []Receipt `json:"receipts"`
}
