package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// moveKey names the move in its JSON object, movesKey the list of a reply.
const (
	moveKey  = "move"
	movesKey = "moves"
)

// Schemas are the JSON Schemas of the moves, inferred from their Go types. They
// do not change, so that several goroutines may use them.
type Schemas struct {
	moves  map[MoveKind]*jsonschema.Schema
	texts  map[MoveKind][]byte
	shapes map[MoveKind]*shape
}

// NewSchemas infers the schema of every move.
func NewSchemas() (*Schemas, error) {
	s := &Schemas{
		moves:  map[MoveKind]*jsonschema.Schema{},
		texts:  map[MoveKind][]byte{},
		shapes: map[MoveKind]*shape{},
	}
	options := &jsonschema.ForOptions{TypeSchemas: closedTypes()}
	for _, kind := range MoveKinds() {
		t := reflect.TypeOf(newMove(kind)).Elem()
		schema, err := jsonschema.ForType(t, options)
		if err != nil {
			return nil, fmt.Errorf("infer the schema of %s: %w", kind, err)
		}
		tidySchema(schema)
		narrowSchema(kind, schema)
		shape, err := newShape(t, schema)
		if err != nil {
			return nil, fmt.Errorf("read the schema of %s: %w", kind, err)
		}
		shape.relax(kind)
		discriminateSchema(kind, schema)
		text, err := json.Marshal(schema)
		if err != nil {
			return nil, fmt.Errorf("write the schema of %s: %w", kind, err)
		}
		// The text is for models, not for HTML.
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(`\u003c`), []byte("<")), []byte(`\u003e`), []byte(">"))
		s.moves[kind], s.texts[kind], s.shapes[kind] = schema, text, shape
	}
	return s, nil
}

// Reply returns the schema of a reply that makes only the allowed moves, each
// any number of times: an object with the list "moves", since endpoints take
// nothing else at the root. It is nil where nothing is allowed.
func (s *Schemas) Reply(allowed []MoveKind) json.RawMessage {
	items := make([][]byte, 0, len(allowed))
	for _, kind := range MoveKinds() {
		if slices.Contains(allowed, kind) {
			items = append(items, s.texts[kind])
		}
	}
	if len(items) == 0 {
		return nil
	}
	item := bytes.Join(items, []byte(","))
	if len(items) > 1 {
		item = slices.Concat([]byte(`{"anyOf":[`), item, []byte(`]}`))
	}
	return slices.Concat(
		[]byte(`{"type":"object","properties":{"`+movesKey+`":{"type":"array","items":`), item,
		[]byte(`}},"required":["`+movesKey+`"],"additionalProperties":false}`))
}

// closedTypes are the schemas of the Go types that inference cannot see
// through: closed lists of words, and values of any type. The words are those
// that a seat may say; what only the rules set is not among them.
func closedTypes() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Label]():             wordSchema(LabelEvidence, LabelInference, LabelGuess),
		reflect.TypeFor[FlagKind]():          wordSchema(FlagKinds()...),
		reflect.TypeFor[ledger.Relation]():   wordSchema(ledger.Relations()...),
		reflect.TypeFor[state.Scope]():       wordSchema(state.InScope, state.OutOfScope, state.AnchorShift),
		reflect.TypeFor[state.Kind]():        wordSchema(state.Kinds()...),
		reflect.TypeFor[state.Class]():       wordSchema(state.Classes()...),
		reflect.TypeFor[state.Judgment]():    wordSchema(state.Accepted, state.Rejected),
		reflect.TypeFor[state.StressGrade](): wordSchema(state.StressGrades()...),
		reflect.TypeFor[json.RawMessage]():   valueSchema(),

		reflect.TypeFor[dialectic.Severity](): wordSchema(dialectic.Severities()...),
	}
}

// wordSchema is the schema of a closed list.
func wordSchema[T ~string](words ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, word := range words {
		s.Enum = append(s.Enum, string(word))
	}
	return s
}

// valueSchema is the schema of a predicate's value: a scalar, or a list of
// scalars for "in".
func valueSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "string"},
		{Type: "number"},
		{Type: "boolean"},
		{Type: "array", Items: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}}}},
	}}
}

// tidySchema takes back that pointers and slices may be null: an absent field says
// that, and a schema without type lists is understood everywhere.
func tidySchema(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	tidySchema(s.Items)
	for _, property := range s.Properties {
		tidySchema(property)
	}
}

// narrowSchema leaves of a closed list the words that the move may use, where they
// are fewer than its Go type holds.
func narrowSchema(kind MoveKind, s *jsonschema.Schema) {
	switch kind { //nolint:exhaustive // the other moves use their lists whole
	case MoveChallenge:
		s.Properties["class"].Enum = wordSchema(state.Skeptical, state.Reject).Enum
	case MoveJudge:
		s.Properties["lift"].Enum = wordSchema(state.Agree, state.Skeptical).Enum
	case MoveRaise:
		s.Properties["predicate"].Properties["op"].Enum = wordSchema(ledger.Operators()...).Enum
	}
}

// discriminateSchema adds the constant that names the move. It is a list of one word,
// since some endpoints do not know "const".
func discriminateSchema(kind MoveKind, s *jsonschema.Schema) {
	s.Properties[moveKey] = wordSchema(kind)
	s.PropertyOrder = slices.Insert(s.PropertyOrder, 0, moveKey)
	s.Required = slices.Insert(s.Required, 0, moveKey)
}

// SchemaInFence introduces the schema of a reply in a prompt, for those who take it no
// other way and may write around their reply.
const SchemaInFence = "Answer with one JSON object in a block that begins with ```json and ends with ```. " +
	"It must fit this JSON Schema:\n"
