//go:build unix && !nobatchqueue

package cli_test

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moot/state/store"
)

// freeAddress is an address that nothing listens on.
func freeAddress(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// BB5: a message is not the user. A worker asks, opens and runs only what its own flags and configuration allow.
func TestAWorkerRefuses(t *testing.T) {
	dir := t.TempDir()
	d := &batchDesk{t: t, dir: dir, out: filepath.Join(dir, "out")}
	for name, text := range map[string]string{
		"config.toml": "[participants.known]\nis = \"http://127.0.0.1:1/v1#m\"\n", "script.txt": "--- propose\nNOTHING\n",
		"open/notes.md": "The limit is three.\n", "other/notes.md": "The limit is four.\n", "moved/notes.md": "The limit is five.\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		d.write(name, text)
	}
	commit := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", filepath.Join(dir, "moved"), "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, said)
		}
	}
	commit("init", "-q")
	commit("add", ".")
	commit("commit", "-qm", "one")
	d.environ = append(os.Environ(), "MOOT_CONFIG=/dev/null", store.StateVariable+"="+filepath.Join(dir, "state"), "MOOT_QUEUE_TOKEN="+batchToken)
	d.write("items.jsonl", `{"id":"plain","question":"Is it three?","no_workspace":true}
{"id":"script","question":"Is it three?","no_workspace":true,"consultee":"script:script.txt"}
{"id":"program","question":"Is it three?","no_workspace":true,"consultee":"exec:/bin/true"}
{"id":"model","question":"Is it three?","no_workspace":true,"consultee":"http://127.0.0.1:1/v1#other"}
{"id":"open","question":"What is the limit?","workspace":"open"}
{"id":"other","question":"What is the limit?","workspace":"other"}
{"id":"moved","question":"What is the limit?","workspace":"moved"}
{"id":"command","question":"What is the limit?","workspace":"open","allow_command":"go test ..."}
`)
	address := freeAddress(t)
	coordinator := d.start("batch", "run", "items.jsonl", "--out", "out", "--orchestrator", "rules", "--consultee", "rules",
		"--shared-workspace", "--listen", address)
	pin := coordinator.pin(t)
	for deadline := time.Now().Add(time.Minute); !strings.Contains(coordinator.text(), "to do") && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(time.Second) // All items are on the queue now.
	d.write("moved/more.md", "More.\n")
	commit("add", ".")
	commit("commit", "-qm", "two")
	d.environ = append(d.environ, "MOOT_CONFIG="+filepath.Join(dir, "config.toml"))
	worker := d.start("worker", "nats://"+address, "--pin", pin, "--workspace", "open", "--workspace", "moved")
	if !coordinator.over(time.Minute) {
		t.Fatalf("it does not end:\n%s\n%s", coordinator.text(), worker.text())
	}
	results := d.start("batch", "results", "out", "-o", "json")
	results.over(time.Minute)
	var rows []struct{ ID, State, Reason string }
	if err := json.Unmarshal([]byte(results.text()), &rows); err != nil {
		t.Fatalf("%v\n%s", err, results.text())
	}
	want := map[string]string{
		"plain": "", "open": "",
		"script":  "seat consultee: script:script.txt is not in the configuration of this worker",
		"program": "seat consultee: exec:/bin/true is not in the configuration of this worker",
		"model":   "seat consultee: http://127.0.0.1:1/v1#other is not in the configuration of this worker",
		"other":   "this worker opens no workspace " + filepath.Join(dir, "other"),
		"moved":   "the workspace " + filepath.Join(dir, "moved") + " is at commit ",
		"command": `this worker does not run "go test ..."`,
	}
	if len(rows) != len(want) {
		t.Errorf("%d rows", len(rows))
	}
	for _, row := range rows {
		if row.ID == "moved" && strings.HasPrefix(row.Reason, "the commit changed since the batch was planned") {
			continue // On a slow machine, the coordinator sees it before it publishes the item.
		}
		if reason := want[row.ID]; reason == "" && row.State == "failed" || reason != "" && (row.State != "failed" || !strings.HasPrefix(row.Reason, reason)) {
			t.Errorf("%s is %s: %s\nwant %q", row.ID, row.State, row.Reason, reason)
		}
	}
	d.absent(batchToken)
}

