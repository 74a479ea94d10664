package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"moot/queue"
)

// BenchmarkPlan plans items, as a batch does before anything starts: the time of a resumed batch of finished items.
func BenchmarkPlan(b *testing.B) {
	c := &Console{
		In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Dir: b.TempDir(), Now: time.Now,
		Random: strings.NewReader(strings.Repeat("x", 1<<26)), State: b.TempDir(),
		Environ: []string{"MOOT_CONFIG=/dev/null"},
	}
	o := &batchOptions{console: c, repeat: 1}
	o.shared = []queue.Field{
		{Name: "orchestrator", Values: []string{"rules"}},
		{Name: "consultee", Values: []string{"rules"}},
		{Name: "no-workspace", Values: []string{"true"}},
	}
	var lines []queue.Line
	for i := range 1000 {
		lines = append(lines, queue.Line{Number: i + 1, Fields: []queue.Field{
			{Name: "question", Values: []string{fmt.Sprintf("Is service %d safe under load?", i)}},
		}})
	}
	for b.Loop() {
		m, err := o.maker(queue.Settings{Dir: c.Dir, Flags: o.shared})
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := o.plan(context.Background(), m, lines); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(lines)), "µs/item")
}
