package endpoint

import (
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"

	"moot/protocol"
)

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

// EX6: where an endpoint tells no token counts they are estimated, by what was sent and
// by what came, thoughts too, so that a cap holds there; the cost is by them.
func TestUntoldTokensAreEstimated(t *testing.T) {
	silent := func(w http.ResponseWriter, _ *http.Request) {
		thought := `{"choices":[{"delta":{"reasoning_content":"` + strings.Repeat("hm, ", 100) + `"}}]}`
		stream(w, thought, token(strings.Repeat("fine", 200)), finish("stop"), "[DONE]")
	}
	asked := testCall().Prompt
	inBubble(t, setup{}, silent, func(b *bench) {
		reply := b.mustReply(strings.Repeat("fine", 200))
		if !reply.Estimated || reply.PromptTokens != (len(asked.System)+len(asked.Text))/4 || reply.PromptTokens == 0 || reply.CompletionTokens != 300 {
			b.Errorf("%+v", reply)
		}
		if want := float64(reply.PromptTokens)/1e6 + 300*10/1e6; math.Abs(reply.Cost-want) > 1e-9 || !strings.Contains(strings.Join(reply.Notes, "|"), "reports no token counts: tokens and cost are estimated") {
			b.Errorf("%g, want %g, %q", reply.Cost, want, reply.Notes)
		}
		if again := b.mustReply(strings.Repeat("fine", 200)); !again.Estimated || len(again.Notes) != 0 {
			b.Errorf("%+v", again)
		}
	})
	inBubble(t, setup{}, firstly(func(w http.ResponseWriter, _ *http.Request) { refuse(w, 503, `{}`) }), func(b *bench) {
		if reply := b.mustReply("fine"); reply.Estimated || reply.CompletionTokens != 20 {
			b.Errorf("%+v", reply)
		}
	})
}
