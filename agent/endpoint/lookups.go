package endpoint

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
)

// looked answers the lookups that the model asked for, and reports whether it has to be asked again: with the answers,
// or, when no lookups are left, for its reply without any more of them.
func (r *run) looked(ctx context.Context) bool {
	look := r.call.Look
	if look == nil {
		return false
	}
	inText := len(r.wire.calls()) == 0
	if inText {
		calls, rest := textCalls(r.text.String())
		if len(calls) == 0 {
			return false
		}
		r.wire.adopt(calls, rest)
	}
	said := r.wire.said() // It fills in the ids of the calls.
	calls := r.wire.calls()
	if look.Spent() {
		switch {
		case r.call.Parses != nil && r.call.Parses(r.text.String()) && !inText:
			return false // It replied as well.
		case r.final:
			r.insists = true
			return false
		}
		r.flat, r.final = true, true
		r.restart()
		return true
	}
	for i := range calls {
		calls[i].answer = look.Call(ctx, calls[i].name, []byte(calls[i].arguments))
	}
	r.turns = append(r.turns, turn{said, calls})
	r.reply.Attempts-- // a lookup is no retry
	r.restart()
	return true
}

var (
	// The forms of calls in the text of a reply, from servers that have no parser for their model.
	jsonCall     = regexp.MustCompile(`(?s)<(?:tool_call|function_call)>\s*(\{.*?\})\s*(?:</(?:tool_call|function_call)>|$)`)
	functionCall = regexp.MustCompile(`(?s)<function=([A-Za-z_]+)>(.*?)</function>`)
	parameter    = regexp.MustCompile(`(?s)<parameter=([A-Za-z_]+)>\s*(.*?)\s*</parameter>`)
	listedCalls  = regexp.MustCompile(`(?s)^\s*\[TOOL_CALLS\]\s*(\[.*\])\s*$`)
)

// textCalls returns the calls of tools that a reply holds as text, and the rest of the text. A reply with moves only
// quotes a call.
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
		if arguments == "" {
			arguments = string(call.Parameters)
		}
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
