//go:build unix && !nobatchqueue

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"moot/protocol/formats"
	"moot/protocol/reply"
	"moot/protocol/run"
	"moot/queue"
	"moot/state"
	"moot/state/store"
)

// batchDesk is a folder with items, and a model server that answers them.
type batchDesk struct {
	t        testing.TB
	dir, out string
	items    int
	server   string
	environ  []string
	args     []string
}

const (
	batchKey    = "sk-batch-0123456789abcdefghijklmnopqrstuvwxyz"
	batchToken  = "token-of-the-queue-0123456789"
	batchSecret = "AKIAIOSFODNN7EXAMPLE"
)

func newBatchDesk(t testing.TB, items int, took time.Duration) *batchDesk {
	t.Helper()
	d := &batchDesk{t: t, dir: t.TempDir(), items: items}
	d.out = filepath.Join(d.dir, "out")
	service := regexp.MustCompile(`service-[0-9]{4,}-`)
	d.server = endpoint(t, func(request map[string]any) string {
		time.Sleep(took)
		text, _ := json.Marshal(request)
		// The reply names the item of the prompt, so that a reply in the session of another one is found.
		return fmt.Sprintf(`{"moves":[{"move":"RAISE","text":"The limits of %s are set."}]}`, service.Find(text))
	})
	var lines bytes.Buffer
	for i := range items {
		fmt.Fprintf(&lines, "{\"id\":\"i%04d\",\"question\":\"Is service-%04d- safe?\",\"context\":\"notes.md\"}\n", i, i)
	}
	d.write("items.jsonl", lines.String())
	d.write("notes.md", "The limits are 8 and 9.\naws_access_key_id = "+batchSecret+"\n"+strings.Repeat("More about limits.\n", 200))
	config := filepath.Join(d.dir, "config.toml")
	d.write("config.toml", "[participants.reader]\nis = \""+d.server+"\"\nkey = \"BATCH_KEY\"\n")
	d.environ = append(os.Environ(), "MOOT_CONFIG="+config, store.StateVariable+"="+filepath.Join(d.dir, "state"),
		"BATCH_KEY="+batchKey, "MOOT_QUEUE_TOKEN="+batchToken)
	d.args = []string{"batch", "run", "items.jsonl", "--out", "out", "--orchestrator", "rules", "--consultee", "reader", "--no-workspace"}
	return d
}

