package endpoint

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"moot/protocol"
)

func TestReplyStreamsAndCounts(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) {
		stream(w, token("Hel"), token("lo"), finish("stop"), counted, "[DONE]")
	}
	inBubble(t, setup{}, handler, func(b *bench) {
		reply := b.mustReply("Hello")
		if !slices.Equal(b.texts, []string{"Hel", "lo"}) {
			b.Errorf("shown %q, want each piece as it came", b.texts)
		}
		if reply.PromptTokens != 100 || reply.CompletionTokens != 20 || reply.Attempts != 1 ||
			reply.Model != "gpt-test-2026" || len(reply.Notes) != 0 {
			b.Errorf("reply %+v", reply)
		}
		if want := (100*1.0 + 20*10.0) / 1e6; reply.Cost != want {
			b.Errorf("cost %v, want %v", reply.Cost, want)
		}
		if got := b.header.Get("Authorization"); got != "Bearer "+testKey {
			b.Errorf("authorization %q", got)
		}
	})
}

func TestConnectionErrors(t *testing.T) {
	dials := 0
	down := func(context.Context, string, string) (net.Conn, error) {
		dials++
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	config := Config{Name: "ollama:qwen3", Base: "http://127.0.0.1:11434/v1", Model: "qwen3", Local: true, Start: "ollama serve"}
	inBubble(t, setup{config: config, dial: down, limits: Limits{Attempts: 3}}, nil, func(b *bench) {
		began := time.Now()
		mustFail[*protocol.Unreachable](b, "ollama:qwen3 gives no answer: it refused the connection",
			"is the server running? start it with `ollama serve`")
		if took := time.Since(began); dials != 1 || len(b.notes) != 0 || took > time.Second {
			b.Errorf("%d dials in %s, notes %q", dials, took, b.notes)
		}
	})
	config = Config{Name: "url", Base: "http://[::1]:1/v1", Model: "m", Local: true}
	inBubble(t, setup{config: config, dial: down}, nil, func(b *bench) {
		mustFail[*protocol.Unreachable](b, "is the server running? start it, or check the address")
	})
	dials = 0
	config = Config{Name: "url", Base: "http://10.0.0.7:8080/v1", Model: "m"}
	inBubble(t, setup{config: config, dial: down, limits: Limits{Attempts: 3}}, nil, func(b *bench) {
		mustFail[*protocol.Unreachable](b, "it refused the connection", "tried 3 times")
		if dials != 3 || len(b.notes) != 2 || !strings.HasPrefix(b.notes[0], "connection refused, retrying in ") {
			b.Errorf("%d dials, notes %q", dials, b.notes)
		}
	})
	hangs := func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	inBubble(t, setup{dial: hangs, limits: Limits{Attempts: 2}}, nil, func(b *bench) {
		mustFail[*protocol.Unreachable](b, "no connection in 10 s", "tried 2 times")
	})
}

func TestRetryAfterIsObeyed(t *testing.T) {
	cases := map[string]struct {
		header func() http.Header
		least  time.Duration
	}{
		"seconds": {func() http.Header { return http.Header{"Retry-After": {"12"}} }, 12 * time.Second},
		"a date, by the server's clock": {func() http.Header {
			ahead := time.Now().Add(time.Hour).UTC()
			return http.Header{
				"Date": {ahead.Format(http.TimeFormat)}, "Retry-After": {ahead.Add(30 * time.Second).Format(http.TimeFormat)},
			}
		}, 30 * time.Second},
		"milliseconds": {func() http.Header { return http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"2"}} }, 1500 * time.Millisecond},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			busy := func(w http.ResponseWriter, _ *http.Request) {
				for name, values := range c.header() {
					w.Header()[name] = values
				}
				refuse(w, 429, "{}")
			}
			inBubble(t, setup{}, firstly(busy), func(b *bench) {
				began := time.Now()
				reply := b.mustReply("fine")
				if took := time.Since(began); took < c.least || took > c.least*11/10 || reply.Waited != took {
					b.Errorf("took %s, waited %s, want %s and at most a tenth more", took, reply.Waited, c.least)
				}
				if !strings.HasPrefix(b.notes[0], "429, retrying in 1") && !strings.HasPrefix(b.notes[0], "429, retrying in 3") {
					b.Errorf("note %q", b.notes[0])
				}
			})
		})
	}
	long := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		refuse(w, 429, "{}")
	}
	inBubble(t, setup{}, long, func(b *bench) {
		mustFail[*protocol.Unreachable](b, "asks to wait 1 h,", "the limit is 2 min", "continue after")
		if b.calls() != 1 {
			b.Errorf("%d calls: a server that wants an hour must be left alone", b.calls())
		}
	})
}

func TestWaitsGrowAndEnd(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) { refuse(w, 503, `{"error":{"message":"Loading model"}}`) }
	inBubble(t, setup{limits: Limits{Attempts: 6, MaxWait: 4 * time.Second}}, handler, func(b *bench) {
		reply, err := b.ask(b.Context())
		var gone *protocol.Unreachable
		if !errors.As(err, &gone) || !strings.Contains(gone.What, "503: Loading model (tried 6 times)") {
			b.Fatalf("error %v", err)
		}
		if reply.Attempts != 6 || len(b.notes) != 5 || reply.Waited < 7500*time.Millisecond || reply.Waited > 23*time.Second {
			b.Errorf("attempts %d, waited %s, notes %q", reply.Attempts, reply.Waited, b.notes)
		}
	})
	inBubble(t, setup{limits: Limits{Total: 3 * time.Second, BaseWait: time.Minute}}, handler, func(b *bench) {
		began := time.Now()
		mustFail[*protocol.Unreachable](b, "within 3 s", "Loading model")
		if took := time.Since(began); took != 3*time.Second {
			b.Errorf("took %s", took)
		}
	})
}

func TestAStreamLeftOpenDoesNotHoldTheReply(t *testing.T) {
	cases := map[string]struct {
		events []string
		most   time.Duration
	}{
		"after [DONE]":          {[]string{token("fine"), finish("stop"), counted, "[DONE]"}, drainWait},
		"after a finish_reason": {[]string{token("fine"), finish("stop")}, tailWait},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			handler := func(w http.ResponseWriter, r *http.Request) {
				stream(w, c.events...)
				untilGone(r)
			}
			inBubble(t, setup{}, handler, func(b *bench) {
				if reply := b.mustReply("fine"); reply.Took > c.most {
					b.Errorf("took %s", reply.Took)
				}
			})
		})
	}
}
