//go:build programs

package program

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// mock is a server that speaks what agent programs speak: the Responses API of
// OpenAI, the Messages API of Anthropic, that of Gemini, and chat completions. It
// answers with what the test says.
type mock struct {
	*httptest.Server

	mutex  sync.Mutex
	says   string
	fault  string
	bodies []string
	// uses is a tool that a reply in the Responses API uses first, nil for none.
	uses object
	// asked is told of each request for a reply.
	asked chan struct{}
	// over ends what hangs.
	over chan struct{}
}

// The faults.
const (
	faultless = ""
	fault401  = "401"
	fault429  = "429"
	fault500  = "500"
	faultLong = "long"
	faultCut  = "cut"
	faultHang = "hang"
)

func newMock(t *testing.T) *mock {
	t.Helper()
	m := &mock{says: "A plain answer.", asked: make(chan struct{}, 1000), over: make(chan struct{})}
	m.Server = httptest.NewServer(m)
	t.Cleanup(func() {
		close(m.over)
		m.CloseClientConnections()
		m.Close()
	})
	return m
}

// set says what is answered from here on.
func (m *mock) set(fault, says string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.fault, m.says, m.bodies, m.uses = fault, says, nil, nil
	for len(m.asked) > 0 {
		<-m.asked
	}
}

// use says that the model uses a tool before the next answer.
func (m *mock) use(tool string, arguments object) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	encoded, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	m.uses = object{"type": "function_call", "id": "fc_1", "call_id": fmt.Sprintf("call_%d", time.Now().UnixNano()), "name": tool, "arguments": string(encoded)}
}

// requests are the bodies that were sent since set.
func (m *mock) requests() []string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return append([]string{}, m.bodies...)
}

