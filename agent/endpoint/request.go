package endpoint

import (
	"math"
	"strings"

	"github.com/sashabaranov/go-openai"

	"moot/protocol"
)

// replyName names the schema of a reply on the wire.
const replyName = "reply"

// schemaInPrompt introduces the schema where the endpoint takes none.
const (
	schemaInPrompt = "\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n"
	schemaInFence  = "\n\n" + protocol.SchemaInFence
)

// request builds what is sent for a call, with what the server is known to
// take.
func (e *Endpoint) request(call protocol.Call, taken ability) openai.ChatCompletionRequest {
	request := openai.ChatCompletionRequest{Model: e.config.Model}
	system := call.Prompt.System
	if len(call.Schema) > 0 {
		switch taken.structure {
		case StructureStrict, StructureSchema:
			request.ResponseFormat = &openai.ChatCompletionResponseFormat{
				Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
				JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
					Name: replyName, Schema: taken.schema, Strict: taken.structure == StructureStrict,
				},
			}
		case StructureObject:
			request.ResponseFormat = &openai.ChatCompletionResponseFormat{
				Type: openai.ChatCompletionResponseFormatTypeJSONObject,
			}
			system += schemaInPrompt + string(call.Schema)
		case StructurePlain:
			system += schemaInFence + string(call.Schema)
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
		// Servers of one's own often know only the older name.
		request.MaxTokens = e.config.MaxTokens //nolint:staticcheck // see above
	}
	if taken.effort {
		request.ReasoningEffort = string(e.config.Effort)
	}
	if taken.sampling && e.config.Temperature != nil {
		request.Temperature = float32(*e.config.Temperature)
		if request.Temperature == 0 {
			// The library leaves a zero out; this is as good as one.
			request.Temperature = math.SmallestNonzeroFloat32
		}
	}
	return request
}

// isReasoning reports that a model thinks before it answers, and refuses
// sampling parameters and max_tokens; the library checks some of these names
// itself.
func isReasoning(model string) bool {
	name := bareModel(model)
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// promptBytes is how much text a request carries.
func promptBytes(request openai.ChatCompletionRequest) int {
	total := 0
	for _, message := range request.Messages {
		total += len(message.Content)
	}
	return total
}