// Bad input of a queue is refused before anything starts, or with what to do.
func TestBadQueues(t *testing.T) {
	d := &batchDesk{t: t, dir: t.TempDir()}
	d.environ = append(os.Environ(), "MOOT_CONFIG=/dev/null", store.StateVariable+"="+filepath.Join(d.dir, "state"))
	d.write("items.txt", "Is it safe?\n")
	d.write("token", batchToken+"\n")
	d.write("none", "\n")
	address := freeAddress(t)
	for _, test := range []struct {
		code int
		args string
		want string
	}{
		{2, "batch run items.txt --out o --queue nats://x --listen :0", "--queue uses servers that run already, and --listen starts one: choose one"},
		{2, "batch run items.txt --out o --pin sha256:aa", "belong to --queue URL or --listen ADDRESS"},
		{2, "batch run items.txt --out o --listen :0 --no-workspace", "--listen needs a token of at least 16 characters"},
		{2, "batch run items.txt --out o --listen :0 --token-file token", "it has the workspace"},
		{2, "batch run items.txt --out o --listen :0 --token-file none --no-workspace", "--token-file none is empty"},
		{2, "batch run items.txt --out o --listen :0 --token-file token --no-workspace --no-redact", "--no-redact keeps secrets"},
		{2, "batch run items.txt --out o --queue nats://me:secret@127.0.0.1 --no-workspace", "it holds a user, a password or a token"},
		{1, "batch run items.txt --out o --queue nats://" + address + " --no-workspace", "the server cannot be reached"},
		{2, "worker nats://me:secret@127.0.0.1", "it holds a user, a password or a token"},
		{1, "worker nats://" + address, "the server cannot be reached"},
		{2, "worker nats://" + address + " --workspace missing", "missing does not exist"},
		{4, "doctor --queue nats://" + address, "the server cannot be reached"},
		{2, "doctor --queue nats://" + address + " rules", "--queue checks a queue alone"},
		{2, "doctor --pin sha256:aa", "belong to --queue URL"},
	} {
		args := strings.Fields(test.args)
		if args[0] == "batch" {
			args = append(args, "--orchestrator", "rules", "--consultee", "rules")
		}
		p := d.start(args...)
		if !p.over(time.Minute) || p.ProcessState.ExitCode() != test.code || !strings.Contains(p.text(), test.want) {
			t.Errorf("moot %s: %v\n%s\nwant %d and %q", test.args, p.ProcessState, p.text(), test.code, test.want)
		}
		if strings.Contains(p.text(), "secret@") {
			t.Errorf("moot %s shows the password:\n%s", test.args, p.text())
		}
	}
}

// A worker with another token is refused, and the batch goes on with one that has the right one. What is stopped is paused
// by the worker, and continues.
func TestAWorkerWithAnotherTokenAndAStop(t *testing.T) {
	d := newBatchDesk(t, 6, 800*time.Millisecond)
	address := freeAddress(t)
	coordinator := d.start(append(d.args, "--listen", address)...)
	pin := coordinator.pin(t)
	right := d.environ
	d.environ = append(right, "MOOT_QUEUE_TOKEN=another-token-0123456789")
	if wrong := d.start("worker", "nats://"+address, "--pin", pin); !wrong.over(time.Minute) || !strings.Contains(wrong.text(), "the server refused the token") {
		t.Errorf("a wrong token: %s", wrong.text())
	}
	if check := d.start("doctor", "--queue", "nats://"+address, "--pin", pin); !check.over(time.Minute) || !strings.Contains(check.text(), "refused the token") {
		t.Errorf("a wrong token: %s", check.text())
	}
	d.environ = right
	if check := d.start("doctor", "--queue", "nats://"+address, "--pin", pin); !check.over(time.Minute) || !strings.Contains(check.text(), "jetstream  on") {
		t.Errorf("doctor: %s", check.text())
	}
	worker := d.start("worker", "nats://"+address, "--pin", pin, "--jobs", "3")
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if files, _ := filepath.Glob(filepath.Join(d.out, "sessions", "*.jsonl")); len(files) >= 3 {
			break
		}
	}
	if stop := d.start("batch", "stop", "out"); !stop.over(time.Minute) || !coordinator.over(10*time.Second) {
		t.Fatalf("it does not stop:\n%s\n%s", stop.text(), coordinator.text())
	}
	status := d.start("batch", "results", "out", "-o", "json")
	status.over(time.Minute)
	if !strings.Contains(status.text(), `"reason": "the batch was stopped"`) || strings.Contains(status.text(), `"state": "failed"`) {
		t.Errorf("after the stop:\n%s\n%s", status.text(), worker.text())
	}
	coordinator = d.start(append(d.args, "--listen", address)...)
	if !coordinator.over(time.Minute) {
		t.Fatalf("it does not end:\n%s\n%s", coordinator.text(), worker.text())
	}
	d.check()
}
