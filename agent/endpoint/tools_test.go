package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/state"
)

// oneFile is a workspace with one file.
type oneFile struct{}

func (oneFile) Look(_ context.Context, lookup protocol.Move, _ int) (string, []state.Passage, error) {
	if read, ok := lookup.(*protocol.Read); ok && read.Path == "a.go" {
		return "1: package a", []state.Passage{{Path: "a.go", From: 1, To: 1}}, nil
	}
	return "", nil, fmt.Errorf("there is no such file")
}

func lookingCall(t *testing.T) protocol.Call {
	t.Helper()
	parser, err := protocol.NewParser(formats.All())
	if err != nil {
		t.Fatal(err)
	}
	call := testCall()
	call.Look = protocol.NewTurnLookups(parser.Specs, oneFile{}, call.Ask, 4, func(string) {})
	return call
}

// pieces are the events of a reply that calls tools.
func pieces(deltas ...string) string {
	out := ""
	for _, delta := range deltas {
		out += event(`{"choices":[{"delta":` + delta + `}]}`)
	}
	return out + event(`{"choices":[{"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`) + event("[DONE]")
}

const said = `{"moves":[]}`

// LU2: lookups are tools, whose arguments come in pieces, several in one reply. Whatever a model
// calls is answered, and it is asked again.
func TestTools(t *testing.T) {
	for name, c := range map[string]struct {
		reply  string
		answer string // of the tools, in the second request
		left   int
	}{
		"in pieces": {pieces(
			`{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"read","arguments":""}}]}`,
			`{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":"}}]}`, `{"tool_calls":[{"index":0,"function":{"arguments":"\"a.go\"}"}}]}`,
		), `c1: 1: package a`, 3},
		"two at once, after some text": {pieces(
			`{"content":"Let me look."}`,
			`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}},{"index":1,"id":"c2","function":{"name":"read","arguments":"{\"path\":\"b.go\"}"}}]}`,
		), `c1: 1: package a c2: refused: there is no such file`, 2},
		"without index and id": {pieces(`{"tool_calls":[{"function":{"name":"read","arguments":{"path":"a.go"}}}]}`), `call_1: 1: package a`, 3},
		"an unknown tool":      {pieces(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"rm","arguments":"{}"}}]}`), `c1: refused: there is no tool "rm"`, 3},
		"no JSON":              {pieces(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"path"}}]}`), `c1: refused: the arguments are not a JSON object`, 3},
		"a wrong type":         {pieces(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"path\":7}"}}]}`), `c1: refused: READ: path must be`, 3},
		"a far index":          {pieces(`{"tool_calls":[{"index":99999999,"id":"c1","function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}}]}`), `c1: 1: package a`, 3},
	} {
		t.Run(name, func(t *testing.T) {
			call := lookingCall(t)
			asked := 0
			inBubble(t, setup{}, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				if asked++; asked == 1 {
					_, _ = io.WriteString(w, c.reply)
					return
				}
				_, _ = io.WriteString(w, event(token(said))+event(finish("stop")))
			}, func(b *bench) {
				reply, err := b.Reply(b.Context(), call, nil)
				if err != nil || reply.Text != said {
					t.Fatalf("%q, %v", reply.Text, err)
				}
				var answers []string
				for _, m := range b.bodies[1]["messages"].([]any) {
					if message := m.(map[string]any); message["role"] == "tool" {
						answers = append(answers, fmt.Sprintf("%s: %s", message["tool_call_id"], message["content"]))
					}
				}
				if got := strings.Join(answers, " "); !strings.HasPrefix(got, c.answer) {
					t.Errorf("answered %q, want %q", got, c.answer)
				}
				if tools, _ := json.Marshal(b.bodies[0]["tools"]); strings.Count(string(tools), `"type":"function"`) != 3 {
					t.Errorf("offered %s", tools)
				}
				if call.Look.Left != c.left {
					t.Errorf("%d lookups are left, want %d", call.Look.Left, c.left)
				}
			})
		})
	}
}

// A model that calls tools for ever gets no more answers, and arguments that never end end the call.
func TestToolsWithoutEnd(t *testing.T) {
	call := lookingCall(t)
	again := pieces(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}}]}`)
	inBubble(t, setup{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, again)
	}, func(b *bench) {
		_, err := b.Reply(b.Context(), call, nil)
		broken, _ := errors.AsType[*protocol.Broken](err)
		if broken == nil || broken.Kind != state.FailureLookups || b.calls() != 6 || len(call.Look.Done) != 4 ||
			b.bodies[4]["tool_choice"] != "none" || b.bodies[5]["tools"] != nil {
			t.Fatalf("%d requests, %d lookups, %v", b.calls(), len(call.Look.Done), err)
		}
		// The last request shows what was looked up, and the last lookup said that it was the last.
		last, _ := json.Marshal(b.bodies[5]["messages"])
		before, _ := json.Marshal(b.bodies[4]["messages"])
		if strings.Count(string(last), "1: package a") != 4 || strings.Count(string(before), "last lookup of this turn") != 1 {
			t.Errorf("the last request: %s\nthe one before: %s", last, before)
		}
	})
	call = lookingCall(t)
	inBubble(t, setup{limits: Limits{MaxReplyBytes: 4000}},
		flood(1<<20, 0, event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"xxxxxxxx"}}]}}]}`)),
		func(b *bench) {
			if _, err := b.Reply(b.Context(), call, nil); err == nil || len(call.Look.Done) != 0 {
				t.Errorf("%d lookups, %v", len(call.Look.Done), err)
			}
		})
}

// An endpoint that refuses tools is asked again without them, and never again with them.
func TestToolsRefused(t *testing.T) {
	inBubble(t, setup{}, func(w http.ResponseWriter, r *http.Request) {
		var fields map[string]any
		_ = json.NewDecoder(r.Body).Decode(&fields)
		if fields["tools"] != nil {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"gpt-test does not support tools"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, event(token(said))+event(finish("stop")))
	}, func(b *bench) {
		for range 2 {
			if reply, err := b.Reply(b.Context(), lookingCall(t), nil); err != nil || reply.Text != said {
				t.Fatalf("%q, %v", reply.Text, err)
			}
		}
		if b.calls() != 3 {
			t.Errorf("%d requests, want 3", b.calls())
		}
	})
}
