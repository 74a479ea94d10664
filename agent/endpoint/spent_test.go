package endpoint

import (
	"errors"
	"net/http"
	"testing"

	"moot/protocol"
)

// EX6: what a call cost that brought no reply is told beside the error, and what an
// attempt cost that was lost is a part of the reply's own cost.
func TestCallsWithoutAReplyAreCounted(t *testing.T) {
	long := func(w http.ResponseWriter, _ *http.Request) {
		stream(w, token("half"), finish("length"), counted, "[DONE]")
	}
	inBubble(t, setup{}, long, func(b *bench) {
		reply, err := b.ask(b.Context())
		if _, broken := errors.AsType[*protocol.Broken](err); !broken {
			b.Fatalf("%T %v", err, err)
		}
		// 100 tokens at 1 dollar and 20 at 10 dollars a million.
		if reply.PromptTokens != 100 || reply.CompletionTokens != 20 || reply.Cost != 0.0003 || reply.Attempts != 1 || reply.Model != "gpt-test-2026" {
			b.Errorf("%+v", reply)
		}
	})
	lost := func(w http.ResponseWriter, _ *http.Request) {
		stream(w, `{"choices":[{"delta":{},"finish_reason":"error"}],"usage":{"prompt_tokens":100,"completion_tokens":0}}`)
	}
	inBubble(t, setup{}, firstly(lost), func(b *bench) {
		if reply := b.mustReply("fine"); reply.PromptTokens != 200 || reply.CompletionTokens != 20 || reply.Attempts != 2 {
			b.Errorf("%+v", reply)
		}
	})
	inBubble(t, setup{}, func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusUnauthorized, `{}`) }, func(b *bench) {
		if reply, err := b.ask(b.Context()); err == nil || reply.Attempts != 1 || len(reply.Notes) != 0 {
			b.Errorf("%+v, %v", reply, err)
		}
	})
}
