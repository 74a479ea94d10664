package queue

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"moot/state"
)

// finishedFolder is the folder of a batch of n items that ended, and its plan.
func finishedFolder(t testing.TB, n int) (string, *Plan) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, sessionsName), dirMode); err != nil {
		t.Fatal(err)
	}
	plan, list := &Plan{}, make([]*Entry, n)
	opened := time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)
	for i := range n {
		item := &Item{
			IDs: []string{fmt.Sprintf("service-%05d", i)}, Lines: []int{i + 1}, Title: "Is the service safe to retry?",
			Parts: Parts{Question: fmt.Sprint(i), Number: 1},
		}
		item.Digest = item.Parts.Digest()
		plan.Add(item)
		id := fmt.Sprintf("20261121-150000-%05d", i)
		path := filepath.Join(dir, sessionsName, id+".jsonl")
		if err := os.WriteFile(path, []byte("{}\n"), fileMode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		outcome := Outcomes()[i%len(Outcomes())]
		list[i] = &Entry{
			Session: id, Item: item.Digest, Opened: opened, Size: info.Size(), Modified: info.ModTime().UnixNano(), Closed: true,
			Result: Result{
				Outcome: outcome, Reason: "the reason for which this one ended as it did, in a sentence", Decision: "ADVANCE",
				Answer: "It is safe to retry, since every write carries the key of its request.", Rounds: 4, Seconds: 12.5,
				Usage: state.Usage{Calls: 9, PromptTokens: 8000, CompletionTokens: 900, Cost: 0.02}, Ended: opened.Add(time.Minute),
			},
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{indexName: text, lockName: nil} {
		if err := os.WriteFile(filepath.Join(dir, name), text, fileMode); err != nil {
			t.Fatal(err)
		}
	}
	return dir, plan
}

// unread fails if a session file is read as a whole.
func unread(t testing.TB) func(string) Result {
	return func(path string) Result {
		t.Errorf("%s was read as a whole", path)
		return Result{}
	}
}

// Watching sees what another process wrote, and keeps what it knows while nothing changes.
func TestRefreshSeesWhatChanged(t *testing.T) {
	dir, plan := finishedFolder(t, 10)
	f, err := Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if s := f.Snapshot(plan, now, unread(t)); s.Counts[State(Concluded)] != 2 || s.Held || s.Live != nil || s.Usage.Calls != 90 {
		t.Fatalf("counts %v, held %t, usage %+v", s.Counts, s.Held, s.Usage)
	}
	index := f.index
	if err := f.Refresh(); err != nil || f.index == nil || !os.SameFile(index, f.index) {
		t.Fatalf("the index changed: %v", err)
	}
	// A closed session is not looked at each time, but soon.
	changed := filepath.Join(dir, sessionsName, "20261121-150000-00004.jsonl")
	if err := os.WriteFile(changed, []byte("no session\n"), fileMode); err != nil {
		t.Fatal(err)
	}
	for range closedEvery {
		if err := f.Refresh(); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Snapshot(plan, now, unread(t)).Rows[4]; got.State != StateWaiting {
		t.Errorf("a file that is no session anymore is %s: %q", got.State, got.Result.Reason)
	}
	// A run without a session, a session that is gone, and an index that is gone.
	failed := Failed{Item: plan.Items[0].Digest, At: now, Reason: "there is no file notes.md"}
	text, err := json.Marshal(failed)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, failedName), append(text, '\n'), fileMode); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(sessionsName, "20261121-150000-00001.jsonl"), indexName} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Refresh(); err != nil {
		t.Fatal(err)
	}
	s := f.Snapshot(plan, now, unread(t))
	if got := s.Rows[0]; got.State != State(Failure) || got.Result.Reason != failed.Reason {
		t.Errorf("the run that failed is %s: %q", got.State, got.Result.Reason)
	}
	if got := s.Rows[1]; got.State != StateWaiting || got.Session != "" {
		t.Errorf("the session that is gone: %s %s", got.State, got.Session)
	}
	if got := s.Rows[5]; got.State != State(Concluded) {
		t.Errorf("without the index, what is known is lost: %s", got.State)
	}
}

