package cli

import (
	"slices"

	"moot/state"
)

// field is a value that a question is opened with. Its name is that of the flag
// of moot ask which gives it; the question itself is the argument.
type field string

// The fields that an error can be about.
const (
	fieldQuestion    field = "question"
	fieldFormat      field = "format"
	fieldFraming     field = "framing"
	fieldMode        field = "mode"
	fieldHighStakes  field = "high-stakes"
	fieldContext     field = "context"
	fieldFact        field = "fact"
	fieldDesign      field = "design"
	fieldPosition    field = "position"
	fieldOption      field = "option"
	fieldView        field = "view"
	fieldSeat        field = "seat"
	fieldWorkspace   field = "workspace"
	fieldNoWorkspace field = "no-workspace"
	fieldOfficial    field = "official"
	fieldMaxTokens   field = "max-tokens"
	fieldMaxCost     field = "max-cost"
	fieldTimeout     field = "timeout"

	fieldAllowCommand   field = "allow-command"
	fieldCommandTimeout field = "command-timeout"
	fieldPlaybook       field = "playbook"
	fieldStrategy       field = "strategy"
	fieldThen           field = "then"
	fieldRounds         field = "rounds"
	fieldParallel       field = "parallel"
	fieldConstitution   field = "constitution"
	fieldWeights        field = "weights"
	fieldDecision       field = "decision-threshold"
	fieldMetricWeights  field = "metric-weights"
	fieldClosedWorld    field = "closed-world"
	fieldForm           field = "form"
	fieldJudge          field = "judge"
	fieldGate           field = "gate"
	fieldDomain         field = "domain"
	fieldDeterministic  field = "deterministic-skeptic"
	fieldRecord         field = "record"
)

// fields returns every field; those of the seats with a flag of their own stand
// last.
func fields() []field {
	list := []field{
		fieldQuestion, fieldFormat, fieldFraming, fieldMode, fieldHighStakes, fieldContext, fieldFact, fieldDesign,
		fieldPosition, fieldOption, fieldView, fieldSeat, fieldWorkspace, fieldNoWorkspace, fieldOfficial,
		fieldAllowCommand, fieldCommandTimeout, fieldMaxTokens, fieldMaxCost, fieldTimeout, fieldPlaybook,
		fieldStrategy, fieldThen,
		fieldRounds, fieldParallel, fieldConstitution, fieldWeights, fieldDecision, fieldMetricWeights,
		fieldClosedWorld, fieldForm, fieldJudge, fieldGate, fieldDomain, fieldDeterministic, fieldRecord,
	}
	for _, row := range formatRows() {
		for _, s := range row.seats {
			list = append(list, field(s.seat))
		}
	}
	return list
}

// seatField is the field that names who takes a seat.
func seatField(seat state.Seat) field {
	if slices.Contains(fields(), field(seat)) || seat.IsPanelist() {
		return field(seat)
	}
	return fieldSeat
}

// fieldError says which value of a question is wrong, so that a form can show it
// there. Its text is that of the error in it.
type fieldError struct {
	field field
	err   error
}

// Error implements error.
func (e *fieldError) Error() string { return e.err.Error() }

// Unwrap returns what is wrong with the value.
func (e *fieldError) Unwrap() error { return e.err }

// in says which field an error is about; nil stays nil.
func in(f field, err error) error {
	if err == nil {
		return nil
	}
	return &fieldError{field: f, err: err}
}
