package endpoint

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// format returns the type of response_format in a request, or "".
func format(request map[string]any) string {
	asked, _ := request["response_format"].(map[string]any)
	kind, _ := asked["type"].(string)
	return kind
}

// system returns the system message of a request.
func system(request map[string]any) string {
	messages, _ := request["messages"].([]any)
	first, _ := messages[0].(map[string]any)
	content, _ := first["content"].(string)
	return content
}

func TestARefusedStructureFallsBackAndIsRemembered(t *testing.T) {
	refusals := map[string]struct {
		status        int
		schema, plain string
	}{
		"OpenAI": {
			400, `{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","type":"invalid_request_error","param":"response_format","code":null}}`,
			`{"error":{"message":"'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.","param":"messages"}}`,
		},
		"llama.cpp":       {400, `{"error":{"code":400,"message":"Failed to parse grammar","type":"invalid_request_error"}}`, `{"error":{"code":400,"message":"json_object is off"}}`},
		"LM Studio":       {400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`},
		"a strict router": {422, `{"detail":[{"loc":["body","response_format"],"msg":"Extra inputs are not permitted"}]}`, `{"detail":"response_format"}`},
		"OpenRouter":      {404, `{"error":{"message":"No endpoints found that can handle the requested parameters.","code":404}}`, `{"error":{"message":"No endpoints found that can handle the requested parameters."}}`},
		"plain text":      {500, "grammar compiler failed", "response format unsupported"},
	}
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			var b *bench
			handler := func(w http.ResponseWriter, _ *http.Request) {
				switch format(b.sent(b.calls() - 1)) {
				case "json_schema":
					refuse(w, c.status, c.schema)
				case "json_object":
					refuse(w, c.status, c.plain)
				default:
					good(w, "fine")
				}
			}
			inBubble(t, setup{limits: Limits{Attempts: 1}}, handler, func(running *bench) {
				b = running
				reply := b.mustReply("fine")
				if reply.Attempts != 3 || reply.Waited != 0 || len(reply.Notes) != 2 ||
					!strings.Contains(reply.Notes[0], "rejects a json_schema: moot requests a json_object") {
					b.Errorf("attempts %d, waited %s, notes %q", reply.Attempts, reply.Waited, reply.Notes)
				}
				if !strings.Contains(system(b.sent(2)), "```json") || !strings.Contains(system(b.sent(1)), `"moves"`) {
					b.Errorf("the schema is not in the prompt: %q", system(b.sent(2)))
				}
				again := b.mustReply("fine")
				if again.Attempts != 1 || len(again.Notes) != 0 || b.calls() != 4 {
					b.Errorf("the refusal was forgotten: %+v", again)
				}
			})
		})
	}
}

func TestRefusedParametersAreLeftOut(t *testing.T) {
	warm := 0.5
	config := Config{
		Name: "vllm:m", Base: "http://127.0.0.1:8080/v1", Model: "m", Local: true,
		Settings: Settings{Temperature: &warm, MaxTokens: 900, Effort: "high"}, Structured: StructureStrict,
	}
	unknown := map[string]string{
		"stream_options":   `{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`,
		"max_tokens":       `{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.","param":"max_tokens"}}`,
		"reasoning_effort": `{"error":{"message":"Unrecognized request argument supplied: reasoning_effort"}}`,
		"temperature":      `{"error":{"message":"Unsupported value: 'temperature' does not support 0.5","param":"temperature"}}`,
	}
	var b *bench
	handler := func(w http.ResponseWriter, _ *http.Request) {
		sent := b.sent(b.calls() - 1)
		for _, name := range []string{"stream_options", "max_tokens", "reasoning_effort", "temperature"} {
			if _, there := sent[name]; there {
				refuse(w, 400, unknown[name])
				return
			}
		}
		stream(w, token("fine"), finish("stop"), "[DONE]")
	}
	inBubble(t, setup{config: config}, handler, func(running *bench) {
		b = running
		reply := b.mustReply("fine")
		if reply.Attempts != 5 || reply.Waited != 0 || b.sent(4)["max_completion_tokens"] != 900.0 || b.sent(0)["reasoning_effort"] != "high" {
			b.Errorf("%+v, sent %v", reply, b.sent(4))
		}
		if last := reply.Notes[len(reply.Notes)-1]; !strings.HasPrefix(last, "asked for m") && !strings.Contains(strings.Join(reply.Notes, "|"), "reports no token counts") {
			b.Errorf("notes %q", reply.Notes)
		}
		if again := b.mustReply("fine"); again.Attempts != 1 || len(again.Notes) != 0 {
			b.Errorf("forgotten, or told twice: %+v", again)
		}
	})
}

