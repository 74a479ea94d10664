package play

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// maxRequest bounds a request, in bytes.
const maxRequest = 16 << 20

// handler serves the part of the chat completions API that a client needs:
// streaming, with or without a response_format, and the list of models.
func (e *endpoint) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", e.complete)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, openai.ModelsList{Models: []openai.Model{{ID: e.Model, Object: "model", OwnedBy: "nobody"}}})
	})
	return mux
}

func (e *endpoint) complete(w http.ResponseWriter, r *http.Request) {
	var request openai.ChatCompletionRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&request); err != nil {
		refuse(w, http.StatusBadRequest, "", "this is no request: "+err.Error())
		return
	}
	prompt := &strings.Builder{}
	for _, message := range request.Messages {
		prompt.WriteString(message.Content + "\n")
	}
	text, ok := e.answer(prompt.String())
	switch {
	case request.Model != e.Model:
		refuse(w, http.StatusNotFound, "model", fmt.Sprintf("there is no model %q here, only %q", request.Model, e.Model))
	case request.ResponseFormat != nil && !e.Schema:
		refuse(w, http.StatusBadRequest, "response_format", "response_format is not supported")
	case !request.Stream:
		refuse(w, http.StatusBadRequest, "stream", "only streams are played")
	case !ok:
		refuse(w, http.StatusBadRequest, "messages", "the replies here were written beforehand, and none is for this prompt; no model is at work")
	default:
		e.stream(w, text, prompt.Len(), request.StreamOptions != nil && request.StreamOptions.IncludeUsage)
	}
}

// stream sends a text line by line, as a model sends it token by token.
func (e *endpoint) stream(w http.ResponseWriter, text string, prompt int, usage bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	for piece := range strings.Lines(text) {
		e.send(w, openai.ChatCompletionStreamChoice{Delta: openai.ChatCompletionStreamChoiceDelta{Role: "assistant", Content: piece}}, nil)
	}
	var counted *openai.Usage
	if usage {
		// As good a count as any: four bytes are a token.
		counted = &openai.Usage{PromptTokens: prompt / 4, CompletionTokens: len(text) / 4, TotalTokens: prompt/4 + len(text)/4}
	}
	e.send(w, openai.ChatCompletionStreamChoice{FinishReason: openai.FinishReasonStop}, counted)
	event(w, "[DONE]")
}

func (e *endpoint) send(w http.ResponseWriter, choice openai.ChatCompletionStreamChoice, usage *openai.Usage) {
	chunk, err := json.Marshal(openai.ChatCompletionStreamResponse{
		ID: "written", Object: "chat.completion.chunk", Model: e.Model, Choices: []openai.ChatCompletionStreamChoice{choice}, Usage: usage,
	})
	if err == nil {
		event(w, string(chunk))
	}
}

// event sends one server-sent event at once. Where the client has left there is
// nobody to tell.
func event(w http.ResponseWriter, data string) {
	_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	_ = http.NewResponseController(w).Flush()
}

func refuse(w http.ResponseWriter, status int, parameter, message string) {
	writeJSON(w, status, openai.ErrorResponse{Error: &openai.APIError{Type: "invalid_request_error", Param: &parameter, Message: message}})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
