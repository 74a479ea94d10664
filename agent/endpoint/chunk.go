package endpoint

import (
	"errors"
	"strings"

	"github.com/tidwall/gjson"
)

// errMalformed says that a chunk is no JSON object.
var errMalformed = errors.New("the server sent a chunk that is no JSON")

const (
	// deepJSON is how deep JSON from a server may nest.
	deepJSON = 1000
	// shallowBytes is the length up to which JSON cannot nest deep enough to
	// matter.
	shallowBytes = 64 << 10
)

// chunk is one event of a stream, or the whole of a reply that was not
// streamed. Chunks are read by path and not into the library's structs: those
// miss delta.reasoning, fail on a content that is a list and on an error that
// is a string, and cost several times as much for each token.
type chunk struct {
	// refused is the error inside the stream, or nil.
	refused *refusal
	model   string
	// text, reasoning and declined are the next pieces of the reply, of the
	// thought before it, and of the model's refusal to answer.
	text, reasoning, declined string
	// finish is why the reply ended, or "" while it goes on.
	finish string
	usage  usage
}

// usage is what a reply cost in tokens.
type usage struct {
	told               bool
	prompt, completion int
	// cached are the tokens of the prompt that the server had already. Most count
	// them in prompt too.
	cached int
	// cost is in US dollars, 0 where none is told.
	cost float64
}

// parseChunk reads the JSON of an event.
func parseChunk(data []byte) (chunk, error) {
	if tooDeep(data) || !gjson.ValidBytes(data) {
		return chunk{}, errMalformed
	}
	root := gjson.ParseBytes(data)
	if root.IsArray() {
		root = root.Get("0") // One provider wraps its errors in a list.
	}
	if !root.IsObject() {
		return chunk{}, errMalformed
	}
	var out chunk
	root.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "error":
			if value.Type != gjson.Null && value.Type != gjson.False {
				said := parseRefusal(data)
				out.refused = &said
			}
		case "model":
			out.model = value.String()
		case "choices":
			out.readChoices(value)
		case "usage":
			out.usage.read(value)
		case "x_groq":
			out.usage.read(value.Get("usage"))
		}
		return true
	})
	return out, nil
}

// readChoices reads the first choice; moot never asks for more than one.
func (c *chunk) readChoices(choices gjson.Result) {
	choices.ForEach(func(_, choice gjson.Result) bool {
		if choice.Get("index").Int() != 0 {
			return true
		}
		choice.ForEach(func(name, value gjson.Result) bool {
			switch name.Str {
			case "delta", "message":
				c.readDelta(value)
			case "finish_reason":
				c.finish = value.String()
			case "error":
				if value.IsObject() {
					said := parseRefusal([]byte(choice.Raw))
					c.refused = &said
				}
			}
			return true
		})
		return false
	})
}

// readDelta reads a piece of the reply.
func (c *chunk) readDelta(delta gjson.Result) {
	delta.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "content":
			if value.IsArray() {
				c.readParts(value)
			} else if value.Type == gjson.String {
				c.text = strings.ToValidUTF8(value.Str, "\uFFFD")
			}
		case "reasoning", "reasoning_content", "thinking":
			if value.Type == gjson.String && c.reasoning == "" {
				c.reasoning = strings.ToValidUTF8(value.Str, "\uFFFD")
			}
		case "refusal":
			c.declined = value.String()
		}
		return true
	})
}

// readParts reads a content that is a list of typed parts.
func (c *chunk) readParts(parts gjson.Result) {
	var text, thought strings.Builder
	parts.ForEach(func(_, part gjson.Result) bool {
		switch part.Get("type").Str {
		case "text":
			text.WriteString(part.Get("text").String())
		case "thinking", "reasoning":
			readThought(part, &thought)
		}
		return true
	})
	c.text = strings.ToValidUTF8(text.String(), "\uFFFD")
	c.reasoning = strings.ToValidUTF8(thought.String(), "\uFFFD")
}

// readThought reads a thought that is a part of the content: its text stands in a
// field, or in a list of such parts.
func readThought(part gjson.Result, out *strings.Builder) {
	for _, field := range []string{"thinking", "reasoning", "text"} {
		switch value := part.Get(field); {
		case value.Type == gjson.String:
			out.WriteString(value.Str)
			return
		case value.IsArray():
			value.ForEach(func(_, inner gjson.Result) bool {
				out.WriteString(inner.Get("text").String())
				return true
			})
			return
		}
	}
}

// read takes the usage if there is one.
func (u *usage) read(value gjson.Result) {
	if !value.IsObject() {
		return
	}
	u.told = true
	u.prompt = max(0, int(value.Get("prompt_tokens").Int()))
	u.completion = max(0, int(value.Get("completion_tokens").Int()))
	u.cached = max(0, int(value.Get("prompt_tokens_details.cached_tokens").Int()), int(value.Get("cache_read_input_tokens").Int()))
	u.cost = max(0, value.Get("cost").Float())
}

// add adds what another attempt cost.
func (u *usage) add(other usage) {
	u.told = u.told || other.told
	u.prompt += other.prompt
	u.completion += other.completion
	u.cost += other.cost
}

// tooDeep reports that JSON nests so deep that reading it could exhaust the
// stack. Short text is not looked at.
func tooDeep(data []byte) bool {
	if len(data) <= shallowBytes {
		return false
	}
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > deepJSON {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
