package gates

import (
	"encoding/json"
	"slices"
	"time"

	"moot/internal/enum"
	"moot/ledger"
)

// Evidence is one item that bears on a field of the proposal.
type Evidence struct {
	// ID is E1, E2, …, unique in its Input.
	ID string `json:"id"`
	// SourceKind is the kind of source it was obtained from.
	SourceKind ledger.SourceKind `json:"sourceKind"`
	// Point is the path of the field that it bears on, called target in JSON.
	Point string `json:"target"`
	// Relation is Supports or Refutes. In JSON it is called stance, with the values supports and contradicts.
	Relation ledger.Relation `json:"stance"`
	// Predicate is the statement that it answers. An objection with the same predicate is settled by it.
	Predicate string `json:"predicate"`
	// Value is any JSON value.
	Value json.RawMessage `json:"value"`
	// Confidence is 0 to 1.
	Confidence float64 `json:"confidence"`
	// Reference is the source, Quote the passage, verbatim.
	Reference string `json:"reference"`
	Quote     string `json:"quote"`
	// Worker is the researcher; Round is when it was supplied.
	Worker string `json:"worker"`
	Round  int    `json:"round"`
	// Verified means that code checked it. Other items count as llm-inference.
	Verified bool `json:"verified"`
	// Contested means that a seat disputes it. It then decides and grounds nothing. So it is if Waiting: the other
	// side of a session had no turn to contest it.
	Contested bool `json:"contested"`
	Waiting   bool `json:"-"`
	// ObservedAt is when the source was read, or zero (G8).
	ObservedAt time.Time `json:"observedAt"`
}

// Proposal lists the fields of a decision.
type Proposal struct {
	ID string `json:"id"`
	// Round is when it was made or last revised.
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
	// Grounded means that the value rests on evidence. G3 and G4 check it.
	Grounded bool `json:"grounded"`
	// Evidence lists the ids that the field cites.
	Evidence []string `json:"evidence"`
	// Derived says how the value follows from others, or is nil.
	Derived *Derivation `json:"derived,omitempty"`
}

// weight returns the severity, with its default.
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
	// ClearedBy lists the source kinds that may clear it, of those that its severity allows. Empty means all of them.
	ClearedBy []ledger.SourceKind `json:"clearedBy,omitempty"`
	// Evidence lists ids that bear on it, whatever their predicate.
	Evidence []string `json:"evidence"`
	// Round is when it was raised.
	Round int `json:"round"`
	// Ruling is the decision of the user (R0).
	Ruling Ruling `json:"ruling"`
	// Conceded means that the proposer accepted it (R6).
	Conceded bool `json:"conceded"`
	// Withdrawn means that the pressure-tester took it back (R6).
	Withdrawn bool `json:"withdrawn,omitempty"`
	// Unaccepted are items of a session that do not count for it, since neither the pressure-tester nor the user
	// accepted them.
	Unaccepted []string `json:"-"`
	// Unheard means that evidence for it waits for the proposer's turn, or that the proposer contests
	// it and nobody decided: it is not cleared then.
	Unheard bool `json:"-"`
}

// Clears reports whether evidence of a source kind may clear it, if its severity allows the kind.
func (o *Objection) Clears(kind ledger.SourceKind) bool {
	return len(o.ClearedBy) == 0 || slices.Contains(o.ClearedBy, kind)
}

// Resolution is the result for one objection.
type Resolution struct {
	Objection string  `json:"objection"`
	Outcome   Outcome `json:"outcome"`
	// Rule is R0 to R6.
	Rule string `json:"rule"`
	// Decider is the id of the deciding item, "user" under R0, or "".
	Decider string `json:"decider"`
	// Threshold is the required confidence, 0 to 1.
	Threshold float64 `json:"threshold"`
	// BestFor and BestAgainst are the best eligible items for and against the proposal, or "".
	BestFor     string `json:"bestFor"`
	BestAgainst string `json:"bestAgainst"`
}

// GateResult is the result of one gate.
type GateResult struct {
	// Gate is G1 to G9.
	Gate string `json:"gate"`
	Pass bool   `json:"pass"`
	// Reasons lists the failures. If the gate passed, it may hold a remark.
	Reasons []string `json:"reasons"`
}

// Validation is the outcome of the gates.
type Validation struct {
	// ReadyToAdvance is the same as the decision ADVANCE.
	ReadyToAdvance bool         `json:"readyToAdvance"`
	Gates          []GateResult `json:"gates"`
	// Warnings lists open objections that do not block the proposal.
	Warnings []string `json:"warnings"`
}

// Artifact is a proposal with its objections and their results. Resolve computes the last two again.
type Artifact struct {
	Proposal    Proposal     `json:"proposal"`
	Objections  []Objection  `json:"objections"`
	Resolutions []Resolution `json:"resolutions"`
	Validation  Validation   `json:"validation"`
}

