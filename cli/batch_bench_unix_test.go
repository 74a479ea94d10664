//go:build unix && !nobatchqueue

package cli_test

import (
	"flag"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	batchItems   = flag.Int("batch.items", 200, "how many items the benchmarks of a batch have")
	batchServer  = flag.Duration("batch.server", 50*time.Millisecond, "how long the server of the benchmarks takes")
	batchWorkers = flag.String("batch.workers", "1,2,4", "how many workers BenchmarkWorkers has, one after the other")
)

// figures measure a process that ended: its time, its CPU time, and its largest resident memory in MB.
type figures struct {
	wall, cpu time.Duration
	memory    float64
}

// measured runs moot and returns its figures.
func (d *batchDesk) measured(args ...string) figures {
	d.t.Helper()
	began := time.Now()
	p := d.start(args...)
	if !p.over(20 * time.Minute) {
		d.t.Fatalf("moot %s does not end:\n%s", args[0], p.text())
	}
	state := p.ProcessState
	if code := state.ExitCode(); code != 0 && code != 3 {
		d.t.Fatalf("moot %s: exit code %d\n%s", args[0], code, p.text())
	}
	return figures{
		wall: time.Since(began), cpu: state.UserTime() + state.SystemTime(),
		memory: float64(maxResident(state)) / 1e6,
	}
}

// median of an odd number of figures, by their wall time.
func median(all []figures) figures {
	slices.SortFunc(all, func(a, b figures) int { return int(a.wall - b.wall) })
	return all[len(all)/2]
}

// BenchmarkBatch compares a batch at 16 jobs with sessions alone, as processes, and resumes it when all is done:
// go test ./cli -run '^$' -bench Batch$ -batch.items 1000 -batch.server 50ms.
func BenchmarkBatch(b *testing.B) {
	const jobs = 16
	d := newBatchDesk(b, *batchItems, *batchServer)
	for b.Loop() {
		if err := os.RemoveAll(d.out); err != nil {
			b.Fatal(err)
		}
		alone := make([]figures, 5)
		for i := range alone {
			alone[i] = d.measured("ask", "--headless", "--orchestrator", "rules", "--consultee", "reader", "--no-workspace",
				"--context", "notes.md", "Is service-0000- safe?")
		}
		one := median(alone)
		args := append(slices.Clone(d.args), "--jobs", strconv.Itoa(jobs))
		batch := d.measured(args...)
		again := d.measured(args...)
		status := make([]figures, 21)
		for i := range status {
			status[i] = d.measured("batch", "status", "out")
		}
		n := float64(*batchItems)
		b.ReportMetric(batch.wall.Seconds()/(n*one.wall.Seconds()/jobs), "wall-ratio")
		b.ReportMetric(batch.cpu.Seconds()/(n*one.cpu.Seconds()), "cpu-ratio")
		b.ReportMetric(batch.cpu.Seconds()*1e3/n, "cpu-ms/session")
		b.ReportMetric(one.cpu.Seconds()*1e3, "cpu-ms/alone")
		b.ReportMetric(batch.memory, "MB")
		b.ReportMetric(again.wall.Seconds(), "s-again")
		b.ReportMetric(median(status).wall.Seconds()*1e3, "ms-status")
	}
}

// BenchmarkWorkers runs a batch with workers of 8 jobs each, with an embedded server:
// go test ./cli -run '^$' -bench Workers -batch.items 300 -batch.server 500ms.
func BenchmarkWorkers(b *testing.B) {
	for word := range strings.SplitSeq(*batchWorkers, ",") {
		workers, err := strconv.Atoi(word)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(word, func(b *testing.B) {
			d := newBatchDesk(b, *batchItems, *batchServer)
			for b.Loop() {
				if err := os.RemoveAll(d.out); err != nil {
					b.Fatal(err)
				}
				listener, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					b.Fatal(err)
				}
				address := listener.Addr().String()
				_ = listener.Close()
				coordinator := d.start(append(slices.Clone(d.args), "--listen", address)...)
				pin := coordinator.pin(d.t)
				began := time.Now()
				for range workers {
					d.start("worker", "nats://"+address, "--pin", pin, "--jobs", "8")
				}
				if !coordinator.over(20 * time.Minute) {
					b.Fatalf("it does not end:\n%s", coordinator.text())
				}
				took := time.Since(began)
				state := coordinator.ProcessState
				b.ReportMetric(float64(*batchItems)/took.Seconds(), "sessions/s")
				b.ReportMetric((state.UserTime()+state.SystemTime()).Seconds()*1e3/float64(d.units()), "coordinator-cpu-ms/unit")
				b.ReportMetric(float64(maxResident(state))/1e6, "coordinator-MB")
			}
		})
	}
}

// units counts the units of all sessions of the batch: a unit ends with a line that names no further lines.
func (d *batchDesk) units() (n int) {
	files, _ := filepath.Glob(filepath.Join(d.out, "sessions", "*.jsonl"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			d.t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if head, _, _ := strings.Cut(line, `,"kind":`); !strings.Contains(head, `,"left":`) {
				n++
			}
		}
	}
	return n
}
