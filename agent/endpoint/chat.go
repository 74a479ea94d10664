package endpoint

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"
	"github.com/tidwall/gjson"
)

// chat is the chat completions API.
type chat struct {
	message message
}

// open implements wire.
func (w *chat) open(ctx context.Context, client *openai.Client, x *exchange, c *conversation) (events, error) {
	// The library rejects some models and options by model name. Leave that to the server.
	x.splices = append(x.splices, splice{part: []byte(`"-"`), text: c.model})
	request := openai.ChatCompletionRequest{Model: "-", ReasoningEffort: c.effort}
	say := func(role, text string) {
		if len(text) > longText {
			text = x.splice("%q", nil, text)
		}
		request.Messages = append(request.Messages, openai.ChatCompletionMessage{Role: role, Content: text})
	}
	switch {
	case c.system != "" && c.systemRole:
		say(openai.ChatMessageRoleSystem, c.system)
		say(openai.ChatMessageRoleUser, c.prompt)
	case c.system != "":
		say(openai.ChatMessageRoleUser, c.system+"\n\n"+c.prompt)
	default:
		say(openai.ChatMessageRoleUser, c.prompt)
	}
	for _, t := range c.turns {
		for _, said := range t.said {
			// The library's message type has no field for server-specific data.
			say(x.splice(`{"role":%q}`, said, ""), "")
		}
		for _, call := range t.calls {
			answer := openai.ChatCompletionMessage{
				Role: openai.ChatMessageRoleTool, ToolCallID: call.id, Content: call.answer,
			}
			if call.old {
				answer = openai.ChatCompletionMessage{
					Role: openai.ChatMessageRoleFunction, Name: call.name, Content: call.answer,
				}
			}
			request.Messages = append(request.Messages, answer)
		}
	}
	for _, t := range c.tools {
		request.Tools = append(request.Tools, openai.Tool{
			Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{
				Name: t.Name, Description: t.Description, Parameters: t.Schema,
			},
		})
	}
	if c.last && len(c.tools) > 0 && c.toolChoice {
		request.ToolChoice = "none"
	}
	switch {
	case c.structure == StructureObject:
		request.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONObject,
		}
	case c.schema != nil:
		schema := strconv.Quote(x.splice("%q", c.schema, "")) // The library would validate and reformat it.
		request.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
				Name: "reply", Strict: c.structure == StructureStrict, Schema: json.RawMessage(schema),
			},
		}
	}
	if c.countTokens {
		request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	if c.completionTokens {
		request.MaxCompletionTokens = c.maxTokens
	} else {
		request.MaxTokens = c.maxTokens //nolint:staticcheck // Local servers often know only the older name.
	}
	if c.temperature != nil { // The library's type omits a temperature of 0.
		x.tail += fmt.Sprintf(`,"temperature":%v`, *c.temperature)
	}
	return client.CreateChatCompletionStream(ctx, request)
}

// longText is the length from which texts are encoded here once, because the library's encoder scans them three
// times.
const longText = 1 << 10

// read implements wire.
func (w *chat) read(event []byte) (piece, error) {
	var out piece
	root := gjson.ParseBytes(event)
	if root.IsArray() {
		root = root.Get("0") // One provider wraps errors in a list.
	}
	if !root.IsObject() {
		return out, errMalformed
	}
	var choice, delta gjson.Result
	root.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "model":
			out.model = clean(value.String())
		case "error":
			// Some servers send an empty error with each event.
			isEmpty := value.Get("message").Str+value.Get("type").Str+value.Get("code").String() == "" &&
				root.Get("choices.0").Exists()
			if value.Type != gjson.Null && value.Type != gjson.False && !(value.IsObject() && isEmpty) {
				out.refused = parseRefusal([]byte(root.Raw))
			}
		case "usage":
			out.usage.read(value)
		case "x_groq":
			out.usage.read(value.Get("usage"))
		case "choices":
			choice = value.Get("0") // The request asks for one choice.
		}
		return true
	})
	choice.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "error":
			if value.IsObject() {
				out.refused = parseRefusal([]byte(choice.Raw))
			}
		case "finish_reason":
			out.finish = value.String()
		case "delta":
			delta = value
		case "message":
			if !delta.Exists() {
				delta = value
			}
		}
		return true
	})
	// The library decodes what its type has fields for. Unknown fields and other types are read below.
	var known openai.ChatCompletionStreamChoiceDelta
	if jsonv2.Unmarshal([]byte(delta.Raw), &known, jsontext.AllowInvalidUTF8(true)) == nil {
		out.text, out.thought, out.declined = known.Content, known.ReasoningContent, known.Refusal
	}
	out.other = w.message.add(delta, &out)
	return out, nil
}

// calls implements wire.
func (w *chat) calls() []toolCall {
	var calls []toolCall
	for _, c := range w.message.calls {
		call := c.toolCall
		call.arguments = c.text.String()
		calls = append(calls, call)
	}
	return calls
}

