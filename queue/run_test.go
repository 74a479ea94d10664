package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moot/state"
	"moot/state/store"
)

// crew runs jobs as short session files. It is safe for concurrent use.
type crew struct {
	t      *testing.T
	folder string
	// ends returns the last event of a session and its result. nil events leave the session as a killed process does.
	ends func(job Job) (state.Payload, Result)
	// hold blocks every session until it is closed, or the context ends. It may be nil.
	hold chan struct{}

	mutex  sync.Mutex
	done   []string
	number int
	most   int
	now    int
}

func (c *crew) do(ctx context.Context, job Job, pulse func(Pulse)) (string, Result) {
	c.mutex.Lock()
	c.number++
	number := c.number
	c.now++
	c.most = max(c.most, c.now)
	id := fmt.Sprintf("20261129-%06d-aaaa", c.number)
	c.mutex.Unlock()
	defer func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.now--
		c.done = append(c.done, job.Item.ID()+" "+job.Session)
	}()
	var file *store.File
	var err error
	seq := 2
	if job.Session != "" {
		id = job.Session
		var opened store.Opened
		file, opened, err = store.Open(filepath.Join(c.folder, id+".jsonl"))
		seq = len(opened.Events) + 1
	} else if file, err = store.Create(c.folder, id); err == nil {
		opened := &state.SessionOpened{
			Version: state.Version, ID: id, Item: job.Item.Digest, Question: job.Item.Title,
			Settings: state.Settings{Format: "debate", Framing: state.FramingPropose, Mode: state.ModeStandard},
		}
		err = file.Append([]state.Event{{Seq: 1, At: time.Unix(int64(number), 0), Data: opened}})
	}
	if err != nil {
		return "", Result{Outcome: Failure, Reason: err.Error()}
	}
	defer file.Close()
	pulse(Pulse{Session: id, Round: 1, Usage: state.Usage{Calls: 1, PromptTokens: 10}})
	if c.hold != nil {
		select {
		case <-c.hold:
		case <-ctx.Done():
			return id, Result{Outcome: Stopped, Reason: context.Cause(ctx).Error()}
		}
	}
	if job.Caps() != NoCap {
		return id, Result{Outcome: Stopped, Reason: "the cap", Usage: state.Usage{Calls: 1, PromptTokens: 10}}
	}
	last, result := c.ends(job)
	if last != nil {
		if err := file.Append([]state.Event{{Seq: seq, At: time.Unix(int64(number), 1), Data: last}}); err != nil {
			c.t.Error(err)
		}
	}
	result.Usage = state.Usage{Calls: 1, PromptTokens: 10}
	return id, result
}

func concludes(Job) (state.Payload, Result) {
	return &state.SessionClosed{Exit: state.ExitDecided}, Result{Outcome: Concluded}
}

// batch is a folder with a plan, and a crew that runs it.
type batch struct {
	t    *testing.T
	path string
	plan *Plan
	crew *crew
	// read counts the session files that were read whole.
	read []string
}

func newTestBatch(t *testing.T, items int) *batch {
	t.Helper()
	b := &batch{t: t, path: filepath.Join(t.TempDir(), "batch"), plan: &Plan{}}
	for i := range items {
		b.plan.Add(newItem(i+1, fmt.Sprintf("i%d", i), fmt.Sprintf("Is %d safe?", i), "x"))
	}
	b.crew = &crew{t: t, folder: filepath.Join(b.path, sessionsName), ends: concludes}
	return b
}

