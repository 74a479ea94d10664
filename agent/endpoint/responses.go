package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sashabaranov/go-openai"
	"github.com/tidwall/gjson"

	"moot/protocol"
)

// responses is the Responses API.
type responses struct {
	// items holds the output items as received, and asked the function calls among them.
	items []json.RawMessage
	asked []toolCall
	// spoke says that some text of the message was streamed.
	spoke bool
}

// open implements wire. The server stores nothing, unless it works in the background: then the answer can be fetched
// after a broken stream.
func (w *responses) open(ctx context.Context, client *openai.Client, x *exchange, c *conversation) (events, error) {
	input := []any{openai.ResponseInputMessage{Role: openai.ChatMessageRoleUser, Content: c.prompt}}
	for _, t := range c.turns {
		for _, item := range t.said {
			input = append(input, item)
		}
		for _, call := range t.calls {
			input = append(input, openai.ResponseFunctionCallOutput{
				Type: "function_call_output", CallID: call.id, Output: call.answer,
			})
		}
	}
	request := openai.CreateResponseRequest{
		Model: c.model, Instructions: c.system, Input: input, MaxOutputTokens: c.maxTokens, Background: c.background,
		Store: new(c.background),
	}
	if c.encrypted && !c.background {
		request.Include = []openai.ResponseInclude{openai.ResponseIncludeReasoningEncryptedContent}
	}
	if c.effort != "" {
		request.Reasoning = &openai.ResponseReasoning{Effort: c.effort}
	}
	if c.temperature != nil {
		request.Temperature = new(float32(*c.temperature))
	}
	for _, t := range c.tools {
		tool := openai.NewResponseFunctionTool(openai.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: t.Schema,
		})
		tool.Parameters["strict"] = false // the default of true would make every argument required
		request.Tools = append(request.Tools, tool)
	}
	if c.last && len(c.tools) > 0 && c.toolChoice {
		request.ToolChoice = "none"
	}
	switch {
	case c.structure == StructureObject:
		request.Text = &openai.ResponseTextConfig{Format: &openai.ResponseTextFormat{Type: "json_object"}}
	case c.schema != nil:
		request.Text = &openai.ResponseTextConfig{Format: &openai.ResponseTextFormat{
			Type: "json_schema", Name: "reply", Strict: c.structure == StructureStrict,
			Schema: x.splice("%q", c.schema, ""),
		}}
	}
	return client.CreateResponseStream(ctx, request)
}

// read implements wire.
func (w *responses) read(data []byte) (piece, error) {
	var out piece
	root := gjson.ParseBytes(data)
	if !root.IsObject() {
		return out, errMalformed
	}
	if root.Get("object").Str == "response" || root.Get("output").IsArray() {
		w.response(root, &out)
		return out, nil
	}
	var event openai.ResponseStreamEvent
	if json.Unmarshal(data, &event) != nil {
		// A field has an unexpected type. The few fields that matter are read below.
		event = openai.ResponseStreamEvent{Type: openai.ResponseStreamEventType(root.Get("type").Str)}
	}
	switch event.Type { //nolint:exhaustive // other events are redundant or belong to other tools
	case openai.ResponseStreamEventOutputTextDelta:
		out.text, w.spoke = clean(event.Delta), true
	case openai.ResponseStreamEventRefusalDelta:
		out.declined = clean(event.Delta)
	case openai.ResponseStreamEventReasoningTextDelta, openai.ResponseStreamEventReasoningSummaryTextDelta:
		out.thought = clean(event.Delta)
	case openai.ResponseStreamEventReasoningSummaryPartDone:
		out.thought = "\n"
	case openai.ResponseStreamEventFunctionArgumentsDelta:
		out.other = len(event.Delta)
	case openai.ResponseStreamEventOutputItemDone:
		out.other = w.item(root.Get("item"), &out)
	case openai.ResponseStreamEventError, openai.ResponseStreamEventFailed, openai.ResponseStreamEventIncomplete,
		openai.ResponseStreamEventCompleted, openai.ResponseStreamEventCreated, openai.ResponseStreamEventQueued,
		openai.ResponseStreamEventInProgress:
		if root.Get("response").IsObject() {
			w.response(root.Get("response"), &out)
		} else if event.Type == openai.ResponseStreamEventError {
			out.refused = parseRefusal(data)
		}
	default:
		// A gateway may report an error in the chat completions form.
		if value := root.Get("error"); value.IsObject() || value.Type == gjson.String {
			out.refused = parseRefusal(data)
		}
	}
	return out, nil
}

