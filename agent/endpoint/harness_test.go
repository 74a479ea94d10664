package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moot/protocol"
	"moot/state"
)

// testKey is the key that no output may show.
const testKey = "sk-proj-VeryS3cret+Key/0123456789abcdef"

// pipeListener hands connections in memory to a real HTTP server, so that the
// clock of a synctest bubble runs only while both sides wait: nothing sleeps
// for real, and a goroutine that is left over fails the test.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// bench is a server and the endpoint that asks it, in one bubble.
type bench struct {
	*testing.T
	*Endpoint
	transport *http.Transport
	// bodies are the requests as they came.
	mu                     sync.Mutex
	bodies                 []map[string]any
	paths                  []string
	header                 http.Header
	texts, notes, thoughts []string
	restarts               int
}

// setup is how a test differs from the usual.
type setup struct {
	config Config
	limits Limits
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
}

// inBubble runs a test against a server with that handler. Requests for
// /models get one model.
func inBubble(t *testing.T, s setup, handler http.HandlerFunc, test func(*bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{T: t, transport: NewTransport()}
		listener := newPipeListener()
		server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: b.record(handler)}}
		server.Start()
		b.transport.Proxy = nil
		b.transport.DialContext = listener.dial
		if s.dial != nil {
			b.transport.DialContext = s.dial
		}
		config := testConfig()
		if s.config.Name != "" {
			config = s.config
		}
		b.Endpoint = New(config, s.limits, b.transport, nil)
		defer server.Close()
		defer b.transport.CloseIdleConnections()
		test(b)
	})
}

func testConfig() Config {
	return Config{
		Name: "openai:gpt-test", Base: "http://127.0.0.1:8080/v1", Model: "gpt-test",
		Key: NewSecret(testKey), KeyVariable: "OPENAI_API_KEY", Structured: StructureSchema,
		Prices: map[string]Price{"gpt-test": {In: 1, Out: 10}},
	}
}

// record keeps the requests before the handler answers them.
func (b *bench) record(handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var fields map[string]any
		_ = json.Unmarshal(body, &fields)
		b.mu.Lock()
		b.paths = append(b.paths, r.URL.Path)
		if r.Method == http.MethodPost {
			b.bodies, b.header = append(b.bodies, fields), r.Header
		}
		b.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler(w, r)
	}
}

// calls is how many chat requests came.
func (b *bench) calls() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.bodies)
}

// sent returns the i-th chat request.
func (b *bench) sent(i int) map[string]any {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bodies[i]
}

// ask asks for a structured reply.
func (b *bench) ask(ctx context.Context) (protocol.Reply, error) {
	return b.Reply(ctx, testCall(), func(d protocol.Delta) {
		if d.Text != "" {
			b.texts = append(b.texts, d.Text)
		}
		if d.Thought != "" {
			b.thoughts = append(b.thoughts, d.Thought)
		}
		if d.Restart {
			b.restarts++
			b.texts = nil
		}
		if d.Note != "" {
			b.notes = append(b.notes, d.Note)
		}
	})
}

// testCall is a call with a schema.
func testCall() protocol.Call {
	return protocol.Call{
		State:  &state.State{},
		Prompt: protocol.Prompt{System: "Be terse.", Text: "Is the cache safe?"},
		Schema: json.RawMessage(`{"type":"object","properties":{"moves":{"type":"array","items":{"type":"string"}}}}`),
	}
}

// mustReply fails the test unless the reply is that text.
func (b *bench) mustReply(want string) protocol.Reply {
	b.Helper()
	reply, err := b.ask(b.Context())
	if err != nil || reply.Text != want {
		b.Fatalf("reply %q, error %v; want %q", reply.Text, err, want)
	}
	return reply
}

// mustFail fails the test unless the error is of the type E and holds the
// words.
func mustFail[E error](b *bench, words ...string) E {
	b.Helper()
	_, err := b.ask(b.Context())
	var want E
	if !errors.As(err, &want) {
		b.Fatalf("error %T %v; want a %T", err, err, want)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			b.Fatalf("error %q does not say %q", err, word)
		}
	}
	return want
}

// stream writes chunks as server-sent events, each at once.
func stream(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		_, _ = fmt.Fprintf(w, "data: %s\n\n", event)
		w.(http.Flusher).Flush()
	}
}

// token is a chunk with a piece of the reply.
func token(text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"id":"1","object":"chat.completion.chunk","created":1,"model":"gpt-test-2026",`+
		`"choices":[{"index":0,"delta":{"role":"assistant","content":%s},"finish_reason":null}],"usage":null}`, quoted)
}

// finish is the chunk that ends the reply.
func finish(reason string) string {
	return fmt.Sprintf(`{"model":"gpt-test-2026","choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason)
}

// counted is the chunk with the token counts.
const counted = `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120}}`

// good answers with a whole reply.
func good(w http.ResponseWriter, text string) {
	stream(w, token(text), finish("stop"), counted, "[DONE]")
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// firstly answers the first calls with the handlers, one each, and all others
// with a good reply.
func firstly(handlers ...http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	next := 0
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		i := next
		next++
		mu.Unlock()
		if i < len(handlers) {
			handlers[i](w, r)
			return
		}
		good(w, "fine")
	}
}

// untilGone waits until the client has left.
func untilGone(r *http.Request) { <-r.Context().Done() }

// sleep waits on the bubble's clock, or until the client has left.
func sleep(r *http.Request, wait time.Duration) {
	select {
	case <-r.Context().Done():
	case <-time.After(wait):
	}
}
