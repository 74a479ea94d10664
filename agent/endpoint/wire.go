package endpoint

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sashabaranov/go-openai"
	"github.com/tidwall/gjson"

	"moot/protocol"
)

// wire implements one API for one request: it encodes the conversation, parses the events of the response, and
// repeats the response in the next request. To support a third API, add a type that implements it.
type wire interface {
	// open sends a conversation and returns the response events. The exchange carries what the library's types cannot
	// hold.
	open(ctx context.Context, client *openai.Client, x *exchange, c *conversation) (events, error)
	// read parses one event, which is valid JSON, or a complete response.
	read(event []byte) (piece, error)
	// calls returns the tool calls of the response. said returns the response as the next request repeats it, with
	// all fields unchanged.
	calls() []toolCall
	said() []json.RawMessage
	// adopt adds tool calls that the model wrote into its text; rest is the remaining text.
	adopt(calls []toolCall, rest string)
}

// events is an event stream of the library.
type events interface {
	// RecvRaw returns the next event, which may be nil, or io.EOF at the end.
	RecvRaw() ([]byte, error)
	Close() error
}

// conversation is a seat's turn, independent of the API.
type conversation struct {
	options
	model          string
	system, prompt string
	// turns are the lookups so far.
	turns []turn
	tools []protocol.Tool
	// last says that no more tool calls are allowed.
	last bool
	// schema is the response format if the structure is strict or schema.
	schema      json.RawMessage
	temperature *float64
	// maxTokens limits the reply; 0 leaves it to the server.
	maxTokens int
}

// turn is a model's message with lookups, and their answers.
type turn struct {
	said  []json.RawMessage
	calls []toolCall
	// responses says that the message came from the Responses API.
	responses bool
}

// toolCall is a lookup requested by a model.
type toolCall struct {
	id, name, arguments string
	// old says that the call is a function_call, the form before tools.
	old bool
	// answer is the result of the lookup.
	answer string
}

// isJSONObject reports whether a text is one JSON object.
func isJSONObject(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text))
}

// piece is the part of a reply in one event.
type piece struct {
	// refused is an error that the server sent in the stream.
	refused *refusal
	model   string
	// text, thought and declined extend the reply, the reasoning, and the model's refusal to answer.
	text, thought, declined string
	// finish is why the reply ended, or "".
	finish string
	usage  usage
	// other counts the bytes of lookups and other data that the reply needs.
	other int
	// id identifies a response that can be polled; waiting says that it is not ready.
	id      string
	waiting bool
}

// empty reports whether a complete answer has no content.
func (p *piece) empty() bool {
	return p.refused == nil && p.finish == "" && p.text == "" && p.thought == "" && p.other == 0 && p.id == ""
}

// usage is the cost of a reply in tokens.
type usage struct {
	reported           bool
	prompt, completion int
	// cached prompt tokens, which most servers include in prompt
	cached int
	// cost in US dollars, or 0 if not reported
	cost float64
}

func (u *usage) add(other usage) {
	u.reported = u.reported || other.reported
	u.prompt += other.prompt
	u.completion += other.completion
	u.cost += other.cost
}

// read adds the counts of an event. Servers report integers, floats or strings, and some report the cost, so the
// library's type is not enough. Impossible counts are ignored.
func (u *usage) read(value gjson.Result) {
	if !value.IsObject() {
		return
	}
	const mostCost = 1e6
	cost := max(0, value.Get("cost").Float())
	possible := cost <= mostCost
	count := func(paths ...string) int {
		for _, path := range paths {
			if found := value.Get(path); found.Exists() {
				n := found.Float()
				possible = possible && n >= 0 && n <= mostContext
				return int(max(0, min(n, mostContext)))
			}
		}
		return 0
	}
	found := usage{
		reported: true, cost: cost,
		prompt: count("prompt_tokens", "input_tokens"), completion: count("completion_tokens", "output_tokens"),
		cached: max(count("prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens"),
			count("cache_read_input_tokens")),
	}
	if possible {
		*u = found
	}
}

// clean replaces invalid UTF-8 in server text.
func clean(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
