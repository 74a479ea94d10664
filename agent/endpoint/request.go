package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"moot/protocol"
)

// ability lists the options that a server is known to accept.
type ability struct {
	structure Structure
	// usage: stream_options; completionTokens: max_completion_tokens instead of
	// max_tokens; sampling: a temperature; effort: a reasoning effort.
	// tools: function calls, for lookups.
	usage, completionTokens, sampling, effort, tools bool
}

// firstAbility is the assumption about a server that was never asked.
func firstAbility(c *Config) ability {
	reasoning := isReasoning(c.Model)
	a := ability{
		structure: StructureSchema, usage: true, completionTokens: reasoning || c.MaxTokens == 0,
		sampling: !reasoning && c.Temperature != nil, effort: c.Effort != "", tools: true,
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
func (a ability) without(said *refusal, structured, tools bool) (ability, string) {
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
	case tools && a.tools && containsAny(text, "tool", "function call", "function_call"):
		a.tools = false
		return a, "the endpoint rejects tools: models look things up by moves in their replies"
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
	if !known { // A session has few schemas, and their strict forms take time.
		strict, _ = Strict(schema)
		e.strict[string(schema)] = strict
	}
	if strict == nil { // A schema without a strict form is sent unchanged.
		taken.structure = StructureSchema
		return taken, schema
	}
	return taken, strict
}

const schemaInPrompt = "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n"

// chat is the body of a request.
type chat struct {
	Model               string         `json:"model"`
	Messages            []message      `json:"messages"`
	Stream              bool           `json:"stream"`
	StreamOptions       *streamOptions `json:"stream_options,omitzero"`
	MaxTokens           int            `json:"max_tokens,omitzero"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitzero"`
	Temperature         *float64       `json:"temperature,omitzero"`
	ReasoningEffort     string         `json:"reasoning_effort,omitzero"`
	Tools               []tool         `json:"tools,omitzero"`
	ToolChoice          string         `json:"tool_choice,omitzero"`
	// ResponseFormat is set for a json_object only: post adds a format with a schema.
	ResponseFormat *responseFormat `json:"response_format,omitzero"`
}

type message struct {
	Role       string `json:"role"`
	Content    string `json:"content,omitzero"`
	ToolCalls  []tool `json:"tool_calls,omitzero"`
	ToolCallID string `json:"tool_call_id,omitzero"`
}

// tool is a function that the model may call, or a call of it.
type tool struct {
	ID       string   `json:"id,omitzero"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitzero"`
	Parameters  json.RawMessage `json:"parameters,omitzero"`
	Arguments   string          `json:"arguments,omitzero"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type responseFormat struct {
	Type string `json:"type"`
}

// request builds a call with what the server is known to accept.
func (r *run) request(taken ability) *chat {
	request := &chat{Model: r.config.Model, Stream: true, Messages: make([]message, 0, 2+len(r.turn))}
	system := r.call.Prompt.System
	if len(r.call.Schema) > 0 {
		switch taken.structure {
		case StructureStrict, StructureSchema: // post adds the format.
		case StructureObject:
			request.ResponseFormat = &responseFormat{Type: "json_object"}
			system += "\n\n" + schemaInPrompt + string(r.call.Schema)
		case StructurePlain:
			system += "\n\n" + protocol.SchemaInFence + string(r.call.Schema)
		}
	}
	if system = strings.TrimPrefix(system, "\n\n"); system != "" {
		request.Messages = append(request.Messages, message{Role: "system", Content: system})
	}
	request.Messages = append(request.Messages, message{Role: "user", Content: r.call.Prompt.Text})
	request.Messages = append(request.Messages, r.turn...)
	if taken.tools && r.call.Look != nil {
		for _, t := range r.call.Look.Tools() {
			offered := function{Name: t.Name, Description: t.Description, Parameters: t.Schema}
			request.Tools = append(request.Tools, tool{Type: "function", Function: offered})
		}
		if r.call.Look.Left <= 0 {
			request.ToolChoice = "none"
		}
	}
	if taken.usage {
		request.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if taken.completionTokens {
		request.MaxCompletionTokens = r.config.MaxTokens
	} else {
		request.MaxTokens = r.config.MaxTokens // Local servers often know only the older name.
	}
	if taken.effort {
		request.ReasoningEffort = r.config.Effort
	}
	if taken.sampling {
		request.Temperature = r.config.Temperature
	}
	return request
}

// post sends a request. The schema becomes a part of its JSON as it is: the encoder would check and format it again.
func (r *run) post(ctx context.Context, request *chat, taken ability, schema json.RawMessage) (*http.Response, error) {
	var body bytes.Buffer
	// There is room for some escapes, and for the schema in the quarter that the encoder keeps free.
	body.Grow(1<<10 + r.sent + r.sent/16 + max(r.sent/4, len(schema)))
	if err := jsonv2.MarshalWrite(&body, request, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("build the request: %w", err)
	}
	strict := taken.structure == StructureStrict
	if len(schema) > 0 && (strict || taken.structure == StructureSchema) {
		const format = `,"response_format":{"type":"json_schema","json_schema":` +
			`{"name":"reply","strict":%t,"schema":%s}}}`
		body.Truncate(body.Len() - len("}"))
		fmt.Fprintf(&body, format, strict, schema)
	}
	address := r.config.Base + "/chat/completions"
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("build the request: %w", err)
	}
	sent.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	return r.do(sent)
}

// errNotStrict says that a schema has no strict form.
var errNotStrict = errors.New("the schema cannot be expressed in strict mode")

// Strict returns the JSON Schema of a reply in the form that strict mode demands: every
// object closed, each of its properties required, in their order, which is the order in
// which a model writes them. An optional property keeps its type if its empty value means
// absent in moot's moves; a number, an object or a closed list of values may be null
// instead. It knows the keywords of moot's own schemas; others have no strict form.
func Strict(schema json.RawMessage) (json.RawMessage, error) {
	root := gjson.ParseBytes(schema)
	if !json.Valid(schema) || !root.Get("properties").IsObject() {
		return nil, errNotStrict
	}
	text, err := strictSchema(root, false)
	if err != nil {
		return nil, err
	}
	return json.RawMessage(text), nil
}

func strictSchema(schema gjson.Result, optional bool) (string, error) {
	kind, words := schema.Get("type").Str, schema.Get("enum")
	mayBeEmpty := kind == "string" || kind == "boolean" || kind == "array"
	if words.Exists() {
		mayBeEmpty = slices.ContainsFunc(words.Array(), func(word gjson.Result) bool { return word.String() == "" })
	}
	orNull := optional && !mayBeEmpty && (words.Exists() || kind == "number" || kind == "integer")
	var members, names []string
	var failed error
	inner := func(value gjson.Result, optional bool) string {
		text, err := strictSchema(value, optional)
		failed = cmp.Or(failed, err)
		return text
	}
	schema.ForEach(func(key, value gjson.Result) bool {
		text, list := value.Raw, []string{}
		switch key.Str {
		case "required", "additionalProperties":
			return true // Set below.
		case "description", "const":
		case "type", "enum":
			if values := strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"); orNull && key.Str == "type" {
				text = "[" + values + `,"null"]`
			} else if orNull {
				text = "[" + values + ",null]"
			}
		case "items":
			text = inner(value, false)
		case "anyOf":
			for _, branch := range value.Array() {
				list = append(list, inner(branch, false))
			}
			text = "[" + strings.Join(list, ",") + "]"
		case "properties":
			required := schema.Get("required").Array()
			value.ForEach(func(name, property gjson.Result) bool {
				isRequired := func(r gjson.Result) bool { return r.Str == name.Str }
				list = append(list, name.Raw+":"+inner(property, !slices.ContainsFunc(required, isRequired)))
				names = append(names, name.Raw)
				return true
			})
			text = "{" + strings.Join(list, ",") + "}"
		default:
			failed = errNotStrict
		}
		members = append(members, key.Raw+":"+text)
		return failed == nil
	})
	isObject := schema.Get("properties").IsObject()
	if isObject {
		members = append(members, `"required":[`+strings.Join(names, ",")+`]`, `"additionalProperties":false`)
	}
	isOpen := kind == "object" && !isObject // An open map has no strict form.
	if isOpen || kind == "" && !schema.Get("anyOf").IsArray() {
		failed = cmp.Or(failed, errNotStrict)
	}
	text := "{" + strings.Join(members, ",") + "}"
	if optional && !mayBeEmpty && !orNull {
		text = `{"anyOf":[` + text + `,{"type":"null"}]}`
	}
	return text, failed
}
