//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/state"
	"moot/state/store"
)

// faultyServer is a model server with the replies of a consultee. From its second reply
// on it does what fault says, if there is one.
type faultyServer struct {
	*httptest.Server
	mutex  sync.Mutex
	served int
	fault  http.HandlerFunc
}

func newFaultyServer(t *testing.T, fault http.HandlerFunc) *faultyServer {
	t.Helper()
	s := &faultyServer{fault: fault}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *faultyServer) ServeHTTP(to http.ResponseWriter, request *http.Request) {
	// The server notices that a client has left only after the body was read.
	_, _ = io.Copy(io.Discard, request.Body)
	s.mutex.Lock()
	n, fault := s.served, s.fault
	if fault == nil || n == 0 {
		s.served++
	}
	s.mutex.Unlock()
	if fault != nil && n > 0 {
		fault(to, request)
		return
	}
	replies := []string{"1. The limit is three [EVIDENCE]\n2. No queue is longer than nine\n", "Re C1: It is the usual limit\n", `{"moves":[]}`}
	text, _ := json.Marshal(replies[min(n, len(replies)-1)])
	_, _ = fmt.Fprintf(to, `{"model":"model","choices":[{"message":{"content":%s},"finish_reason":"stop"}],
		"usage":{"prompt_tokens":10,"completion_tokens":5}}`, text)
}

func (s *faultyServer) repair() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.fault = nil
}

