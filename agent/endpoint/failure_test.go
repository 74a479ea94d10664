package endpoint

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"moot/protocol"
)

// answer always answers with a status and a body.
func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { refuse(w, status, body) }
}

func TestAMissingModelIsNamedWithThoseThatAreThere(t *testing.T) {
	config := Config{Name: "ollama:qwen3:7b", Base: "http://127.0.0.1:8080/v1", Model: "qwen3:7b", Local: true, Pull: "ollama pull"}
	for name, models := range map[string]string{
		"OpenAI's form": `{"object":"list","data":[{"id":"llama3:8b"},{"id":"qwen3:8b"}]}`,
		"a bare list":   `[{"id":"llama3:8b"},{"id":"qwen3:8b"}]`,
		"Ollama's form": `{"models":[{"name":"llama3:8b"},{"name":"qwen3:8b"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			handler := func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/models") {
					_, _ = io.WriteString(w, models)
					return
				}
				refuse(w, 404, `{"error":{"message":"model \"qwen3:7b\" not found, try pulling it first"}}`)
			}
			inBubble(t, setup{config: config}, handler, func(b *bench) {
				mustFail[*protocol.Unreachable](b, `has no model "qwen3:7b" there (404)`, "get it with `ollama pull qwen3:7b`",
					"the endpoint serves llama3:8b, qwen3:8b", "did you mean qwen3:8b?")
			})
		})
	}
	inBubble(t, setup{}, http.NotFound, func(b *bench) {
		mustFail[*protocol.Unreachable](b, "(404)", "usually ends in /v1")
	})
}

func TestADeniedKeySaysWhichOne(t *testing.T) {
	cases := map[string]struct {
		config Config
		words  string
	}{
		"a key that is missing":  {Config{KeyVariable: "LLAMA_API_KEY"}, "asks for a key (401); set LLAMA_API_KEY to it"},
		"no variable for one":    {Config{}, "asks for a key (401); name it by its address, http://127.0.0.1:8080/v1#MODEL, and set MOOT_API_KEY to the key"},
		"a key from elsewhere":   {Config{Key: NewSecret("k-12345")}, "refused its key (401); check the key"},
		"a user and a password":  {Config{User: NewSecret("anna")}, "refused the user and password in its address (401); check them"},
		"a key in the variables": {Config{Key: NewSecret("k-12345"), KeyVariable: "X"}, "refused the key in X (401); check X, or name another participant"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.config.Name, c.config.Base, c.config.Model = "x", "http://127.0.0.1:8080/v1", "m"
			inBubble(t, setup{config: c.config}, answer(401, ""), func(b *bench) {
				mustFail[*protocol.Unreachable](b, c.words)
			})
		})
	}
}

func TestErrorsOfTheNetwork(t *testing.T) {
	cases := map[string]struct {
		err   error
		words string
		tries int
	}{
		"a name that does not exist":  {&net.DNSError{Err: "no such host", Name: "api.exampel", IsNotFound: true}, "no such host api.exampel; check the address", 1},
		"a name server that is tired": {&net.DNSError{Err: "timeout", Name: "api.example", IsTimeout: true}, "no such host api.example (tried 2 times)", 2},
		"no route":                    {&net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH}, "no route to host (tried 2 times); check the network", 2},
		"a closed connection":         {io.EOF, "closed the connection at http://127.0.0.1:8080/v1 (tried 2 times); retry later", 2},
		"a reset connection":          {&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "reset the connection at http://127.0.0.1:8080/v1 (tried 2 times); retry later", 2},
		"something unheard of":        {errors.New("flux"), "flux (tried 2 times)", 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tries := 0
			dial := func(context.Context, string, string) (net.Conn, error) {
				tries++
				return nil, c.err
			}
			inBubble(t, setup{dial: dial, limits: Limits{Attempts: 2}}, nil, func(b *bench) {
				mustFail[*protocol.Unreachable](b, c.words)
				if tries != c.tries {
					b.Errorf("tried %d times, want %d", tries, c.tries)
				}
			})
		})
	}
}

func TestTheServerAndNotItsNameDecidesWhetherAModelIsAsked(t *testing.T) {
	config := Config{Name: "openai:davinci", Base: "http://127.0.0.1:8080/v1", Model: "text-davinci-003"}
	inBubble(t, setup{config: config}, firstly(), func(b *bench) { b.mustReply("fine") })
}

// The tests below use real sockets, for what pipes cannot show.

func TestARealConnectionThatIsResetInTheStream(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stream(w, token("half"))
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}))
	defer server.Close()
	transport := NewTransport()
	defer transport.CloseIdleConnections()
	e := New(Config{Name: "x", Base: server.URL + "/v1", Model: "m"}, Limits{}, transport, nil)
	var broken *protocol.Broken
	if _, err := e.Reply(t.Context(), testCall(), nil); !errors.As(err, &broken) || broken.Partial != "half" {
		t.Errorf("error %v", err)
	}
	plain := New(Config{Name: "x", Base: strings.Replace(server.URL, "http:", "https:", 1) + "/v1", Model: "m"}, Limits{}, transport, nil)
	var gone *protocol.Unreachable
	if _, err := plain.Reply(t.Context(), testCall(), nil); !errors.As(err, &gone) || !strings.Contains(gone.What, "did not make a secure connection") {
		t.Errorf("error %v", err)
	}
}

// A redirect would carry the prompt and the key to where the user did not send them.
func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 307, 308} {
		asked := make(chan string, 10)
		other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/elsewhere", status)
		}))
		transport := NewTransport()
		e := New(Config{Name: "x", Base: server.URL + "/v1", Model: "m", Key: NewSecret("the-key-of-x")}, Limits{}, transport, nil)
		var gone *protocol.Unreachable
		_, err := e.Reply(t.Context(), testCall(), nil)
		if !errors.As(err, &gone) || !strings.Contains(gone.What, "redirect") || strings.Contains(err.Error(), "the-key-of-x") {
			t.Errorf("%d: %v", status, err)
		}
		transport.CloseIdleConnections()
		server.Close()
		other.Close()
		if len(asked) > 0 {
			t.Errorf("%d: the other server was asked for %s", status, <-asked)
		}
	}
}