// Constraint is a fact of the user that code can check (G6).
type Constraint struct {
	ID string `json:"id"`
	// Path, Op and Value form a ledger.Predicate without a unit.
	Path  string          `json:"path"`
	Op    string          `json:"op"`
	Value json.RawMessage `json:"value"`
	// Text is the user's wording, verbatim.
	Text string `json:"text"`
}

// Request asks for evidence about an objection (G7).
type Request struct {
	ID        string `json:"id"`
	Objection string `json:"objection"`
	Answered  bool   `json:"answered"`
}

// Input is everything that Resolve reads.
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
	// Config overrides DefaultConfig.
	Config Config `json:"config"`
	// Rounds holds the earlier results, oldest first, for the rules that look back.
	Rounds []Result `json:"rounds"`
	// Session means that it is the state of a session, in which a proposal without a field never advances.
	Session bool `json:"-"`
	// Changed are the files of the change that the session is about, or nil (G9).
	Changed []ChangedFile `json:"-"`
}

// ChangedFile is a file of the change that a session is about (G9).
type ChangedFile struct {
	Path string
	// Withheld says what of it the pressure-tester was not shown and why, or "".
	Withheld string
	// Covered means that a field proposes it, NotProposed that the proposer named it as not proposed.
	Covered, NotProposed bool
	// Accepted means that the user takes it as it is, seen or not.
	Accepted bool
}

// round returns the round, with its default.
func (in *Input) round() int { return max(in.Round, 1) }

// Result is the outcome of Resolve.
type Result struct {
	Decision          Decision  `json:"decision"`
	NeedsAnotherRound bool      `json:"needsAnotherRound"`
	Artifact          Artifact  `json:"artifact"`
	Receipts          []Receipt `json:"receipts"`
}

// Severity is how important an objection or a field is.
type Severity string

// The severities, most severe first.
const (
	Blocking Severity = "BLOCKING"
	High     Severity = "HIGH"
	Medium   Severity = "MEDIUM"
	Low      Severity = "LOW"
)

// Severities returns every Severity, most severe first.
func Severities() []Severity { return []Severity{Blocking, High, Medium, Low} }

// UnmarshalText rejects a word that is not a Severity.
func (s *Severity) UnmarshalText(text []byte) error {
	return enum.Unmarshal("severity", text, Severities(), s)
}

// Outcome is the result for an objection.
type Outcome string

// The outcomes.
const (
	// Cleared means that the objection is refuted.
	Cleared Outcome = "CLEARED"
	// Upheld means that the objection is confirmed.
	Upheld Outcome = "UPHELD"
	// Unresolved means that the evidence does not settle it.
	Unresolved Outcome = "UNRESOLVED"
	// Moot means that the field it attacked no longer exists.
	Moot Outcome = "MOOT"
)

// Outcomes returns every Outcome.
func Outcomes() []Outcome { return []Outcome{Cleared, Upheld, Unresolved, Moot} }

// UnmarshalText rejects a word that is not an Outcome.
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

// Rulings returns every Ruling except RulingNone.
func Rulings() []Ruling { return []Ruling{RulingCleared, RulingUpheld} }

// UnmarshalText rejects an unknown word. An empty one is RulingNone.
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
	// Advance means that nothing blocks the proposal.
	Advance Decision = "ADVANCE"
	// Hold means that another round is needed.
	Hold Decision = "HOLD"
	// Escalate means that the user must decide.
	Escalate Decision = "ESCALATE"
)

// Decisions returns every Decision.
func Decisions() []Decision { return []Decision{Advance, Hold, Escalate} }

// UnmarshalText rejects a word that is not a Decision.
func (d *Decision) UnmarshalText(text []byte) error {
	return enum.Unmarshal("decision", text, Decisions(), d)
}

// Operation computes the number of a derived field from others.
type Operation string

// The operations. Diff and ratio take two operands, in order. Count is the number of operands.
const (
	Sum     Operation = "sum"
	Diff    Operation = "diff"
	Ratio   Operation = "ratio"
	Minimum Operation = "min"
	Maximum Operation = "max"
	Count   Operation = "count"
)

// Operations returns every Operation.
func Operations() []Operation { return []Operation{Sum, Diff, Ratio, Minimum, Maximum, Count} }

// UnmarshalText rejects a word that is not an Operation.
func (o *Operation) UnmarshalText(text []byte) error {
	return enum.Unmarshal("operation", text, Operations(), o)
}

// Gravity returns the index of a severity in Severities. An unknown word counts as the most severe.
func (s Severity) Gravity() int { return max(slices.Index(Severities(), s), 0) }

// stanceOf converts a stance, which is a relation as written in JSON.
func stanceOf(word string) (ledger.Relation, error) {
	stance, err := enum.Parse("stance", word, []string{"supports", "contradicts"})
	if stance == "contradicts" {
		return ledger.Refutes, err
	}
	return ledger.Relation(stance), err
}
