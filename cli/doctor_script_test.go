package cli_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// serversVariable lists the servers of a script, each with its public address and its real one, separated by spaces:
// "11434=127.0.0.1:40123".
const serversVariable = "TEST_SERVERS"

// scripted carries what a script's moot asks to the servers of the script. Nothing
// else is there, whatever runs on this machine, and nothing leaves it.
type scripted struct{}

// RoundTrip implements http.RoundTripper.
func (scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	wanted := r.URL.Host
	if r.URL.Hostname() == "127.0.0.1" {
		wanted = r.URL.Port()
	}
	for served := range strings.FieldsSeq(os.Getenv(serversVariable)) {
		if at, is := strings.CutPrefix(served, wanted+"="); is {
			r = r.Clone(r.Context())
			r.URL.Scheme, r.URL.Host = "http", at
			return http.DefaultTransport.RoundTrip(r) //nolint:bodyclose // whoever asked closes it
		}
	}
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

// serve starts a server for the rest of the script: "serve WHERE KIND". WHERE is a port of this machine or the host of
// a service. Requests are written to the file requests: where, method, path, and whether there was a key.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || kinds()[args[1]] == nil {
		ts.Fatalf("usage: serve PORT|HOST KIND")
	}
	where, answer, path := args[0], kinds()[args[1]], ts.MkAbs("requests")
	var writing sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := "no key"
		if r.Header.Get("Authorization") != "" {
			key = "a key"
		}
		writing.Lock()
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, _ = fmt.Fprintln(file, where, r.Method, r.URL.Path, key)
			_ = file.Close()
		}
		writing.Unlock()
		answer(w, r)
	}))
	ts.Defer(func() {
		server.CloseClientConnections()
		server.Close()
	})
	ts.Setenv(serversVariable, ts.Getenv(serversVariable)+" "+where+"="+strings.TrimPrefix(server.URL, "http://"))
}

// kinds are the servers of scripts.
func kinds() map[string]http.HandlerFunc {
	models := func(ids ...string) string {
		return `{"object":"list","data":[{"id":"` + strings.Join(ids, `"},{"id":"`) + `"}]}`
	}
	paths := func(answers map[string]string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			answer, known := answers[r.URL.Path]
			if !known {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			if strings.HasPrefix(answer, "data:") {
				w.Header().Set("Content-Type", "text/event-stream")
			}
			_, _ = w.Write([]byte(answer))
		}
	}
	listed := paths(map[string]string{"/v1/models": models("gpt-5-mini", "gpt-5.2")})
	return map[string]http.HandlerFunc{
		"ollama": paths(map[string]string{
			"/v1/models": models("nomic-embed-text:latest", "qwen3:8b", "gemma3:4b"), "/api/version": `{"version":"0.12.3"}`,
			"/v1/chat/completions": `data: {"model":"qwen3:8b","choices":[{"index":0,"delta":{"role":"assistant","content":"{\"answer\": \"five\"}"}}]}` + "\n\n" +
				`data: {"model":"qwen3:8b","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":61,"completion_tokens":9}}` + "\n\ndata: [DONE]\n\n",
		}),
		"lmstudio": paths(map[string]string{"/v1/models": models("qwen/qwen3-8b")}),
		"llamacpp": paths(map[string]string{"/v1/models": models("model.gguf"), "/props": `{"build_info":"b4567-1a2b3c4"}`}),
		"empty":    paths(map[string]string{"/v1/models": `{"object":"list","data":[]}`, "/api/version": `{"version":"\u001b[2J0.12.3"}`}),
		"hostile":  paths(map[string]string{"/v1/models": models(`\u001b[2Jevil`, "good:1b", strings.Repeat("x", 5000))}),
		"html": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<!doctype html><title>Router\x1b]0;login</title>"))
		},
		"hangs": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"fails": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "out of memory", http.StatusInternalServerError)
		},
		"keyed": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer the-right-key" {
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = fmt.Fprintf(w, `{"error":{"message":"bad key %s"}}`, r.Header.Get("Authorization"))
				return
			}
			listed(w, r)
		},
	}
}
