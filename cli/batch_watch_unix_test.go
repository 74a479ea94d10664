//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"moot/cli"
	"moot/state/store"
)

// gate is a model server. The model held answers once the gate is open, the model refused never.
type gate struct {
	url     string
	opened  chan struct{}
	open    sync.Once
	mutex   sync.Mutex
	refused int
}

// newGate starts a server.
func newGate(t *testing.T) *gate {
	t.Helper()
	g := &gate{opened: make(chan struct{})}
	server := httptest.NewServer(g)
	g.url = server.URL
	t.Cleanup(func() {
		g.lift()
		server.CloseClientConnections()
		server.Close()
	})
	return g
}

func (g *gate) lift() { g.open.Do(func() { close(g.opened) }) }

// refusals is how many calls were refused so far.
func (g *gate) refusals() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.refused
}

func (g *gate) ServeHTTP(to http.ResponseWriter, request *http.Request) {
	text, _ := io.ReadAll(request.Body)
	if strings.Contains(string(text), `"refused"`) {
		g.mutex.Lock()
		g.refused++
		g.mutex.Unlock()
		http.Error(to, `{"error":{"message":"this model is not yours"}}`, http.StatusForbidden)
		return
	}
	select {
	case <-g.opened:
	case <-request.Context().Done():
	}
	_, _ = fmt.Fprint(to, `{"model":"held","choices":[{"message":{"content":"1. The limit is three [EVIDENCE]\n"},"finish_reason":"stop"}],
		"usage":{"prompt_tokens":10,"completion_tokens":5}}`)
}

// items are three items of a batch: their sessions end at once, wait at the gate, and fail.
func (g *gate) items() []string {
	return []string{
		`{"id":"quick","question":"Where are retries limited?"}`,
		`{"id":"held","question":"What is the limit of retries?","seats":{"consultee":"` + g.url + `/v1#held"}}`,
		`{"id":"refused","question":"Who limits retries?","seats":{"consultee":"` + g.url + `/v1#refused"}}`,
	}
}

// stateForSockets makes a folder for sessions with a name that is short enough for sockets.
func stateForSockets(t *testing.T) (workspace string) {
	t.Helper()
	workspace = stateIn(t)
	short, err := os.MkdirTemp("", "moot") //nolint:usetesting // the names of t.TempDir are too long for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	t.Setenv(store.StateVariable, short)
	return workspace
}

