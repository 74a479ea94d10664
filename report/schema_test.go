package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
	"moot/view"
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
	if err := ownSchemas(schema, options); err != nil {
		return nil, err
	}
	tidy(schema)
	schema.Schema = "https://json-schema.org/draft/2020-12/schema"
	schema.Title = SchemaName
	schema.Description = "A session as moot exports it: the folded state, one ruling per point with its receipt, and the head of the chain."
	schema.Properties["schema"].Const = jsonschema.Ptr[any](SchemaName)
	schema.Properties["state"].Properties["ledger"].Items.Properties["tag"].Pattern = "^(user|verified|revision|earlier|[a-z0-9-]+-unverified)$"
	// What a predicate compares with may be any value.
	predicate := schema.Properties["state"].Properties["points"].Items.Properties["predicate"]
	predicate.Properties["value"] = &jsonschema.Schema{}
	return schema, nil
}

// ownSchemas sets those of what formats add to points, challenges and metrics.
func ownSchemas(schema *jsonschema.Schema, options *jsonschema.ForOptions) error {
	in := schema.Properties["state"].Properties
	for _, own := range []struct {
		of       *jsonschema.Schema
		property string
		kind     reflect.Type
	}{
		{in["points"].Items, "field", reflect.TypeFor[*dialectic.Field]()},
		{in["challenges"].Items, "typed", reflect.TypeFor[*dialectic.ExportedObjection]()},
		{schema.Properties["metrics"], "panel", reflect.TypeFor[*panel.Counts]()},
	} {
		one, err := jsonschema.ForType(own.kind, options)
		if err != nil {
			return fmt.Errorf("infer the schema of %s: %w", own.property, err)
		}
		if derived := one.Properties["derived"]; derived != nil {
			derived.Type, derived.Types = "object", nil
		}
		own.of.Properties[own.property] = one
	}
	return nil
}

