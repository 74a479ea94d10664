package endpoint

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"moot/protocol"
	"moot/state"
)

// What a refusal does not say is not learned from it. Each server refuses the first request that it can, once or
// always, in real words.
func TestWhatARefusalDoesNotTeach(t *testing.T) {
	tool := func(body gjson.Result) bool { return body.Get(`messages.#(role=="tool")`).Exists() }
	always := func(gjson.Result) bool { return true }
	for name, c := range map[string]struct {
		model   string
		refuses func(body gjson.Result) bool
		once    bool
		status  int // 200 is an error inside a stream
		body    string
		lessons []string
		fails   string
	}{
		"a glitch of Ollama's parser": {
			refuses: always, once: true, status: 500,
			body: `{"error":{"message":"error parsing tool call: raw='{\"path\"' err=unexpected end of JSON input"}}`,
		},
		"a tool parser that restarts, in the stream": {
			refuses: always, once: true, status: 200, body: `{"error":{"message":"The tool parser is restarting, please try again"}}`,
		},
		"an error in the stream after a lookup": {
			refuses: tool, once: true, status: 200, body: `{"error":{"message":"Internal server error","type":"server_error"}}`,
		},
		"a template of llama.cpp": {
			refuses: tool, status: 500, body: `{"error":{"code":500,"message":"Jinja Exception: After the optional system message, conversation roles must alternate user/assistant","type":"server_error"}}`,
			lessons: []string{refusesHistory},
		},
		"Moonshot's reasoning": {
			model: "kimi-k2-thinking", refuses: tool, status: 400,
			body:    `{"error":{"message":"thinking is enabled but reasoning_content is missing in assistant tool call message at index 2","type":"invalid_request_error"}}`,
			lessons: []string{refusesHistory},
		},
		"a model named after its reasoning": {
			model: "phi4-reasoning", refuses: func(body gjson.Result) bool { return body.Get("tools").Exists() }, status: 400,
			body:    `{"error":{"message":"registry.ollama.ai/library/phi4-reasoning:latest does not support tools"}}`,
			lessons: []string{refusesTools},
		},
		"a model that is gone, named after its tools": {
			model: "watt-tool-8b", refuses: always, status: 404, body: `{"error":{"message":"model 'watt-tool-8b' not found"}}`,
			fails: "has no model",
		},
		"a model whose name is a part of the code": {
			model: "quota", refuses: always, status: 429,
			body:  `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}`,
			fails: "has no credit left",
		},
		"a list of the fields that it knows": {
			refuses: func(body gjson.Result) bool { return body.Get("reasoning_effort").Exists() }, status: 400,
			body:    `{"error":{"message":"Unknown field 'reasoning_effort'. Allowed fields: model, messages, stream, stream_options, tools, tool_choice, response_format"}}`,
			lessons: []string{refusesEffort},
		},
		"a validator that repeats the request": {
			refuses: func(body gjson.Result) bool { return body.Get("stream_options").Exists() }, status: 422,
			body:    `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"tools":[],"response_format":{},"reasoning_effort":"high"}}]}`,
			lessons: []string{refusesUsage},
		},
		"a schema of a tool": {
			refuses: func(body gjson.Result) bool { return body.Get("tools").Exists() }, status: 400,
			body:    `{"error":{"message":"Invalid request: tools.function.parameters is not a valid moonshot flavored json schema"}}`,
			lessons: []string{refusesTools},
		},
		"a wrong key with status 400": {
			refuses: always, status: 400, body: `{"error":{"message":"Incorrect API key provided: xa***. You can obtain an API key from the console."}}`,
			fails: "refused the key",
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig()
			config.Effort = "high"
			if c.model != "" {
				config.Model = c.model
			}
			refused := 0
			handler := func(w http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				body := gjson.ParseBytes(data)
				if c.refuses(body) && (!c.once || refused == 0) {
					if refused++; c.status == 200 {
						stream(w, c.body)
					} else {
						refuse(w, c.status, c.body)
					}
					return
				}
				provider(func(string, gjson.Result) (int, string) { return 0, "" }).serve(t, pieces(plainLookup), plainReply())(
					w, withBody(r, data))
			}
			inBubble(t, setup{config: config}, handler, func(b *bench) {
				reply, err := b.Reply(b.Context(), lookingCall(t), nil)
				if c.fails != "" {
					if err == nil || !strings.Contains(err.Error(), c.fails) || len(reply.Learned) > 0 {
						t.Errorf("%v, learned %+v", err, reply.Learned)
					}
					return
				}
				var keys []string
				for _, lesson := range reply.Learned {
					keys = append(keys, lesson.Key)
				}
				if err != nil || reply.Text != said || !slices.Equal(keys, c.lessons) {
					t.Errorf("%q, %v, learned %q, want %q", reply.Text, err, keys, c.lessons)
				}
			})
		})
	}
}