// run runs the batch with a new process's eyes, and returns the snapshot after it.
func (b *batch) run(change func(*Options)) (Snapshot, error) {
	b.t.Helper()
	folder, err := Create(b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := folder.Save(b.plan, Settings{Batch: "b"}); err != nil {
		b.t.Fatal(err)
	}
	o := Options{
		Folder: folder, Plan: b.plan, Jobs: 4, Do: b.crew.do, Now: time.Now,
		Classify: func(path string) Result {
			b.read = append(b.read, path)
			return Result{Outcome: Concluded, Reason: "read"}
		},
	}
	if change != nil {
		change(&o)
	}
	ran := NewRunner(o).Run(context.Background())
	snapshot := folder.Snapshot(b.plan, time.Now(), o.Classify)
	if err := folder.Close(); err != nil {
		b.t.Error(err)
	}
	return snapshot, ran
}

// BA1, BA3: the same batch again runs nothing that has a result that stands, and reads no session file for it.
func TestTheSameBatchContinues(t *testing.T) {
	b := newTestBatch(t, 50)
	s, err := b.run(nil)
	if err != nil || s.Counts[State(Concluded)] != 50 || len(b.crew.done) != 50 || b.crew.most > 4 {
		t.Fatalf("%v, %v, %d done, %d at once", err, s.Counts, len(b.crew.done), b.crew.most)
	}
	if s, err = b.run(nil); err != nil || len(b.crew.done) != 50 || s.Counts[State(Concluded)] != 50 || len(b.read) != 0 {
		t.Errorf("%v, %v, %d done, %d read", err, s.Counts, len(b.crew.done), len(b.read))
	}
	// BA2: the index is a cache.
	if err := os.Remove(filepath.Join(b.path, indexName)); err != nil {
		t.Fatal(err)
	}
	if s, err = b.run(nil); err != nil || len(b.crew.done) != 50 || s.Counts[State(Concluded)] != 50 || len(b.read) != 50 {
		t.Errorf("without an index: %v, %v, %d done, %d read", err, s.Counts, len(b.crew.done), len(b.read))
	}
	if err := os.WriteFile(filepath.Join(b.path, indexName), []byte("[{]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err = b.run(nil); err != nil || len(b.crew.done) != 50 || s.Counts[State(Concluded)] != 50 {
		t.Errorf("with a broken index: %v, %v", err, s.Counts)
	}
}

// BA1: a changed item is new, an added one runs, and a removed one is not in the results.
func TestOnlyWhatChangedRunsAgain(t *testing.T) {
	b := newTestBatch(t, 3)
	if _, err := b.run(nil); err != nil {
		t.Fatal(err)
	}
	b.plan = planOf(b.plan.Items[1], newItem(2, "i0", "Is 0 safe?", "y"), newItem(3, "new", "Is it new?", "x"))
	b.crew.done = nil
	s, err := b.run(nil)
	slices.Sort(b.crew.done)
	if err != nil || strings.Join(b.crew.done, ",") != "i0 ,new " || len(s.Rows) != 3 || s.Counts[State(Concluded)] != 3 {
		t.Errorf("%v, done %q, %v", err, b.crew.done, s.Counts)
	}
	if s.Usage.Calls != 5 {
		t.Errorf("the usage counts %d calls, and 5 were made", s.Usage.Calls)
	}
}

// BA3: what failed runs again, what paused or was cut off continues, what needs a person or has no result stays.
func TestWhatRunsAgain(t *testing.T) {
	b := newTestBatch(t, 6)
	b.crew.ends = func(job Job) (state.Payload, Result) {
		switch job.Item.ID() {
		case "i0":
			return &state.SessionPaused{Why: state.PauseUnreachable}, Result{Outcome: Failure, Reason: "nobody answers"}
		case "i1":
			return &state.SessionClosed{Exit: state.ExitDecided}, Result{Outcome: Failure, Reason: "no decision"}
		case "i2":
			return &state.SessionPaused{Why: state.PauseUnreachable}, Result{Outcome: NeedsYou}
		case "i3":
			return &state.SessionClosed{Exit: state.ExitDecided}, Result{Outcome: Inconclusive}
		case "i4":
			return nil, Result{Outcome: Stopped}
		}
		return concludes(job)
	}
	s, err := b.run(nil)
	if err != nil || ExitCode(s.Outcomes()) != 1 {
		t.Fatalf("%v, %v", err, s.Counts)
	}
	sessions := map[string]string{}
	for _, row := range s.Rows {
		sessions[row.Item.ID()] = row.Session
	}
	b.crew.done, b.crew.ends = nil, concludes
	s, err = b.run(nil)
	slices.Sort(b.crew.done)
	want := fmt.Sprintf("i0 %s,i1 ,i4 %s", sessions["i0"], sessions["i4"])
	if err != nil || strings.Join(b.crew.done, ",") != want {
		t.Errorf("%v, ran %q, want %q", err, b.crew.done, want)
	}
	for _, row := range s.Rows {
		if row.Item.ID() == "i1" && (len(row.Earlier) != 1 || row.Earlier[0] != sessions["i1"] || row.Session == sessions["i1"]) {
			t.Errorf("the earlier attempt is not listed: %+v", row)
		}
	}
	// retry: an inconclusive item begins anew.
	b.crew.done = nil
	var again []string
	for _, row := range s.Rows {
		if row.Result.Outcome == Inconclusive {
			again = append(again, row.Item.Digest)
		}
	}
	folder, err := Open(b.path)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	r := NewRunner(Options{Folder: folder, Plan: b.plan, Jobs: 1, Do: b.crew.do, Now: time.Now, Only: again})
	if err := r.Run(context.Background()); err != nil || strings.Join(b.crew.done, ",") != "i3 " {
		t.Errorf("%v, retried %q", err, b.crew.done)
	}
}

// BA3: an item that could not be opened has its reason, and runs again.
func TestAnItemThatCannotBeOpened(t *testing.T) {
	b := newTestBatch(t, 1)
	do := b.crew.do
	fails := func(context.Context, Job, func(Pulse)) (string, Result) {
		return "", Result{Outcome: Failure, Reason: "no key"}
	}
	s, err := b.run(func(o *Options) { o.Do = fails })
	if row := s.Rows[0]; err != nil || row.State != State(Failure) || row.Result.Reason != "no key" || row.Session != "" {
		t.Errorf("%v, %+v", err, row)
	}
	if s, err = b.run(func(o *Options) { o.Do = do }); err != nil || s.Rows[0].State != State(Concluded) {
		t.Errorf("%v, %+v", err, s.Rows[0])
	}
}

// BA4: the caps count over all sessions and earlier runs. None starts beyond a cap, running ones are asked to pause.
func TestCapsOfABatch(t *testing.T) {
	b := newTestBatch(t, 10)
	s, err := b.run(func(o *Options) { o.MaxTokens, o.Jobs = 45, 2 })
	if ended := s.Counts[State(Concluded)] + s.Counts[State(Stopped)]; err != nil || ended > 5 || ended < 4 {
		t.Errorf("%v, %v after a cap of 45 tokens, 10 for each session", err, s.Counts)
	}
	before := len(b.crew.done)
	if s, err = b.run(func(o *Options) { o.MaxTokens = 40 }); err != nil || len(b.crew.done) != before {
		t.Errorf("%v, a session started beyond the cap: %v", err, s.Counts)
	}
	if s, err = b.run(nil); err != nil || s.Counts[State(Concluded)] != 10 {
		t.Errorf("%v, without a cap %v", err, s.Counts)
	}
}

// BA3: a second process is refused, and can ask the first one to stop; running sessions are paused then.
func TestOneProcessRunsABatch(t *testing.T) {
	b := newTestBatch(t, 5)
	b.crew.hold = make(chan struct{})
	ended := make(chan error, 1)
	var s Snapshot
	go func() {
		var err error
		s, err = b.run(nil)
		ended <- err
	}()
	for range 200 {
		if b.running() == 4 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := Create(b.path); !errors.As(err, new(*HeldError)) {
		t.Errorf("got %v, want a HeldError", err)
	}
	look, err := Look(b.path)
	if err != nil || !look.IsRun() {
		t.Fatalf("%v, run %v", err, err == nil && look.IsRun())
	}
	for range 200 {
		if _, live := look.readLive(); live != nil && len(live.Sessions) == 4 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if now := look.Snapshot(b.plan, time.Now(), nil); now.Counts[StateRunning] != 4 || now.Counts[StateWaiting] != 1 || now.Rate != 0 {
		t.Errorf("from outside: %v, rate %v", now.Counts, now.Rate)
	}
	if err := look.Ask(Request{Stop: true}); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, ErrStopping) {
		t.Errorf("got %v", err)
	}
	if s.Counts[StateCutOff] != 4 || s.Counts[StateWaiting] != 1 {
		t.Errorf("after the stop: %v", s.Counts)
	}
	if look.IsRun() {
		t.Error("the lock is still held")
	}
}

func (b *batch) running() int {
	b.crew.mutex.Lock()
	defer b.crew.mutex.Unlock()
	return b.crew.now
}

// A folder with something else in it is not taken over.
func TestFoldersThatAreNoBatch(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil {
		t.Error("an empty folder was opened as a batch")
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir); err == nil || !strings.Contains(err.Error(), "something else in it") {
		t.Errorf("got %v", err)
	}
}

// A damaged file is said to be broken, and its item runs again.
func TestABrokenSessionRunsAgain(t *testing.T) {
	b := newTestBatch(t, 2)
	s, err := b.run(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.path, sessionsName, s.Rows[0].Session+".jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err = b.run(nil); err != nil || s.Counts[State(Concluded)] != 2 || len(b.crew.done) != 3 {
		t.Errorf("%v, %v, %d ran", err, s.Counts, len(b.crew.done))
	}
}

// A crash can cut the first write short: then there is no session that could continue.
func TestASessionWithoutAStartBeginsAnew(t *testing.T) {
	b := newTestBatch(t, 1)
	b.crew.ends = func(Job) (state.Payload, Result) { return nil, Result{} }
	if s, err := b.run(nil); err != nil || s.Rows[0].State != StateCutOff {
		t.Fatalf("the item is %s, %v", s.Rows[0].State, err)
	}
	files, err := filepath.Glob(filepath.Join(b.crew.folder, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the files are %q, %v", files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(files[0], info.Size()-10); err != nil {
		t.Fatal(err)
	}
	b.crew.ends = concludes
	if s, err := b.run(nil); err != nil || s.Rows[0].State != State(Concluded) || len(s.Rows[0].Earlier) != 1 {
		t.Errorf("the item is %s after %q, %v", s.Rows[0].State, s.Rows[0].Earlier, err)
	}
}

func TestExitCodes(t *testing.T) {
	for _, test := range []struct {
		want     int
		outcomes []Outcome
	}{
		{0, nil},
		{0, []Outcome{Concluded, Concluded}},
		{1, []Outcome{NeedsYou, Failure, Inconclusive}},
		{5, []Outcome{Stopped, NeedsYou, Inconclusive}},
		{3, []Outcome{Concluded, Inconclusive}},
		{3, []Outcome{Concluded, Stopped}},
		{3, []Outcome{Concluded, ""}},
	} {
		if got := ExitCode(test.outcomes); got != test.want {
			t.Errorf("%v: %d, want %d", test.outcomes, got, test.want)
		}
	}
}

// BA4: calls to one participant are bounded, and those to others are not.
func TestLimits(t *testing.T) {
	l := NewLimits(func(participant string) Limit {
		if participant == "slow" {
			return Limit{AtOnce: 2}
		}
		return Limit{}
	})
	ctx, cancel := context.WithCancel(t.Context())
	var held []func()
	for range 2 {
		release, err := l.Acquire(ctx, "slow")
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, release)
	}
	for range 5 {
		if _, err := l.Acquire(ctx, "other"); err != nil {
			t.Fatal(err)
		}
	}
	got := make(chan error)
	go func() {
		_, err := l.Acquire(ctx, "slow")
		got <- err
	}()
	select {
	case err := <-got:
		t.Fatalf("a third call began: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	held[0]()
	if err := <-got; err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := l.Acquire(ctx, "slow"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// BA4: calls begin at even distances.
func TestRates(t *testing.T) {
	at := time.Unix(0, 0)
	l := NewLimits(func(string) Limit { return Limit{PerMinute: 60} })
	l.Now = func() time.Time { return at }
	if _, err := l.Acquire(t.Context(), "m"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := l.Acquire(ctx, "m"); err == nil {
		t.Error("two calls began in the same second")
	}
	at = at.Add(2 * time.Second)
	if _, err := l.Acquire(t.Context(), "m"); err != nil {
		t.Error(err)
	}
}

// BA4: a server that gets too many calls slows its participant for all sessions.
func TestASlowParticipantWaitsForAll(t *testing.T) {
	at := time.Unix(0, 0)
	l := NewLimits(func(string) Limit { return Limit{} })
	l.Now = func() time.Time { return at }
	l.Slow("m", at.Add(time.Hour))
	l.Slow("m", at.Add(time.Minute))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	at = at.Add(30 * time.Minute)
	if _, err := l.Acquire(ctx, "m"); err == nil {
		t.Error("a call began during the pause")
	}
	if _, err := l.Acquire(t.Context(), "other"); err != nil {
		t.Error(err)
	}
	at = at.Add(31 * time.Minute)
	if _, err := l.Acquire(t.Context(), "m"); err != nil {
		t.Error(err)
	}
}

// A stop that was asked of a process that has ended does not stop the next one.
func TestRequestsOfAnEarlierRun(t *testing.T) {
	b := newTestBatch(t, 3)
	if _, err := b.run(nil); err != nil {
		t.Fatal(err)
	}
	look, err := Look(b.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := look.Ask(Request{Stop: true}); err != nil {
		t.Fatal(err)
	}
	b.plan.Add(newItem(4, "late", "Is it late?", "x"))
	if s, err := b.run(nil); err != nil || s.Counts[State(Concluded)] != 4 {
		t.Errorf("%v, %v", err, s.Counts)
	}
}

// BB2: what was spent on calls that no session has counts towards the caps.
func TestLostCallsCount(t *testing.T) {
	b := newTestBatch(t, 3)
	s, err := b.run(func(o *Options) {
		o.MaxTokens, o.Lost = 50, func() state.Usage { return state.Usage{Calls: 1, PromptTokens: 60} }
	})
	if err != nil || len(b.crew.done) != 0 || s.Counts[StateWaiting] != 3 {
		t.Errorf("%v, %d ran beyond the cap, %v", err, len(b.crew.done), s.Counts)
	}
}