// outcomeSchema is one of the formats' own outcomes; its kind says which.
func outcomeSchema(options *jsonschema.ForOptions) (*jsonschema.Schema, error) {
	schema := &jsonschema.Schema{Type: "object"}
	for _, f := range formats.All() {
		format := f.Name()
		s := &state.State{Rules: formats.ByName(format), Settings: state.Settings{Format: format}}
		one, err := jsonschema.ForType(reflect.TypeOf(view.FormatOf(s).Outcome(s)), options)
		if err != nil {
			return nil, fmt.Errorf("infer the schema of the outcome of %s: %w", format, err)
		}
		one.Properties["kind"] = &jsonschema.Schema{Type: "string", Const: jsonschema.Ptr[any](string(format))}
		if tighten := tightened()[format]; tighten != nil {
			tighten(one)
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
		reflect.TypeFor[state.Format]():          words(lists.Map(formats.All(), protocol.Format.Name)),
		reflect.TypeFor[state.Framing]():         words(append(state.Framings(), "")),
		reflect.TypeFor[state.Mode]():            words(append(state.Modes(), "")),
		reflect.TypeFor[state.Exit]():            words(state.Exits()),
		reflect.TypeFor[state.FailureKind]():     words(state.FailureKinds()),
		reflect.TypeFor[state.Phase]():           words(append(state.Phases(), state.PhaseUnknown)),
		reflect.TypeFor[state.Kind]():            words(state.Kinds()),
		reflect.TypeFor[state.Class]():           words(state.Classes()),
		reflect.TypeFor[state.ChallengeStatus](): words(state.ChallengeStatuses()),
		reflect.TypeFor[state.Judgment]():        words(state.Judgments()),
		reflect.TypeFor[state.QuestionKind]():    words(state.QuestionKinds()),
		reflect.TypeFor[state.Bucket]():          words(state.Buckets()),
		reflect.TypeFor[state.Tag]():             words(state.Tags()),
		reflect.TypeFor[state.Status]():          words(state.Statuses()),
		reflect.TypeFor[resolver.AnswerBasis]():  words(resolver.Bases()),
		reflect.TypeFor[ledger.Type]():           words(ledger.Types()),
		reflect.TypeFor[ledger.SourceKind]():     words(ledger.SourceKinds()),
		reflect.TypeFor[ledger.Relation]():       words(ledger.Relations()),
		reflect.TypeFor[ledger.Approval]():       words(ledger.Approvals()),
		reflect.TypeFor[gates.Severity]():        words(gates.Severities()),
		reflect.TypeFor[gates.Outcome]():         words(gates.Outcomes()),
		reflect.TypeFor[gates.Ruling]():          words(append(gates.Rulings(), "")),
		reflect.TypeFor[gates.Decision]():        words(append(gates.Decisions(), "")),
		reflect.TypeFor[conflict.Strategy]():     words(conflict.Strategies()),
		reflect.TypeFor[conflict.Type]():         words([]conflict.Type{conflict.Contradiction, conflict.Disagreement, ""}),
		reflect.TypeFor[conflict.Type]():         words(conflict.Types()),
		reflect.TypeFor[panel.EndedBy](): words([]panel.EndedBy{
			panel.EndedByNothing, panel.EndedByVote, panel.EndedByWeight, panel.EndedByDebate, panel.EndedByUser,
		}),
		reflect.TypeFor[constitution.Check](): words(append(constitution.Checks(), constitution.CheckNone)),
		reflect.TypeFor[json.RawMessage]():    {},
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

// pointPattern matches the id of a point.
const pointPattern = "^P[1-9][0-9]*$"

// tightened adds to the schemas of the outcomes what the Go types leave open.
func tightened() map[state.Format]func(*jsonschema.Schema) {
	return map[state.Format]func(*jsonschema.Schema){
		dialectic.Name: tightenPressed, panel.Name: tightenCompared,
		council.Name: tightenValidated, hearing.Name: tightenHeard,
	}
}

// tightenValidated names the words that the outcome is made of.
func tightenValidated(schema *jsonschema.Schema) {
	share := func(of *jsonschema.Schema) { of.Minimum, of.Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(1.0) }
	of := schema.Properties
	of["consensus_round"].Minimum = jsonschema.Ptr(0.0)
	claim := of["claims"].Items.Properties
	claim["point"].Pattern = pointPattern
	claim["rules"].Items.Properties["rule"].Pattern = "^CV[1-4]$"
	for _, figure := range []string{"aggregate", "spread", "confidence"} {
		share(claim[figure])
	}
	for _, figure := range []string{"stated", "admitted"} {
		share(claim["scores"].Items.Properties[figure])
	}
}

// tightenPressed names the rules and gates, and what they come to.
func tightenPressed(schema *jsonschema.Schema) {
	receipt := schema.Properties["receipts"].Items
	receipt.Properties["rule"].Pattern = "^(R[0-6]|G[1-8]|decision)$"
	outcomes := slices.Concat(enum.Words(gates.Outcomes()), []string{"PASS", "FAIL"}, enum.Words(gates.Decisions()))
	for _, word := range outcomes {
		receipt.Properties["outcome"].Enum = append(receipt.Properties["outcome"].Enum, word)
	}
	schema.Properties["resolutions"].Items.Properties["rule"].Pattern = "^R[0-6]$"
	schema.Properties["gates"].Items.Properties["gate"].Pattern = "^G[1-8]$"
}

// tightenHeard names the words that the outcome is made of, and the bounds of its
// figures.
func tightenHeard(schema *jsonschema.Schema) {
	share := func(of *jsonschema.Schema, names ...string) {
		for _, name := range names {
			of.Properties[name].Minimum, of.Properties[name].Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(1.0)
		}
	}
	of := schema.Properties
	share(schema, "confidence", "risk")
	share(of["trace"].Items, "confidence", "architect", "skeptic")
	of["result"] = words(append(judge.Outcomes(), ""))
	of["trace"].Items.Properties["result"] = words(judge.Outcomes())
	of["flags"].Items = words(judge.Flags())
}

// tightenCompared names the words that the outcome is made of.
func tightenCompared(schema *jsonschema.Schema) {
	schema.Properties["then"] = words([]string{"", panel.ThenConsult})
	one := schema.Properties["conflicts"].Items
	one.Properties["id"].Pattern = "^K[1-9][0-9]*$"
	resolution := one.Properties["resolution"]
	resolution.Properties["method"] = words([]string{"", string(conflict.Vote), string(conflict.EvidenceWeight), string(conflict.Escalate)})
	resolution.Properties["measure"] = words([]string{"", panel.MeasureEvidence, panel.MeasureTokens})
}
