// Package resolve lets Go programs decide as moot resolve does. A program brings a proposal, the objections to it and the
// evidence, from whatever models or people it asks; code says whether the proposal may advance, needs another round, or
// goes to a person, with a receipt for each step. It calls no model, and reads no files, clock or environment: equal
// inputs give equal bytes.
//
// The rules are in docs/dialectic.md. The names in this package stay as they are; what they stand for may get new
// fields.
package resolve

import (
	"moot/ledger"
	"moot/protocol/dialectic/gates"
)

// The input of a decision.
type (
	// Input is everything that is read. Its Session and Changed are for the sessions of moot.
	Input = gates.Input
	// Artifact is a proposal with its objections.
	Artifact = gates.Artifact
	// Proposal is a list of fields.
	Proposal = gates.Proposal
	// Field is a value that is proposed, with the evidence that it cites.
	Field = gates.Field
	// Derivation says how a value follows from others.
	Derivation = gates.Derivation
	// Objection attacks a field.
	Objection = gates.Objection
	// Evidence is an item for a field or against it.
	Evidence = gates.Evidence
	// Constraint is a fact of the user that no field may contradict.
	Constraint = gates.Constraint
	// Request is evidence that was asked for.
	Request = gates.Request
	// Config has the thresholds, allow-lists and limits.
	Config = gates.Config
)

// The results of a decision.
type (
	// Result is the decision, with all that led to it.
	Result = gates.Result
	// Decision is Advance, Hold or Escalate.
	Decision = gates.Decision
	// Resolution says how an objection was resolved, by which rule and item.
	Resolution = gates.Resolution
	// Outcome is how it was resolved: CLEARED, UPHELD, UNRESOLVED or MOOT.
	Outcome = gates.Outcome
	// Validation has the results of all gates.
	Validation = gates.Validation
	// GateResult is the result of one gate.
	GateResult = gates.GateResult
	// Receipt is one step, chained to the one before it by hashes.
	Receipt = gates.Receipt
)

// The decisions.
const (
	Advance  = gates.Advance
	Hold     = gates.Hold
	Escalate = gates.Escalate
)

// Severity is how grave an objection is, or what a field needs.
type Severity = gates.Severity

// The severities, the gravest first.
const (
	Blocking = gates.Blocking
	High     = gates.High
	Medium   = gates.Medium
	Low      = gates.Low
)

// SourceKind is how an item of evidence was obtained. The program sets it by the source, not by the word of a model.
type SourceKind = ledger.SourceKind

// The source kinds, strongest first.
const (
	UserOverride    = ledger.UserOverride
	LiveAPI         = ledger.LiveAPI
	OfficialSource  = ledger.OfficialSource
	DomainEvidence  = ledger.DomainEvidence
	FreshResearch   = ledger.FreshResearch
	ModeledFallback = ledger.ModeledFallback
	LLMInference    = ledger.LLMInference
)

// Stance says whether an item of evidence speaks for a field or against it (Evidence.Relation).
type Stance = ledger.Relation

// The stances.
const (
	Supports    = ledger.Supports
	Contradicts = ledger.Refutes
)

// Parse reads one JSON object as moot resolve does. The error names the field that is wrong.
func Parse(object []byte) (*Input, error) {
	in, err := gates.Parse(object)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the field
	}
	return in, nil
}

// Resolve decides about a proposal. The error names the first field that is wrong, as in "artifact.objections[2].severity:
// …": an unknown word, a number out of range, a missing or repeated id.
func Resolve(in *Input) (*Result, error) {
	if err := in.Check(); err != nil {
		return nil, err //nolint:wrapcheck // it names the field
	}
	result := gates.Resolve(in)
	return &result, nil
}

// Defaults returns the thresholds, allow-lists and limits that hold where Input.Config sets none.
func Defaults() Config { return gates.DefaultConfig() }
