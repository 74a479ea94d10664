package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
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
		// What the calls cost that were out when a run was stopped is spent.
		return code, regexp.MustCompile(`(?s)half: cost\n.*?\n\n`).ReplaceAllString(d.out.String(), "")
	}
	code, want := run()
	if code != 0 || !strings.Contains(want, "corpus security") {
		t.Fatalf("it ends with %d: %s%s", code, want, d.err.String())
	}
	if !strings.Contains(want, "no language model is at work in the seat of skeptic") || !strings.Contains(d.out.String(), "tokens in") {
		t.Errorf("neither the seat of rules nor the cost is told:\n%s", want)
	}
	stopped := 0
	for range 60 {
		asked.Store(0)
		last.Store(10)
		code, out := run("--out", "kept")
		if code == 0 {
			if out != want {
				t.Errorf("it tells\n%s\nand not\n%s", out, want)
			}
			break
		}
		stopped++
		if said := d.err.String(); code != 130 || !strings.Contains(said, "the sessions so far are in kept; the same command continues") {
			t.Fatalf("it ends with %d: %s", code, said)
		}
		if strings.Contains(out, "corpus security") && !strings.Contains(out, "incomplete: ") {
			t.Fatalf("what is broken off does not say so:\n%s", out)
		}
	}
	if stopped < 3 {
		t.Errorf("it was stopped %d times", stopped)
	}
	asked.Store(0)
	last.Store(1 << 40)
	if code, out := run("--out", "kept"); code != 0 || out != want || asked.Load() > 0 {
		t.Errorf("complete sessions take %d calls: %d, %s", asked.Load(), code, out)
	}
	files, err := filepath.Glob(filepath.Join(d.Dir, "kept", "sessions", "*.jsonl"))
	if err != nil || len(files) != 4*2*(2+2) {
		t.Fatalf("%d sessions, %v", len(files), err)
	}
}