func (d *batchDesk) write(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// program is a moot that runs.
type program struct {
	*exec.Cmd
	said  *lockedBuffer
	ended chan struct{}
}

func (d *batchDesk) start(args ...string) *program {
	d.t.Helper()
	p := &program{Cmd: exec.Command("moot", args...), said: &lockedBuffer{}, ended: make(chan struct{})}
	said := struct{ io.Writer }{p.said} // without the ReadFrom of a buffer, which takes no lock
	p.Dir, p.Env, p.Stdout, p.Stderr = d.dir, d.environ, said, said
	if err := p.Start(); err != nil {
		d.t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.Wait()
	}()
	d.t.Cleanup(p.kill)
	return p
}

func (p *program) kill() {
	_ = p.Process.Kill()
	<-p.ended
}

func (p *program) over(within time.Duration) bool {
	select {
	case <-p.ended:
		return true
	case <-time.After(within):
		return false
	}
}

// check checks what must hold however often something was killed: each item has one result, each session verifies and
// is about its own item, and no attempt was lost from view.
func (d *batchDesk) check() queue.Snapshot {
	t := d.t
	t.Helper()
	folder, err := queue.Look(d.out)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := folder.Plan()
	if err != nil {
		t.Fatal(err)
	}
	s := folder.Snapshot(plan, time.Now(), func(string) queue.Result { return queue.Result{Outcome: queue.Failure, Reason: "not read"} })
	if len(s.Rows) != d.items {
		t.Fatalf("%d rows for %d items", len(s.Rows), d.items)
	}
	parser, err := reply.NewParser(formats.All())
	if err != nil {
		t.Fatal(err)
	}
	sessions := 0
	for i := range s.Rows {
		row := &s.Rows[i]
		if row.Result.Outcome != queue.Inconclusive && row.Result.Outcome != queue.Concluded {
			t.Errorf("%s is %s: %s", row.Item.ID(), row.State, row.Result.Reason)
		}
		if len(row.Earlier) > 0 {
			t.Errorf("%s has earlier sessions %v: it was opened again instead of continued", row.Item.ID(), row.Earlier)
		}
		sessions++
		path := folder.SessionPath(row.Session)
		opened, err := store.Read(path, formats.Rules()...)
		if err != nil {
			t.Fatal(err)
		}
		replayed, err := state.Replay(opened.Events)
		if err != nil || !replayed.Closed || replayed.BatchItem != row.Item.Digest {
			t.Fatalf("%s: %v, closed %v", row.Item.ID(), err, err == nil && replayed.Closed)
		}
		if _, err := run.Verify(parser, opened.Events); err != nil {
			t.Errorf("%s: %v", row.Item.ID(), err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		own := strings.TrimPrefix(row.Item.ID(), "i")
		for i := range d.items {
			if other := fmt.Sprintf("%04d", i); other != own && bytes.Contains(text, []byte("service-"+other+"-")) {
				t.Errorf("the session of %s has text of service-%s-", row.Item.ID(), other)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(folder.Sessions(), "*.jsonl"))
	if err != nil || len(files) != sessions {
		t.Errorf("%v, %d session files for %d sessions in the results", err, len(files), sessions)
	}
	return s
}

// TestBatchKills kills the process that runs a batch at random moments. The same command continues, and every item ends
// once.
func TestBatchKills(t *testing.T) {
	items, kills := 25, 3
	if *battery {
		items, kills = 300, 40
	}
	d := newBatchDesk(t, items, 2*time.Millisecond)
	random := rand.New(rand.NewPCG(41, 1))
	killed := 0
	for killed < kills {
		p := d.start(append(d.args, "--jobs", "8")...)
		if p.over(time.Duration(random.IntN(600)+150) * time.Millisecond) {
			break
		}
		p.kill()
		killed++
	}
	p := d.start(append(d.args, "--jobs", "8")...)
	if !p.over(2 * time.Minute) {
		t.Fatalf("it does not end:\n%s", p.said)
	}
	s := d.check()
	t.Logf("%d kills, %d items: %v", killed, items, s.Counts)
}

// stuckTime is after which a batch without more kills counts as stuck.
const stuckTime = 90 * time.Second

// TestQueueKills kills the coordinator, which is the server too, and workers at random moments, many times.
func TestQueueKills(t *testing.T) {
	items, kills := 16, 4
	if *battery {
		items, kills = 200, 200
	}
	d := newBatchDesk(t, items, 2*time.Millisecond)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	coordinate := append(d.args, "--listen", address, "--lease", "2s")
	coordinator := d.start(coordinate...)
	pin := coordinator.pin(t)
	work := []string{"worker", "nats://" + address, "--pin", pin, "--jobs", "4"}
	workers := []*program{d.start(work...), d.start(work...)}
	random := rand.New(rand.NewPCG(41, 2))
	counts := map[string]int{}
	for range kills {
		if coordinator.over(time.Duration(random.IntN(900)+100) * time.Millisecond) {
			break
		}
		switch which := random.IntN(3); which {
		case 2:
			counts["coordinator and server"]++
			coordinator.kill()
			coordinator = d.start(coordinate...)
		default:
			counts["worker"]++
			workers[which].kill()
			workers[which] = d.start(work...)
		}
	}
	if !coordinator.over(stuckTime) {
		for _, p := range append(workers, coordinator) {
			_ = p.Process.Signal(syscall.SIGQUIT) // It prints what its goroutines do.
			p.over(5 * time.Second)
		}
		t.Fatalf("it does not end:\n%s\nworkers:\n%s\n%s", coordinator.text(), workers[0].text(), workers[1].text())
	}
	s := d.check()
	t.Logf("kills: %v; %d items: %v", counts, items, s.Counts)
	for _, secret := range []string{batchKey, batchToken, batchSecret} {
		d.absent(secret)
	}
}

// pin waits until a coordinator printed what its workers need.
func (p *program) pin(t testing.TB) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if _, rest, found := strings.Cut(p.text(), "--pin "); found && strings.Contains(rest, "\n") {
			pin, _, _ := strings.Cut(rest, "\n")
			return pin
		}
	}
	t.Fatalf("no pin was printed:\n%s", p.text())
	return ""
}

// text is what the program said so far.
func (p *program) text() string { return p.said.String() }

// absent fails if a text is in any file of the batch: the store of the queue, the sessions, the index.
func (d *batchDesk) absent(secret string) {
	d.t.Helper()
	err := filepath.Walk(d.out, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, []byte(secret)) {
			d.t.Errorf("%s has a secret", path)
		}
		return err
	})
	if err != nil {
		d.t.Error(err)
	}
}
