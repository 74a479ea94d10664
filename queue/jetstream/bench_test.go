package jetstream

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkServe starts the embedded server on a folder that has a certificate.
func BenchmarkServe(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		s, err := Serve(b.Context(), ServerOptions{Addr: "127.0.0.1:0", Token: testToken, Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// residentKB is the resident memory of this process in KB, after a collection.
func residentKB(b *testing.B) (kb int) {
	b.Helper()
	runtime.GC()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("needs /proc")
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "VmRSS:") {
			fmt.Sscanf(line, "VmRSS: %d kB", &kb)
		}
	}
	return kb
}

// BenchmarkServerMemory reports how much more memory this process has with a server and an open batch.
func BenchmarkServerMemory(b *testing.B) {
	for b.Loop() {
		before := residentKB(b)
		s, err := Serve(b.Context(), ServerOptions{Addr: "127.0.0.1:0", Token: testToken, Dir: b.TempDir()})
		if err != nil {
			b.Fatal(err)
		}
		q, err := Connect(b.Context(), Options{URL: s.Local, Token: testToken, Pin: s.Pin})
		if err != nil {
			b.Fatal(err)
		}
		batch, err := q.Open(b.Context(), BatchOptions{ID: "b1"})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(residentKB(b)-before)/1024, "MB")
		batch.Close()
		q.Close()
		s.Close()
	}
}

// benchBatch starts the server as a process of its own, so that it does not count, and opens a batch.
func benchBatch(b *testing.B) (batch *Batch, url, pin string) {
	b.Helper()
	c := &child{t: b, env: "JETSTREAM_TEST_SERVER=" + b.TempDir() + " 127.0.0.1:0"}
	c.again()
	b.Cleanup(c.kill)
	url, pin, _ = strings.Cut(<-c.said, " ")
	q, err := Connect(b.Context(), Options{URL: url, Token: testToken, Pin: pin, Name: "coordinator"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(q.Close)
	if batch, err = q.Open(b.Context(), BatchOptions{ID: "b1"}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(batch.Close)
	return batch, url, pin
}

// BenchmarkCoordinator measures the CPU of the coordinator for each unit of 4 KB: publishing, following and deleting
// sessions of ten units, whose worker and server are other processes.
func BenchmarkCoordinator(b *testing.B) {
	batch, url, pin := benchBatch(b)
	c := &child{t: b, env: "JETSTREAM_TEST_WORKER=" + url + " " + pin, more: []string{"JETSTREAM_TEST_FAST=10"}}
	c.again()
	b.Cleanup(c.kill)
	units, number := 0, 0
	before := cpuTime(b)
	for b.Loop() {
		const sessions = 50
		for range sessions {
			if err := batch.Publish(b.Context(), taskOf("b1", number), nil); err != nil {
				b.Fatal(err)
			}
			number++
		}
		ctx, stop := context.WithCancel(b.Context())
		left := sessions
		_ = batch.Follow(ctx, func(e Event) error {
			switch e.Kind {
			case Unit:
				units++
			case End:
				if err := batch.Done(ctx, e.Key); err != nil {
					return err
				}
				if left--; left == 0 {
					stop()
				}
			case Withdrawn, Lost:
			}
			return nil
		})
		stop()
	}
	b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/1000/float64(units), "ms-CPU/unit")
	b.ReportMetric(float64(units)/b.Elapsed().Seconds(), "units/s")
}

// BenchmarkWorkers measures sessions a second with workers of 8 jobs, whose sessions are four calls of 100 ms.
func BenchmarkWorkers(b *testing.B) {
	for _, many := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(many), func(b *testing.B) {
			batch, url, pin := benchBatch(b)
			for i := range many {
				q, err := Connect(b.Context(), Options{URL: url, Token: testToken, Pin: pin, Name: fmt.Sprint(i)})
				if err != nil {
					b.Fatal(err)
				}
				ctx, stop := context.WithCancel(b.Context())
				var all sync.WaitGroup
				all.Go(func() {
					_ = q.Work(ctx, WorkOptions{Jobs: 8, Name: fmt.Sprint(i), Version: "v1"}, func(ctx context.Context, l *Lease) error {
						for range 4 {
							time.Sleep(100 * time.Millisecond)
							if err := l.Append(ctx, bytes.Repeat([]byte("x"), 4000)); err != nil {
								return err
							}
						}
						return l.End(ctx, nil)
					})
				})
				b.Cleanup(func() { stop(); all.Wait(); q.Close() })
			}
			number, sessions := 0, 40*many
			for b.Loop() {
				for range sessions {
					if err := batch.Publish(b.Context(), taskOf("b1", number), nil); err != nil {
						b.Fatal(err)
					}
					number++
				}
				ctx, stop := context.WithCancel(b.Context())
				var left atomic.Int32
				left.Store(int32(sessions))
				_ = batch.Follow(ctx, func(e Event) error {
					if e.Kind == End {
						if err := batch.Done(ctx, e.Key); err != nil {
							return err
						}
						if left.Add(-1) == 0 {
							stop()
						}
					}
					return nil
				})
				stop()
			}
			b.ReportMetric(float64(number)/b.Elapsed().Seconds(), "sessions/s")
		})
	}
}

// BenchmarkPublish publishes new sessions.
func BenchmarkPublish(b *testing.B) {
	batch, _, _ := benchBatch(b)
	number := 0
	for b.Loop() {
		if err := batch.Publish(b.Context(), taskOf("b1", number), nil); err != nil {
			b.Fatal(err)
		}
		number++
	}
}
