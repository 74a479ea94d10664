package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const testToken = "a-token-for-tests-only"

// testServer is an embedded server that a test may stop and start again on the same port.
type testServer struct {
	t   *testing.T
	dir string
	*Server
}

func serve(t *testing.T) *testServer {
	t.Helper()
	s := &testServer{t: t, dir: t.TempDir()}
	s.start("127.0.0.1:0")
	t.Cleanup(func() { s.Close() })
	return s
}

func (s *testServer) start(addr string) {
	s.t.Helper()
	var err error
	s.Server, err = Serve(s.t.Context(), ServerOptions{Addr: addr, Token: testToken, Dir: s.dir, Log: func(line string) {
		if strings.Contains(line, testToken) {
			s.t.Error("the log of the server has the token")
		}
	}})
	if err != nil {
		s.t.Fatal(err)
	}
}

// restart stops the server, lets the test change its files, and starts it on the same port.
func (s *testServer) restart(meanwhile func()) {
	s.t.Helper()
	addr := strings.TrimPrefix(s.Local, "nats://")
	if err := s.Close(); err != nil {
		s.t.Fatal(err)
	}
	if meanwhile != nil {
		meanwhile()
	}
	s.start(addr)
}

func (s *testServer) options(name string) Options {
	return Options{
		URL: s.Local, Token: testToken, Pin: s.Pin, Name: name, Timeout: 2 * time.Second, Ping: time.Second,
		Note: func(line string) { fmt.Fprintf(s.t.Output(), "%s: %s\n", name, line) },
	}
}

func (s *testServer) connect(name string) *Queue { return connect(s.t, s.options(name)) }

