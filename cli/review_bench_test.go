package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moot/protocol"
)

// BenchmarkReview reviews a change with two endpoints that take 50 ms to answer, from the command to the result. It
// reports the time beyond that for each call, at most 10 ms, and the time up to the first call. Both reviewers are asked
// at once.
func BenchmarkReview(b *testing.B) {
	const thinking, reviewers = 50 * time.Millisecond, 2
	var calls, first atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		first.CompareAndSwap(0, time.Now().UnixNano())
		select {
		case <-time.After(thinking):
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`,
			`{"moves":[{"move":"FINDING","path":"a.go","line":3,"severity":"HIGH","what":"the limit is too high for the queue"}]}`)
	}))
	defer server.Close()
	d := newDesk(b)
	git := func(args ...string) {
		cmd := exec.CommandContext(b.Context(), "git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir, cmd.Env = d.Dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write(b, filepath.Join(d.Dir, "a.go"), []byte("package a\n\nconst limit = 8\n"))
	git("init", "-q")
	git("add", "a.go")
	git("commit", "-qm", "one")
	write(b, filepath.Join(d.Dir, "a.go"), []byte("package a\n\nconst limit = 9\n"))
	var opening, running time.Duration
	runs := 0
	for b.Loop() {
		first.Store(0)
		began := time.Now()
		code := d.run("review", "--headless", "--reviewer", server.URL+"/v1#one", "--reviewer", server.URL+"/v1#two")
		asked := time.Unix(0, first.Load())
		opening += asked.Sub(began)
		running += time.Since(asked)
		runs++
		if code != int(protocol.ExitInconclusive) || !strings.Contains(d.out.String(), "2 of 2 raised it independently") {
			b.Fatalf("exit code %d: %s%s", code, d.out.String(), d.err.String())
		}
	}
	n := float64(calls.Load())
	b.ReportMetric((float64(running)-n/reviewers*float64(thinking))/n/float64(time.Millisecond), "ms/call")
	b.ReportMetric(float64(opening.Milliseconds())/float64(runs), "ms/open")
}
