package endpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"moot/protocol"
)

type fault struct {
	handler http.HandlerFunc
	code    string
	words   []string
	partial string
}

// whole answers with a reply in one piece, with that content as JSON.
func whole(content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, 200, fmt.Sprintf(`{"model":"gpt-test","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],`+
			`"usage":{"prompt_tokens":1,"completion_tokens":1}}`, content))
	}
}

// trickle writes text a byte a second until the client leaves.
func trickle(w http.ResponseWriter, r *http.Request, text string) {
	for i := 0; r.Context().Err() == nil; i++ {
		_, _ = io.WriteString(w, text[i%len(text):i%len(text)+1])
		w.(http.Flusher).Flush()
		sleep(r, time.Second)
	}
}

const escapes = "\x1b[2J\x1b]0;owned\x07\u202e\u009b31m"

func faults() map[string]fault {
	quoted, _ := json.Marshal(escapes)
	flood := strings.Repeat("x", 5<<20)
	return map[string]fault{
		"5 MB in pieces": {func(w http.ResponseWriter, r *http.Request) {
			for range 5 << 4 {
				if r.Context().Err() == nil {
					stream(w, token(strings.Repeat("x", 1<<16)))
				}
			}
			stream(w, finish("stop"), "[DONE]")
		}, "oversized", []string{"a reply longer than the limit of 1048576 bytes", "do not count as a reply"}, strings.Repeat("x", 1<<20)},
		"5 MB in one chunk":   {streams(flood), "oversized", []string{"longer than the limit"}, ""},
		"5 MB, not streamed":  {whole(`"` + flood + `"`), "oversized", []string{"longer than the limit"}, ""},
		"20 MB, not streamed": {whole(`"` + flood + flood + flood + flood + `"`), "oversized", []string{"longer than the limit"}, ""},
		"a line without end": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "data: ")
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, flood); err != nil {
					return
				}
			}
		}, "oversized", []string{"longer than the limit"}, ""},
		"escapes in an error": {answer(400, `{"error":{"message":`+string(quoted)+`}}`), "", []string{"(400): [2J ]0;owned 31m; check"}, ""},
		"escapes in a title":  {answer(200, "<html><title>"+escapes+"</title>"), "", []string{`an HTML page ("[2J ]0;owned 31m")`, "usually ends in /v1"}, ""},
		"escapes in a stream's error": {func(w http.ResponseWriter, _ *http.Request) {
			stream(w, token("half"), `{"error":{"message":`+string(quoted)+`}}`)
		}, "broken", []string{"the 4 bytes received"}, "half"},
		"a key of another":         {answer(401, `{"error":{"message":"Incorrect API key provided: sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefAB"}}`), "", []string{"provided: [REDACTED"}, ""},
		"a page with a 200":        {answer(200, "<!doctype html><title>Captive portal</title>"), "", []string{"Captive portal", "no proxy or login page intercepts it"}, ""},
		"a page with a 502":        {answer(502, "<html><h1>Bad gateway"), "", []string{"answered 502", "retry later"}, ""},
		"a page in the stream":     {func(w http.ResponseWriter, _ *http.Request) { stream(w, token("half"), "<html>") }, "broken", []string{"not JSON"}, "half"},
		"a body that is no JSON":   {answer(200, "\x89PNG\r\n\x1a\n"), "", []string{"without a reply"}, ""},
		"JSON that nests for ever": {answer(200, strings.Repeat(`{"a":[`, 1<<17)), "", []string{"no chat completion"}, ""},
		"headers and nothing else": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			untilGone(r)
		}, "", []string{"sent no token in 5 min", "overloaded"}, ""},
		"a byte each second":        {func(w http.ResponseWriter, r *http.Request) { trickle(w, r, "data: {") }, "", []string{"sent no token in 5 min"}, ""},
		"comments each second":      {func(w http.ResponseWriter, r *http.Request) { trickle(w, r, ": hm\n") }, "", []string{"sent no token in 5 min"}, ""},
		"a byte each second, later": {func(w http.ResponseWriter, r *http.Request) { stream(w, token("half")); trickle(w, r, "data: {") }, "broken", []string{"nothing more in 1 min"}, "half"},
		"one piece, byte by byte":   {func(w http.ResponseWriter, r *http.Request) { trickle(w, r, `{"a":`) }, "", []string{"sent no token in 5 min"}, ""},
		"the wrong length": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "900")
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"ha`)
		}, "", []string{"without a reply"}, ""},
	}
}

