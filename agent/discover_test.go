package agent

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
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
	found := Discover(context.Background(), Places{
		Env: func(name string) string {
			return map[string]string{"ANTHROPIC_API_KEY": "sk-1", "GROQ_API_KEY": "  "}[name]
		},
		LookPath: func(name string) (string, error) {
			if name == "codex" {
				return "/usr/bin/codex", nil
			}
			return "", errors.New("not found")
		},
		Transport: only{"11434", server}, Probe: 5 * time.Second,
	})
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
	p := Propose(found, false)
	if p.Orchestrator != "ollama:qwen3:8b" || !strings.HasPrefix(p.Consultee, "anthropic:") {
		t.Errorf("%+v", p)
	}
	if p := Propose(found, true); p.Orchestrator != "rules" || p.Consultee != "rules" || !strings.Contains(p.Why, "anthropic:") {
		t.Errorf("%+v", p)
	}
	if p := Propose(found[:2], false); p.Orchestrator != "ollama:qwen3:8b" || p.Consultee != "ollama:gemma3:4b" {
		t.Errorf("%+v", p)
	}
	if p := Propose(found[:1], false); p.Orchestrator != "rules" || p.Consultee != "ollama:qwen3:8b" {
		t.Errorf("%+v", p)
	}
}

func TestNothingIsThere(t *testing.T) {
	t.Parallel()
	if found := Discover(context.Background(), Places{Transport: only{}}); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if found := Discover(context.Background(), Places{Offline: true}); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if p := Propose(nil, false); p.Orchestrator != "rules" || p.Consultee != "rules" || !strings.Contains(p.Why, "no language model") {
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
	began := time.Now()
	found := Discover(context.Background(), Places{Transport: hang, Probe: 100 * time.Millisecond})
	if took := time.Since(began); len(found) != 0 || took > 2*time.Second {
		t.Errorf("%v, %+v", took, found)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
