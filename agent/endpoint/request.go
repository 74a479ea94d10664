package endpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"

	"moot/protocol"
)

// ability lists the options that a server is known to accept.
type ability struct {
	structure Structure
	// usage: stream_options; completionTokens: max_completion_tokens instead of
	// max_tokens; sampling: a temperature; effort: a reasoning effort.
	usage, completionTokens, sampling, effort bool
}

// firstAbility is the assumption about a server that was never asked.
func firstAbility(c *Config) ability {
	reasoning := isReasoning(c.Model)
	a := ability{
		structure: StructureSchema, usage: true, completionTokens: reasoning || c.MaxTokens == 0,
		sampling: !reasoning && c.Temperature != nil, effort: c.Effort != "",
	}
	if c.Structured != "" {
		a.structure = c.Structured
	}
	return a
}

// isReasoning reports that a model refuses sampling parameters and max_tokens.
func isReasoning(model string) bool {
	name := bareModel(model)
	return slices.ContainsFunc([]string{"o1", "o3", "o4", "gpt-5", "gpt-6"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// without returns the ability that is left after a refusal, and a note about it,
// or "" if leaving something out does not help.
func (a ability) without(said *refusal, structured bool) (ability, string) {
	text := said.words()
	switch {
	case !said.refusesRequest():
		return a, ""
	case a.usage && containsAny(text, "stream_options", "include_usage"):
		a.usage = false
		return a, "the endpoint rejects stream_options: tokens may not be counted"
	case !a.completionTokens && containsAny(text, "max_completion_tokens"):
		a.completionTokens = true
		return a, "the endpoint requires max_completion_tokens"
	case a.sampling && containsAny(text, "temperature"):
		a.sampling = false
		return a, "the endpoint rejects the temperature: it is left out"
	case a.effort && containsAny(text, "reasoning_effort", "reasoning effort", "reasoning.effort", "reasoningeffort"):
		a.effort = false
		return a, "the endpoint rejects the reasoning effort: it is left out"
	case structured && a.structure != StructurePlain && said.refusesStructure():
		before := a.structure
		order := Structures()
		a.structure = order[slices.Index(order, before)+1]
		names := map[Structure]string{
			StructureStrict: "a strict json_schema", StructureSchema: "a json_schema",
			StructureObject: "a json_object", StructurePlain: "plain text",
		}
		const note = "the endpoint rejects %s: moot requests %s from now on"
		return a, fmt.Sprintf(note, names[before], names[a.structure])
	}
	return a, ""
}

// learn remembers what a refusal taught. Two calls at once may each have learned
// something: the weaker ability counts in every respect.
func (e *Endpoint) learn(left ability) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	a, order := &e.ability, Structures()
	a.structure = order[max(slices.Index(order, a.structure), slices.Index(order, left.structure))]
	a.usage = a.usage && left.usage
	a.completionTokens = a.completionTokens || left.completionTokens
	a.sampling = a.sampling && left.sampling
	a.effort = a.effort && left.effort
}

// maxStrict bounds how many schemas are cached in strict form.
const maxStrict = 64

// takes returns what the server is known to accept, and the schema in the form in
// which it is sent.
func (e *Endpoint) takes(schema []byte) (ability, json.RawMessage) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	taken := e.ability
	if len(schema) == 0 || taken.structure != StructureStrict {
		return taken, schema
	}
	strict, known := e.strict[string(schema)]
	if !known {
		strict, _ = Strict(schema) // A schema without a strict form is sent unchanged.
		if len(e.strict) < maxStrict {
			e.strict[string(schema)] = strict
		}
	}
	if strict == nil {
		taken.structure = StructureSchema
		return taken, schema
	}
	return taken, strict
}

const schemaInPrompt = "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n"

// request builds a call with what the server is known to accept.
func (e *Endpoint) request(call *protocol.Call, taken ability, schema json.RawMessage) openai.ChatCompletionRequest {
	request := openai.ChatCompletionRequest{Model: e.config.Model}
	system := call.Prompt.System
	if len(call.Schema) > 0 {
		switch taken.structure {
		case StructureStrict, StructureSchema:
			request.ResponseFormat = &openai.ChatCompletionResponseFormat{
				Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
				JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
					Name: "reply", Schema: schema, Strict: taken.structure == StructureStrict,
				},
			}
		case StructureObject:
			request.ResponseFormat = &openai.ChatCompletionResponseFormat{
				Type: openai.ChatCompletionResponseFormatTypeJSONObject,
			}
			system += "\n\n" + schemaInPrompt + string(call.Schema)
		case StructurePlain:
			system += "\n\n" + protocol.SchemaInFence + string(call.Schema)
		}
	}
	if system != "" {
		request.Messages = append(request.Messages, openai.ChatCompletionMessage{
			Role: openai.ChatMessageRoleSystem, Content: strings.TrimPrefix(system, "\n\n"),
		})
	}
	request.Messages = append(request.Messages, openai.ChatCompletionMessage{
		Role: openai.ChatMessageRoleUser, Content: call.Prompt.Text,
	})
	if taken.usage {
		request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	if taken.completionTokens {
		request.MaxCompletionTokens = e.config.MaxTokens
	} else {
		request.MaxTokens = e.config.MaxTokens //nolint:staticcheck // local servers often know only the older name
	}
	if taken.effort {
		request.ReasoningEffort = string(e.config.Effort)
	}
	if taken.sampling && e.config.Temperature != nil {
		// The library leaves a zero out; the smallest number is as good.
		request.Temperature = max(float32(*e.config.Temperature), math.SmallestNonzeroFloat32)
	}
	return request
}

// sendError marks an error of the library itself, which sent nothing.
func sendError(err error) error {
	if errors.Is(err, openai.ErrReasoningEffortUnsupported) {
		return &refusal{status: http.StatusBadRequest, message: err.Error()}
	}
	return fmt.Errorf("%w: %w", errUnsent, err)
}

// errNotStrict says that a schema has no strict form.
var errNotStrict = errors.New("the schema cannot be expressed in strict mode")

// object is a JSON object in its order. The order matters: under a strict schema
// a model writes the properties in it, so what it must think of first comes first.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out.Write(append(append(name, ':'), value...))
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// Strict returns a JSON Schema in the form that strict mode demands: every object
// closed, each of its properties required, no unknown keyword. An optional
// property keeps its type if its empty value means absent in moot's moves; a
// number, an object or a closed list of values may be null instead. The protocol
// later refuses what a dropped keyword would have. The error says that the schema
// has no strict form.
func Strict(schema json.RawMessage) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(schema))
	decoder.UseNumber()
	value, err := readOrdered(decoder, 0)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of a reply: %w", err)
	}
	root, ok := value.(object)
	if !ok || root.get("properties") == nil {
		return nil, errNotStrict
	}
	closed, err := closeSchema(root)
	if err != nil {
		return nil, err
	}
	return json.Marshal(closed)
}