// said implements wire.
func (w *chat) said() []json.RawMessage { return []json.RawMessage{w.message.encode()} }

// adopt implements wire: the message becomes the one that the server would have sent if it had parsed the calls.
func (w *chat) adopt(calls []toolCall, rest string) {
	w.message.parts = nil
	w.message.content.Reset()
	w.message.content.WriteString(rest)
	for _, call := range calls {
		adopted := &messageCall{toolCall: call}
		adopted.text.WriteString(call.arguments)
		w.message.calls = append(w.message.calls, adopted)
	}
}

// message collects an assistant's message from its pieces. It keeps unknown fields, because some servers reject the
// next request without them.
type message struct {
	content strings.Builder
	// parts is content that is a list; null says that the content was null.
	parts []any
	null  bool
	// fields holds all other fields by name.
	fields map[string]any
	calls  []*messageCall
}

type messageCall struct {
	toolCall
	index int64
	// text holds the arguments so far. checks counts, and bounds, how often they were parsed.
	text   strings.Builder
	checks int
	// fields holds the unknown fields of the call, and inner those of its function.
	fields, inner map[string]any
}

// add adds the delta of an event to the message, and to the piece what the library's type does not hold. It returns
// the number of bytes that are neither text nor thoughts.
func (m *message) add(delta gjson.Result, out *piece) int {
	size := 0
	delta.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "role":
		case "content":
			switch {
			case value.Type == gjson.String:
				out.text = cmp.Or(out.text, clean(value.Str))
				m.content.WriteString(value.Str)
			case value.Type == gjson.Null:
				m.null = true
			case value.IsArray():
				out.text, out.thought = m.addParts(value)
			}
		case "tool_calls":
			for _, call := range value.Array() {
				size += m.addCall(call, false)
			}
		case "function_call":
			if value.IsObject() {
				size += m.addCall(value, true)
			}
		default:
			switch name.Str {
			case "reasoning", "reasoning_content", "thinking":
				if value.Type == gjson.String && out.thought == "" {
					out.thought = clean(value.Str)
				}
			case "refusal":
				out.declined = cmp.Or(out.declined, clean(value.String()))
			default:
				size += len(value.Raw)
			}
			m.fields = mergeField(m.fields, name.Str, value)
		}
		return true
	})
	return size
}

func (m *message) addParts(list gjson.Result) (text, thought string) {
	for _, part := range list.Array() {
		m.parts = append(m.parts, json.RawMessage(part.Raw))
		switch part.Get("type").Str {
		case "text":
			text += clean(part.Get("text").String())
		case "thinking", "reasoning":
			thought += clean(thoughtOf(part))
		}
	}
	return text, thought
}

// thoughtOf returns the text of a content part that is a thought: a text field, or a list of such parts.
func thoughtOf(part gjson.Result) string {
	for _, field := range []string{"thinking", "reasoning", "text"} {
		value := part.Get(field)
		if value.Type == gjson.String {
			return value.Str
		}
		if value.IsArray() {
			text := ""
			for _, inner := range value.Array() {
				text += inner.Get("text").String()
			}
			return text
		}
	}
	return ""
}

// addCall adds a piece of a tool call. Servers send several calls under one index, omit the index or the ids, or
// repeat names and ids in each piece.
func (m *message) addCall(piece gjson.Result, old bool) int {
	function := piece.Get("function")
	if old {
		function = piece
	}
	id, name, index := piece.Get("id").Str, function.Get("name").Str, int64(-1)
	if field := piece.Get("index"); field.Exists() {
		index = field.Int()
	}
	call := m.callOf(id, name, index)
	if call == nil {
		call = &messageCall{index: index}
		call.id, call.old = id, old
		m.calls = append(m.calls, call)
	}
	call.id = cmp.Or(id, call.id)
	if name != call.name { // some servers repeat the name in each piece
		call.name += name
	}
	arguments := function.Get("arguments")
	switch so := call.text.Len(); {
	case arguments.IsObject(): // instead of a string
		call.text.Reset()
		call.text.WriteString(arguments.Raw)
	case so > 1 && len(arguments.Str) == so && arguments.Str == call.text.String() && isJSONObject(arguments.Str):
		// The complete arguments are repeated at the end.
	default:
		call.text.WriteString(arguments.Str)
	}
	keep := func(into map[string]any, from gjson.Result, known ...string) map[string]any {
		from.ForEach(func(name, value gjson.Result) bool {
			if !slices.Contains(known, name.Str) {
				into = mergeField(into, name.Str, value)
			}
			return true
		})
		return into
	}
	if !old {
		call.fields = keep(call.fields, piece, "id", "index", "type", "function")
		call.inner = keep(call.inner, function, "name", "arguments")
	}
	return len(piece.Raw)
}

