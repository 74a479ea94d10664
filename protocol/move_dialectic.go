package protocol

import (
	"encoding/json"

	"moot/ledger"
	"moot/resolver/dialectic"
)

// Propose makes a field of the proposal.
type Propose struct {
	Path     string          `json:"path" jsonschema:"the name of the field, as in rollout.percent"`
	Value    json.RawMessage `json:"value" jsonschema:"a text, a number, true, false or a list"`
	Text     string          `json:"text,omitempty" jsonschema:"why, in one sentence"`
	Category string          `json:"category" jsonschema:"a category of the playbook, as in Safety"`
	// Severity is read as it is written: the gate of the schema judges it (G1).
	Severity string `json:"severity,omitempty" jsonschema:"BLOCKING, HIGH (default), MEDIUM or LOW"`
	// Grounded is true by default: a field without a basis has to say so.
	Grounded  *bool       `json:"grounded,omitempty" jsonschema:"false if no source could state it"`
	Derived   *Derivation `json:"derived,omitempty" jsonschema:"where the value is computed from others"`
	Cites     []string    `json:"cites,omitempty" jsonschema:"ids of evidence on record that the value rests on, as E3"`
	Citations []Citation  `json:"citations,omitempty"`
}

// Derivation says how a value is computed.
type Derivation struct {
	Op string   `json:"op" jsonschema:"sum, diff, ratio, min, max or count"`
	Of []string `json:"of" jsonschema:"ids of evidence, or paths of fields"`
}

// Withdraw takes a field out of the proposal.
type Withdraw struct {
	Point  string `json:"point" jsonschema:"the field, by its id or path"`
	Reason string `json:"reason,omitempty"`
}

// Object attacks a field of the proposal.
type Object struct {
	Point string `json:"point" jsonschema:"the field, by its id or path"`
	Flag  string `json:"flag,omitempty" jsonschema:"a red flag; it sets category, severity and predicate"`
	Text  string `json:"text" jsonschema:"the objection in one sentence: what goes wrong, where"`
	// Category, Severity and Predicate are needed where no flag is named.
	Category  string             `json:"category,omitempty" jsonschema:"a category of the playbook, without a flag"`
	Severity  dialectic.Severity `json:"severity,omitempty" jsonschema:"where no flag is named"`
	Predicate string             `json:"predicate,omitempty" jsonschema:"the statement that must be true, without a flag"`
	Request   string             `json:"request,omitempty" jsonschema:"which evidence you ask for"`
	Cites     []string           `json:"cites,omitempty" jsonschema:"ids of evidence on record that bear on it, as E3"`
	Citations []Citation         `json:"citations,omitempty" jsonschema:"evidence; it refutes unless it says otherwise"`
}

// RequestMove asks for evidence.
type RequestMove struct {
	Challenge string `json:"challenge" jsonschema:"the objection that it would settle, as C1"`
	Text      string `json:"text" jsonschema:"which evidence"`
}

// Supply brings evidence.
type Supply struct {
	Challenge string `json:"challenge,omitempty" jsonschema:"the objection that it bears on, as C1"`
	Point     string `json:"point,omitempty" jsonschema:"the field that it bears on, if it is about no objection"`
	// Cites are given instead of a reference where the item is on record.
	Cites     []string        `json:"cites,omitempty" jsonschema:"ids of evidence on record, instead of a reference"`
	Reference string          `json:"reference,omitempty" jsonschema:"path:line or path:line-line, or $ and a command"`
	Quote     string          `json:"quote,omitempty" jsonschema:"its verbatim text, or what a command must do, as exit 0"`
	Relation  ledger.Relation `json:"relation,omitempty" jsonschema:"whether it supports or refutes what is proposed"`
}

// NoObjection says that the seat has nothing more to object.
type NoObjection struct {
	Reason string `json:"reason,omitempty" jsonschema:"what you looked for and did not find"`
}

// Kind implements Move.
func (*Propose) Kind() MoveKind { return MovePropose }

// Kind implements Move.
func (*Withdraw) Kind() MoveKind { return MoveWithdraw }

// Kind implements Move.
func (*Object) Kind() MoveKind { return MoveObject }

// Kind implements Move.
func (*RequestMove) Kind() MoveKind { return MoveRequest }

// Kind implements Move.
func (*Supply) Kind() MoveKind { return MoveSupply }

// Kind implements Move.
func (*NoObjection) Kind() MoveKind { return MoveNoObjection }
