package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"moot/protocol"
	"moot/state"
)

// provider plays a server: it returns the status and body of a refusal, or 0 for an answer as usual: a lookup first,
// then the reply.
type provider func(path string, body gjson.Result) (int, string)

// serve answers the requests of a model that looks once, then replies. lookup and reply are the events of the answers
// in chat completions.
func (p provider) serve(t *testing.T, lookup, reply string) http.HandlerFunc {
	t.Helper()
	return func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		body := gjson.ParseBytes(data)
		if status, text := p(r.URL.Path, body); status != 0 {
			refuse(w, status, text)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		looked := strings.Contains(string(data), "1: package a")
		switch {
		case strings.HasSuffix(r.URL.Path, "/responses") && (looked || !body.Get("tools").Exists()):
			_, _ = io.WriteString(w, responseEvents(messageItem(said)))
		case strings.HasSuffix(r.URL.Path, "/responses"):
			_, _ = io.WriteString(w, responseEvents(
				`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAA-opaque"}`,
				`{"type":"function_call","id":"fc_1","call_id":"call_9","name":"read","arguments":"{\"path\":\"a.go\"}","status":"completed"}`))
		case looked || !body.Get("tools").Exists():
			_, _ = io.WriteString(w, reply)
		default:
			_, _ = io.WriteString(w, lookup)
		}
	}
}

