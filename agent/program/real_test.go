//go:build programs

package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tidwall/gjson"

	"moot/protocol"
	"moot/state"
)

// The installed programs talk to a model server of the test: two turns are one
// conversation, and claude and codex stay up between them.
func TestRealConversation(t *testing.T) {
	for _, name := range BuiltIn() {
		t.Run(name, func(t *testing.T) {
			server := &modelServer{}
			web := httptest.NewServer(server)
			defer web.Close()
			p := seatReal(t, name, web.URL)
			server.answer.Store("The first answer is 42.")
			first := askReal(t, p, "", "What is the first question?")
			if first.Text != "The first answer is 42." || first.Conversation == "" || first.PromptTokens != 11 {
				t.Errorf("first turn: %+v", first)
			}
			up := p.stay.kept
			server.answer.Store("The second answer is 43.")
			second := askReal(t, p, first.Conversation, "What is the second question?")
			same := second.Conversation == first.Conversation && second.Recovered == ""
			if second.Text != "The second answer is 43." || !same || second.PromptTokens != 11 {
				t.Errorf("second turn: %+v", second)
			}
			sent := server.body.Load().(string)
			for _, want := range []string{"first question", "The first answer is 42.", "second question"} {
				if !strings.Contains(sent, want) {
					t.Errorf("the second request lacks %q:\n%.3000s", want, sent)
				}
			}
			stayed := up != nil && p.stay.kept == up && first.Attempts+second.Attempts == 2
			if !stayed && (name == "codex" || name == "claude") {
				t.Errorf("the program did not stay up: %p, then %p", up, p.stay.kept)
			}
		})
	}
}

// seatReal seats an installed program in a home of its own, set up to ask a server.
func seatReal(t *testing.T, name, server string) *Program {
	t.Helper()
	adapter, err := builtIn(name)
	if err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(adapter.Command)
	if err != nil {
		t.Skipf("%s is not on the PATH; install it: %s", adapter.Command, adapter.Fix.Install)
	}
	adapter.Command = path
	home, folder := t.TempDir(), t.TempDir()
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	var file, text string
	switch name {
	case "codex":
		file, text = ".codex/config.toml", fmt.Sprintf("model = 'gpt-mock'\nmodel_provider = 'mock'\n"+
			"[model_providers.mock]\nname = 'mock'\nbase_url = '%s/v1'\nwire_api = 'responses'\n", server)
	case "claude":
		environ = append(environ, "ANTHROPIC_BASE_URL="+server, "ANTHROPIC_API_KEY=sk-ant-mock-000000")
	case "gemini-cli":
		folder = "" // It asks the user to trust a workspace first.
		file, text = ".gemini/settings.json", `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`
		environ = append(environ, "GOOGLE_GEMINI_BASE_URL="+server, "GEMINI_API_KEY=mock-000000")
	case "opencode":
		file, text = ".config/opencode/opencode.json", fmt.Sprintf(`{"model":"mock/m","small_model":"mock/m",
			"provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock","models":{"m":{"name":"m"}},
			"options":{"baseURL":"%s/v1","apiKey":"mock-000000"}}}}`, server)
		environ = append(environ, "OPENCODE_DISABLE_MODELS_FETCH=1")
	}
	if file = filepath.Join(home, file); text != "" {
		err := os.MkdirAll(filepath.Dir(file), 0o700)
		if err = errors.Join(err, os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	options := Options{Adapter: adapter, Workspace: folder, Alone: t.TempDir(), Environ: environ}
	p, err := New(options) // Its default limits bound each turn.
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func askReal(t *testing.T, p *Program, conversation, text string) protocol.Reply {
	t.Helper()
	call := protocol.Call{Ask: protocol.Ask{Seat: state.Consultee}, Prompt: protocol.Prompt{Text: text}}
	call.State.ID = "session" // The empty folder of gemini lasts as long as this.
	if conversation != "" {
		call.State.Conversations = []state.SeatConversation{{Seat: state.Consultee, ID: conversation}}
	}
	reply, err := p.Reply(t.Context(), call, func(protocol.Delta) {})
	if err != nil {
		t.Fatalf("%s: %v", p.versioned(), err)
	}
	return reply
}

// modelServer streams one answer in the API of the request.
type modelServer struct{ answer, body atomic.Value }

// events returns the events of a reply in the API of a path.
func (s *modelServer) events(path string) (events []json.RawMessage) {
	text, _ := json.Marshal(s.answer.Load())
	said := `[]`
	switch {
	case strings.HasSuffix(path, "/responses"):
		said = `[{"type":"response.created","response":{"id":"r"}},
			{"type":"response.output_item.done","output_index":0,"item":{"id":"m","type":"message",
				"role":"assistant","content":[{"type":"output_text","text":ANSWER}]}},
			{"type":"response.completed","response":{"id":"r","output":[],
				"usage":{"input_tokens":11,"output_tokens":5,"total_tokens":16}}}]`
	case strings.HasSuffix(path, "/messages"):
		said = `[{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],
				"model":"m","usage":{"input_tokens":11,"output_tokens":1}}},
			{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}},
			{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":ANSWER}},
			{"type":"content_block_stop","index":0},
			{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}},
			{"type":"message_stop"}]`
	case strings.HasSuffix(path, ":streamGenerateContent"):
		said = `[{"candidates":[{"content":{"role":"model","parts":[{"text":ANSWER}]},"finishReason":"STOP"}],
			"usageMetadata":{"promptTokenCount":11,"candidatesTokenCount":5}}]`
	case strings.HasSuffix(path, "/chat/completions"):
		said = `[{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"finish_reason":"stop",
			"delta":{"role":"assistant","content":ANSWER}}],"usage":{"prompt_tokens":11,"completion_tokens":5}}]`
	}
	_ = json.Unmarshal([]byte(strings.ReplaceAll(said, "ANSWER", string(text))), &events)
	return events
}

func (s *modelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	events := s.events(r.URL.Path)
	if len(events) == 0 {
		_, _ = io.WriteString(w, `{"data":[],"models":[],"object":"list"}`)
		return
	}
	body, _ := io.ReadAll(r.Body)
	s.body.Store(string(body))
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		event, _ = json.Marshal(event) // In one line.
		if kind := gjson.GetBytes(event, "type").Str; kind != "" {
			_, _ = fmt.Fprintf(w, "event: %s\n", kind) // Gemini's client fails on an empty name.
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", event)
	}
}