func connect(t *testing.T, o Options) *Queue {
	t.Helper()
	q, err := Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

const followTimeout = 40 * time.Second

const shortWait = 500 * time.Millisecond

func openBatch(t *testing.T, q *Queue, id string) *Batch {
	t.Helper()
	b, err := q.Open(t.Context(), BatchOptions{ID: id, Owner: "folder", AckWait: shortWait, Check: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func taskOf(batch string, number int) Task {
	return Task{Batch: batch, Key: Key{fmt.Sprintf("%08x", number), 0}, Version: "v1", Payload: []byte(`{"question":"why?"}`)}
}

// file is a session file of the coordinator.
type file struct {
	units [][]byte
	end   []byte
	ends  int
	gone  bool
}

// folder is a coordinator: it keeps what Follow delivers, and publishes again what was lost.
type folder struct {
	t *testing.T
	b *Batch

	mutex   sync.Mutex
	tasks   map[Key]Task
	files   map[Key]*file
	left    int
	again   int
	finish  context.CancelFunc
	problem []string
}

func newFolder(t *testing.T, b *Batch) *folder {
	return &folder{t: t, b: b, tasks: map[Key]Task{}, files: map[Key]*file{}}
}

// publish publishes tasks that are new or have no end.
func (f *folder) publish(ctx context.Context, tasks ...Task) {
	f.t.Helper()
	for _, task := range tasks {
		f.mutex.Lock()
		f.tasks[task.Key] = task
		if f.files[task.Key] == nil {
			f.files[task.Key] = &file{}
			f.left++
		}
		one := f.files[task.Key]
		prefix, done := slices.Clone(one.units), one.ends > 0
		f.mutex.Unlock()
		if done {
			continue
		}
		if err := f.b.Publish(ctx, task, prefix); err != nil && ctx.Err() == nil {
			f.t.Errorf("publish %s: %v", task.Key, err)
		}
	}
}

func (f *folder) on(ctx context.Context, e Event) error {
	f.mutex.Lock()
	one := f.files[e.Key]
	again, done := false, false
	switch {
	case one == nil:
	case one.ends > 0 && e.Kind != End:
		// The server forgot that the session was deleted.
		done = true
	case e.Kind == Unit && e.Index < len(one.units):
		again = !bytes.Equal(one.units[e.Index], e.Data)
	case e.Kind == Unit && e.Index == len(one.units):
		// The test's sessions are a chain, as those of moot are.
		if !follows(one.units, e.Data) {
			again = true
		} else {
			one.units = append(one.units, e.Data)
		}
	case e.Kind == Unit:
		f.problem = append(f.problem, fmt.Sprintf("%s: unit %d came after %d units", e.Key, e.Index, len(one.units)))
	case e.Kind == End && e.Index != len(one.units) && one.ends == 0:
		again = true
	case e.Kind == End:
		if one.ends++; one.ends == 1 {
			one.end = e.Data
			f.left--
		}
		done = true
	case e.Kind == Withdrawn:
		one.gone = true
		f.left--
		done = true
	case e.Kind == Lost:
		again = true
	}
	if again {
		f.again++
	}
	left, task, finish := f.left, f.tasks[e.Key], f.finish
	f.mutex.Unlock()
	if done {
		if err := f.b.Done(ctx, e.Key); err != nil {
			return err
		}
	}
	if again {
		f.publish(ctx, task)
	}
	if left == 0 && finish != nil {
		finish()
	}
	return nil
}

// follow runs Follow until every session has ended.
func (f *folder) follow(ctx context.Context) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	ctx, f.finish = context.WithCancel(ctx)
	defer f.finish()
	err := f.b.Follow(ctx, func(e Event) error { return f.on(ctx, e) })
	if f.left > 0 {
		f.report()
		f.t.Fatalf("%d sessions have no end: %v", f.left, err)
	}
}

// report logs where the sessions without an end are.
func (f *folder) report() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	info, err := f.b.snapshot(ctx)
	f.t.Logf("%d items, %d messages, last %d: %v", len(info.items), info.messages, info.last, err)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.b.mutex.Lock()
	defer f.b.mutex.Unlock()
	for key, one := range f.files {
		if one.ends == 0 && !one.gone {
			f.t.Logf("%s: %d units in the file, %d messages and item %v in the queue, followed %+v, record %+v", key,
				len(one.units), info.units[key], info.items[key], f.b.tasks[key], f.b.records[key])
		}
	}
}

// check fails unless every session has exactly n units, chained, and one end.
func (f *folder) check(n int) {
	f.t.Helper()
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, problem := range f.problem {
		f.t.Error(problem)
	}
	for key, one := range f.files {
		content := 0
		for i, data := range one.units {
			if !follows(one.units[:i], data) {
				f.t.Errorf("%s: unit %d does not follow the one before", key, i)
			}
			if bytes.HasPrefix(data, []byte("unit ")) {
				if want := fmt.Sprintf("unit %d of %s", content, key); !strings.HasPrefix(string(data), want+"\n") {
					f.t.Errorf("%s: got %.40q, want %q", key, data, want)
				}
				content++
			}
		}
		if content != n || string(one.end) != "end of "+key.String() {
			f.t.Errorf("%s: %d units and the end %q", key, content, one.end)
		}
	}
}

// follows reports whether data names the sum of the unit before.
func follows(before [][]byte, data []byte) bool {
	_, previous, _ := strings.Cut(string(data), "\n")
	return previous == sumOf(before)
}

func sumOf(units [][]byte) string {
	if len(units) == 0 {
		return "start"
	}
	return chained("", units)[len(units)].String()
}

// session is what a worker of the tests does: n units of content, and one that says resumed if it takes over.
func session(n int, each func(l *Lease, units [][]byte) error) func(context.Context, *Lease) error {
	return func(ctx context.Context, l *Lease) error {
		units := slices.Clone(l.Units)
		add := func(text string) error {
			data := []byte(text + "\n" + sumOf(units))
			if err := l.Append(ctx, data); err != nil {
				return err
			}
			units = append(units, data)
			return nil
		}
		content := 0
		for _, data := range units {
			if bytes.HasPrefix(data, []byte("unit ")) {
				content++
			}
		}
		if len(units) > 0 {
			if err := add("resumed"); err != nil {
				return err
			}
		}
		for ; content < n; content++ {
			if each != nil {
				if err := each(l, units); err != nil {
					return err
				}
			}
			if err := add(fmt.Sprintf("unit %d of %s", content, l.Task.Key)); err != nil {
				return err
			}
		}
		return l.End(ctx, []byte("end of "+l.Task.String()))
	}
}

// work runs a worker until the test ends or stop is called.
func work(t *testing.T, q *Queue, jobs int, do func(context.Context, *Lease) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err := q.Work(ctx, WorkOptions{Jobs: jobs, Name: q.options.Name, Version: "v1"}, do)
		if ctx.Err() == nil {
			t.Errorf("the worker ended: %v", err)
		}
	}()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

// tasks returns n tasks.
func tasks(batch string, n int) (list []Task) {
	for i := range n {
		list = append(list, taskOf(batch, i))
	}
	return list
}

func TestSessionsTravel(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	text := []byte("material")
	if err := b.Material(t.Context(), "0b2bc5b8d5e3e4ac5d5b0d8d3d2fd0cb4c3bfb3f1dc1b1b9a3ea4e4f7d9e1b11", text); err == nil {
		t.Error("a text with the digest of another one was sent")
	}
	for _, name := range []string{"one", "two"} {
		work(t, s.connect(name), 3, session(5, nil))
	}
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 20)...)
	f.follow(t.Context())
	f.check(5)
	if f.again > 0 {
		t.Errorf("%d sessions were published again without a fault", f.again)
	}
	info, err := b.snapshot(t.Context())
	if err != nil || len(info.items) > 0 || info.messages > 0 {
		t.Errorf("the queue still has %d items and %d messages, %v", len(info.items), info.messages, err)
	}
}

func TestWrongTokenPinAndAddress(t *testing.T) {
	t.Parallel()
	s := serve(t)
	other := serve(t)
	for name, c := range map[string]struct {
		change func(*Options)
		want   error
	}{
		"token":       {func(o *Options) { o.Token = "a-wrong-token-of-tests" }, ErrToken},
		"no token":    {func(o *Options) { o.Token = "" }, ErrToken},
		"pin":         {func(o *Options) { o.Pin = other.Pin }, ErrCertificate},
		"no pin":      {func(o *Options) { o.Pin = "" }, ErrCertificate},
		"nobody":      {func(o *Options) { o.URL = "nats://127.0.0.1:1" }, ErrUnreachable},
		"user":        {func(o *Options) { o.URL = "nats://" + testToken + "@127.0.0.1:4222" }, ErrAddress},
		"not nats":    {func(o *Options) { o.URL = "http://127.0.0.1:4222" }, ErrAddress},
		"unparseable": {func(o *Options) { o.URL = "nats://" + testToken + "@127.0.0.1:%" }, ErrAddress},
	} {
		o := s.options("test")
		c.change(&o)
		_, err := Connect(t.Context(), o)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v", name, err)
		} else if strings.Contains(err.Error(), testToken) {
			t.Errorf("%s: the error has the token: %v", name, err)
		}
	}
}
