package endpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"moot/protocol"
)

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
	e := New(Config{Name: "x", Base: server.URL + "/v1", Model: "m"}, Limits{Attempts: 1}, nil, nil)
	var gone *protocol.Unreachable
	if _, err := e.Reply(t.Context(), testCall(), nil); !errors.As(err, &gone) ||
		!strings.Contains(gone.What, "did not make a secure connection") || !strings.Contains(gone.What, "certificate") || !strings.Contains(gone.Fix, "its certificate") {
		t.Errorf("error %v", err)
	}
}