// A folder that is followed is read with the first refresh, and then has all that one has that was read at once.
func TestFollowReadsLater(t *testing.T) {
	dir, plan := finishedFolder(t, 20)
	followed, err := Follow(dir)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if s := followed.Snapshot(plan, now, unread(t)); s.Counts[StateWaiting] != 20 {
		t.Errorf("before the first refresh: %v", s.Counts)
	}
	read, err := Look(dir)
	if err = errors.Join(err, followed.Refresh()); err != nil {
		t.Fatal(err)
	}
	if a, b := followed.Snapshot(plan, now, unread(t)), read.Snapshot(plan, now, unread(t)); !reflect.DeepEqual(a, b) {
		t.Errorf("followed:\n%+v\nread:\n%+v", a, b)
	}
	if _, err := Follow(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not the folder of a batch") {
		t.Errorf("got %v", err)
	}
}

// While a process runs the batch but has not told anything yet, nobody says that none runs it. What an earlier run told
// is not believed, and after a cap nothing is foretold.
func TestSnapshotSaysWhoRuns(t *testing.T) {
	dir, plan := finishedFolder(t, 4)
	runner, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 15, 30, 0, 0, time.UTC)
	if s := f.Snapshot(plan, now, unread(t)); !s.Held || s.Live != nil || s.Rate != 0 {
		t.Errorf("held %t, live %v, rate %f", s.Held, s.Live, s.Rate)
	}
	tell := func(l Live) {
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		if err := runner.write(runningName, text); err != nil {
			t.Fatal(err)
		}
	}
	live := Live{At: now, Began: now.Add(-10 * time.Minute), Jobs: 4, Ended: EnoughEnded - 1, Left: 10}
	tell(live)
	if s := f.Snapshot(plan, now, unread(t)); s.Live == nil || s.Rate != 0 {
		t.Errorf("after %d items the rate is %f", live.Ended, s.Rate)
	}
	live.Ended = 5
	tell(live)
	if s := f.Snapshot(plan, now, unread(t)); s.Rate != 0.5 || s.Left != 20*time.Minute {
		t.Errorf("the rate is %f, and %s are left", s.Rate, s.Left)
	}
	live.Stopping = "900 of 800 tokens are used"
	tell(live)
	if s := f.Snapshot(plan, now, unread(t)); s.Rate != 0 || s.Left != 0 {
		t.Errorf("beyond the cap the rate is %f, and %s are left", s.Rate, s.Left)
	}
	if err := runner.Close(); err != nil {
		t.Fatal(err)
	}
	if s := f.Snapshot(plan, now, unread(t)); s.Held || s.Live != nil {
		t.Errorf("after the end: held %t, live %v", s.Held, s.Live)
	}
}

// Two processes do not run one batch, but a look at the lock keeps nobody out.
func TestALookDoesNotKeepARunOut(t *testing.T) {
	dir, _ := finishedFolder(t, 1)
	looker, err := Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				looker.IsRun()
			}
		}
	}()
	for range 50 {
		f, err := Open(dir)
		if err != nil {
			t.Errorf("opened while it is looked at: %v", err)
			break
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	<-stopped
}

// BenchmarkRefresh looks again at a batch of 10,000 finished items in which nothing changed.
func BenchmarkRefresh(b *testing.B) {
	dir, plan := finishedFolder(b, 10_000)
	f, err := Look(dir)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("refresh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := f.Refresh(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("snapshot", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.Snapshot(plan, time.Now(), unread(b))
		}
	})
}

// A plan is read again only when it changed.
func TestReplan(t *testing.T) {
	dir, plan := finishedFolder(t, 3)
	f, err := Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Save(plan, Settings{}); err != nil {
		t.Fatal(err)
	}
	first, err := f.Replan(nil)
	if err != nil || len(first.Items) != 3 {
		t.Fatalf("%v, %v", first, err)
	}
	if same, err := f.Replan(first); err != nil || same != first {
		t.Errorf("the plan was read again: %v", err)
	}
	other := &Plan{}
	other.Add(plan.Items[1])
	if err := f.Save(other, Settings{}); err != nil {
		t.Fatal(err)
	}
	if next, err := f.Replan(first); err != nil || len(next.Items) != 1 || next.Items[0].Digest != plan.Items[1].Digest {
		t.Errorf("got %v, %v", next, err)
	}
}