func TestRequestsFitTheModel(t *testing.T) {
	cold := 0.0
	cases := map[string]struct {
		model string
		has   map[string]bool
	}{
		"a reasoning model":   {"gpt-5-mini", map[string]bool{"max_completion_tokens": true, "max_tokens": false, "temperature": false}},
		"the newest":          {"gpt-6", map[string]bool{"max_completion_tokens": true, "temperature": false, "reasoning_effort": true}},
		"o3":                  {"o3", map[string]bool{"max_completion_tokens": true, "max_tokens": false, "temperature": false}},
		"with its vendor":     {"openai/o4-mini", map[string]bool{"max_completion_tokens": true, "temperature": false}},
		"any other":           {"llama-3", map[string]bool{"max_completion_tokens": false, "max_tokens": true, "temperature": true}},
		"one named like them": {"o2-chat", map[string]bool{"max_tokens": true, "temperature": true}},
	}
	for name, c := range cases {
		config := testConfig()
		config.Model, config.Structured = c.model, StructureStrict
		config.Settings = Settings{Temperature: &cold, MaxTokens: 10, Effort: "high"}
		inBubble(t, setup{config: config}, firstly(), func(b *bench) {
			b.mustReply("fine")
			for field, want := range c.has {
				if _, there := b.sent(0)[field]; there != want {
					t.Errorf("%s: %s is there: %v, want %v", name, field, there, want)
				}
			}
			format, _ := json.Marshal(b.sent(0)["response_format"])
			if !strings.Contains(string(format), `"required":["moves"]`) || !strings.Contains(string(format), `"strict":true`) {
				t.Errorf("%s: no strict schema in %s", name, format)
			}
		})
	}
}

func TestASchemaThatIsNotStrictIsSentUnchanged(t *testing.T) {
	const open = `{"properties":{"m":{"type":"object"}},"type":"object"}`
	config := testConfig()
	config.Structured = StructureStrict
	inBubble(t, setup{config: config}, firstly(), func(b *bench) {
		for i := range 2 {
			call := testCall()
			call.Schema = json.RawMessage(open)
			if _, err := b.Reply(b.Context(), call, nil); err != nil {
				b.Fatal(err)
			}
			sent, _ := json.Marshal(b.sent(i)["response_format"])
			if !strings.Contains(string(sent), `"schema":`+open) || !strings.Contains(string(sent), `"strict":false`) {
				b.Errorf("sent %s", sent)
			}
		}
		b.mustReply("fine")
		if sent, _ := json.Marshal(b.sent(2)["response_format"]); !strings.Contains(string(sent), `"strict":true`) {
			b.Errorf("one schema spoiled the other: %s", sent)
		}
	})
}

func TestNotes(t *testing.T) {
	long := testCall()
	long.Prompt.Text = strings.Repeat("a line of the prompt\n", 2000)
	handler := func(w http.ResponseWriter, _ *http.Request) { good(w, "fine") }
	inBubble(t, setup{config: Config{Name: "openai:other", Base: "http://127.0.0.1:8080/v1", Model: "other", Warning: "mind the gap"}}, handler, func(b *bench) {
		reply, err := b.Reply(b.Context(), long, nil)
		if err != nil {
			b.Fatal(err)
		}
		told := strings.Join(reply.Notes, "\n")
		for _, note := range []string{
			"mind the gap", "no price is known for other", "requested other, but gpt-test-2026 answered",
			"counted 100 tokens for 42", "truncated the prompt silently",
		} {
			if !strings.Contains(told, note) {
				b.Errorf("notes %q do not say %q", reply.Notes, note)
			}
		}
		if reply.Cost != 0 || reply.PromptTokens != 10_502 || !reply.Estimated {
			b.Errorf("%+v", reply)
		}
	})
}

func TestARouterTellsItsOwnPrice(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) {
		stream(w, token("fine"), finish("stop"), `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":0.25}}`, "[DONE]")
	}
	config := Config{Name: "openrouter:gpt-test", Base: "http://127.0.0.1:8080/v1", Model: "gpt-test", ReportsCost: true}
	inBubble(t, setup{config: config}, handler, func(b *bench) {
		if reply := b.mustReply("fine"); reply.Cost != 0.25 {
			b.Errorf("cost %v", reply.Cost)
		}
	})
}