// readOrdered reads one JSON value and keeps the order of objects.
func readOrdered(decoder *json.Decoder, depth int) (any, error) {
	const deepest = 100
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	if depth > deepest {
		return nil, errNotStrict
	}
	delimiter, nested := token.(json.Delim)
	if !nested {
		return token, nil
	}
	members, items := object{}, []any{}
	for decoder.More() {
		var m member
		if delimiter == '{' {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			m.name = fmt.Sprint(name)
		}
		if m.value, err = readOrdered(decoder, depth+1); err != nil {
			return nil, err
		}
		members, items = append(members, m), append(items, m.value)
	}
	if _, err = decoder.Token(); delimiter == '{' {
		return members, err
	}
	return items, err
}

// closeSchema puts one schema and those inside it into strict form.
func closeSchema(value any) (object, error) {
	// anything is the strict form of a schema that allows all values.
	scalar := object{{"type", []any{"string", "number", "boolean", "null"}}}
	anything := object{{"anyOf", []any{scalar, object{{"type", "array"}, {"items", scalar}}}}}
	schema, ok := value.(object)
	if !ok {
		if value == true {
			return anything, nil
		}
		return nil, errNotStrict
	}
	out, constrained := object{}, false
	for _, m := range schema {
		switch m.name {
		case "type", "enum", "const", "$ref":
			constrained = true
		case "description", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
			"multipleOf", "minItems", "maxItems":
		case "properties", "$defs", "definitions":
			schemas, ok := m.value.(object)
			if !ok {
				return nil, errNotStrict
			}
			closed := make(object, len(schemas))
			for i, s := range schemas {
				inner, err := closeSchema(s.value)
				if err != nil {
					return nil, err
				}
				closed[i] = member{s.name, inner}
			}
			m.value = closed
		case "items":
			inner, err := closeSchema(m.value)
			if err != nil {
				return nil, err
			}
			m.value = inner
		case "anyOf", "oneOf":
			branches, ok := m.value.([]any)
			if !ok {
				return nil, errNotStrict
			}
			closed := make([]any, len(branches))
			for i, branch := range branches {
				inner, err := closeSchema(branch)
				if err != nil {
					return nil, err
				}
				closed[i] = inner
			}
			m, constrained = member{"anyOf", closed}, true
		case "additionalProperties":
			// Only a schema that allows nothing, false or {"not": {}}, can be closed.
			if further, isSchema := m.value.(object); isSchema {
				if not, ok := further.get("not").(object); !ok || len(further) != 1 || len(not) != 0 {
					return nil, errNotStrict
				}
			}
			continue
		case "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "prefixItems",
			"patternProperties":
			return nil, errNotStrict
		default:
			continue // An annotation, or a bound that the protocol checks anyway.
		}
		out = append(out, m)
	}
	properties, isObject := out.get("properties").(object)
	switch {
	case isObject:
		required, _ := schema.get("required").([]any)
		names := make([]any, len(properties))
		for i, p := range properties {
			names[i] = p.name
			if !slices.Contains(required, any(p.name)) {
				properties[i].value = orNull(p.value)
			}
		}
		return append(out, member{"required", names}, member{"additionalProperties", false}), nil
	case out.get("type") == "object":
		return nil, errNotStrict // An open map has no strict form.
	case !constrained:
		return anything, nil
	}
	return out, nil
}

// orNull lets an optional value be null, unless it has an empty value that means
// absent: a text, a list, false. A model would invent a number or an object.
func orNull(value any) any {
	schema, ok := value.(object)
	if !ok {
		return value
	}
	values, closed := schema.get("enum").([]any)
	switch kind := schema.get("type").(type) {
	case string:
		switch {
		case closed && (slices.Contains(values, any("")) || slices.Contains(values, nil)):
			return schema
		case closed, kind == "number", kind == "integer":
			out := slices.Clone(schema)
			for i, m := range out {
				if m.name == "type" {
					out[i].value = []any{kind, "null"}
				}
				if m.name == "enum" {
					out[i].value = append(slices.Clone(values), nil)
				}
			}
			return out
		case kind == "string", kind == "boolean", kind == "array", kind == "null":
			return schema
		}
	case []any:
		if slices.Contains(kind, any("null")) && !closed {
			return schema
		}
	}
	return object{{"anyOf", []any{schema, object{{"type", "null"}}}}}
}
