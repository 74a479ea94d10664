package endpoint

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"moot/protocol"
)

// reasoning is a chunk with a piece of a thought.
func reasoning(field, text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{%q:%s}}]}`, field, quoted)
}

// streams answers with the pieces of a reply, and its end.
func streams(pieces ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		events := make([]string, 0, len(pieces)+2)
		for _, piece := range pieces {
			events = append(events, token(piece))
		}
		stream(w, append(events, finish("stop"), counted, "[DONE]")...)
	}
}

func (b *bench) forget() { b.texts, b.thoughts, b.restarts = nil, nil, 0 }

// mustTell fails the test unless that was shown as the reply, and that as thought.
func (b *bench) mustTell(text, thought string, restarts int) {
	b.Helper()
	if got := strings.Join(b.texts, ""); got != text || b.restarts != restarts {
		b.Errorf("shown %q after %d restarts, want %q after %d", got, b.restarts, text, restarts)
	}
	if got := strings.Join(b.thoughts, ""); got != thought {
		b.Errorf("thought %q, want %q", got, thought)
	}
}

func TestThoughtsAreShownAsSuch(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"reasoning": func(w http.ResponseWriter, _ *http.Request) {
			stream(w, reasoning("reasoning", "well, "), reasoning("reasoning", "hm"), token("fine"), finish("stop"), counted, "[DONE]")
		},
		"reasoning_content": func(w http.ResponseWriter, _ *http.Request) {
			stream(w, reasoning("reasoning_content", "well, hm"), token("fine"), finish("stop"), counted, "[DONE]")
		},
		"thinking": func(w http.ResponseWriter, _ *http.Request) {
			stream(w, reasoning("thinking", "well, hm"), token("fine"), finish("stop"), counted, "[DONE]")
		},
		"parts of the content": func(w http.ResponseWriter, _ *http.Request) {
			stream(w, `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"well, "},{"type":"text","text":"hm"}]}]}}]}`,
				token("fine"), finish("stop"), counted, "[DONE]")
		},
		"tags in the content": streams("<think>well, ", "hm</think>fine"),
		"tags in pieces":      streams("<th", "ink>", "well, hm", "</", "think", ">fi", "ne"),
		"in one piece": func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, 200, `{"choices":[{"message":{"content":"<think>well, hm</think>fine"},"finish_reason":"stop"}]}`)
		},
		"in one piece, told apart": func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, 200, `{"choices":[{"message":{"reasoning_content":"well, hm","content":"fine"},"finish_reason":"stop"}]}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, setup{}, handler, func(b *bench) {
				b.mustReply("fine")
				b.mustTell("fine", "well, hm", 0)
			})
		})
	}
}

func TestAThoughtWithoutItsFirstTag(t *testing.T) {
	thinks := streams("well, ", "hm\n</thi", "nk>", "fine")
	inBubble(t, setup{}, firstly(thinks, thinks, streams("<think>hm</think>fine"), streams("no thought: ", "fine"), streams("fine")), func(b *bench) {
		b.mustReply("fine")
		b.mustTell("fine", "well, hm\n", 1)
		b.forget()
		b.mustReply("fine")
		b.mustTell("fine", "well, hm\n", 0)
		b.forget()
		b.mustReply("fine")
		b.forget()
		b.mustReply("no thought: fine")
		if b.restarts != 1 {
			b.Errorf("%d restarts", b.restarts)
		}
		b.forget()
		b.mustReply("fine")
		b.mustTell("fine", "", 0)
	})
}

func TestJSONIsNotSearchedForThoughts(t *testing.T) {
	const reply = `{"moves":[{"text":"it strips </think>\n and <think>"}]}`
	inBubble(t, setup{}, firstly(streams("hm</think>x"), streams(reply[:5], reply[5:])), func(b *bench) {
		b.mustReply("x")
		b.forget()
		b.mustReply(reply)
		b.mustTell(reply, "", 0)
	})
}

func TestAModelThatOnlyThinks(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		code    string
		words   []string
	}{
		"told apart": {func(w http.ResponseWriter, _ *http.Request) {
			stream(w, reasoning("reasoning", "well, hm"), finish("stop"), "[DONE]")
		}, "empty", []string{"sent 8 bytes of thoughts, but no reply"}},
		"between tags":    {streams("<think>well", ", hm</think>\n"), "empty", []string{"sent 8 bytes of thoughts, but no reply"}},
		"without its end": {streams("<think>well, hm"), "empty", []string{"sent 8 bytes of thoughts, but no reply"}},
		"to its last token": {func(w http.ResponseWriter, _ *http.Request) {
			stream(w, reasoning("reasoning", "well, hm"), finish("length"), "[DONE]")
		}, "length", []string{"token limit while it was still thinking (8 bytes of thoughts)"}},
		"in one piece": {func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, 200, `{"choices":[{"message":{"content":"<think>well, hm"},"finish_reason":"stop"}]}`)
		}, "empty", []string{"sent 8 bytes of thoughts, but no reply"}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, setup{}, c.handler, func(b *bench) {
				if broken := mustFail[*protocol.Broken](b, c.words...); broken.Code != c.code || b.calls() != 1 {
					b.Errorf("%+v after %d calls", broken, b.calls())
				}
			})
		})
	}
}