// response reads a complete response, whatever its status.
func (w *responses) response(root gjson.Result, out *piece) {
	out.id, out.model = root.Get("id").Str, clean(root.Get("model").Str)
	out.usage.read(root.Get("usage"))
	status := openai.ResponseStatus(root.Get("status").Str)
	switch status {
	case openai.ResponseStatusQueued, openai.ResponseStatusInProgress, openai.ResponseStatusCancelling:
		out.waiting = true
		return
	case openai.ResponseStatusFailed, openai.ResponseStatusCancelled:
		if out.refused = parseRefusal([]byte(root.Raw)); out.refused.message == root.Raw {
			out.refused.message = "the response is " + string(status)
		}
		return
	case openai.ResponseStatusIncomplete:
		out.finish = root.Get("incomplete_details.reason").Str
		if out.finish == "" || out.finish == "max_output_tokens" {
			out.finish = "length"
		}
	case openai.ResponseStatusCompleted:
		out.finish = "stop"
	default:
		out.finish = "stop"
	}
	if len(w.items) > 0 {
		return // already streamed
	}
	for _, item := range root.Get("output").Array() {
		out.other += w.item(item, out)
	}
	if text := root.Get("output_text").Str; text != "" && !w.spoke {
		out.text, w.spoke = clean(text), true
	}
}

// item stores a finished item, which the next request repeats unchanged.
func (w *responses) item(item gjson.Result, out *piece) int {
	if !item.IsObject() {
		return 0
	}
	w.items = append(w.items, json.RawMessage(item.Raw))
	switch item.Get("type").Str {
	case "function_call":
		arguments := item.Get("arguments")
		call := toolCall{id: item.Get("call_id").Str, name: item.Get("name").Str, arguments: arguments.Str}
		if arguments.IsObject() {
			call.arguments = arguments.Raw
		}
		w.asked = append(w.asked, call)
	case "message":
		spoke := w.spoke // already streamed
		for _, part := range item.Get("content").Array() {
			switch part.Get("type").Str {
			case "output_text", "text":
				if !spoke {
					out.text += clean(part.Get("text").String())
					w.spoke = true
				}
			case "refusal":
				if out.declined == "" && !spoke {
					out.declined = clean(part.Get("refusal").String())
				}
			}
		}
	}
	return len(item.Raw)
}

// calls implements wire.
func (w *responses) calls() []toolCall { return w.asked }

// said implements wire.
func (w *responses) said() []json.RawMessage { return w.items }

// adopt implements wire.
func (w *responses) adopt(calls []toolCall, _ string) {
	w.items = slices.DeleteFunc(w.items, func(item json.RawMessage) bool {
		return gjson.GetBytes(item, "type").Str == "message"
	})
	for i, call := range calls {
		call.id = fmt.Sprintf("call_%d", i+1)
		item, err := json.Marshal(map[string]string{
			"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments,
		})
		if err == nil {
			w.items, w.asked = append(w.items, item), append(w.asked, call)
		}
	}
}

const (
	// pollWait is the first wait before polling a background response; it doubles up to maxPollWait.
	pollWait    = 2 * time.Second
	maxPollWait = 15 * time.Second
	// cancelWait is how long the server may take to confirm a cancellation.
	cancelWait = 500 * time.Millisecond
)

// poll polls a background response until it is finished. It discards the text so far, since the answer is complete.
func (r *run) poll(ctx context.Context) error {
	failures := 0
	for wait := pollWait; ; wait = min(2*wait, maxPollWait) {
		r.watch(protocol.Delta{Note: "working in the background, asked again in " + roundWait(wait), Wait: wait})
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		one := &exchange{Endpoint: r.Endpoint}
		err := r.within(ctx, one, func(ctx context.Context) error {
			_, err := one.client().RetrieveResponse(ctx, r.background)
			return err
		})
		if _, mistyped := errors.AsType[*json.UnmarshalTypeError](err); mistyped {
			err = nil // use the raw JSON instead
		}
		if err != nil {
			var said *refusal
			permanent := errors.As(err, &said) && !said.isTransient()
			if failures++; permanent || failures >= r.limits.Attempts || ctx.Err() != nil {
				return err
			}
			continue
		}
		failures = 0
		w := &responses{}
		p, err := w.read(one.whole)
		if err != nil || p.empty() {
			return &foreignError{what: "no response"}
		}
		if p.waiting {
			continue
		}
		r.wire, r.background = w, ""
		r.restart()
		return r.add(&p)
	}
}

// stop cancels a background response. The context of the call may already be done.
func (r *run) stop(ctx context.Context) {
	if r.background == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelWait)
	defer cancel()
	one := &exchange{Endpoint: r.Endpoint}
	_ = r.within(ctx, one, func(ctx context.Context) error {
		_, err := one.client().CancelResponse(ctx, r.background)
		return err
	})
	r.background = ""
}

// within runs a request with a short deadline.
func (r *run) within(ctx context.Context, x *exchange, request func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x.dog = newWatchdog(cancel, "no answer", r.limits.Connect)
	defer x.dog.timer.Stop()
	return stalled(ctx, request(ctx))
}
