package endpoint

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sashabaranov/go-openai"
	"github.com/tidwall/gjson"

	"moot/protocol"
)

// wire is one API of a server, for one request. It encodes a conversation, reads the events of the answer, and knows
// how the answer is repeated in the next request. A third API is a third type that implements it.
type wire interface {
	// open sends a conversation and returns the events of the answer. The exchange takes what the library's types
	// cannot hold.
	open(ctx context.Context, client *openai.Client, x *exchange, c *conversation) (events, error)
	// read reads one event, which is valid JSON, or an answer that came in one piece.
	read(event []byte) (piece, error)
	// calls returns the lookups that the model asked for, said the answer in the form in which the next request
	// repeats it: with every field as it came.
	calls() []toolCall
	said() []json.RawMessage
	// adopt makes calls that the model wrote into its text, whose rest is given, calls of the answer.
	adopt(calls []toolCall, rest string)
}

// events is a stream of the library.
type events interface {
	// RecvRaw returns the next event, or nil for none. It returns io.EOF at the end.
	RecvRaw() ([]byte, error)
	Close() error
}

// conversation is one turn of a seat, independent of the API.
type conversation struct {
	options
	model          string
	system, prompt string
	// turns are the lookups so far.
	turns []turn
	tools []protocol.Tool
	// last says that the tools may not be called again.
	last bool
	// schema is sent as the response format if the structure is strict or schema.
	schema      json.RawMessage
	temperature *float64
	// maxTokens caps the reply; 0 leaves it to the server.
	maxTokens int
}

// turn is one message of a model that asks for lookups, with their answers.
type turn struct {
	said  []json.RawMessage
	calls []toolCall
	// responses says that it came from the Responses API.
	responses bool
}

// toolCall is a lookup that a model asks for.
type toolCall struct {
	id, name, arguments string
	// old says that it came as a function_call, the form before tools.
	old bool
	// answer is the text that the lookup returned.
	answer string
}

// isJSONObject reports whether a text is one JSON object.
func isJSONObject(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text))
}

// piece is the part of a reply that one event brings.
type piece struct {
	// refused is an error of the server in the stream.
	refused *refusal
	model   string
	// text, thought and declined are the next pieces of the reply, of the reasoning before it, and of the model's
	// refusal to answer.
	text, thought, declined string
	// finish is why the reply ended, or "".
	finish string
	usage  usage
	// other counts the bytes of lookups and other parts that the reply needs.
	other int
	// id names a response that can be asked for again; waiting says that it is not ready.
	id      string
	waiting bool
}

// empty reports whether a whole answer holds nothing that a model says.
func (p *piece) empty() bool {
	return p.refused == nil && p.finish == "" && p.text == "" && p.thought == "" && p.other == 0 && p.id == ""
}

// usage is the cost of a reply in tokens.
type usage struct {
	reported           bool
	prompt, completion int
	// cached tokens of the prompt; most servers count them in prompt too.
	cached int
	// cost is in US dollars, 0 if not reported.
	cost float64
}

func (u *usage) add(other usage) {
	u.reported = u.reported || other.reported
	u.prompt += other.prompt
	u.completion += other.completion
	u.cost += other.cost
}

// read takes the counts of an event. Servers report them as integers, floats and texts, and one
// of them the cost as well, so the library's type holds only some. Counts that no model has are
// not reported.
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

// clean returns a text of a server as valid UTF-8.
func clean(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