// faultDesk runs sessions in which the orchestrator is a script and challenges P2.
func faultDesk(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	if err := os.WriteFile(filepath.Join(d.Dir, "orchestrator.txt"), []byte(`--- orchestrator/map
SHAPE: a list
--- orchestrator/evaluate
{"moves":[{"move":"CLASSIFY","point":"P1","class":"AGREE","reason":"E1 says so"},
 {"move":"CLASSIFY","point":"P2","class":"SKEPTICAL","flaw":"No limit is written anywhere","upgrade_if":"a line that says it"}]}
--- orchestrator/judge
{"moves":[{"move":"JUDGE","challenge":"C1","judgment":"accepted","reason":"it is"}]}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(d.Dir, "limits"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.Dir, "limits", "limit.go"), []byte("package limit\n\nconst limit = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) asks(consultee string, flags ...string) int {
	args := []string{"ask", "--headless", "--workspace", "limits", "--orchestrator", "script:orchestrator.txt", "--consultee", consultee}
	return d.run(append(append(args, flags...), "What is the limit?")...)
}

// now is the only session as its file has it.
func (d *desk) now(t *testing.T) *state.State {
	t.Helper()
	read, err := store.Read(sessionFile(t), formats.Rules()...)
	if err != nil {
		t.Fatalf("%v\n%s", err, d.err.String())
	}
	s, err := state.Replay(read.Events)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pausedFor checks that the session waits in round 2 with the work of round 1 kept, and
// that the reason names the seat and what failed. Nothing that a terminal would obey,
// and no key, is printed.
func (d *desk) pausedFor(t *testing.T, code int, why state.PauseKind, words ...string) {
	t.Helper()
	s, said := d.now(t), d.err.String()+d.out.String()
	if code != int(protocol.ExitInconclusive) || s.Paused != why || s.Round != 2 || s.Points.Len() != 2 {
		t.Fatalf("exit code %d, paused %q in round %d, %d points\n%s", code, s.Paused, s.Round, s.Points.Len(), said)
	}
	for _, word := range append(words, "continue with: moot resume ") {
		if !strings.Contains(said, word) {
			t.Errorf("%q is missing:\n%s", word, said)
		}
	}
	if strings.ContainsAny(said, "\x1b\x07\u202e") || strings.Contains(said, "sk-proj-") {
		t.Errorf("a control character or a key is printed: %q", said)
	}
}

// resumesWell checks that the session gets the answer to C1, as it would have without
// the fault.
func (d *desk) resumesWell(t *testing.T, flags ...string) {
	t.Helper()
	d.run(append([]string{"resume", "--headless"}, flags...)...)
	s := d.now(t)
	if c := s.Challenge("C1"); c == nil || len(c.Defenses) != 1 {
		t.Errorf("C1 is not answered\n%s", d.err.String())
	}
}

// A server that fails in the middle of a session pauses it (EX7) and the reason is shown. The session resumes at the
// same place.
func TestAServerFailsInTheMiddle(t *testing.T) {
	status := func(code int, body string) http.HandlerFunc {
		return func(to http.ResponseWriter, _ *http.Request) {
			to.WriteHeader(code)
			_, _ = fmt.Fprint(to, body)
		}
	}
	for name, test := range map[string]struct {
		fault         http.HandlerFunc
		why           state.PauseKind
		flags, resume []string
		words         []string
	}{
		"a wrong key": {
			fault: status(401, `{"error":{"message":"Incorrect API key provided: sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefAB"}}`),
			why:   state.PauseUnreachable, words: []string{"consultee", "401"},
		},
		"escapes": {
			fault: status(500, `{"error":"boom \u001b[2J\u001b]0;owned\u0007\u202e"}`), why: state.PauseUnreachable, words: []string{"500", "boom"},
		},
		"HTML":          {fault: status(200, "<!doctype html><title>Sign in</title>"), why: state.PauseUnreachable, words: []string{"HTML", "Sign in"}},
		"an empty body": {fault: func(http.ResponseWriter, *http.Request) {}, why: state.PauseUnreachable, words: []string{"without a reply"}},
		"silence": {
			fault: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, why: state.PauseUnreachable,
			flags: []string{"--first-token-timeout", "500ms"}, words: []string{"no token in 500 ms"},
		},
		"a bare connection": {
			fault: bareConnection, why: state.PauseUnreachable, words: []string{"refused the request (101)"},
		},
		"silence until the cap on time": {
			fault: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, why: state.PauseBudget,
			flags: []string{"--timeout", "1s"}, resume: []string{"--timeout", "10m"}, words: []string{"1 s of 1 s are used", "--timeout"},
		},
		"too long a prompt": {
			fault: status(400, `{"error":{"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_ctx":64}}`),
			why:   state.PauseContext, words: []string{"cannot take a prompt this long"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, s := faultDesk(t), newFaultyServer(t, test.fault)
			code := d.asks(s.URL+"/v1#model", append(test.flags, "--attempts", "1")...)
			d.pausedFor(t, code, test.why, test.words...)
			s.repair()
			d.resumesWell(t, test.resume...)
		})
	}
}

// bareConnection answers 101, after which the client has the connection itself.
func bareConnection(to http.ResponseWriter, _ *http.Request) {
	to.Header().Set("Connection", "Upgrade")
	to.Header().Set("Upgrade", "x")
	to.WriteHeader(http.StatusSwitchingProtocols)
	if conn, _, err := to.(http.Hijacker).Hijack(); err == nil {
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	}
}

// What a session needs may disappear while it is paused: resume names it and keeps the
// session, and works once it is back. A budget is raised by a flag.
func TestWhatASessionNeedsIsGone(t *testing.T) {
	for _, needed := range []string{"orchestrator.txt", "limits"} {
		t.Run(needed, func(t *testing.T) {
			d, s := faultDesk(t), newFaultyServer(t, func(to http.ResponseWriter, _ *http.Request) { to.WriteHeader(http.StatusServiceUnavailable) })
			d.pausedFor(t, d.asks(s.URL+"/v1#model", "--attempts", "1"), state.PauseUnreachable, "503")
			s.repair()
			path := filepath.Join(d.Dir, needed)
			if err := os.Rename(path, path+".away"); err != nil {
				t.Fatal(err)
			}
			if code := d.run("resume", "--headless"); code != int(protocol.ExitError) || !strings.Contains(d.err.String(), needed) {
				t.Errorf("exit code %d\n%s", code, d.err.String())
			}
			if err := os.Rename(path+".away", path); err != nil {
				t.Fatal(err)
			}
			d.resumesWell(t)
		})
	}
	t.Run("budget", func(t *testing.T) {
		d, s := faultDesk(t), newFaultyServer(t, nil)
		code := d.asks(s.URL+"/v1#model", "--max-tokens", "15")
		if now := d.now(t); code != int(protocol.ExitInconclusive) || now.Paused != state.PauseBudget {
			t.Fatalf("exit code %d, paused %q", code, now.Paused)
		}
		d.resumesWell(t, "--max-tokens", "1000000")
	})
}