// responseEvents is a stream of the Responses API with these items.
func responseEvents(items ...string) string {
	out := event(`{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress","model":"gpt-test","output":[]}}`)
	for i, item := range items {
		out += "event: response.output_item.added\n" + event(fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":%s}`, i, item))
		if text := gjson.Get(item, "content.0.text").String(); text != "" {
			for _, piece := range []string{text[:len(text)/2], text[len(text)/2:]} {
				quoted, _ := json.Marshal(piece)
				out += event(fmt.Sprintf(`{"type":"response.output_text.delta","output_index":%d,"content_index":0,"delta":%s}`, i, quoted))
			}
		}
		out += event(fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":%s}`, i, item))
	}
	return out + event(`{"type":"response.completed","response":{"id":"resp_1","object":"response","status":"completed","model":"gpt-test","output":[`+
		strings.Join(items, ",")+`],"usage":{"input_tokens":90,"output_tokens":30,"total_tokens":120}}}`)
}

func messageItem(text string) string {
	quoted, _ := json.Marshal(text)
	return `{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":` + string(quoted) + `,"annotations":[]}]}`
}

const plainLookup = `{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}}]}`

func plainReply() string { return event(token(said)) + event(finish("stop")) + event("[DONE]") }

// assistant returns the first message of the model in a request.
func assistant(body gjson.Result) gjson.Result { return body.Get(`messages.#(role=="assistant")`) }

func badRequest(message string) (int, string) {
	quoted, _ := json.Marshal(message)
	return 400, `{"error":{"message":` + string(quoted) + `,"type":"invalid_request_error"}}`
}

const effortAndTools = "Function tools with reasoning_effort are not supported for gpt-test in /v1/chat/completions. " +
	"To use function tools, use /v1/responses or set reasoning_effort to 'none'."

// A conversation with a lookup, an effort and a schema succeeds at every kind of server, within two requests more than
// at one that takes everything, and the next one needs none more. The refusals have the words of real servers.
func TestProviders(t *testing.T) {
	takesAll := func(string, gjson.Result) (int, string) { return 0, "" }
	for name, c := range map[string]struct {
		server provider
		// lookup and reply replace the usual answers.
		lookup, reply string
		// more is how many requests more than 2 the first turn takes, lessons what is learned.
		more    int
		lessons []string
		// last must stand in the last request, lost must not.
		last, lost string
	}{
		"one that takes everything": {server: takesAll, last: `"reasoning_effort":"high"`},
		"Google: a thought signature": {
			server: func(_ string, body gjson.Result) (int, string) {
				if call := assistant(body).Get("tool_calls.0"); call.Exists() && call.Get("extra_content.google.thought_signature").Str != "SIG==" {
					return 400, `[{"error":{"code":400,"message":"Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.","status":"INVALID_ARGUMENT"}}]`
				}
				return 0, ""
			},
			lookup: `{"tool_calls":[{"index":0,"id":"c1","type":"function","extra_content":{"google":{"thought_signature":"SIG=="}},"function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}}]}`,
		},
		"DeepSeek: the reasoning goes back": {
			server: func(_ string, body gjson.Result) (int, string) {
				if m := assistant(body); m.Exists() && m.Get("reasoning_content").Str != "let me look" {
					return badRequest("The `reasoning_content` in the thinking mode must be passed back to the API.")
				}
				return 0, ""
			},
			lookup: `{"role":"assistant","reasoning_content":"let me "}}]}` + "\n\ndata: " + `{"choices":[{"delta":{"reasoning_content":"look"}}]}` + "\n\ndata: " + `{"choices":[{"delta":` + plainLookup,
		},
		"OpenRouter: signed reasoning details": {
			server: func(_ string, body gjson.Result) (int, string) {
				if m := assistant(body); m.Exists() && (m.Get("reasoning_details.#").Int() != 1 || m.Get("reasoning_details.0.text").Str != "let me look" || m.Get("reasoning_details.0.signature").Str != "sig1sig2") {
					return badRequest("messages.1.content.0.thinking: each `thinking` block must contain `thinking` and a valid `signature`")
				}
				return 0, ""
			},
			lookup: `{"reasoning_details":[{"type":"reasoning.text","index":0,"text":"let me ","signature":"sig1","format":"anthropic-claude-v1"}]}}]}` + "\n\ndata: " +
				`{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","index":0,"text":"look","signature":"sig2","format":"anthropic-claude-v1"}]}}]}` + "\n\ndata: " + `{"choices":[{"delta":` + plainLookup,
		},
		"OpenAI: tools with an effort": {
			server: func(path string, body gjson.Result) (int, string) {
				if strings.HasSuffix(path, "/chat/completions") && body.Get("tools").Exists() {
					return badRequest(effortAndTools)
				}
				if call := body.Get(`input.#(type=="function_call_output")`); call.Exists() && (call.Get("call_id").Str != "call_9" ||
					body.Get(`input.#(type=="reasoning").encrypted_content`).Str != "gAAAA-opaque") {
					return badRequest("Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.")
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesToolsEffort}, last: `"reasoning":{"effort":"high"}`,
		},
		"tools with an effort, and no Responses API": {
			server: func(path string, body gjson.Result) (int, string) {
				if strings.HasSuffix(path, "/responses") {
					return 404, `{"error":{"message":"Invalid URL (POST /v1/responses)","type":"invalid_request_error","param":null,"code":null}}`
				}
				if body.Get("tools").Exists() {
					return badRequest(effortAndTools)
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesToolsEffort, refusesResponses}, last: `"reasoning_effort":"high"`, lost: `"tools"`,
		},
		"OpenAI: a pro model": {
			server: func(path string, _ gjson.Result) (int, string) {
				if strings.HasSuffix(path, "/chat/completions") {
					return 404, `{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","type":"invalid_request_error","param":"model","code":null}}`
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesChat}, last: `"strict":false`,
		},
		"Azure: a codex deployment": {
			server: func(path string, _ gjson.Result) (int, string) {
				if strings.HasSuffix(path, "/chat/completions") {
					return 400, `{"error":{"code":"OperationNotSupported","message":"The chatCompletion operation does not work with the specified model, gpt-test. Please choose different model and try again."}}`
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesChat},
		},
		"Groq: JSON mode with tools": {
			server: func(_ string, body gjson.Result) (int, string) {
				if body.Get("tools").Exists() && body.Get("response_format").Exists() {
					return badRequest("json mode cannot be combined with tool/function calling")
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesToolsFormat}, last: `"tools"`, lost: `response_format`,
		},
		"vLLM: guided decoding with tools": {
			server: func(_ string, body gjson.Result) (int, string) {
				if body.Get("tools").Exists() && body.Get("response_format").Exists() {
					return badRequest("Tools and response_format cannot be used together: guided decoding with both `tools` and `response_format` is not supported")
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesToolsFormat}, last: `"tools"`,
		},
		"Google: JSON with functions": {
			server: func(_ string, body gjson.Result) (int, string) {
				if body.Get("tools").Exists() && body.Get("response_format").Exists() {
					return 400, `[{"error":{"code":400,"message":"Function calling with a response mime type: 'application/json' is unsupported","status":"INVALID_ARGUMENT"}}]`
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesToolsFormat}, last: `"tools"`, lost: `response_format`,
		},
		"Google: a word of the schema": {
			server: func(_ string, body gjson.Result) (int, string) {
				if strings.Contains(body.Get("tools").Raw, "additionalProperties") {
					return 400, `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field.","status":"INVALID_ARGUMENT"}}]`
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesWord + "additionalProperties"}, last: `"json_schema"`,
		},
		"Ollama: no tools": {
			server: func(_ string, body gjson.Result) (int, string) {
				if body.Get("tools").Exists() {
					return 400, `{"error":{"message":"registry.ollama.ai/library/gpt-test:latest does not support tools","type":"api_error","param":null,"code":null}}`
				}
				return 0, ""
			},
			lessons: []string{refusesTools}, last: `"reasoning_effort":"high"`,
		},
		"an effort that the model does not know": {
			server: func(_ string, body gjson.Result) (int, string) {
				if body.Get("reasoning_effort").Str == "high" {
					return badRequest("Unsupported value: 'reasoning_effort' does not support 'high' with this model. Supported values are: 'low' and 'medium'.")
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesEffort + "=high:medium"}, last: `"reasoning_effort":"medium"`,
		},
		"no effort": {
			server: func(_ string, body gjson.Result) (int, string) {
				if body.Get("reasoning_effort").Exists() {
					return badRequest("Unrecognized request argument supplied: reasoning_effort")
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesEffort}, last: `"tools"`,
		},
		"Gemma: no system message": {
			server: func(_ string, body gjson.Result) (int, string) {
				if body.Get(`messages.#(role=="system")`).Exists() {
					return 400, `[{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}]`
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesSystem}, last: `Be terse.\n\nIs the cache safe?`,
		},
		"strict arguments": {
			server: func(_ string, body gjson.Result) (int, string) {
				if call := assistant(body).Get("tool_calls.0.function"); call.Exists() && call.Get("arguments").Str != "{}" {
					return badRequest("Missing required parameter: 'messages[2].tool_calls[0].function.arguments'.")
				}
				return 0, ""
			},
			lookup: `{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"list","arguments":""}},{"index":1,"id":"c2","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}}]}`,
			// The second call is answered with the line that ends the lookups.
		},
		"a history that nobody explains": {
			server: func(_ string, body gjson.Result) (int, string) {
				if body.Get(`messages.#(role=="tool")`).Exists() {
					return badRequest("Error rendering prompt with jinja template")
				}
				return 0, ""
			},
			more: 1, lessons: []string{refusesHistory}, last: "1: package a", lost: `"tool_call_id"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig()
			config.Effort = "high"
			lookup, reply := pieces(plainLookup), plainReply()
			if c.lookup != "" {
				lookup = pieces(c.lookup)
			}
			if c.reply != "" {
				reply = c.reply
			}
			inBubble(t, setup{config: config, limits: Limits{Attempts: 1}}, c.server.serve(t, lookup, reply), func(b *bench) {
				for turn := range 2 {
					before := b.calls()
					call := lookingCall(t)
					reply, err := b.Reply(b.Context(), call, nil)
					if err != nil || reply.Text != said {
						t.Fatalf("turn %d: %q, %v", turn+1, reply.Text, err)
					}
					noTools := slices.Contains(c.lessons, refusesTools) || slices.Contains(c.lessons, refusesResponses)
					want := 2 + c.more
					if noTools {
						want = 1 + len(c.lessons)
					}
					if turn > 0 {
						want -= len(c.lessons)
					}
					if name == "strict arguments" {
						want = 2
					}
					if got := b.calls() - before; got != want {
						t.Errorf("turn %d: %d requests, want %d", turn+1, got, want)
					}
					var keys []string
					for _, lesson := range reply.Learned {
						keys = append(keys, lesson.Key)
						if lesson.Text == "" || lesson.Participant != "openai:gpt-test" {
							t.Errorf("lesson %+v", lesson)
						}
					}
					if turn == 0 && !slices.Equal(keys, c.lessons) || turn > 0 && keys != nil {
						t.Errorf("turn %d: learned %q, want %q", turn+1, keys, c.lessons)
					}
					if len(call.Look.Done) == 0 && !noTools {
						t.Errorf("turn %d: nothing was looked up", turn+1)
					}
				}
				last, _ := json.Marshal(b.sent(b.calls() - 1))
				if !strings.Contains(string(last), c.last) || c.lost != "" && strings.Contains(string(last), c.lost) {
					t.Errorf("the last request: %s", last)
				}
			})
		})
	}
}

// A server whose words nobody knows ends in a failure that quotes it, with one request.
func TestAnUnknownRefusalIsQuoted(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, 400, `{"error":{"message":"Das Feld gefällt mir nicht","type":"invalid_request_error"}}`)
	}
	inBubble(t, setup{}, handler, func(b *bench) {
		gone := mustFail[*protocol.Unreachable](b, "Das Feld gefällt mir nicht", "(400)")
		if gone.Kind != state.FailureUnreachable || gone.Said != "Das Feld gefällt mir nicht" || b.calls() != 1 {
			t.Errorf("%+v after %d requests", gone.Cause, b.calls())
		}
	})
}

// What one session learned, another knows: by the memory of the process, or from the record when it is resumed.
func TestLessonsAreRemembered(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		if data, _ := io.ReadAll(r.Body); gjson.GetBytes(data, "tools").Exists() {
			refuse(w, 400, `{"error":{"message":"gpt-test does not support tools"}}`)
			return
		}
		good(w, said)
	}
	inBubble(t, setup{}, handler, func(b *bench) {
		memory := &Memory{}
		var learned []state.Lesson
		for i, want := range []int{2, 1} {
			before := b.calls()
			reply, err := New(testConfig(), Limits{}, b.transport, memory).Reply(b.Context(), lookingCall(t), nil)
			if err != nil || b.calls()-before != want {
				t.Errorf("session %d: %d requests, %v", i+1, b.calls()-before, err)
			}
			// Each session has it on its record.
			if learned = reply.Learned; len(learned) != 1 || !learned[0].Lost || !strings.Contains(strings.Join(reply.Notes, "\n"), learned[0].Text) {
				t.Errorf("session %d: learned %+v, notes %q", i+1, learned, reply.Notes)
			}
		}
		before := b.calls()
		resumed := New(testConfig(), Limits{}, b.transport, nil)
		resumed.Recall(append(learned, state.Lesson{Participant: "another", Key: refusesEffort}))
		if reply, err := resumed.Reply(b.Context(), lookingCall(t), nil); err != nil || b.calls()-before != 1 || reply.Learned != nil {
			t.Errorf("resumed: %d requests, learned %+v, %v", b.calls()-before, reply.Learned, err)
		}
	})
}

// What a reply without an answer in its text comes to.
func TestWhereTheAnswerIs(t *testing.T) {
	thought := func(text, finish string) string {
		quoted, _ := json.Marshal(text)
		return event(`{"choices":[{"delta":{"reasoning_content":`+string(quoted)+`}}]}`) + event(`{"choices":[{"delta":{},"finish_reason":"`+finish+`"}]}`)
	}
	for name, c := range map[string]struct {
		// answer depends on the request.
		answer func(body gjson.Result) string
		want   string
		kind   state.FailureKind
		said   string
		calls  int
	}{
		"in the reasoning": {
			func(gjson.Result) string { return thought(said, "stop") }, said, "", "", 1,
		},
		"only without a response format": {
			func(body gjson.Result) string {
				if body.Get("response_format").Exists() {
					return thought("hm", "stop")
				}
				return plainReply()
			}, said, "", "", 2,
		},
		"nowhere": {
			func(gjson.Result) string { return thought("hm", "stop") }, "", state.FailureEmpty, "", 2,
		},
		"within a lower effort": {
			func(body gjson.Result) string {
				if body.Get("reasoning_effort").Str != "low" {
					return thought("hm", "length")
				}
				return plainReply()
			}, said, "", "", 2,
		},
		"beyond every budget": {
			func(gjson.Result) string { return thought("hm", "length") }, "", state.FailureThinking, "", 3,
		},
		"declined": {
			func(gjson.Result) string {
				return event(`{"choices":[{"delta":{"refusal":"I'm sorry, I can't help with that."}}]}`) + event(finish("stop"))
			}, "", state.FailureRefused, "I'm sorry, I can't help with that.", 1,
		},
		"filtered": {
			func(gjson.Result) string { return event(token(`{"moves":[`)) + event(finish("content_filter")) }, "", state.FailureFiltered, "finish_reason: content_filter", 1,
		},
		"filtered by Google": {
			func(gjson.Result) string { return event(finish("content_filter: PROHIBITED_CONTENT")) }, "", state.FailureFiltered, "finish_reason: content_filter: PROHIBITED_CONTENT", 1,
		},
		"empty": {
			func(gjson.Result) string { return event(token("")) + event(finish("stop")) }, "", state.FailureEmpty, "", 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig()
			config.MaxTokens = 500
			config.Effort = "medium"
			handler := func(w http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, c.answer(gjson.ParseBytes(data)))
			}
			inBubble(t, setup{config: config}, handler, func(b *bench) {
				call := testCall()
				call.Parses = func(text string) bool { return text == said }
				reply, err := b.Reply(b.Context(), call, nil)
				if reply.Text != c.want || (err == nil) != (c.kind == "") || b.calls() != c.calls {
					t.Errorf("%q, %v after %d requests", reply.Text, err, b.calls())
				}
				if broken, ok := errors.AsType[*protocol.Broken](err); c.kind != "" && (!ok || broken.Kind != c.kind || broken.Said != c.said) {
					t.Errorf("%+v", broken)
				}
			})
		})
	}
}

// A filter that stops the request is no other refusal.
func TestAFilteredRequest(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, 400, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.","type":null,"param":"prompt","code":"content_filter","status":400}}`)
	}
	inBubble(t, setup{}, handler, func(b *bench) {
		broken := mustFail[*protocol.Broken](b, "filtered the request (400)")
		if broken.Kind != state.FailureFiltered || !strings.Contains(broken.Said, "content management policy") || b.calls() != 1 {
			t.Errorf("%+v after %d requests", broken, b.calls())
		}
	})
}

// A wait that the server names, in a header or in words, is obeyed and is no attempt.
func TestNamedWaits(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		header [2]string
		body   string
		wait   time.Duration
		// fails says that the call ends instead, with these words.
		fails string
	}{
		"Google":               {429, [2]string{}, `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 40.1s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"40s"}]}}]`, 40 * time.Second, ""},
		"Google, in words":     {429, [2]string{}, `[{"error":{"code":429,"message":"Resource exhausted. Please retry in 40.1s."}}]`, 40100 * time.Millisecond, ""},
		"OpenAI":               {429, [2]string{}, `{"error":{"message":"Rate limit reached for gpt-test on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000. Please try again in 20s.","type":"tokens","code":"rate_limit_exceeded"}}`, 20 * time.Second, ""},
		"OpenAI, with minutes": {429, [2]string{}, `{"error":{"message":"Rate limit reached. Please try again in 1m20s.","code":"rate_limit_exceeded"}}`, 80 * time.Second, ""},
		"OpenAI, shortly":      {429, [2]string{}, `{"error":{"message":"Rate limit reached. Please try again in 120ms.","code":"rate_limit_exceeded"}}`, 120 * time.Millisecond, ""},
		"Azure":                {429, [2]string{}, `{"error":{"code":"429","message":"Requests to the ChatCompletions_Create Operation have exceeded token rate limit. Please retry after 26 seconds."}}`, 26 * time.Second, ""},
		"a header":             {429, [2]string{"Retry-After", "7"}, `{}`, 7 * time.Second, ""},
		"a limit that resets":  {429, [2]string{"X-Ratelimit-Reset-Requests", "1m30s"}, `{}`, 90 * time.Second, ""},
		"a sliding day":        {429, [2]string{}, `{"error":{"message":"Rate limit reached on requests per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7.2s.","code":"rate_limit_exceeded"}}`, 7200 * time.Millisecond, ""},
		"too long":             {429, [2]string{}, `{"error":{"message":"Please try again in 3 hours."}}`, 0, "it asks to wait 3 h"},
		"OpenRouter, per day":  {429, [2]string{}, `{"error":{"code":429,"message":"Rate limit exceeded: free-models-per-day","metadata":{"headers":{"X-RateLimit-Limit":"50","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1893456000000"}}}}`, 0, "used up a limit per day"},
		"Google, per day":      {429, [2]string{}, `[{"error":{"code":429,"message":"You exceeded your current quota.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}]`, 0, "used up a limit per day"},
	} {
		t.Run(name, func(t *testing.T) {
			refused := 0
			handler := func(w http.ResponseWriter, _ *http.Request) {
				if refused++; c.fails != "" || refused <= 3 {
					if c.header[0] != "" {
						w.Header().Set(c.header[0], c.header[1])
						w.Header().Set("X-Ratelimit-Remaining-Requests", "0")
					}
					refuse(w, c.status, c.body)
					return
				}
				good(w, "fine")
			}
			inBubble(t, setup{limits: Limits{Attempts: 1}}, handler, func(b *bench) {
				if c.fails != "" {
					gone := mustFail[*protocol.Unreachable](b, c.fails)
					reset := strings.Contains(c.body, "X-RateLimit-Reset") || strings.Contains(c.body, "hours")
					if gone.Kind != state.FailureLimit || gone.Resets.IsZero() == reset || b.calls() != 1 {
						t.Errorf("%+v after %d requests", gone.Cause, b.calls())
					}
					return
				}
				reply := b.mustReply("fine") // with the only attempt
				if reply.Waited < 3*c.wait || reply.Waited > 3*c.wait*11/10 || b.calls() != 4 {
					t.Errorf("waited %s, %d requests", reply.Waited, b.calls())
				}
			})
		})
	}
}

// Overload inside a stream counts as overload: what came before it is void.
func TestOverloadInsideAStream(t *testing.T) {
	handler := firstly(func(w http.ResponseWriter, _ *http.Request) {
		stream(w, token("I "))
		_, _ = io.WriteString(w, "event: error\n"+event(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`))
	})
	inBubble(t, setup{}, handler, func(b *bench) {
		reply := b.mustReply("fine")
		if reply.Attempts != 2 || b.restarts != 1 || reply.Waited == 0 || !strings.Contains(strings.Join(b.notes, "\n"), "overloaded_error, retrying in") {
			t.Errorf("%+v, %d restarts, notes %q", reply, b.restarts, b.notes)
		}
	})
}

// Counts that cannot be right are taken as not reported.
func TestTokenCountsThatLie(t *testing.T) {
	for _, usage := range []string{
		`{"prompt_tokens":0,"completion_tokens":0}`, `{"prompt_tokens":-1,"completion_tokens":4}`,
		`{"prompt_tokens":1,"completion_tokens":1}`, `{"prompt_tokens":null}`, `{}`,
		`{"prompt_tokens":1,"completion_tokens":25,"prompt_tokens_details":{"cached_tokens":500000}}`,
		`{"prompt_tokens":1,"completion_tokens":1,"cache_read_input_tokens":0}`,
	} {
		call := testCall()
		call.Prompt.Text = strings.Repeat("a line of the prompt\n", 100)
		handler := func(w http.ResponseWriter, _ *http.Request) {
			stream(w, token(strings.Repeat("fine ", 20)), finish("stop"), `{"choices":[],"usage":`+usage+`}`, "[DONE]")
		}
		inBubble(t, setup{}, handler, func(b *bench) {
			reply, err := b.Reply(b.Context(), call, nil)
			if err != nil || !reply.Estimated || reply.PromptTokens != protocol.EstimateTokens(2109) || reply.CompletionTokens != protocol.EstimateTokens(100) || reply.Cost == 0 {
				t.Errorf("%s: %+v, %v", usage, reply, err)
			}
		})
	}
}
