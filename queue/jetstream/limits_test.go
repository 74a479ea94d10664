package jetstream

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// limitsOn makes the buckets, with slots that live for ttl, and returns the limits of n workers with wrong clocks.
func limitsOn(t *testing.T, s *testServer, ttl time.Duration, n int) (list []*Limits, queues []*Queue) {
	t.Helper()
	for i := range n {
		o := s.options("worker")
		// Clocks differ by an hour, and none is right.
		o.now = func() time.Time { return time.Now().Add(time.Duration(2*i-1) * 30 * time.Minute) }
		q := connect(t, o)
		if _, err := q.js.CreateOrUpdateKeyValue(t.Context(), jetstream.KeyValueConfig{
			Bucket: presenceBucket, History: 1, TTL: ttl, Storage: jetstream.MemoryStorage,
		}); err != nil {
			t.Fatal(err)
		}
		list, queues = append(list, q.Limits()), append(queues, q)
	}
	return list, queues
}

// TestLimitOfCallsAtOnce lets three workers make calls of one participant.
func TestLimitOfCallsAtOnce(t *testing.T) {
	t.Parallel()
	limits, _ := limitsOn(t, serve(t), 10*time.Second, 3)
	var running, most, calls atomic.Int32
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			release, err := limits[i%3].Acquire(t.Context(), "openai:model", 4, 0)
			if err != nil {
				t.Error(err)
				return
			}
			now := running.Add(1)
			for before := most.Load(); now > before; before = most.Load() {
				most.CompareAndSwap(before, now)
			}
			time.Sleep(20 * time.Millisecond)
			running.Add(-1)
			calls.Add(1)
			release()
		})
	}
	all.Wait()
	if most.Load() > 4 || calls.Load() != 24 {
		t.Errorf("%d calls ran, %d at once, the limit is 4", calls.Load(), most.Load())
	}
	if most.Load() < 2 {
		t.Errorf("only %d calls ran at once", most.Load())
	}
}

// TestSlotsOfADeadWorkerAreFreed closes the connection of a worker that holds all slots.
func TestSlotsOfADeadWorkerAreFreed(t *testing.T) {
	t.Parallel()
	limits, queues := limitsOn(t, serve(t), 2*time.Second, 2)
	for range 2 {
		if _, err := limits[0].Acquire(t.Context(), "a", 2, 0); err != nil {
			t.Fatal(err)
		}
	}
	short, cancel := context.WithTimeoutCause(t.Context(), 3*time.Second, errors.New("too long"))
	defer cancel()
	if _, err := limits[1].Acquire(short, "a", 2, 0); err == nil {
		t.Error("a third call ran while the slots were renewed")
	}
	queues[0].Close()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	release, err := limits[1].Acquire(ctx, "a", 2, 0)
	if err != nil {
		t.Fatalf("the slots of the dead worker were not freed: %v", err)
	}
	release()
}

// TestRateIsSharedDespiteWrongClocks counts the calls of two workers together.
func TestRateIsSharedDespiteWrongClocks(t *testing.T) {
	t.Parallel()
	limits, _ := limitsOn(t, serve(t), 10*time.Second, 2)
	started := time.Now()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, err := limits[i%2].Acquire(t.Context(), "a", 0, 600); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	// Eight calls, ten a second: the last one starts 700 ms after the first.
	if took := time.Since(started); took < 650*time.Millisecond {
		t.Errorf("8 calls at 600 a minute took only %s", took)
	}
	// reserve reads the time of the server: an entry that is far away is a wrong one.
	kv, err := limits[0].q.bucket(t.Context(), limitsBucket)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for _, value := range []string{"9999999999999999999", "-1", "x", ""} {
		if _, err := kv.Put(t.Context(), "rate.x", []byte(value)); err != nil {
			t.Fatal(err)
		}
		if start, err := reserve(t.Context(), kv, "rate.x", now, time.Second); err != nil || !start.Equal(now) {
			t.Errorf("%q: %v, %v", value, start, err)
		}
	}
}

// TestSlowStopsAllWorkers pauses a participant on one worker.
func TestSlowStopsAllWorkers(t *testing.T) {
	t.Parallel()
	limits, _ := limitsOn(t, serve(t), 10*time.Second, 2)
	// The other worker follows before the pause is set, or reads it at its start.
	if _, err := limits[1].Acquire(t.Context(), "other", 1, 0); err != nil {
		t.Fatal(err)
	}
	until := time.Now().Add(700 * time.Millisecond)
	limits[0].Slow("a", until.Add(-30*time.Minute)) // by its own clock
	key := keyFor("a")
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		limits[1].mutex.Lock()
		known := !limits[1].of(key).slow.IsZero()
		limits[1].mutex.Unlock()
		if known {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the other worker does not know of the pause")
		}
	}
	release, err := limits[1].Acquire(t.Context(), "a", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	release()
	// The clocks are compared to within a round trip.
	if early := time.Until(until); early > 100*time.Millisecond {
		t.Errorf("a call started %s before the end of the pause", early)
	}
}

// TestOwnShareWithoutServer stalls the connection to the server.
func TestOwnShareWithoutServer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newProxy(t, s.Local)
	far := s.options("far")
	far.URL, far.Ping = p.url(), time.Minute
	q := connect(t, far)
	if _, err := q.bucket(t.Context(), presenceBucket); err != nil {
		t.Fatal(err)
	}
	limits := q.Limits()
	first, err := limits.Acquire(t.Context(), "a", 8, 0)
	if err != nil {
		t.Fatal(err)
	}
	first()
	// Three other workers are known.
	limits.mutex.Lock()
	for _, name := range []string{"x", "y", "z", "own"} {
		limits.workers[name] = time.Now().Add(time.Minute)
	}
	limits.mutex.Unlock()
	p.stall()
	defer p.resume()
	for range 2 {
		if _, err := limits.Acquire(t.Context(), "a", 8, 0); err != nil {
			t.Fatal(err)
		}
	}
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := limits.Acquire(short, "a", 8, 0); err == nil {
		t.Error("a third call ran, the share of one of four workers is 2 of 8")
	}
}

// TestPausesFromStrangers reads values that no worker of ours writes.
func TestPausesFromStrangers(t *testing.T) {
	t.Parallel()
	limits, _ := limitsOn(t, serve(t), 10*time.Second, 1)
	if _, err := limits[0].Acquire(t.Context(), "a", 1, 0); err != nil {
		t.Fatal(err)
	}
	kv, err := limits[0].q.bucket(t.Context(), limitsBucket)
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{
		"slow." + keyFor("b"): "9223372036854775807", "slow." + keyFor("c"): "soon", "slow.x.y.z": "1", "slow.x": "",
	} {
		if _, err := kv.Put(t.Context(), key, []byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	if release, err := limits[0].Acquire(t.Context(), "c", 1, 0); err != nil {
		t.Error(err)
	} else {
		release()
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		limits[0].mutex.Lock()
		pause := time.Until(limits[0].of(keyFor("b")).slow)
		limits[0].mutex.Unlock()
		if pause > longestPause {
			t.Fatalf("a pause of %s was accepted", pause)
		}
		if pause > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the pause did not arrive")
		}
	}
}
