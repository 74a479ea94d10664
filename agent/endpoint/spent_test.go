package endpoint

import (
	"math"
	"net/http"
	"strings"
	"testing"
)

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
