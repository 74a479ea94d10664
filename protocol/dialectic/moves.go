package dialectic

import (
	"encoding/json"

	"moot/internal/enum"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic/gates"
	"moot/protocol/move"
	"moot/state"
)

// Limits on the size of a proposal and its objections.
const (
	// maxFields is the number of fields of a proposal, including withdrawn ones.
	maxFields = 60
	// maxObjected is the number of objections in one reply.
	maxObjected = 20
	// maxObjections is the number of objections in a session.
	maxObjections = 120
	// maxOnField is the number of objections to one field.
	maxOnField = 12
	// maxPath is the length of a path in bytes.
	maxPath = 120
)

// admitter admits the moves of one reply.
type admitter struct {
	*claims.Admitter
	// objected and requested count the objections and requests of this reply.
	objected, requested int
	// reason is why the seat has no objection.
	reason string
}

// The moves of the dialectic format, in addition to DEFEND, CONCEDE, REVISE, ACCEPT, CONTEST and WITHDRAW.
const (
	MovePropose     move.Kind = "PROPOSE"
	MoveObject      move.Kind = "OBJECT"
	MoveRequest     move.Kind = "REQUEST_EVIDENCE"
	MoveSupply      move.Kind = "SUPPLY_EVIDENCE"
	MoveNoObjection move.Kind = "NO_OBJECTION"
	MoveNotProposed move.Kind = "NOT_PROPOSED"
)

// Propose makes a field of the proposal.
type Propose struct {
	Path     string          `json:"path" jsonschema:"the name of the field, as in rollout.percent"`
	Value    json.RawMessage `json:"value" jsonschema:"a text, a number, true, false or a list"`
	Text     string          `json:"text,omitempty" jsonschema:"why, in one sentence"`
	Category string          `json:"category" jsonschema:"a category of the playbook, as in Safety"`
	// Severity is not validated here: the gate G1 checks it.
	Severity string `json:"severity,omitempty" jsonschema:"BLOCKING, HIGH (default), MEDIUM or LOW"`
	// Grounded is true by default: a field without a basis has to say so.
	Grounded  *bool            `json:"grounded,omitempty" jsonschema:"false if no source could state it"`
	Derived   *move.Derivation `json:"derived,omitempty" jsonschema:"where the value is computed from others"`
	Cites     []string         `json:"cites,omitempty" jsonschema:"ids of evidence on record that the value rests on, as E3"`
	Citations []move.Citation  `json:"citations,omitempty"`
}

// Object attacks a field of the proposal.
type Object struct {
	Point string `json:"point" jsonschema:"the field, by its id or path"`
	Flag  string `json:"flag,omitempty" jsonschema:"a red flag; it sets category, severity and predicate"`
	Text  string `json:"text" jsonschema:"the objection in one sentence: what goes wrong, where"`
	// Category, Severity and Predicate are required without a flag.
	Category  string         `json:"category,omitempty" jsonschema:"a category of the playbook, without a flag"`
	Severity  gates.Severity `json:"severity,omitempty" jsonschema:"where no flag is named"`
	Predicate string         `json:"predicate,omitempty" jsonschema:"the statement that must be true, without a flag"`
	Request   string         `json:"request,omitempty" jsonschema:"which evidence you ask for, in words or as $ and a command"`
	Asked
	Cites     []string        `json:"cites,omitempty" jsonschema:"ids of evidence on record that bear on it, as E3"`
	Citations []move.Citation `json:"citations,omitempty" jsonschema:"evidence; it refutes unless it says otherwise"`
}

// Asked is evidence that a request asks for in a form that code checks: one of the first four.
type Asked struct {
	Command string            `json:"command,omitempty" jsonschema:"a command to run, as go test ./..."`
	Query   string            `json:"query,omitempty" jsonschema:"a text, or a regular expression in slashes, to search the files for"`
	Lookup  string            `json:"lookup,omitempty" jsonschema:"lines or files to look up, as store.go:14 or *_test.go, or any reference that code checks, as CALLERS Open = 0"`
	URL     string            `json:"url,omitempty" jsonschema:"a page to fetch, if its host is allowed; expect is a text on it"`
	Expect  string            `json:"expect,omitempty" jsonschema:"of a command exit 0 (default) or stdout has \"text\"; of a lookup found (default), none, has \"text\""`
	Clears  state.CheckResult `json:"clears,omitempty" jsonschema:"the result that clears the objection: met (default) if what is expected shows that nothing is wrong"`
}

