//go:build unix

package cli_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"moot/state"
)

// wireFault is what a server does from round 2 on.
type wireFault struct {
	does http.HandlerFunc
	// why is how the session is paused; "" says that it is not: then the fault comes
	// once, the reply is asked for again, and the session comes to its end.
	why state.PauseKind
	// flags are those of the run that meets the fault, where they are not those of all.
	flags []string
	words []string
}

// Every fault of a server in the middle of a session is told with the seat, the endpoint,
// what was kept and what to do. The session pauses and goes on (EX7), or asks again at
// the cost of no round (PH3), and ends as it does without the fault.
func TestEndpointsFailInTheMiddle(t *testing.T) { //nolint:tparallel // its sessions lie in a folder that the environment names
	held := meetings()[0]
	r := newRoom(t, held)
	const seat = "consultee"
	for name, f := range wireFaults(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWire(t, r.references[held.format], seat, strings.Contains(name, "whole"), f.does)
			o := r.sit(held, seat, w.name(), nil, "--attempts", "1")
			if len(f.flags) > 0 {
				// What is short of time must not be short for the replies before it.
				w.set(answers(503, "{}"), 0)
				o.ask()
			}
			once := 0
			if f.why == "" {
				once = 1
			}
			if w.set(f.does, once); len(f.flags) > 0 {
				o.resume(f.flags...)
			} else {
				o.ask()
			}
			if f.why == "" {
				o.says(t, f.words...)
			} else {
				o.paused(t, f.why, append(f.words, w.URL)...)
				w.set(nil, 0)
				o.resume()
			}
			o.ends(t)
		})
	}
}

// flood is a text of 5 MB.
func flood() string { return strings.Repeat("x", 5<<20) }

// hangs answers nothing more.
func hangs(_ http.ResponseWriter, request *http.Request) { <-request.Context().Done() }

// resets cuts the connection so that the other side is told of it as an error.
func resets(to http.ResponseWriter, _ *http.Request) {
	connection, _, err := to.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_ = connection.(*net.TCPConn).SetLinger(0)
	_ = connection.Close()
}

// half does something after half of a reply.
func half(then http.HandlerFunc) http.HandlerFunc {
	return func(to http.ResponseWriter, request *http.Request) {
		chunks(to, piece(`{"moves":[{"move":"BLOCKED","challenge":"C1",`))
		then(to, request)
	}
}

// nothing ends the answer.
func nothing(http.ResponseWriter, *http.Request) {}

