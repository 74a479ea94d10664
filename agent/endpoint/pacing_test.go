package endpoint

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moot/agent/pace"
	"moot/protocol"
)

// pacedBubble is inBubble with a keeper whose files are in a folder.
func pacedBubble(t *testing.T, config Config, dir string, handler http.HandlerFunc, test func(*bench)) {
	t.Helper()
	config.Name, config.Base, config.Model = "openai:gpt-test", "http://127.0.0.1:8080/v1", "gpt-test"
	config.Prices = map[string]Price{"gpt-test": {In: 1, Out: 10}}
	inBubble(t, setup{config: config}, handler, func(b *bench) {
		b.Endpoint = b.another(dir)
		test(b)
	})
}

// another is the endpoint as another session has it.
func (b *bench) another(dir string) *Endpoint {
	return New(b.config, b.limits, WithTransport(b.transport), WithPace(pace.New(dir)))
}

// After one 429 nobody asks before the time that the server named, and then one after
// the other: no call is made in vain.
func TestOneRefusalHoldsAllSessions(t *testing.T) {
	dir := t.TempDir()
	var mutex sync.Mutex
	var came []time.Time
	handler := func(w http.ResponseWriter, _ *http.Request) {
		mutex.Lock()
		came = append(came, time.Now())
		first := len(came) == 1
		mutex.Unlock()
		if first {
			w.Header().Set("Retry-After", "30")
			refuse(w, 429, `{"error":{"message":"slow down"}}`)
			return
		}
		good(w, "fine")
	}
	pacedBubble(t, Config{}, dir, handler, func(b *bench) {
		var group sync.WaitGroup
		group.Go(func() { b.mustReply("fine") })
		synctest.Wait()
		replies := make([]protocol.Reply, 20)
		notes := make([]string, 20)
		for i := range replies {
			group.Go(func() {
				var err error
				replies[i], err = b.another(dir).Reply(b.Context(), testCall(), func(d protocol.Delta) { notes[i] += d.Note })
				if err != nil {
					b.Error(err)
				}
			})
		}
		group.Wait()
		if len(came) != 22 {
			b.Errorf("%d requests for 21 replies and one refusal", len(came))
		}
		for i, at := range came[1:] {
			if after := at.Sub(came[0]); after < 30*time.Second || i > 0 && at.Sub(came[i]) < 250*time.Millisecond {
				b.Errorf("request %d came %s after the refusal", i+1, after)
			}
		}
		// The time is told as the clocks of the place show it.
		until, _ := strings.CutSuffix(came[0].Add(30*time.Second).Format(time.TimeOnly), "0")
		for i, reply := range replies {
			if reply.Attempts != 1 || reply.Waited < 30*time.Second || reply.Waited != reply.Took {
				b.Errorf("session %d: %d attempts, waited %s of %s", i, reply.Attempts, reply.Waited, reply.Took)
			}
			if !strings.HasPrefix(notes[i], "openai:gpt-test asked to wait until "+until) || !strings.Contains(notes[i], "this call goes out in 3") {
				b.Errorf("session %d was told %q", i, notes[i])
			}
		}
		if len(b.notes) != 1 || !strings.HasSuffix(b.notes[0], "(2/5); other sessions wait too") {
			b.Errorf("told %q", b.notes)
		}
	})
}

// The calls of one session alone are not said to wait for those of others.
func TestAPlaceAfterARefusal(t *testing.T) {
	asked := 0
	handler := func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("Retry-After", "30")
			refuse(w, 429, `{"error":{"message":"slow down"}}`)
			return
		}
		good(w, "fine")
	}
	pacedBubble(t, Config{}, t.TempDir(), handler, func(b *bench) {
		b.mustReply("fine")
		b.mustReply("fine")
		if len(b.notes) != 2 || b.notes[1] != "openai:gpt-test asked for fewer calls: this one goes out in 250 ms" {
			b.Errorf("told %q", b.notes)
		}
	})
}

func TestCallsAMinute(t *testing.T) {
	pacedBubble(t, Config{PerMinute: 10}, t.TempDir(), firstly(), func(b *bench) {
		began := time.Now()
		b.mustReply("fine")
		reply := b.mustReply("fine")
		if reply.Waited != 6*time.Second || time.Since(began) != 6*time.Second || reply.Attempts != 1 {
			b.Errorf("%+v", reply)
		}
		if len(b.notes) != 1 || b.notes[0] != "10 calls a minute to openai:gpt-test: this one goes out in 6 s" {
			b.Errorf("told %q", b.notes)
		}
	})
	pacedBubble(t, Config{PerMinute: 1}, t.TempDir(), firstly(), func(b *bench) {
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() { _, _ = b.Reply(b.Context(), testCall(), nil) })
			synctest.Wait()
		}
		mustFail[*protocol.Unreachable](b, "it was not asked: its turn comes in 3 min, with 1 call a minute and others before it", "the longest wait is 2 min", "go on later")
		group.Wait()
		if b.calls() != 3 {
			b.Errorf("%d calls", b.calls())
		}
	})
}

func TestCallsAtOnce(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		sleep(r, time.Second)
		good(w, "fine")
	}
	inBubble(t, setup{config: Config{Name: "x", Base: "http://127.0.0.1:8080/v1", Model: "gpt-test", Parallel: 2}}, handler, func(b *bench) {
		began := time.Now()
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() {
				if _, err := b.Reply(b.Context(), testCall(), nil); err != nil {
					b.Error(err)
				}
			})
		}
		group.Wait()
		if took := time.Since(began); took < 3*time.Second || took > 4*time.Second {
			b.Errorf("6 calls of 1 s took %s, two at once", took)
		}
	})
}

// Whoever waits for a turn is gone at once when the call is cancelled.
func TestCancelWhilePacing(t *testing.T) {
	for name, config := range map[string]Config{"a minute": {PerMinute: 2}, "at once": {Parallel: 1}} {
		t.Run(name, func(t *testing.T) {
			handler := func(w http.ResponseWriter, r *http.Request) {
				sleep(r, 20*time.Second)
				good(w, "fine")
			}
			pacedBubble(t, config, t.TempDir(), handler, func(b *bench) {
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
					b.Errorf("%d calls, told %q", b.calls(), b.notes)
				}
			})
		})
	}
}

func TestAFolderThatCannotBeUsedIsToldOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pace")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	pacedBubble(t, Config{PerMinute: 60}, file, firstly(), func(b *bench) {
		first, again := b.mustReply("fine"), b.mustReply("fine")
		if told := strings.Join(first.Notes, "|"); !strings.Contains(told, "calls are paced without them") || strings.Contains(strings.Join(again.Notes, "|"), "paced") {
			b.Errorf("told %q, then %q", first.Notes, again.Notes)
		}
		if again.Waited != time.Second {
			b.Errorf("waited %s", again.Waited)
		}
	})
}