// runBatch starts a batch in a process of its own.
func runBatch(t *testing.T, dir string, items ...string) (cmd *exec.Cmd, said *bytes.Buffer) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "items.jsonl"), []byte(strings.Join(items, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd = exec.CommandContext(t.Context(), "moot", "batch", "run", "items.jsonl", "--out", "out", "--jobs", "2",
		"--orchestrator", "rules", "--consultee", "rules", "--workspace", ".")
	said = &bytes.Buffer{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, said
}

// A batch that another process runs is watched; a session of it is opened live, an item retried, and the batch stopped.
func TestABatchIsWatched(t *testing.T) {
	dir := stateForSockets(t)
	g := newGate(t)
	cmd, said := runBatch(t, dir, g.items()...)

	s := newScreen(t, 120, 36)
	awaitBatch(t, dir)
	s.moot(dir, "batch", "watch", "out")
	s.shows("Running 1 of 2 at once", "✓ concluded", "✗ failed", "2 of 3 ended", "too early to tell", "q leaves it running")
	// The session that runs is shown live, and leaving it changes nothing.
	s.walk(
		act{keys: "/held", shows: "filter: held_ 1 of 3"},
		act{keys: enter, shows: "joined"},
	)
	s.shows("What is the limit of retries?", "back to the batch")
	s.walk(act{keys: escape, shows: "the session continues; press enter to join it again"})
	// What failed is run again, by the process that runs the batch.
	before := g.refusals()
	s.walk(
		act{keys: escape, shows: "Items 3"},
		act{keys: "/refused", shows: "filter: refused_ 1 of 3"},
		act{keys: escape, gone: "filter:"},
		act{keys: "r", shows: "asked to run refused again"},
	)
	await(t, "another call to the model that refuses", func() bool { return g.refusals() > before })
	// A recorded session opens with its result.
	s.walk(
		act{keys: "/quick", shows: "filter: quick_ 1 of 3"},
		act{keys: enter, shows: "Where are retries limited?"},
		act{keys: "q", shows: "Items 1 of 3"},
		act{keys: escape, shows: "Items 3"},
		act{keys: "s", shows: "1 session running now: each is paused and saved"},
		act{keys: escape, gone: "running now"},
		act{keys: "s", shows: "running now"},
		act{keys: "y" + enter, shows: "does not run"},
	)
	s.shows("no process runs it: 1 stopped")
	s.walk(act{keys: escape, shows: "to continue it: moot batch retry out"})
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("the batch ends with %v:\n%s", err, said.String())
	}
	s.walk(act{keys: "r", shows: "to run items again: moot batch retry out"})
	s.press("q")
	s.left(1)
	if text := s.said.String(); !strings.Contains(text, "1 concluded, 1 failed, 1 stopped") {
		t.Errorf("it says %q", text)
	}
}

// Without a terminal each item that ends is a line, or an object, until the run ends. The exit code is that of the
// results.
func TestABatchIsFollowed(t *testing.T) {
	dir := stateForSockets(t)
	g := newGate(t)
	cmd, said := runBatch(t, dir, g.items()[:2]...)
	awaitBatch(t, dir)
	type follower struct {
		out  bytes.Buffer
		err  lockedBuffer
		code chan int
	}
	follow := func(more ...string) *follower {
		f := &follower{code: make(chan int, 1)}
		c := &cli.Console{
			In: strings.NewReader(""), Out: &f.out, Err: &f.err, Dir: dir, Now: time.Now, Random: rand.NewChaCha8([32]byte{1}),
			Signals: make(chan os.Signal),
		}
		go func() { f.code <- cli.Run(context.Background(), c, append([]string{"batch", "watch", "out"}, more...)) }()
		return f
	}
	lines, objects := follow(), follow("-o", "json")
	for _, f := range []*follower{lines, objects} {
		await(t, "the first line of a follower", func() bool { return strings.Contains(f.err.String(), "2 items: ") })
	}
	g.lift()
	for _, f := range []*follower{lines, objects} {
		if code := <-f.code; code != 3 {
			t.Errorf("exit code %d: %s", code, f.err.String())
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("the batch ends with %v:\n%s", err, said.String())
	}
	if text := lines.err.String(); !strings.Contains(text, "/2  inconclusive held  ") || !strings.Contains(text, "items      2 items: 1 concluded, 1 inconclusive;") {
		t.Errorf("the lines are\n%s", text)
	}
	var row struct{ ID, State, Session string }
	for text := range strings.Lines(objects.out.String()) {
		if err := json.Unmarshal([]byte(text), &row); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if row.ID == "held" {
			break
		}
	}
	if row.ID != "held" || row.State != "inconclusive" || row.Session == "" {
		t.Errorf("the objects are\n%s", objects.out.String())
	}
	// When nothing runs, it says so and ends.
	after := follow()
	if code := <-after.code; code != 3 || !strings.Contains(after.err.String(), "no process runs the batch, and every item has ended") {
		t.Errorf("exit code %d: %s", code, after.err.String())
	}
}

// await waits until something holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for late := time.Now().Add(hangTime); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("there never is %s", what)
		}
	}
}

// awaitBatch waits until a batch has its plan.
func awaitBatch(t *testing.T, dir string) {
	t.Helper()
	await(t, "a plan", func() bool {
		_, err := os.Stat(filepath.Join(dir, "out", "batch.json"))
		return err == nil
	})
}