// isWhole reports whether the arguments are complete.
func (c *messageCall) isWhole() bool {
	text := c.text.String()
	if c.checks > 100 || !strings.HasSuffix(strings.TrimSpace(text), "}") {
		return false
	}
	c.checks++
	return isJSONObject(text)
}

// callOf returns the call that a piece belongs to, or nil for a new one.
func (m *message) callOf(id, name string, index int64) *messageCall {
	var found *messageCall
	for _, call := range slices.Backward(m.calls) {
		if id != "" && call.id == id && (index < 0 || call.index == index) {
			return call
		}
		if found == nil && (index < 0 || call.index == index) {
			found = call
		}
	}
	switch {
	case found == nil,
		id != "" && (found.id != "" || index < 0),                     // another call with the same index
		id == "" && name != "" && found.name != "" && found.isWhole(): // the last call is complete
		return nil
	case id == "" && found.id == "" && found.text.Len() == 0 && isLookup(name) && isLookup(found.name) &&
		name != found.name:
		return nil // the last call has no arguments
	}
	return found
}

// mergeField adds a piece of a field: strings are appended, objects merged, and list elements merged by index.
func mergeField(fields map[string]any, name string, value gjson.Result) map[string]any {
	if value.Type == gjson.Null {
		return fields
	}
	if fields == nil {
		fields = map[string]any{}
	}
	before := fields[name]
	switch {
	case value.Type == gjson.String:
		text, _ := before.(*growing)
		switch name {
		case "type", "id", "format", "role", "name", "index":
			text = nil // repeated, not continued
		}
		if text == nil {
			text = &growing{}
			fields[name] = text
		}
		text.WriteString(clean(value.Str))
	case value.IsObject():
		inner, _ := before.(map[string]any)
		value.ForEach(func(name, value gjson.Result) bool {
			inner = mergeField(inner, name.Str, value)
			return true
		})
		fields[name] = inner
	case value.IsArray():
		list, _ := before.(*mergedList)
		if list == nil {
			list = &mergedList{at: map[string]map[string]any{}}
			fields[name] = list
		}
		for _, element := range value.Array() {
			list.add(element)
		}
	default:
		fields[name] = json.RawMessage(value.Raw)
	}
	return fields
}

// growing is a string that arrives in pieces.
type growing struct{ strings.Builder }

// MarshalText encodes the text as a JSON string.
func (g *growing) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// mergedList is a list whose objects arrive in pieces, each with its index.
type mergedList struct {
	list []any
	at   map[string]map[string]any
}

// MarshalJSON encodes the elements as a JSON list.
func (l *mergedList) MarshalJSON() ([]byte, error) { return json.Marshal(l.list) }

func (l *mergedList) add(element gjson.Result) {
	if !element.IsObject() {
		l.list = append(l.list, json.RawMessage(element.Raw))
		return
	}
	index := element.Get("index")
	object := l.at[index.Raw]
	isNew := object == nil || !index.Exists()
	if isNew {
		object = map[string]any{}
	}
	element.ForEach(func(name, value gjson.Result) bool {
		object = mergeField(object, name.Str, value)
		return true
	})
	if isNew {
		l.list = append(l.list, object)
		l.at[index.Raw] = object
	}
}

// encode returns the message as received, except that missing ids and invalid arguments of calls are filled in: no
// server accepts a call without them.
func (m *message) encode() json.RawMessage {
	whole := maps.Clone(m.fields)
	if whole == nil {
		whole = map[string]any{}
	}
	whole["role"] = openai.ChatMessageRoleAssistant
	switch {
	case m.parts != nil && m.content.Len() > 0:
		whole["content"] = append(slices.Clone(m.parts), map[string]any{"type": "text", "text": m.content.String()})
	case m.parts != nil:
		whole["content"] = m.parts
	case m.content.Len() > 0:
		whole["content"] = m.content.String()
	case m.null:
		whole["content"] = nil
	}
	var calls []any
	for i, call := range m.calls {
		arguments := call.text.String()
		if !isJSONObject(arguments) {
			arguments = "{}"
		}
		function := maps.Clone(call.inner)
		if function == nil {
			function = map[string]any{}
		}
		function["name"], function["arguments"] = call.name, arguments
		if call.old {
			whole["function_call"] = function
			continue
		}
		if call.id == "" {
			call.id = fmt.Sprintf("call_%d", i+1)
		}
		fields := maps.Clone(call.fields)
		if fields == nil {
			fields = map[string]any{}
		}
		fields["id"], fields["type"], fields["function"] = call.id, openai.ToolTypeFunction, function
		calls = append(calls, fields)
	}
	if calls != nil {
		whole["tool_calls"] = calls
	}
	encoded, err := json.Marshal(whole)
	if err != nil {
		return nil // Unreachable: all values came from JSON.
	}
	return encoded
}
