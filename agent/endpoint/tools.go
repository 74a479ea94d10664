package endpoint

import (
	"cmp"
	"context"
	"fmt"

	"github.com/tidwall/gjson"

	"moot/protocol"
)

// toolCalls collects the calls of tools in a stream, whose arguments come in pieces.
type toolCalls struct {
	calls []tool
	bytes int
}

// add takes the tool_calls of one chunk. A piece belongs to the call of its index; some servers
// leave the index out and send each call in one piece, with an id of its own.
func (t *toolCalls) add(list gjson.Result) {
	for _, piece := range list.Array() {
		at := len(t.calls) - 1
		if index := piece.Get("index"); index.Exists() {
			at = int(index.Int())
		} else if id := piece.Get("id").Str; id != "" {
			at = len(t.calls)
		}
		if at < 0 || at >= len(t.calls) {
			at = len(t.calls)
			t.calls = append(t.calls, tool{Type: "function", ID: fmt.Sprintf("call_%d", at+1)})
		}
		call := &t.calls[at]
		call.ID = cmp.Or(piece.Get("id").Str, call.ID)
		call.Function.Name += piece.Get("function.name").Str
		arguments := piece.Get("function.arguments")
		if arguments.IsObject() { // instead of a text
			call.Function.Arguments = arguments.Raw
		} else {
			call.Function.Arguments += arguments.Str
		}
		t.bytes += len(arguments.Raw) + len(piece.Get("function.name").Str) + 1
	}
}

// looked answers the calls of tools in the last reply, and reports whether there were any: then
// the model is asked again, with the answers.
func (r *run) looked(ctx context.Context) bool {
	calls := r.tools.calls
	if r.call.Look == nil || r.call.Look.Left <= 0 || len(calls) == 0 {
		return false
	}
	r.turn = append(r.turn, message{Role: "assistant", Content: r.text.String(), ToolCalls: calls})
	for _, call := range calls {
		r.turn = append(r.turn, message{
			Role: "tool", ToolCallID: call.ID,
			Content: r.call.Look.Call(ctx, call.Function.Name, []byte(call.Function.Arguments)),
		})
	}
	r.reply.Attempts-- // a lookup is no retry
	if r.text.Len() > 0 {
		r.text.Reset()
		r.watch(protocol.Delta{Restart: true})
	}
	return true
}