// Whatever a server does, the call ends: with an error that names the endpoint, says
// what happened and what to do, and keeps what had come of a reply.
func TestFaults(t *testing.T) {
	for name, f := range faults() {
		t.Run(name, func(t *testing.T) {
			inBubble(t, setup{limits: Limits{Attempts: 1}}, f.handler, func(b *bench) {
				_, err := b.ask(b.Context())
				var broken *protocol.Broken
				var gone *protocol.Unreachable
				switch {
				case f.code != "":
					if !errors.As(err, &broken) || broken.Code != f.code || broken.Partial != f.partial {
						b.Fatalf("error %T %v", err, err)
					}
				case !errors.As(err, &gone) || gone.Fix == "":
					b.Fatalf("error %T %v", err, err)
				}
				for _, word := range append(f.words, "openai:gpt-test") {
					if !strings.Contains(err.Error(), word) {
						b.Errorf("error %q does not say %q", err, word)
					}
				}
				if strings.ContainsAny(err.Error(), "\x1b\x07\u202e\u009b") {
					b.Errorf("error %q has an escape", err)
				}
			})
		})
	}
}

// What a model writes comes as it is, in any language, and is valid text.
func TestRepliesInAnyLanguage(t *testing.T) {
	for name, c := range map[string]struct{ raw, want string }{
		"Japanese":           {"同意します。C1は正しい", "同意します。C1は正しい"},
		"from right to left": {"אני מסכים עם C1", "אני מסכים עם C1"},
		"escaped":            {`\u540c\u610f \ud83d\ude00`, "同意 😀"},
		"half a pair":        {`a\ud83dz`, "a\uFFFDz"},
		"Latin-1":            {"caf\xe9", "caf\uFFFD"},
		"cut in a rune":      {"caf\xc3", "caf\uFFFD"},
		"escapes":            {`\u001b[31mred`, "\x1b[31mred"},
		"a zero":             {`a\u0000b`, "a\x00b"},
	} {
		for how, handler := range map[string]http.HandlerFunc{
			"streamed": func(w http.ResponseWriter, _ *http.Request) {
				stream(w, `{"model":"gpt-test","choices":[{"index":0,"delta":{"content":"`+c.raw+`"}}]}`, finish("stop"), counted, "[DONE]")
			},
			"whole": whole(`"` + c.raw + `"`),
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				inBubble(t, setup{}, handler, func(b *bench) {
					reply := b.mustReply(c.want)
					if !utf8.ValidString(reply.Text) {
						b.Errorf("%q is no text", reply.Text)
					}
				})
			})
		}
	}
}

func TestAReplyThatIsCutAnywhere(t *testing.T) {
	var streamed bytes.Buffer
	for _, event := range []string{token("I "), token("agree"), finish("stop"), counted, "[DONE]"} {
		fmt.Fprintf(&streamed, "data: %s\n\n", event)
	}
	single := `{"choices":[{"message":{"content":"I agree"},"finish_reason":"stop"}]}`
	for name, body := range map[string]string{"streamed": streamed.String(), "whole": single} {
		ended := len(body)
		if name == "streamed" {
			ended = strings.Index(body, finish("stop")) + len(finish("stop"))
		}
		for n := range len(body) {
			cut := func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, body[:n])
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
			inBubble(t, setup{limits: Limits{Attempts: 1}}, cut, func(b *bench) {
				reply, err := b.ask(b.Context())
				var broken *protocol.Broken
				var gone *protocol.Unreachable
				switch {
				case n >= ended:
					if err != nil || reply.Text != "I agree" {
						b.Errorf("%s, cut at %d: %q, error %v", name, n, reply.Text, err)
					}
				case len(b.texts) > 0:
					if !errors.As(err, &broken) || broken.Partial != strings.Join(b.texts, "") {
						b.Errorf("%s, cut at %d: error %v after %q", name, n, err, b.texts)
					}
				case !errors.As(err, &gone):
					b.Errorf("%s, cut at %d: error %T %v", name, n, err, err)
				}
			})
		}
	}
}

func TestACertificateThatNobodyTrusts(t *testing.T) {
	server := httptest.NewUnstartedServer(answer(200, "{}"))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	defer server.Close()
	e := New(Config{Name: "x", Base: server.URL + "/v1", Model: "m"}, Limits{Attempts: 1})
	var gone *protocol.Unreachable
	if _, err := e.Reply(t.Context(), testCall(), nil); !errors.As(err, &gone) ||
		!strings.Contains(gone.What, "did not make a secure connection") || !strings.Contains(gone.What, "certificate") || !strings.Contains(gone.Fix, "its certificate") {
		t.Errorf("error %v", err)
	}
}
