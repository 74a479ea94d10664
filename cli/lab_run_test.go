package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// arguing is an endpoint that always makes the same claim, and calls asked each time.
func arguing(t *testing.T, confidence string, asked func()) string {
	t.Helper()
	return endpoint(t, func(map[string]any) string {
		asked()
		return `{"moves":[{"move":"CLAIM","reading":"it shows","facts":["f01","f02"],"confidence":` + confidence + `},{"move":"CONCLUDE","confidence":` + confidence + `}]}`
	})
}

func TestAnInterruptedLabRunContinues(t *testing.T) {
	d := newDesk(t)
	var asked, last atomic.Int64
	last.Store(1 << 40)
	model := arguing(t, "0.9", func() {
		if asked.Add(1) == last.Load() {
			d.signals <- os.Interrupt
		}
	})
	run := func(more ...string) (code int, out string) {
		d.out.Reset()
		// Drop a signal that came too late for the previous run.
		for len(d.signals) > 0 {
			<-d.signals
		}
		code = d.run(append([]string{
			"lab", "run", "--architect", model, "--skeptic", "rules", "--form", "single,multi,selective", "--judge", "v1,v2",
			"--limit", "2", "--repeat", "2", "--jobs", "3", "--all",
		}, more...)...)
		return code, d.out.String()
	}
	code, want := run()
	if code != 0 || !strings.Contains(want, "corpus security") {
		t.Fatalf("it ends with %d: %s%s", code, want, d.err.String())
	}
	if !strings.Contains(want, "no language model is at work in the seat of skeptic") || !strings.Contains(want, "tokens in") {
		t.Errorf("neither the seat of rules nor the cost is told:\n%s", want)
	}
	stopped := 0
	for range 60 {
		asked.Store(0)
		last.Store(10)
		code, out := run("--out", "results.json", "--resume")
		if code == 0 {
			if out != want {
				t.Errorf("it tells\n%s\nand not\n%s", out, want)
			}
			break
		}
		stopped++
		if said := d.err.String(); code != 130 || !strings.Contains(said, "the results so far are in results.json.journal; continue with the same command and --resume") {
			t.Fatalf("it ends with %d: %s", code, said)
		}
		if strings.Contains(out, "corpus security") && !strings.Contains(out, "incomplete: ") {
			t.Fatalf("what is broken off does not say so:\n%s", out)
		}
		if _, err := os.Stat(filepath.Join(d.Dir, "results.json")); err == nil {
			t.Fatal("results that are not whole are in the file of results")
		}
		if stopped == 1 {
			code, _ := run("--out", "results.json", "--resume", "--half", "test")
			if code != 2 || !strings.Contains(d.err.String(), "use the same flags") {
				t.Errorf("a run with other flags continues the journal: %d, %s", code, d.err.String())
			}
		}
	}
	if stopped < 3 {
		t.Errorf("it was stopped %d times", stopped)
	}
	if _, err := os.Stat(filepath.Join(d.Dir, "results.json.journal")); err == nil {
		t.Error("the journal is left behind")
	}
	for _, more := range [][]string{nil, {"--resume"}} {
		code, _ := run(append([]string{"--out", "results.json"}, more...)...)
		if code != 2 || !strings.Contains(d.err.String(), "the results of a complete run; name another one") {
			t.Errorf("complete results with %v: %d, %s", more, code, d.err.String())
		}
	}
}