func (m *mock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	dialect := dialectOf(r.URL.Path)
	if dialect == nil || r.Method != http.MethodPost {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"data":[],"models":[],"object":"list"}`)
		return
	}
	m.mutex.Lock()
	fault, says, uses := m.fault, m.says, m.uses
	m.uses = nil
	m.bodies = append(m.bodies, string(body))
	m.mutex.Unlock()
	m.asked <- struct{}{}
	switch fault {
	case fault401:
		refuse(w, 401, "invalid_request_error", "Incorrect API key provided")
	case fault429:
		refuse(w, 429, "rate_limit_error", "Rate limited")
	case fault500:
		refuse(w, 500, "server_error", "upstream exploded")
	case faultLong:
		refuse(w, 400, "context_length_exceeded", "prompt is too long: 5000 tokens > maximum context length 4096 tokens")
	case faultHang:
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
		case <-m.over:
		}
	default:
		events := dialect(says)
		if uses != nil {
			events = []string{sse("response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": uses}), completed(uses)}
		}
		if fault == faultCut {
			events = events[:len(events)/2]
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			_, _ = io.WriteString(w, e)
			w.(http.Flusher).Flush()
		}
		if fault == faultCut {
			panic(http.ErrAbortHandler)
		}
	}
}

// refuse answers with an error that all of the APIs would send.
func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	if status == 429 {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"type":  "error",
		"error": map[string]any{"type": kind, "code": kind, "message": message, "status": kind},
	})
}

// dialectOf is how a reply is told at a path, nil for another path.
func dialectOf(path string) func(says string) []string {
	switch {
	case strings.HasSuffix(path, "/responses"):
		return responses
	case strings.HasSuffix(path, "/messages"):
		return messages
	case strings.Contains(path, ":streamGenerateContent"):
		return gemini
	case strings.HasSuffix(path, "/chat/completions"):
		return chat
	}
	return nil
}

// sse is an event of a stream.
func sse(name string, data any) string {
	encoded, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	if name == "" {
		return fmt.Sprintf("data: %s\n\n", encoded)
	}
	return fmt.Sprintf("event: %s\ndata: %s\n\n", name, encoded)
}

type object = map[string]any

// responses is a reply in the Responses API.
func responses(says string) []string {
	id := fmt.Sprintf("resp_%d", time.Now().UnixNano())
	message := object{"id": "msg_" + id, "type": "message", "role": "assistant", "status": "completed", "content": []object{{"type": "output_text", "text": says, "annotations": []string{}}}}
	base := object{"id": id, "object": "response", "model": "gpt-mock", "output": []object{}}
	var events []string
	events = append(events,
		sse("response.created", object{"type": "response.created", "response": base}),
		sse("response.output_item.added", object{"type": "response.output_item.added", "output_index": 0, "item": object{"id": "msg_" + id, "type": "message", "role": "assistant", "status": "in_progress", "content": []object{}}}))
	for _, piece := range pieces(says) {
		events = append(events, sse("response.output_text.delta", object{"type": "response.output_text.delta", "item_id": "msg_" + id, "output_index": 0, "content_index": 0, "delta": piece}))
	}
	return append(events,
		sse("response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": message}), completed(message))
}

// completed ends a reply in the Responses API.
func completed(item object) string {
	return sse("response.completed", object{"type": "response.completed", "response": object{
		"id": fmt.Sprintf("resp_%d", time.Now().UnixNano()), "object": "response", "model": "gpt-mock", "status": "completed", "output": []object{item},
		"usage": object{"input_tokens": 11, "output_tokens": 5, "total_tokens": 16, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0}},
	}})
}

// messages is a reply in the Messages API, which thinks before it speaks.
func messages(says string) []string {
	events := []string{
		sse("message_start", object{"type": "message_start", "message": object{
			"id": fmt.Sprintf("msg_%d", time.Now().UnixNano()), "type": "message", "role": "assistant", "content": []object{}, "model": "claude-opus-5-5",
			"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": 11, "output_tokens": 1},
		}}),
		sse("content_block_start", object{"type": "content_block_start", "index": 0, "content_block": object{"type": "thinking", "thinking": "", "signature": ""}}),
		sse("content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": object{"type": "thinking_delta", "thinking": "First I think."}}),
		sse("content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": object{"type": "signature_delta", "signature": "c2lnbmVk"}}),
		sse("content_block_stop", object{"type": "content_block_stop", "index": 0}),
		sse("content_block_start", object{"type": "content_block_start", "index": 1, "content_block": object{"type": "text", "text": ""}}),
	}
	for _, piece := range pieces(says) {
		events = append(events, sse("content_block_delta", object{"type": "content_block_delta", "index": 1, "delta": object{"type": "text_delta", "text": piece}}))
	}
	return append(events,
		sse("content_block_stop", object{"type": "content_block_stop", "index": 1}),
		sse("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": "end_turn", "stop_sequence": nil}, "usage": object{"output_tokens": 5}}),
		sse("message_stop", object{"type": "message_stop"}))
}

// gemini is a reply in the API of Gemini.
func gemini(says string) []string {
	var events []string
	all := pieces(says)
	for i, piece := range all {
		candidate := object{"content": object{"role": "model", "parts": []object{{"text": piece}}}, "index": 0}
		if i == len(all)-1 {
			candidate["finishReason"] = "STOP"
		}
		events = append(events, sse("", object{"candidates": []object{candidate}, "modelVersion": "gemini-2.5-pro", "usageMetadata": object{"promptTokenCount": 11, "candidatesTokenCount": 5, "totalTokenCount": 16}}))
	}
	return events
}

// chat is a reply in chat completions.
func chat(says string) []string {
	var events []string
	for _, piece := range pieces(says) {
		events = append(events, sse("", object{"id": "chat", "object": "chat.completion.chunk", "model": "mock", "choices": []object{{"index": 0, "delta": object{"role": "assistant", "content": piece}, "finish_reason": nil}}}))
	}
	return append(events,
		sse("", object{"id": "chat", "object": "chat.completion.chunk", "model": "mock", "choices": []object{{"index": 0, "delta": object{}, "finish_reason": "stop"}}, "usage": object{"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}}),
		"data: [DONE]\n\n")
}

// pieces parts a text after each space.
func pieces(says string) []string { return strings.SplitAfter(says, " ") }
