package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/sashabaranov/go-openai"
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
	taken := e.ability
	e.mutex.Unlock()
	if len(schema) == 0 || taken.structure != StructureStrict {
		return taken, schema
	}
	strict, err := Strict(schema)
	if err != nil { // A schema without a strict form is sent unchanged.
		taken.structure = StructureSchema
		return taken, schema
	}
	return taken, strict
}

const schemaInPrompt = "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n"

// request builds a call with what the server is known to accept.
func (r *run) request(call *protocol.Call, taken ability, schema json.RawMessage) openai.ChatCompletionRequest {
	request := openai.ChatCompletionRequest{Model: r.config.Model, Stream: true}
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
	request.Messages = append(request.Messages, r.turn...)
	if taken.tools && call.Look != nil {
		for _, tool := range call.Look.Tools() {
			request.Tools = append(request.Tools, openai.Tool{
				Type: openai.ToolTypeFunction,
				Function: &openai.FunctionDefinition{
					Name: tool.Name, Description: tool.Description, Parameters: tool.Schema,
				},
			})
		}
		if call.Look.Left <= 0 {
			request.ToolChoice = "none"
		}
	}
	if taken.usage {
		request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	if taken.completionTokens {
		request.MaxCompletionTokens = r.config.MaxTokens
	} else {
		request.MaxTokens = r.config.MaxTokens //nolint:staticcheck // local servers often know only the older name
	}
	if taken.effort {
		request.ReasoningEffort = r.config.Effort
	}
	if taken.sampling && r.config.Temperature != nil {
		// The library leaves a zero out; the smallest number is as good.
		request.Temperature = max(float32(*r.config.Temperature), math.SmallestNonzeroFloat32)
	}
	return request
}

// post sends a request. The library's own client is not used: it refuses what it believes a model to refuse, where
// moot learns from the server, and it returns neither the headers nor the body of the answer.
func (r *run) post(ctx context.Context, request *openai.ChatCompletionRequest) (*http.Response, error) {
	var body bytes.Buffer
	body.Grow((r.sent + len(r.call.Schema)) * 3 / 2) // with escapes, and the room that the encoder keeps free
	if err := jsonv2.MarshalWrite(&body, request, r.encoding); err != nil {
		return nil, fmt.Errorf("build the request: %w", err)
	}
	address := r.config.Base + "/chat/completions"
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("build the request: %w", err)
	}
	sent.Header.Set("Content-Type", "application/json")
	sent.Header.Set("Accept", "text/event-stream")
	return r.do(sent)
}

// requestEncoding encodes requests as the library does, but each message only once: its method for them encodes them
// for the encoder to check.
func requestEncoding() jsonv2.Options {
	type plain openai.ChatCompletionMessage
	messages := jsonv2.MarshalToFunc(func(to *jsontext.Encoder, message openai.ChatCompletionMessage) error {
		return jsonv2.MarshalEncode(to, plain(message))
	})
	return jsonv2.JoinOptions(jsonv1.OmitEmptyWithLegacySemantics(true), jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true), // nobody writes them, and looking for them takes time
		jsonv2.WithMarshalers(messages))
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