// RequestEvidence asks for evidence, in words (Text) or in a form that code checks.
type RequestEvidence struct {
	Challenge string `json:"challenge" jsonschema:"the objection that it would settle, as C1"`
	Text      string `json:"text,omitempty" jsonschema:"which evidence, in words or as $ and a command"`
	Asked
}

// SupplyEvidence offers evidence on an objection or a field.
type SupplyEvidence struct {
	Challenge string `json:"challenge,omitempty" jsonschema:"the objection that it bears on, as C1"`
	Point     string `json:"point,omitempty" jsonschema:"the field that it bears on, if it is about no objection"`
	// Cites replace a reference if the items are recorded already.
	Cites     []string        `json:"cites,omitempty" jsonschema:"ids of evidence on record, instead of a reference"`
	Reference string          `json:"reference,omitempty" jsonschema:"path:line or path:line-line, or $ and a command"`
	Quote     string          `json:"quote,omitempty" jsonschema:"its verbatim text, or what a command must do, as exit 0"`
	Relation  ledger.Relation `json:"relation,omitempty" jsonschema:"whether it supports or refutes what is proposed"`
}

// NoObjection says that the seat has nothing more to object.
type NoObjection struct {
	Reason string `json:"reason,omitempty" jsonschema:"what you looked for and did not find"`
}

// NotProposed names a changed file that the proposal leaves out.
type NotProposed struct {
	File   string `json:"file" jsonschema:"the changed file, as it is listed"`
	Reason string `json:"reason" jsonschema:"why nobody has to approve it"`
}

// Moves implements Format.
func (Format) Moves() protocol.Moves {
	moves := claims.Moves([]move.Row{
		{
			Move: (*Propose)(nil), Doc: "sets a field of the proposal",
			Lines: []move.LineForm{{Words: "PROPOSE", Lead: "path value"}},
		},
		{
			Move: (*Object)(nil), Doc: "attacks a field of the proposal",
			Words: map[string][]string{
				"severity": enum.Words(gates.Severities()), "clears": enum.Words(state.CheckResults()),
			},
			Lines: []move.LineForm{{Words: "OBJECT", IDs: "point", Lead: "[flag]?", Text: "text", Claim: true}},
		},
		{
			Move: (*RequestEvidence)(nil), Doc: "asks for evidence, and says which result clears the objection",
			Words: map[string][]string{"clears": enum.Words(state.CheckResults())},
			Lines: []move.LineForm{{Words: "REQUEST|REQUEST EVIDENCE", IDs: "challenge", Text: "text"}},
		},
		{
			Move: (*SupplyEvidence)(nil), Doc: "brings evidence to an objection or a field", Either: "reference|cites",
			Lines: []move.LineForm{{Words: "SUPPLY|SUPPLY EVIDENCE", IDs: "challenge|point", Lead: "relation?"}},
		},
		{
			Move: (*NoObjection)(nil), Doc: "says that you have nothing more to object to",
			Lines: []move.LineForm{{Words: "NO OBJECTION", Text: "reason"}},
		},
		{
			Move: (*NotProposed)(
				nil,
			), Doc: "names a changed file that the proposal leaves out, in a session about a change",
			Lines: []move.LineForm{{Words: "NOT PROPOSED", Lead: "file", Text: "reason"}},
		},
	}...)
	moves.User = []protocol.UserMove{RaiseObjection{}, RuleObjection{}, WithdrawField{}}
	return moves
}

// RaiseObjection objects to a field of a proposal on behalf of the user.
type RaiseObjection struct {
	// Point is the id or path of the field; Text is the objection.
	Point, Text string
	// Severity is HIGH if it is "". It is ignored if a flag is named.
	Severity gates.Severity
	// Flag is the red flag of the playbook that is raised, or "". It sets category, severity and
	// predicate.
	Flag string
}

// RuleObjection rules on an objection to a field of a proposal, at any time (R0).
type RuleObjection struct {
	Challenge string
	// Verdict is cleared, upheld, or "" to take back an earlier one.
	Verdict gates.Ruling
	Reason  string
}

// WithdrawField removes a field from the proposal until it is reopened. Objections to it are moot
// (R6).
type WithdrawField struct{ Point, Reason string }
