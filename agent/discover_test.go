package agent

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moot/agent/doctor"
	"moot/agent/program"
)

// only sends what is meant for one address to a test server and refuses all
// else, so that nothing of this machine is asked.
type only struct {
	port string
	to   *httptest.Server
}

func (o only) RoundTrip(r *http.Request) (*http.Response, error) {
	if o.to == nil || r.URL.Port() != o.port {
		return nil, errors.New("connection refused")
	}
	r = r.Clone(r.Context())
	r.URL.Host = strings.TrimPrefix(o.to.URL, "http://")
	return http.DefaultTransport.RoundTrip(r)
}

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"data":[{"id":"nomic-embed-text"},{"id":"qwen3:8b"},{"id":"gemma3:4b"}]}`))
	})
	adapters, problems := program.Known("")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	found := Discover(context.Background(), Places{Where: doctor.Where{
		Env: func(name string) string {
			return map[string]string{"ANTHROPIC_API_KEY": "sk-1", "GROQ_API_KEY": "  "}[name]
		},
		LookPath: func(name string) (string, error) {
			if name == "codex" {
				return filepath.Join(t.TempDir(), "codex"), nil
			}
			return "", errors.New("not found")
		},
		Transport: only{"11434", server}, Limit: time.Minute,
	}, Adapters: adapters})
	var names []string
	for _, f := range found {
		names = append(names, f.Name)
		if f.Usable == (f.Name == "codex") || f.Why == "" || f.Title == "" {
			t.Errorf("%+v", f)
		}
		if f.Usable {
			if spec, err := Parse(f.Name); err != nil || spec.Kind != KindEndpoint {
				t.Errorf("%s cannot be named: %v", f.Name, err)
			}
		}
		if strings.Contains(f.Why, "sk-1") {
			t.Error("the key is told")
		}
	}
	if got := strings.Join(names, " "); !strings.HasPrefix(got, "ollama:qwen3:8b ollama:gemma3:4b anthropic:") || !strings.HasSuffix(got, " codex") {
		t.Errorf("found %s", got)
	}
	p := Propose(found, Pair{}, false, false)
	if p.Orchestrator != "ollama:qwen3:8b" || !strings.HasPrefix(p.Consultee, "anthropic:") {
		t.Errorf("%+v", p)
	}
	if p := Propose(found, Pair{}, true, false); p.Orchestrator != "rules" || p.Consultee != "rules" || !strings.Contains(p.Why, "anthropic:") {
		t.Errorf("%+v", p)
	}
	if p := Propose(found[:2], Pair{}, false, false); p.Orchestrator != "ollama:qwen3:8b" || p.Consultee != "ollama:gemma3:4b" {
		t.Errorf("%+v", p)
	}
	if p := Propose(found[:1], Pair{}, false, false); p.Orchestrator != "ollama:qwen3:8b" || p.Consultee != "ollama:qwen3:8b" || !strings.Contains(p.Why, "no second opinion") {
		t.Errorf("%+v", p)
	}
}

func TestNothingIsThere(t *testing.T) {
	t.Parallel()
	if found := Discover(context.Background(), Places{Where: doctor.Where{Transport: only{}}}); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if found := Discover(context.Background(), Places{Offline: true}); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if p := Propose(nil, Pair{}, false, false); p.Orchestrator != "rules" || p.Consultee != "rules" || !strings.Contains(p.Why, "no language model") {
		t.Errorf("%+v", p)
	}
}

// A server that hangs costs no more than the probe, and all are asked at once.
func TestProbesAreBrief(t *testing.T) {
	t.Parallel()
	hang := roundTripper(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		found := Discover(t.Context(), Places{Where: doctor.Where{Transport: hang, Limit: 100 * time.Millisecond}})
		if took := time.Since(began); len(found) != 0 || took != 100*time.Millisecond {
			t.Errorf("%v, %+v", took, found)
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTwoVendorsAreProposed(t *testing.T) {
	t.Parallel()
	found := []Found{
		{Name: "openai:gpt-5-mini", Title: "OpenAI", Vendor: "openai", Usable: true},
		{Name: "codex", Title: "Codex", Vendor: "openai", Usable: true},
		{Name: "gemini-cli", Title: "Gemini", Vendor: "gemini"},
		{Name: "claude", Title: "Claude Code", Vendor: "anthropic", Usable: true},
	}
	if p := Propose(found, Pair{}, false, false); p.Orchestrator != "openai:gpt-5-mini" || p.Consultee != "claude" || len(p.Pairs) != 3 {
		t.Errorf("%+v", p)
	}
	if p := Propose(found[:3], Pair{}, false, false); p.Consultee != "codex" {
		t.Errorf("%+v", p)
	}
}

func TestAnotherModelIsProposed(t *testing.T) {
	t.Parallel()
	of := func(name string) Found {
		vendor, _, _ := strings.Cut(name, ":")
		return Found{Name: name, Title: vendor, Vendor: vendor, Usable: true}
	}
	for _, test := range []struct {
		names []string
		want  string
	}{
		{[]string{"ollama:qwen3:8b", "ollama:llama3.3", "llamacpp:qwen3:8b", "llamacpp:llama3.3"}, "llamacpp:llama3.3"},
		{[]string{"ollama:qwen3:8b", "ollama:qwen3:4b", "ollama:llama3.3"}, "ollama:llama3.3"},
		{[]string{"openai:gpt-5-mini", "openrouter:openai/GPT-5-mini", "groq:m"}, "groq:m"},
		{[]string{"ollama:qwen3:8b", "llamacpp:qwen3:8b"}, "llamacpp:qwen3:8b"},
		{[]string{"codex", "claude"}, "claude"},
		{[]string{"claude", "ollama:qwen3:8b"}, "ollama:qwen3:8b"},
	} {
		var found []Found
		for _, name := range test.names {
			found = append(found, of(name))
		}
		if p := Propose(found, Pair{}, false, false); p.Orchestrator != test.names[0] || p.Consultee != test.want {
			t.Errorf("%q: %s and %s", test.names, p.Orchestrator, p.Consultee)
		}
	}
}

// For a question about code, programs go first among pairs that differ as much. A seat that is named stays, and every
// pair is offered once.
func TestPairs(t *testing.T) {
	t.Parallel()
	found := []Found{
		{Name: "openai:gpt-5-mini", Title: "OpenAI", Vendor: "openai", Usable: true},
		{Name: "ollama:qwen3:8b", Title: "Ollama", Vendor: "ollama", Usable: true},
		{Name: "codex", Title: "Codex", Vendor: "openai", Usable: true, Program: true},
		{Name: "claude", Title: "Claude Code", Vendor: "anthropic", Usable: true, Program: true},
		{Name: "opencode", Title: "OpenCode", Vendor: "opencode", Program: true},
	}
	for _, test := range []struct {
		named Pair
		code  bool
		want  Pair
		pairs int
	}{
		{Pair{}, false, Pair{"openai:gpt-5-mini", "ollama:qwen3:8b"}, 6},
		{Pair{}, true, Pair{"codex", "claude"}, 6},
		{Pair{Orchestrator: "openai:gpt-5-mini"}, true, Pair{"openai:gpt-5-mini", "claude"}, 4},
		{Pair{Consultee: "codex"}, false, Pair{"ollama:qwen3:8b", "codex"}, 4},
		{Pair{Consultee: "script:a.txt"}, true, Pair{"codex", "script:a.txt"}, 4},
	} {
		p := Propose(found, test.named, false, test.code)
		if p.Pair != test.want || len(p.Pairs) != test.pairs {
			t.Errorf("%+v, code %v: %+v", test.named, test.code, p)
		}
	}
	if p := Propose(found[:1], Pair{}, false, true); p.Pairs[1] != (Pair{"me", "openai:gpt-5-mini"}) {
		t.Errorf("the person is not offered a seat: %+v", p.Pairs)
	}
}
