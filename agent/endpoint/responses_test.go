package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moot/protocol"
	"moot/state"
)

// proConfig names a model that the Responses API answers in the background.
func proConfig() Config {
	config := testConfig()
	config.Model, config.Responses = "gpt-5-pro", true
	return config
}

// What a response can come to, streamed and in one piece.
func TestResponses(t *testing.T) {
	whole := func(status, rest string) string {
		return `{"id":"resp_1","object":"response","model":"gpt-5-2026","status":"` + status + `",` + rest + `,"usage":{"input_tokens":90,"output_tokens":30}}`
	}
	delta := event(`{"type":"response.output_text.delta","delta":"{\"mo"}`)
	for name, c := range map[string]struct {
		body, want string
		kind       state.FailureKind
	}{
		"streamed":                 {responseEvents(`{"type":"reasoning","id":"r","summary":[]}`, messageItem(said)), said, ""},
		"without deltas":           {event(`{"type":"response.output_item.done","item":`+messageItem(said)+`}`) + event(`{"type":"response.completed","response":`+whole("completed", `"output":[]`)+`}`), said, ""},
		"at the end only":          {event(`{"type":"response.completed","response":` + whole("completed", `"output":[`+messageItem(said)+`]`) + `}`), said, ""},
		"in one piece":             {whole("completed", `"output":[`+messageItem(said)+`]`), said, ""},
		"declined":                 {event(`{"type":"response.refusal.delta","delta":"I can't help with that."}`) + event(`{"type":"response.completed","response":`+whole("completed", `"output":[]`)+`}`), "", state.FailureRefused},
		"cut at its limit":         {delta + event(`{"type":"response.incomplete","response":`+whole("incomplete", `"incomplete_details":{"reason":"max_output_tokens"},"output":[]`)+`}`), "", state.FailureFormat},
		"stopped by a filter":      {delta + event(`{"type":"response.incomplete","response":`+whole("incomplete", `"incomplete_details":{"reason":"content_filter"},"output":[]`)+`}`), "", state.FailureFiltered},
		"failed":                   {event(`{"type":"response.failed","response":` + whole("failed", `"error":{"code":"server_error","message":"The server had an error"},"output":[]`) + `}`), "", state.FailureUnreachable},
		"an error event":           {event(`{"type":"error","code":"rate_limit_exceeded","message":"Rate limit reached","param":null}`), "", state.FailureLimit},
		"an error of a gateway":    {event(`{"error":{"message":"Bad gateway","code":502}}`), "", state.FailureUnreachable},
		"unknown events":           {event(`{"type":"response.sparkle","delta":7}`) + responseEvents(messageItem(said)), said, ""},
		"thoughts between tags":    {responseEvents(messageItem("<think>hm</think>" + said)), said, ""},
		"cut without a last event": {delta, "", state.FailureUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig()
			config.Model, config.Responses = "gpt-5", true
			handler := func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/responses" {
					refuse(w, 404, "{}")
					return
				}
				_, _ = io.WriteString(w, c.body)
			}
			inBubble(t, setup{config: config, limits: Limits{Attempts: 1}}, handler, func(b *bench) {
				reply, err := b.ask(b.Context())
				if reply.Text != c.want || (err == nil) != (c.kind == "") {
					t.Fatalf("%q, %v", reply.Text, err)
				}
				if err == nil && (reply.PromptTokens != 90 || reply.CompletionTokens != 30) {
					t.Errorf("%+v", reply)
				}
				var kind state.FailureKind
				if broken, ok := errors.AsType[*protocol.Broken](err); ok {
					kind = broken.Kind
				} else if gone, ok := errors.AsType[*protocol.Unreachable](err); ok {
					kind = gone.Kind
				}
				if kind != c.kind {
					t.Errorf("%q: %v", kind, err)
				}
				if store := b.sent(0)["store"]; store != false {
					t.Errorf("store is %v", store)
				}
			})
		})
	}
}

// A slow model works in the background: its answer is fetched when the stream breaks, also if that takes several
// requests of which some fail.
func TestBackground(t *testing.T) {
	waiting := `{"id":"resp_7","object":"response","status":"in_progress","output":[]}`
	for name, begin := range map[string]string{
		"a stream that breaks": event(`{"type":"response.created","response":`+waiting+`}`) + event(`{"type":"response.output_text.delta","delta":"half"}`),
		"no stream":            waiting,
	} {
		t.Run(name, func(t *testing.T) {
			polls := 0
			handler := func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.Method == http.MethodPost && r.URL.Path == "/v1/responses":
					_, _ = io.WriteString(w, begin)
				case r.Method == http.MethodGet && r.URL.Path == "/v1/responses/resp_7":
					switch polls++; polls {
					case 1:
						_, _ = io.WriteString(w, waiting)
					case 2:
						refuse(w, 503, `{"error":{"message":"try later"}}`)
					default:
						_, _ = fmt.Fprintf(w, `{"id":"resp_7","object":"response","status":"completed","output":[%s],"usage":{"input_tokens":90,"output_tokens":30}}`, messageItem(said))
					}
				default:
					refuse(w, 404, "{}")
				}
			}
			inBubble(t, setup{config: proConfig()}, handler, func(b *bench) {
				reply := b.mustReply(said)
				if polls != 3 || strings.Join(b.texts, "") != said || reply.PromptTokens != 90 || b.calls() != 1 {
					t.Errorf("%d polls, shown %q, %+v", polls, b.texts, reply)
				}
				if sent := b.sent(0); sent["background"] != true || sent["store"] != true || sent["stream"] != true {
					t.Errorf("sent %v", sent)
				}
			})
		})
	}
}

// A call that the user ends is cancelled at the server, and returns at once.
func TestCancelInTheBackground(t *testing.T) {
	var cancelled atomic.Int32
	handler := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/responses":
			stream(w, `{"type":"response.created","response":{"id":"resp_7","object":"response","status":"queued","output":[]}}`)
			untilGone(r)
		case "/v1/responses/resp_7/cancel":
			cancelled.Add(1)
			_, _ = io.WriteString(w, `{"id":"resp_7","object":"response","status":"cancelled","output":[]}`)
		}
	}
	inBubble(t, setup{config: proConfig()}, handler, func(b *bench) {
		ctx, cancel := context.WithTimeout(b.Context(), 10*time.Second)
		defer cancel()
		began := time.Now()
		if _, err := b.ask(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 11*time.Second || cancelled.Load() != 1 {
			t.Errorf("%v after %s, cancelled %d times", err, time.Since(began), cancelled.Load())
		}
	})
}

// A server that has no background streams the answer.
func TestBackgroundRefused(t *testing.T) {
	inBubble(t, setup{config: proConfig()}, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if strings.Contains(string(data), `"background":true`) {
			refuse(w, 400, `{"error":{"message":"background mode is not available for organizations with Zero Data Retention","param":"background"}}`)
			return
		}
		_, _ = io.WriteString(w, responseEvents(messageItem(said)))
	}, func(b *bench) {
		if reply := b.mustReply(said); len(reply.Learned) != 1 || reply.Learned[0].Key != apiPrefix+refusesBackground {
			t.Errorf("%+v", reply.Learned)
		}
	})
}
