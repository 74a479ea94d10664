package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/protocol"
)

// EX6: a cap on tokens also applies if an endpoint reports none. They are estimated then, and shown as an estimate.
// What an endpoint on this machine costs is not known either: it may be a proxy.
func TestACapHoldsWithoutReportedTokens(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		reply, _ := json.Marshal(`{"moves":[{"kind":"POINT","text":"A queue of its own is better."}]}`)
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", reply)
	}))
	defer server.Close()
	d := newDesk(t)
	code := d.run("ask", "--headless", "--no-workspace", "--orchestrator", "rules", "--consultee", server.URL+"/v1#quiet",
		"--max-tokens", "100", "--max-cost", "1", "Which way is better?")
	if code != int(protocol.ExitInconclusive) {
		t.Fatalf("exit code %d\n%s%s", code, d.err.String(), d.out.String())
	}
	for _, want := range []string{
		"the endpoint reports no token counts: tokens and cost are estimated", "used       consultee: about ", "of 100 tokens are used; raise it with --max-tokens",
		"/v1#quiet); --max-tokens can", "tokens, price unknown\n", "out, price unknown, ",
	} {
		if !strings.Contains(d.err.String(), want) {
			t.Errorf("%q is not told:\n%s", want, d.err.String())
		}
	}
	if want := "the tokens of 1 call are estimated, because no plausible counts were reported"; !strings.Contains(d.out.String(), want) {
		t.Errorf("%q is not reported:\n%s", want, d.out.String())
	}
}

// LU5: a seat that could look at the workspace and did not is named in the heading of each output.
func TestASeatThatSawNoFile(t *testing.T) {
	for _, looks := range []bool{false, true} {
		d := newDesk(t)
		if err := os.WriteFile(filepath.Join(d.Dir, "hopper.go"), []byte("package hopper\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		asked := 0
		consultee := endpoint(t, func(map[string]any) string {
			if asked++; looks && asked == 1 {
				return `{"moves":[{"move":"READ","path":"hopper.go"}]}`
			}
			return `{"moves":[{"move":"RAISE","text":"A queue of its own is better."}]}`
		})
		d.run("ask", "--headless", "--orchestrator", "rules", "--consultee", consultee, "Which way is better?")
		for _, command := range [][]string{
			{"show"}, {"show", "--output", "markdown"}, {"export", "--as", "json"}, {"export", "--as", "pr"},
		} {
			d.out.Reset()
			if code := d.run(command...); code != int(protocol.ExitConcluded) {
				t.Fatalf("%q: exit code %d\n%s", command, code, d.err.String())
			}
			if strings.Contains(d.out.String(), "the consultee opened no file") == looks {
				t.Errorf("%q, looked %v:\n%s", command, looks, d.out.String())
			}
		}
	}
}
