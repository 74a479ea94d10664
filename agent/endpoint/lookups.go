package endpoint

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"moot/protocol/move"
)

// maxCalls is the number of calls of one message that are sent back as tool calls.
const maxCalls = 64

// isLookup reports whether moot offers a tool with this name. Some models add a prefix: "functions.read".
func isLookup(name string) bool {
	return slices.Contains(move.Lookups(), move.Kind(strings.ToUpper(name[strings.LastIndexAny(name,
		".:")+1:])))
}

// looked answers the lookups that the model asked for, and reports whether to call it again: with the answers or, if
// no lookups are left, for its reply.
func (r *run) looked(ctx context.Context) bool {
	look := r.call.Look
	if look == nil {
		return false
	}
	inText := len(r.wire.calls()) == 0
	if inText {
		calls, rest := textCalls(r.text.String())
		known := func(call toolCall) bool { return isLookup(call.name) }
		quoted := r.call.Parses != nil && r.call.Parses(r.text.String())
		if quoted || !slices.ContainsFunc(calls, known) {
			return false // a reply that quotes a call
		}
		r.wire.adopt(calls, rest)
	}
	said := r.wire.said() // also fills in missing call ids
	calls := r.wire.calls()
	if last := calls[len(calls)-1]; r.isCutShort() && last.arguments != "" && !isJSONObject(last.arguments) {
		return false // the call is incomplete
	}
	if look.Spent() {
		switch {
		case r.call.Parses != nil && r.call.Parses(r.text.String()) && !inText:
			return false // it also replied
		case r.final:
			r.insists = true
			return false
		}
		r.flat, r.final = true, true
		r.restart()
		return true
	}
	if len(calls) > maxCalls {
		r.flat = true // otherwise each call would be sent back with an answer
	}
	for i, call := range calls {
		// A server may echo the key in a call; it must not be recorded.
		name := r.scrubber.Clean(call.name)
		calls[i].answer = look.Call(ctx, name[strings.LastIndexAny(name, ".:")+1:],
			[]byte(r.scrubber.Clean(call.arguments)))
	}
	_, responded := r.wire.(*responses)
	r.turns = append(r.turns, turn{said, calls, responded})
	r.reply.Attempts-- // a lookup is no retry
	r.restart()
	return true
}

var (
	// Tool calls in the text of a reply, from servers that have no parser for their model.
	jsonCall = regexp.MustCompile(`(?s)<(?:tool_call|function_call)>\s*(\{.*?\})\s*(?:</(?:tool_call|` +
		`function_call)>|$)`)
	functionCall = regexp.MustCompile(`(?s)<function=([A-Za-z_]+)>(.*?)</function>`)
	parameter    = regexp.MustCompile(`(?s)<parameter=([A-Za-z_]+)>\s*(.*?)\s*</parameter>`)
	listedCalls  = regexp.MustCompile(`(?s)^\s*\[TOOL_CALLS\]\s*(\[.*\])\s*$`)
)

// textCalls returns the tool calls in the text of a reply, and the rest of the text. A reply with moves merely quotes
// a call.
func textCalls(text string) (calls []toolCall, rest string) {
	if !strings.ContainsAny(text, "<[") || len(text) > 64<<10 {
		return nil, text
	}
	add := func(object []byte) {
		var call struct {
			Name       string          `json:"name"`
			Arguments  json.RawMessage `json:"arguments"`
			Parameters json.RawMessage `json:"parameters"`
		}
		if json.Unmarshal(object, &call) != nil || call.Name == "" {
			return
		}
		arguments := string(call.Arguments)
		arguments = cmp.Or(arguments, string(call.Parameters))
		var quoted string
		if json.Unmarshal([]byte(arguments), &quoted) == nil {
			arguments = quoted
		}
		calls = append(calls, toolCall{name: call.Name, arguments: arguments})
	}
	if found := listedCalls.FindStringSubmatch(text); found != nil {
		var list []json.RawMessage
		if json.Unmarshal([]byte(found[1]), &list) == nil {
			for _, object := range list {
				add(object)
			}
		}
		return calls, ""
	}
	rest = jsonCall.ReplaceAllStringFunc(text, func(call string) string {
		add([]byte(jsonCall.FindStringSubmatch(call)[1]))
		return ""
	})
	rest = functionCall.ReplaceAllStringFunc(rest, func(call string) string {
		found := functionCall.FindStringSubmatch(call)
		arguments := map[string]any{}
		for _, p := range parameter.FindAllStringSubmatch(found[2], -1) {
			arguments[p[1]] = p[2]
			if number := json.Number(p[2]); isInteger(p[2]) {
				arguments[p[1]] = number
			}
		}
		encoded, _ := json.Marshal(arguments)
		calls = append(calls, toolCall{name: found[1], arguments: string(encoded)})
		return ""
	})
	if strings.Contains(rest, `"moves"`) {
		return nil, text
	}
	return calls, strings.TrimSpace(rest)
}

func isInteger(text string) bool {
	return text != "" && len(text) < 10 && strings.Trim(text, "0123456789") == ""
}
