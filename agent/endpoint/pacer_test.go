package endpoint

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moot/protocol"
)

// After one 429 no call of the process goes out before the time that the server named.
func TestOneRefusalHoldsAllCallsOfTheProcess(t *testing.T) {
	var mutex sync.Mutex
	var arrived []time.Time
	handler := func(w http.ResponseWriter, _ *http.Request) {
		mutex.Lock()
		arrived = append(arrived, time.Now())
		first := len(arrived) == 1
		mutex.Unlock()
		if first {
			w.Header().Set("Retry-After", "30")
			refuse(w, 429, `{"error":{"message":"slow down"}}`)
			return
		}
		good(w, "fine")
	}
	inBubble(t, setup{}, handler, func(b *bench) {
		pacer := NewPacer()
		another := func() *Endpoint { return New(b.config, b.limits, WithTransport(b.transport), WithPacer(pacer)) }
		b.Endpoint = another()
		var group sync.WaitGroup
		group.Go(func() { b.mustReply("fine") })
		synctest.Wait()
		replies, notes := make([]protocol.Reply, 20), make([]string, 20)
		for i := range replies {
			group.Go(func() {
				var err error
				replies[i], err = another().Reply(b.Context(), testCall(), func(d protocol.Delta) { notes[i] += d.Note })
				if err != nil {
					b.Error(err)
				}
			})
		}
		group.Wait()
		if len(arrived) != 22 {
			b.Errorf("%d requests for 21 replies and one refusal", len(arrived))
		}
		for i, at := range arrived[1:] {
			if at.Sub(arrived[0]) < 30*time.Second {
				b.Errorf("request %d arrived %s after the refusal", i+1, at.Sub(arrived[0]))
			}
		}
		for i, reply := range replies {
			if reply.Attempts != 1 || reply.Waited < 30*time.Second || reply.Waited != reply.Took {
				b.Errorf("call %d: %d attempts, waited %s of %s", i, reply.Attempts, reply.Waited, reply.Took)
			}
			if !strings.HasPrefix(notes[i], "openai:gpt-test asked to wait until ") || !strings.Contains(notes[i], "sending this call in 3") {
				b.Errorf("call %d noted %q", i, notes[i])
			}
		}
		other := b.config
		other.Key = NewSecret("another key")
		began := time.Now()
		if _, err := New(other, b.limits, WithTransport(b.transport), WithPacer(pacer)).Reply(b.Context(), testCall(), nil); err != nil || time.Since(began) > 0 {
			b.Errorf("a call with another key waited %s, %v", time.Since(began), err)
		}
	})
}

func TestCallsPerMinute(t *testing.T) {
	config := testConfig()
	config.PerMinute = 10
	inBubble(t, setup{config: config}, firstly(), func(b *bench) {
		began := time.Now()
		b.mustReply("fine")
		reply := b.mustReply("fine")
		if reply.Waited != 6*time.Second || time.Since(began) != 6*time.Second || reply.Attempts != 1 {
			b.Errorf("%+v", reply)
		}
		if want := []string{"at most 10 calls a minute to openai:gpt-test: sending this one in 6 s"}; !slices.Equal(b.notes, want) {
			b.Errorf("notes %q", b.notes)
		}
	})
	config.PerMinute = 1
	inBubble(t, setup{config: config}, firstly(), func(b *bench) {
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() { _, _ = b.Reply(b.Context(), testCall(), nil) })
			synctest.Wait()
		}
		mustFail[*protocol.Unreachable](b, "it was not asked: its turn would come in 3 min, with 1 call a minute and other calls before it",
			"the longest wait is 2 min", "continue later")
		group.Wait()
		if b.calls() != 3 {
			b.Errorf("%d calls", b.calls())
		}
	})
}

func TestACanceledCallStopsWaitingForItsTurn(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		sleep(r, 20*time.Second)
		good(w, "fine")
	}
	config := testConfig()
	config.PerMinute = 2
	inBubble(t, setup{config: config}, handler, func(b *bench) {
		ctx, cancel := context.WithCancel(b.Context())
		var group sync.WaitGroup
		defer group.Wait()
		group.Go(func() { _, _ = b.Reply(ctx, testCall(), nil) })
		synctest.Wait()
		time.AfterFunc(3*time.Second, cancel)
		began := time.Now()
		if _, err := b.ask(ctx); !errors.Is(err, context.Canceled) || time.Since(began) != 3*time.Second {
			b.Errorf("error %v after %s", err, time.Since(began))
		}
		if b.calls() != 1 || len(b.notes) != 1 {
			b.Errorf("%d calls, notes %q", b.calls(), b.notes)
		}
	})
}
