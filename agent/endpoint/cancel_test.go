package endpoint

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestCancelIsImmediate(t *testing.T) {
	cases := map[string]struct {
		handler http.HandlerFunc
		dial    func(context.Context, string, string) (net.Conn, error)
	}{
		"while it connects": {dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}},
		"before the first token": {handler: func(_ http.ResponseWriter, r *http.Request) { untilGone(r) }},
		"in the stream": {handler: func(w http.ResponseWriter, r *http.Request) {
			stream(w, token("a"))
			untilGone(r)
		}},
		"in a wait": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "60")
			refuse(w, 429, "{}")
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			inBubble(t, setup{dial: c.dial}, c.handler, func(b *bench) {
				ctx, cancel := context.WithCancel(b.Context())
				time.AfterFunc(3*time.Second, cancel)
				began := time.Now()
				_, err := b.ask(ctx)
				if !errors.Is(err, context.Canceled) || time.Since(began) != 3*time.Second {
					b.Errorf("error %v after %s", err, time.Since(began))
				}
				synctest.Wait()
			})
		})
	}
	inBubble(t, setup{}, nil, func(b *bench) {
		ctx, cancel := context.WithCancel(b.Context())
		cancel()
		if _, err := b.ask(ctx); !errors.Is(err, context.Canceled) || len(b.paths) != 0 {
			b.Errorf("error %v, requests %v", err, b.paths)
		}
	})
}
