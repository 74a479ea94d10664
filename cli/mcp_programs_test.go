//go:build programs

package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestRealAgents lets the installed programs consult through moot, whose entry moot skill writes. A scripted model behind
// them calls the tools: it is refused a move, judges, and reads the result. Then it disputes what only the user can
// decide, and gets the answer all the same.
func TestRealAgents(t *testing.T) {
	for name, args := range map[string][]string{
		"claude": {"-p", "Consult moot.", "--allowedTools", "mcp__moot__consult,mcp__moot__reply,mcp__moot__wait,mcp__moot__result"},
		"codex":  {"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "Consult moot."},
	} {
		judges := func(prompt string) []any {
			if !strings.Contains(prompt, "To classify: P1") {
				return []any{}
			}
			return []any{
				map[string]any{"move": "CLASSIFY", "point": "P7", "class": "AGREE", "reason": "so it is"},
				map[string]any{"move": "CLASSIFY", "point": "P1", "class": "AGREE", "reason": "the line says so"},
			}
		}
		t.Run(name, func(t *testing.T) {
			realAgent(t, name, args, "--- propose\n1. The limit is 8 [EVIDENCE] limit.go:3 \"const limit = 8\"\n", judges, "The limit is 8")
		})
		t.Run(name+" disputes", func(t *testing.T) { realAgent(t, name, args, brief, rejectsValue, "open: P1") })
	}
}

// realAgent runs a program whose model makes the moves for each prompt, and looks for words in what it prints.
func realAgent(t *testing.T, name string, args []string, script string, moves func(prompt string) []any, want string) {
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not on the PATH", name)
	}
	stateIn(t)
	home, folder := t.TempDir(), t.TempDir()
	write(t, filepath.Join(folder, "limit.go"), []byte("package limit\n\nconst limit = 8\n"))
	model := &agentModel{t: t, consultee: "script:" + filepath.Join(folder, "consultee.txt"), moves: moves}
	write(t, filepath.Join(folder, "consultee.txt"), []byte(script))
	web := httptest.NewServer(model)
	defer web.Close()
	environ := append(os.Environ(), "HOME="+home, "ANTHROPIC_BASE_URL="+web.URL, "ANTHROPIC_API_KEY=sk-ant-mock-000000")
	if err := os.MkdirAll(filepath.Join(home, ".codex"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(home, ".codex", "config.toml"), fmt.Appendf(nil, "model = 'gpt-mock'\nmodel_provider = 'mock'\n"+
		"[model_providers.mock]\nname = 'mock'\nbase_url = '%s/v1'\nwire_api = 'responses'\n", web.URL))
	install := exec.Command("moot", "skill", "--install", name, "--yes")
	install.Env = environ
	if said, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, file := range []string{".claude.json", ".codex/config.toml"} {
		// Scripts have to be allowed, and codex starts servers with few variables.
		text, err := os.ReadFile(filepath.Join(home, file))
		if err != nil {
			continue
		}
		edited := strings.ReplaceAll(string(text), `"mcp"`, `"mcp", "--allow-participant", "script:/*"`)
		write(t, filepath.Join(home, file), []byte(edited))
	}
	agent := exec.Command(path, args...)
	agent.Dir, agent.Env = folder, environ
	said, err := agent.CombinedOutput()
	t.Logf("%s", strings.Join(model.said, "\n"))
	if err != nil || !strings.Contains(string(said), want) {
		t.Fatalf("%v\n%s", err, said)
	}
	if all := verified(t); len(all) != 1 || !all[0].Closed || all[0].Answer() == nil {
		t.Errorf("%d sessions", len(all))
	}
}

// agentModel is a model that calls moot's tools one after the other, in the API of the request.
type agentModel struct {
	t         *testing.T
	consultee string
	moves     func(prompt string) []any
	said      []string
}

// next returns the tool to call after the last result, or the last words.
func (m *agentModel) next(result string) (tool string, args map[string]any, words string) {
	turn := gjson.Parse(result)
	session := map[string]any{"session": turn.Get("session").Str}
	switch {
	case result == "":
		return "consult", map[string]any{"question": "What is the limit?", "consultee": m.consultee}, ""
	case turn.Get("status").Str == "working":
		return "wait", session, ""
	case turn.Get("status").Str == "finished":
		return "result", session, ""
	case turn.Get("status").Str == "your-turn":
		session["moves"] = append([]any{}, m.moves(turn.Get("prompt").Str)...)
		return "reply", session, ""
	}
	return "", nil, result
}

func (m *agentModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	request := gjson.ParseBytes(body)
	result, name, full := "", "", ""
	for _, list := range []string{"messages", "input"} {
		for _, message := range request.Get(list).Array() {
			if message.Get("type").Str == "function_call_output" {
				result = text(message.Get("output"))
			}
			for _, part := range message.Get("content").Array() {
				if part.Get("type").Str == "tool_result" {
					result = text(part.Get("content"))
				}
			}
		}
	}
	tool, args, words := m.next(result)
	for _, offered := range request.Get("tools").Array() {
		if n := offered.Get("name").Str; strings.HasSuffix(n, "__"+tool) && strings.Contains(n, "moot") {
			full = n
		}
		for _, inner := range offered.Get("tools").Array() { // codex groups the tools of a server
			if strings.Contains(offered.Get("name").Str, "moot") && inner.Get("name").Str == tool {
				name, full = offered.Get("name").Str, tool
			}
		}
	}
	quoted, _ := json.Marshal(args)
	switch {
	case strings.HasSuffix(r.URL.Path, "/messages") && full != "":
		m.said = append(m.said, fmt.Sprintf("-> %s %s", tool, quoted))
		input, _ := json.Marshal(string(quoted))
		m.stream(w, `[{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","usage":{"input_tokens":11,"output_tokens":1}}},
			{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t`+fmt.Sprint(len(m.said))+`","name":"`+full+`","input":{}}},
			{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":`+string(input)+`}},
			{"type":"content_block_stop","index":0},
			{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}},{"type":"message_stop"}]`)
	case strings.HasSuffix(r.URL.Path, "/messages"):
		said, _ := json.Marshal(words + " ")
		m.stream(w, `[{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","usage":{"input_tokens":11,"output_tokens":1}}},
			{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}},
			{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`+string(said)+`}},{"type":"content_block_stop","index":0},
			{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}},{"type":"message_stop"}]`)
	case strings.HasSuffix(r.URL.Path, "/responses") && full != "":
		m.said = append(m.said, fmt.Sprintf("-> %s %s", tool, quoted))
		input, _ := json.Marshal(string(quoted))
		namespace := ""
		if name != "" {
			namespace = `"namespace":"` + name + `",`
		}
		m.stream(w, `[{"type":"response.created","response":{"id":"r"}},
			{"type":"response.output_item.done","output_index":0,"item":{"id":"f","type":"function_call","call_id":"c`+fmt.Sprint(len(m.said))+`",`+namespace+`"name":"`+full+`","arguments":`+string(input)+`}},
			{"type":"response.completed","response":{"id":"r","output":[],"usage":{"input_tokens":11,"output_tokens":5,"total_tokens":16}}}]`)
	case strings.HasSuffix(r.URL.Path, "/responses"):
		said, _ := json.Marshal(words + " ")
		m.stream(w, `[{"type":"response.created","response":{"id":"r"}},
			{"type":"response.output_item.done","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[{"type":"output_text","text":`+string(said)+`}]}},
			{"type":"response.completed","response":{"id":"r","output":[],"usage":{"input_tokens":11,"output_tokens":5,"total_tokens":16}}}]`)
	default:
		_, _ = io.WriteString(w, `{"data":[],"models":[],"object":"list"}`)
		return
	}
	m.said = append(m.said, "   after "+fmt.Sprintf("%.300s", result))
}

// text is the text of a tool's result: itself, or that of its parts.
func text(v gjson.Result) string {
	if v.Type == gjson.String {
		if inner := gjson.Get(v.Str, "0.text"); inner.Exists() {
			return inner.Str
		}
		if at := strings.Index(v.Str, "Output:\n"); at >= 0 {
			return v.Str[at+len("Output:\n"):]
		}
		return v.Str
	}
	all := ""
	for _, part := range v.Array() {
		all += part.Get("text").Str
	}
	if _, output, timed := strings.Cut(all, "Output:"); timed && strings.HasPrefix(all, "Wall time:") {
		return strings.TrimPrefix(output, "\n")
	}
	return all
}

func (m *agentModel) stream(w http.ResponseWriter, list string) {
	var events []json.RawMessage
	if err := json.Unmarshal([]byte(list), &events); err != nil {
		m.t.Error(err)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		event, _ = json.Marshal(event)
		_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", gjson.GetBytes(event, "type").Str, event)
	}
}
