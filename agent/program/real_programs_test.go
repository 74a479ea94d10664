//go:build programs

package program

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moot/internal/process"
	"moot/protocol"
	"moot/state"
)

// TestRealPrograms has a conversation with each installed program: two turns, and a third after moot was
// started again. The model behind it is a server of the test, which repeats the signs that it finds in a
// request, so that a reply shows what the program kept. Run it with the programs on the PATH:
//
//	go test -tags programs ./agent/program -run RealPrograms -v
func TestRealPrograms(t *testing.T) {
	for _, name := range BuiltIn() {
		t.Run(name, func(t *testing.T) {
			a, err := builtIn(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := exec.LookPath(a.Command); err != nil {
				t.Skipf("%s is not on the PATH", a.Command)
			}
			model := &signModel{}
			web := httptest.NewServer(model)
			defer web.Close()
			home, work := t.TempDir(), t.TempDir()
			options := Options{
				Adapter: a, Workspace: work, Environ: realEnvironment(t, name, home, work, web.URL), Model: "mock-1",
				Limits: process.Limits{Total: 2 * time.Minute},
			}
			if name == "opencode" {
				options.Model = "mock/mock-1"
			}
			st := &state.State{ID: "20260101-120000-abc"}
			ask := func(p *Program, prompt string, more ...string) (protocol.Reply, error) {
				call := protocol.Call{State: st, Ask: protocol.Ask{Seat: state.Consultee}}
				call.Prompt = protocol.Prompt{System: "Be brief.", Text: prompt}
				notes := []string{}
				reply, err := p.Reply(t.Context(), call, func(d protocol.Delta) {
					if d.Note != "" {
						notes = append(notes, d.Note)
					}
				})
				t.Logf("%s: %q %v, %d + %d tokens, conversation %s, %s, notes %q", p.versioned(), reply.Text, err,
					reply.PromptTokens, reply.CompletionTokens, reply.Conversation, reply.Took.Round(time.Millisecond), notes)
				return reply, err
			}
			seat := func() *Program {
				p, err := New(options)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			p := seat()
			for i, want := range []string{"I see sign-one", "I see sign-one sign-two", "I see sign-one sign-three sign-two"} {
				reply, err := ask(p, []string{"Note sign-one.", "Note sign-two.", "Note sign-three."}[i])
				if err != nil || reply.Text != want || reply.Recovered != "" || reply.Attempts != 1 || reply.PromptTokens == 0 {
					t.Fatalf("turn %d: %+v %v", i+1, reply, err)
				}
				st.Conversations = []state.SeatConversation{{Seat: state.Consultee, ID: reply.Conversation}}
				if i == 1 { // The third turn resumes.
					if err := p.Close(); err != nil {
						t.Fatal(err)
					}
					p = seat()
				}
			}
			// gemini and qwen try for minutes.
			if name == "codex" || name == "claude" {
				model.limited.Store(true)
				_, err := ask(p, "Note sign-four.")
				if cause := causeOf(t, err); cause.Kind != state.FailureLimit || cause.Said == "" {
					t.Errorf("%+v %v", cause, err)
				}
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// realEnvironment is an environment in which a program asks the server, and nothing else.
func realEnvironment(t *testing.T, name, home, work, url string) []string {
	t.Helper()
	put := func(file, text string) {
		path := filepath.Join(home, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	environ := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}
	switch name {
	case "codex":
		put(".codex/config.toml", fmt.Sprintf("model_provider = 'mock'\n[model_providers.mock]\nname = 'mock'\n"+
			"base_url = '%s/v1'\nwire_api = 'responses'\nrequest_max_retries = 0\nstream_max_retries = 0\n", url))
	case "claude":
		environ = append(environ, "ANTHROPIC_BASE_URL="+url, "ANTHROPIC_API_KEY=sk-ant-mock-000000", "CLAUDE_CODE_MAX_RETRIES=1")
	case "gemini-cli":
		put(".gemini/trustedFolders.json", `{"`+filepath.ToSlash(work)+`":"TRUST_FOLDER"}`)
		// Without a named method, an address of one's own needs one that it refuses.
		put(".gemini/settings.json", `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
		environ = append(environ, "GOOGLE_GEMINI_BASE_URL="+url, "GEMINI_API_KEY=mock-000000")
	case "opencode":
		put(".config/opencode/opencode.json", fmt.Sprintf(`{"provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock",`+
			`"options":{"baseURL":"%s/v1","apiKey":"sk-mock-000000"},"models":{"mock-1":{"name":"mock"}}}}}`, url))
		environ = append(environ, "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1")
	case "qwen-code":
		environ = append(environ, "OPENAI_BASE_URL="+url+"/v1", "OPENAI_API_KEY=sk-mock-000000", "OPENAI_MODEL=mock-1")
	}
	return environ
}

// signModel speaks four APIs: Responses, Anthropic's messages, Gemini's and chat completions. Its reply
// names the signs that it finds in a request.
type signModel struct {
	limited atomic.Bool
}

var signs = regexp.MustCompile(`sign-[a-z]+`)

func (m *signModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	found := signs.FindAllString(string(body), -1)
	slices.Sort(found)
	said := "I see " + strings.Join(slices.Compact(found), " ")
	path := strings.ToLower(r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	stream := func(events ...any) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			data, _ := json.Marshal(e)
			var kind struct{ Type string }
			_ = json.Unmarshal(data, &kind)
			if kind.Type != "" {
				_, _ = fmt.Fprintf(w, "event: %s\n", kind.Type)
			}
			_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}
	type o = map[string]any
	switch {
	case r.Method != http.MethodPost:
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"mock-1","object":"model"}]}`)
	case m.limited.Load() && strings.HasSuffix(path, "/responses"):
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = fmt.Fprintf(w, `{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_at":%d}}`,
			time.Now().Add(2*time.Hour).Unix())
	case m.limited.Load():
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"type":"error","error":{"type":"rate_limit_error","message":"Number of requests has exceeded your rate limit"}}`)
	case strings.HasSuffix(path, "/count_tokens"):
		_, _ = io.WriteString(w, `{"input_tokens":11}`)
	case strings.HasSuffix(path, "/messages"):
		stream(
			o{"type": "message_start", "message": o{"id": "m", "type": "message", "role": "assistant", "content": []any{}, "model": "mock-1", "usage": o{"input_tokens": 11, "output_tokens": 1}}},
			o{"type": "content_block_start", "index": 0, "content_block": o{"type": "text", "text": ""}},
			o{"type": "content_block_delta", "index": 0, "delta": o{"type": "text_delta", "text": said}},
			o{"type": "content_block_stop", "index": 0},
			o{"type": "message_delta", "delta": o{"stop_reason": "end_turn"}, "usage": o{"output_tokens": 5}},
			o{"type": "message_stop"},
		)
	case strings.HasSuffix(path, "/responses"):
		item := o{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []any{o{"type": "output_text", "text": said, "annotations": []any{}}}}
		stream(
			o{"type": "response.created", "response": o{"id": "r", "object": "response", "status": "in_progress", "output": []any{}}},
			o{"type": "response.output_item.added", "output_index": 0, "item": o{"type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress", "content": []any{}}},
			o{"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "msg_1", "delta": said},
			o{"type": "response.output_item.done", "output_index": 0, "item": item},
			o{"type": "response.completed", "response": o{"id": "r", "object": "response", "status": "completed", "output": []any{item}, "usage": o{"input_tokens": 11, "output_tokens": 5, "total_tokens": 16}}},
		)
	case strings.Contains(path, "counttokens"):
		_, _ = io.WriteString(w, `{"totalTokens":11}`)
	case strings.Contains(path, "generatecontent"):
		reply := o{
			"candidates":    []any{o{"content": o{"role": "model", "parts": []any{o{"text": said}}}, "finishReason": "STOP", "index": 0}},
			"usageMetadata": o{"promptTokenCount": 11, "candidatesTokenCount": 5, "totalTokenCount": 16}, "modelVersion": "mock-1",
		}
		if strings.Contains(path, "stream") {
			stream(reply)
			return
		}
		_ = json.NewEncoder(w).Encode(reply)
	case strings.HasSuffix(path, "/chat/completions"):
		usage := o{"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}
		if !strings.Contains(string(body), `"stream":true`) {
			_ = json.NewEncoder(w).Encode(o{
				"id": "c", "object": "chat.completion", "model": "mock-1", "usage": usage,
				"choices": []any{o{"index": 0, "message": o{"role": "assistant", "content": said}, "finish_reason": "stop"}},
			})
			return
		}
		chunk := func(choices ...any) o {
			return o{"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "mock-1", "choices": append([]any{}, choices...), "usage": usage}
		}
		stream(
			chunk(o{"index": 0, "delta": o{"role": "assistant", "content": said}}),
			chunk(o{"index": 0, "delta": o{}, "finish_reason": "stop"}),
			chunk(),
		)
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}