func withBody(r *http.Request, data []byte) *http.Request {
	r.Body = io.NopCloser(strings.NewReader(string(data)))
	return r
}

// Seats that are refused the same at the same time all ask again, though only one of them learns it.
func TestSeatsLearnTogether(t *testing.T) {
	var asked *sync.WaitGroup
	handler := func(w http.ResponseWriter, r *http.Request) {
		if data, _ := io.ReadAll(r.Body); gjson.GetBytes(data, "stream_options").Exists() {
			asked.Done()
			asked.Wait()
			refuse(w, 400, `{"error":{"message":"Unknown parameter: 'stream_options'."}}`)
			return
		}
		good(w, "fine")
	}
	inBubble(t, setup{}, handler, func(b *bench) {
		asked = &sync.WaitGroup{}
		asked.Add(3)
		memory := &Memory{}
		var seats sync.WaitGroup
		for range 3 {
			seats.Go(func() {
				reply, err := New(testConfig(), Limits{}, b.transport, memory).Reply(b.Context(), testCall(), nil)
				if err != nil || reply.Text != "fine" {
					t.Errorf("%q, %v", reply.Text, err)
				}
			})
		}
		seats.Wait()
	})
}

// A reply may quote a tool call or a thought. A plan in the reasoning field does not count as a reply.
func TestRepliesThatQuote(t *testing.T) {
	for name, text := range map[string]string{
		"a call":    "1. The loop has no limit [EVIDENCE]\n2. The server answers <tool_call>{\"name\": \"read\", \"arguments\": {}}</tool_call> as text",
		"a thought": "1. The loop has no limit\n2. Some models write <think>plan</think> before the reply\n3. The third",
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, setup{}, func(w http.ResponseWriter, _ *http.Request) { good(w, text) }, func(b *bench) {
				call := lookingCall(t)
				call.Parses = func(text string) bool { return strings.HasPrefix(text, "1. ") }
				if reply, err := b.Reply(b.Context(), call, nil); err != nil || reply.Text != text || b.calls() != 1 {
					t.Errorf("%q, %v after %d requests", reply.Text, err, b.calls())
				}
			})
		})
	}
	plan, _ := json.Marshal("Let me plan.\n1. First I should open a.go\n2. Then maybe say that it is safe")
	inBubble(t, setup{}, func(w http.ResponseWriter, _ *http.Request) {
		stream(w, `{"choices":[{"delta":{"reasoning_content":`+string(plan)+`}}]}`, finish("stop"))
	}, func(b *bench) {
		call := testCall()
		call.Parses = func(string) bool { return true }
		_, err := b.Reply(b.Context(), call, nil)
		if broken, ok := err.(*protocol.Broken); !ok || broken.Kind != state.FailureEmpty { //nolint:errorlint // Reply returns it as it is.
			t.Errorf("%v", err)
		}
	})
}

// A key that the server sends back in a call of a tool does not get onto the record.
func TestAKeyInACall(t *testing.T) {
	quoted, _ := json.Marshal(`{"path":"` + testKey + `"}`)
	first := true
	inBubble(t, setup{}, func(w http.ResponseWriter, _ *http.Request) {
		if w.Header().Set("Content-Type", "text/event-stream"); first {
			first = false
			_, _ = io.WriteString(w, pieces(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":`+string(quoted)+`}}]}`))
			return
		}
		_, _ = io.WriteString(w, plainReply())
	}, func(b *bench) {
		call := lookingCall(t)
		if _, err := b.Reply(b.Context(), call, nil); err != nil {
			t.Fatal(err)
		}
		if done, _ := json.Marshal(call.Look.Done); len(call.Look.Done) != 1 || strings.Contains(string(done), testKey) {
			t.Errorf("%s", done)
		}
	})
}

// The requests of lookups count, though the server reports the tokens of the last one only.
func TestTokensOfLookupsAreCounted(t *testing.T) {
	lookup := strings.ReplaceAll(pieces(plainLookup), `,"usage":{"prompt_tokens":10,"completion_tokens":5}`, "")
	takesAll := provider(func(string, gjson.Result) (int, string) { return 0, "" })
	reply := event(token(said)) + event(finish("stop")) + event(counted) + event("[DONE]")
	inBubble(t, setup{}, takesAll.serve(t, lookup, reply), func(b *bench) {
		call := lookingCall(t)
		call.Prompt.Text = strings.Repeat("a line\n", 100)
		reply, err := b.Reply(b.Context(), call, nil)
		if err != nil || !reply.Estimated || reply.PromptTokens < 100+protocol.EstimateTokens(700) {
			t.Errorf("%+v, %v", reply, err)
		}
	})
}