func wireFaults(t *testing.T) map[string]wireFault {
	t.Helper()
	var bomb bytes.Buffer
	packed := gzip.NewWriter(&bomb)
	for range 64 {
		_, _ = io.WriteString(packed, strings.Repeat("x", 1<<20))
	}
	_ = packed.Close()
	const escapes = "\x1b[2J\x1b]0;owned\x07\u202e"
	return map[string]wireFault{
		"a wrong key":            {answers(401, `{"error":{"message":"Incorrect API key provided: sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefAB"}}`), state.PauseUnreachable, nil, []string{"401"}},
		"no model":               {answers(404, `{"error":{"message":"The model 'model' does not exist","code":"model_not_found"}}`), state.PauseUnreachable, nil, []string{"does not exist"}},
		"too many":               {answers(429, `{"error":{"message":"Rate limit reached"}}`), state.PauseUnreachable, nil, []string{"429", "Rate limit reached"}},
		"an error of the server": {answers(500, `{"error":"boom`+quoted(escapes)[1:]+`}`), state.PauseUnreachable, nil, []string{"500", "boom"}},
		"HTML with 502":          {answers(502, "<html><title>Bad gateway"+escapes+"</title>"), state.PauseUnreachable, nil, []string{"502"}},
		"HTML with 200":          {answers(200, "<!doctype html><title>Sign in"+escapes+"</title>"), state.PauseUnreachable, nil, []string{"HTML", "Sign in"}},
		"an error with 200":      {answers(200, `{"error":{"message":"overloaded","code":503}}`), state.PauseUnreachable, nil, []string{"overloaded"}},
		"another content type": {func(to http.ResponseWriter, _ *http.Request) {
			to.Header().Set("Content-Type", "image/png")
			_, _ = io.WriteString(to, "\x89PNG\r\n\x1a\n")
		}, state.PauseUnreachable, nil, []string{"without a reply"}},
		"a circle of redirects": {func(to http.ResponseWriter, request *http.Request) {
			http.Redirect(to, request, request.URL.Path, http.StatusTemporaryRedirect)
		}, state.PauseUnreachable, nil, []string{"redirect"}},
		"a reset":        {resets, state.PauseUnreachable, nil, []string{"connection"}},
		"an empty body":  {nothing, state.PauseUnreachable, nil, []string{"without a reply"}},
		"no first token": {hangs, state.PauseUnreachable, []string{"--first-token-timeout", "100ms"}, []string{"no token in 100 ms"}},
		"too long a prompt": {
			answers(400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_ctx":64}}`),
			state.PauseContext, nil,
			[]string{"prompt is too long", "context size"},
		},
		"a packed flood": {func(to http.ResponseWriter, _ *http.Request) {
			to.Header().Set("Content-Type", "application/json")
			to.Header().Set("Content-Encoding", "gzip")
			_, _ = to.Write(bomb.Bytes())
		}, state.PauseUnreachable, nil, []string{"without a reply"}},
		"5 MB":               {func(to http.ResponseWriter, _ *http.Request) { chunks(to, piece(flood()), "[DONE]") }, "", nil, []string{"refused    consultee's reply (oversized)", "longer than"}},
		"5 MB, whole":        {answers(200, `{"choices":[{"message":{"content":"`+flood()+`"},"finish_reason":"stop"}]}`), "", nil, []string{"refused    consultee's reply (oversized)"}},
		"a reset after half": {half(resets), "", nil, []string{"refused    consultee's reply (broken)", "bytes that had arrived"}},
		"no end":             {half(nothing), "", nil, []string{"refused    consultee's reply (broken)"}},
		"an error after half": {half(func(to http.ResponseWriter, _ *http.Request) {
			chunks(to, `{"error":{"message":"out of memory`+quoted(escapes)[1:]+`}}`)
		}), "", nil, []string{"refused    consultee's reply (broken)", "out of memory"}},
		"silence after half":      {half(hangs), "", []string{"--idle-timeout", "5s"}, []string{"refused    consultee's reply (broken)", "nothing more in 5 s"}},
		"half, again and again":   {half(nothing), state.PauseUnreachable, nil, []string{"its reply broke off once more"}},
		"escapes":                 {says(escapes), "", nil, []string{"not taken  consultee's move 1 (no-id)"}},
		"escapes, whole":          {answers(200, `{"choices":[{"message":{"content":`+quoted(escapes)+`},"finish_reason":"stop"}]}`), "", nil, []string{"not taken  consultee's move 1 (no-id)"}},
		"another language":        {says("我不同意。"), "", nil, []string{"not taken  consultee's move 1 (no-id)"}},
		"from the right to left":  {says("لا أوافق على هذا."), "", nil, []string{"not taken  consultee's move 1 (no-id)"}},
		"nothing at all":          {says(""), "", nil, []string{"refused    consultee's reply (empty)"}},
		"moves of another format": {says(`{"moves":[{"move":"PROPOSE","path":"a","value":1}]}`), "", nil, []string{"not taken  consultee's move 1 (not-allowed)"}},
	}
}

// says replies with a text, a character at a time.
func says(text string) http.HandlerFunc {
	return func(to http.ResponseWriter, _ *http.Request) {
		for _, c := range text {
			chunks(to, piece(string(c)))
		}
		chunks(to, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, "[DONE]")
	}
}
