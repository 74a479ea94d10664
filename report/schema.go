package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"moot/enum"
	"moot/ledger"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/resolver/dialectic"
	"moot/state"
)

// NewSchema infers the JSON Schema of exports from the Go types, with the
// closed lists spelled out.
func NewSchema() (*jsonschema.Schema, error) {
	options := &jsonschema.ForOptions{TypeSchemas: wordSchemas()}
	schema, err := jsonschema.For[Session](options)
	if err != nil {
		return nil, fmt.Errorf("infer the schema of exports: %w", err)
	}
	if schema.Properties["outcome"], err = outcomeSchema(options); err != nil {
		return nil, err
	}
	tidy(schema)
	schema.Schema = "https://json-schema.org/draft/2020-12/schema"
	schema.Title = SchemaName
	schema.Description = "A session as moot exports it: the folded state, one ruling per point with its receipt, and the head of the chain."
	schema.Properties["schema"].Const = jsonschema.Ptr[any](SchemaName)
	schema.Properties["state"].Properties["ledger"].Items.Properties["tag"].Pattern = "^(user|verified|revision|[a-z0-9-]+-unverified)$"
	// What a predicate compares with may be any value.
	predicate := schema.Properties["state"].Properties["points"].Items.Properties["predicate"]
	predicate.Properties["value"] = &jsonschema.Schema{}
	config := schema.Properties["session"].Properties["playbook"].Properties["config"]
	config.Properties["allow"].PropertyNames = words(dialectic.Severities())
	config.Properties["freshness"].PropertyNames = words(ledger.SourceKinds())
	return schema, nil
}

// outcomeSchema is one of the formats' own outcomes; its kind says which.
func outcomeSchema(options *jsonschema.ForOptions) (*jsonschema.Schema, error) {
	schema := &jsonschema.Schema{Type: "object"}
	all := forms()
	for _, format := range state.Formats() {
		form, ok := all[format]
		if !ok {
			return nil, fmt.Errorf("infer the schema of outcomes: there is no form for the format %s", format)
		}
		one, err := jsonschema.ForType(reflect.TypeOf(form.outcome(&state.State{})), options)
		if err != nil {
			return nil, fmt.Errorf("infer the schema of the outcome of %s: %w", format, err)
		}
		one.Properties["kind"] = &jsonschema.Schema{Type: "string", Const: jsonschema.Ptr[any](string(format))}
		if form.tighten != nil {
			form.tighten(one)
		}
		schema.OneOf = append(schema.OneOf, one)
	}
	return schema, nil
}

// SchemaFile returns the text of docs/session.schema.json.
func SchemaFile() ([]byte, error) {
	schema, err := NewSchema()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
		return nil, fmt.Errorf("write the schema of exports: %w", err)
	}
	return out.Bytes(), nil
}

// wordSchemas are the schemas of closed lists, and of values of any type.
func wordSchemas() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[state.Format]():          words(state.Formats()),
		reflect.TypeFor[state.Framing]():         words(append(state.Framings(), "")),
		reflect.TypeFor[state.Mode]():            words(append(state.Modes(), "")),
		reflect.TypeFor[state.Exit]():            words(state.Exits()),
		reflect.TypeFor[state.Phase]():           words(append(state.Phases(), state.PhaseUnknown)),
		reflect.TypeFor[state.Kind]():            words(state.Kinds()),
		reflect.TypeFor[state.Class]():           words(state.Classes()),
		reflect.TypeFor[state.ChallengeStatus](): words(state.ChallengeStatuses()),
		reflect.TypeFor[state.Judgment]():        words(state.Judgments()),
		reflect.TypeFor[state.QuestionKind]():    words(state.QuestionKinds()),
		reflect.TypeFor[state.Bucket]():          words(state.Buckets()),
		reflect.TypeFor[state.Tag]():             words(state.Tags()),
		reflect.TypeFor[state.Status]():          words(state.Statuses()),
		reflect.TypeFor[ledger.Type]():           words(ledger.Types()),
		reflect.TypeFor[ledger.SourceKind]():     words(ledger.SourceKinds()),
		reflect.TypeFor[ledger.Relation]():       words(ledger.Relations()),
		reflect.TypeFor[ledger.Approval]():       words(ledger.Approvals()),
		reflect.TypeFor[dialectic.Severity]():    words(dialectic.Severities()),
		reflect.TypeFor[dialectic.Outcome]():     words(dialectic.Outcomes()),
		reflect.TypeFor[dialectic.Ruling]():      words(append(dialectic.Rulings(), "")),
		reflect.TypeFor[dialectic.Decision]():    words(append(dialectic.Decisions(), "")),
		reflect.TypeFor[conflict.Strategy]():     words(conflict.Strategies()),
		reflect.TypeFor[conflict.Type]():         words(append(conflict.Types(), "")),
		reflect.TypeFor[state.ConflictKind]():    words(state.ConflictKinds()),
		reflect.TypeFor[resolver.EndedBy]():      words(resolver.EndedBys()),
		reflect.TypeFor[state.Check]():           words(append(state.Checks(), state.CheckNone)),
		reflect.TypeFor[Bearing]():               words(bearings()),
		reflect.TypeFor[ViolationStatus]():       words(violationStatuses()),
		reflect.TypeFor[json.RawMessage]():       {},
	}
}

func words[T ~string](known []T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, word := range enum.Words(known) {
		s.Enum = append(s.Enum, word)
	}
	return s
}

// tidy takes back that lists may be null: exports write [] instead.
func tidy(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" && s.Types[1] == "array" {
		s.Type, s.Types = s.Types[1], nil
	}
	tidy(s.Items)
	tidy(s.AdditionalProperties)
	for _, one := range s.OneOf {
		tidy(one)
	}
	for _, property := range s.Properties {
		tidy(property)
	}
}
