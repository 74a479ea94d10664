package jetstream

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// faults is how many random faults TestRandomFaults injects. The long form is go test -run RandomFaults -faults 200.
var faults = flag.Int("faults", 6, "how many random faults to inject")

// TestMain becomes a worker or a server if a test has started this binary as one.
func TestMain(m *testing.M) {
	switch url, dir := os.Getenv("JETSTREAM_TEST_WORKER"), os.Getenv("JETSTREAM_TEST_SERVER"); {
	case url != "":
		url, pin, _ := strings.Cut(url, " ")
		q, err := Connect(context.Background(), Options{URL: url, Pin: pin, Token: testToken, Name: "child", Timeout: 2 * time.Second, Ping: time.Second})
		for range 100 {
			if !errors.Is(err, ErrUnreachable) {
				break
			}
			// The server is being restarted.
			time.Sleep(100 * time.Millisecond)
			q, err = Connect(context.Background(), Options{URL: url, Pin: pin, Token: testToken, Name: "child", Timeout: 2 * time.Second, Ping: time.Second})
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		do := session(5, slow(60*time.Millisecond))
		if units, err := strconv.Atoi(os.Getenv("JETSTREAM_TEST_FAST")); err == nil {
			do = session(units, nil)
		}
		err = q.Work(context.Background(), WorkOptions{Jobs: 4, Name: "child", Version: "v1"}, do)
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case dir != "":
		dir, addr, _ := strings.Cut(dir, " ")
		s, err := Serve(context.Background(), ServerOptions{Addr: addr, Token: testToken, Dir: dir})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(s.Local, s.Pin)
		select {}
	}
	os.Exit(m.Run())
}

// child is this binary as a worker or a server.
type child struct {
	t    testing.TB
	env  string
	more []string
	cmd  *exec.Cmd
	said chan string
}

func start(t *testing.T, env string) *child {
	t.Helper()
	c := &child{t: t, env: env}
	c.again()
	t.Cleanup(c.kill)
	return c
}

func (c *child) again() {
	c.t.Helper()
	c.cmd = exec.Command(os.Args[0])
	c.cmd.Env = append(append(os.Environ(), c.env), c.more...)
	c.cmd.Stderr = c.t.Output()
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	said := make(chan string, 1)
	c.said = said
	go func() {
		line := make([]byte, 1000)
		n, _ := out.Read(line)
		said <- strings.TrimSpace(string(line[:n]))
	}()
}

// kill ends the process without a chance to say goodbye.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// proxy passes connections on, until it is told to stall.
type proxy struct {
	listener net.Listener
	to       string
	mutex    sync.Mutex
	stalled  chan struct{}
	conns    []net.Conn
}

func newProxy(t *testing.T, url string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, to: strings.TrimPrefix(url, "nats://"), stalled: make(chan struct{})}
	close(p.stalled)
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", p.to)
			if err != nil {
				from.Close()
				continue
			}
			p.mutex.Lock()
			p.conns = append(p.conns, from, to)
			p.mutex.Unlock()
			go p.pass(from, to)
			go p.pass(to, from)
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		p.resume()
		p.mutex.Lock()
		defer p.mutex.Unlock()
		for _, conn := range p.conns {
			conn.Close()
		}
	})
	return p
}

func (p *proxy) url() string { return "nats://" + p.listener.Addr().String() }

func (p *proxy) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.mutex.Lock()
		stalled := p.stalled
		p.mutex.Unlock()
		<-stalled
		if _, writeErr := to.Write(buffer[:n]); err != nil || writeErr != nil {
			return
		}
	}
}

// stall keeps everything that comes from now on, in both directions.
func (p *proxy) stall() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.stalled = make(chan struct{})
}

func (p *proxy) resume() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	select {
	case <-p.stalled:
	default:
		close(p.stalled)
	}
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	// The server writes meanwhile: files that vanish or grow are those of a server that was cut off.
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(from, path)
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// slow makes a session take a while, so that faults hit it.
func slow(each time.Duration) func(*Lease, [][]byte) error {
	return func(*Lease, [][]byte) error {
		time.Sleep(rand.N(each))
		return nil
	}
}

// lease waits for a lease of a worker that a test drives by hand.
func lease(t *testing.T, q *Queue) (l *Lease, done func()) {
	t.Helper()
	leases, release := make(chan *Lease), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		_ = q.Work(ctx, WorkOptions{Jobs: 1, Name: q.options.Name, Version: "v1"}, func(_ context.Context, l *Lease) error {
			leases <- l
			<-release
			return nil
		})
	})
	var once sync.Once
	done = func() { once.Do(func() { cancel(); close(release); all.Wait() }) }
	select {
	case l = <-leases:
	case <-time.After(20 * time.Second):
		t.Fatal("no item came")
	}
	t.Cleanup(done)
	return l, done
}

func TestKilledWorker(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	worker := start(t, "JETSTREAM_TEST_WORKER="+s.Local+" "+s.Pin)
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 12)...)
	var injecting sync.WaitGroup
	injecting.Go(func() {
		for range 3 {
			time.Sleep(250 * time.Millisecond)
			worker.kill()
			worker.again()
		}
	})
	f.follow(t.Context())
	injecting.Wait()
	f.check(5)
}

func TestRestartedServer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	work(t, s.connect("one"), 4, session(5, slow(60*time.Millisecond)))
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 24)...)
	var restarts sync.WaitGroup
	restarts.Go(func() {
		for range 3 {
			time.Sleep(150 * time.Millisecond)
			s.restart(nil)
		}
	})
	f.follow(t.Context())
	restarts.Wait()
	f.check(5)
	if f.again > 0 {
		t.Errorf("%d sessions were published again, but the server lost nothing", f.again)
	}
}

// TestForgetfulServer replaces the store by what it was before.
func TestForgetfulServer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	work(t, s.connect("one"), 4, session(5, slow(80*time.Millisecond)))
	f := newFolder(t, b)
	before := t.TempDir()
	f.publish(t.Context(), tasks("b1", 12)...)
	copyFolder(t, s.dir, before)
	f.publish(t.Context(), tasks("b1", 24)[12:]...)
	var restarts sync.WaitGroup
	restarts.Go(func() {
		for range 2 {
			time.Sleep(400 * time.Millisecond)
			s.restart(func() {
				os.RemoveAll(filepath.Join(s.dir, "jetstream"))
				copyFolder(t, before, s.dir)
			})
		}
	})
	f.follow(t.Context())
	restarts.Wait()
	f.check(5)
	if f.again == 0 {
		t.Error("nothing was published again, so nothing was tested")
	}
}

// TestDeletedStore removes the whole store under the coordinator and the workers.
func TestDeletedStore(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	work(t, s.connect("one"), 4, session(5, slow(80*time.Millisecond)))
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 24)...)
	var restarts sync.WaitGroup
	restarts.Go(func() {
		time.Sleep(300 * time.Millisecond)
		s.restart(func() { os.RemoveAll(filepath.Join(s.dir, "jetstream")) })
	})
	f.follow(t.Context())
	restarts.Wait()
	f.check(5)
}

// flip changes one byte in the middle of a file of messages.
func flip(t *testing.T, dir string) {
	t.Helper()
	var blocks []string
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".blk") && !strings.Contains(path, "KV_") {
			if info, err := entry.Info(); err == nil && info.Size() > 0 {
				blocks = append(blocks, path)
			}
		}
		return nil
	})
	if len(blocks) == 0 {
		return
	}
	path := blocks[rand.IntN(len(blocks))]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[rand.IntN(len(data))] ^= 0x40
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFlippedByte(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	work(t, s.connect("one"), 4, session(5, slow(80*time.Millisecond)))
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 24)...)
	var restarts sync.WaitGroup
	restarts.Go(func() {
		for range 4 {
			time.Sleep(200 * time.Millisecond)
			s.restart(func() { flip(t, filepath.Join(s.dir, "jetstream")) })
		}
	})
	f.follow(t.Context())
	restarts.Wait()
	f.check(5)
}

// TestMessagesTwice publishes copies of what is on the server.
func TestMessagesTwice(t *testing.T) {
	t.Parallel()
	s := serve(t)
	q := s.connect("coordinator")
	b := openBatch(t, q, "b1")
	copies := s.connect("copies")
	sub, err := copies.conn.Subscribe("moot.*.b1.>", func(m *nats.Msg) {
		if m.Header.Get("Copied") != "" || rand.IntN(6) > 0 {
			return
		}
		twice := nats.NewMsg(m.Subject)
		twice.Data = m.Data
		for key, values := range m.Header {
			if !strings.HasPrefix(key, "Nats-") {
				twice.Header[key] = values
			}
		}
		twice.Header.Set("Copied", "yes")
		_ = copies.conn.PublishMsg(twice)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	for _, name := range []string{"one", "two"} {
		work(t, s.connect(name), 2, session(5, slow(20*time.Millisecond)))
	}
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 24)...)
	f.follow(t.Context())
	f.check(5)
}

func TestPartition(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	p := newProxy(t, s.Local)
	far := s.options("far")
	far.URL = p.url()
	work(t, connect(t, far), 4, session(5, slow(60*time.Millisecond)))
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 24)...)
	var injecting sync.WaitGroup
	injecting.Go(func() {
		time.Sleep(200 * time.Millisecond)
		p.stall()
		time.Sleep(time.Second)
		work(t, s.connect("near"), 4, session(5, slow(60*time.Millisecond)))
		time.Sleep(time.Second)
		p.resume()
	})
	f.follow(t.Context())
	injecting.Wait()
	f.check(5)
}

// TestPartitionedCoordinator stalls the coordinator until its connection is given up.
func TestPartitionedCoordinator(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newProxy(t, s.Local)
	far := s.options("far")
	far.URL = p.url()
	b := openBatch(t, connect(t, far), "b1")
	work(t, s.connect("near"), 4, session(5, slow(60*time.Millisecond)))
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 24)...)
	var injecting sync.WaitGroup
	injecting.Go(func() {
		time.Sleep(200 * time.Millisecond)
		p.stall()
		time.Sleep(4 * time.Second)
		p.resume()
	})
	f.follow(t.Context())
	injecting.Wait()
	f.check(5)
}

// TestSlowWorkerIsFenced lets the lease of a worker run out, and another one take over.
func TestSlowWorkerIsFenced(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	p := newProxy(t, s.Local)
	far := s.options("far")
	far.URL = p.url()
	f := newFolder(t, b)
	f.publish(t.Context(), taskOf("b1", 1))
	former, _ := lease(t, connect(t, far))
	if err := former.Append(t.Context(), []byte("unit 0 of 00000001.0\nstart")); err != nil {
		t.Fatal(err)
	}
	p.stall()
	next, _ := lease(t, s.connect("near"))
	if len(next.Units) != 1 || next.Takes != 2 {
		t.Errorf("the next worker got %d units and take %d", len(next.Units), next.Takes)
	}
	resumed := []byte("resumed\n" + sumOf(next.Units))
	if err := next.Append(t.Context(), resumed); err != nil {
		t.Fatal(err)
	}
	p.resume()
	if err := former.Append(t.Context(), []byte("unit 1 of 00000001.0\n"+sumOf(next.Units))); !errors.Is(err, ErrFenced) {
		t.Errorf("the former worker appended: %v", err)
	}
	if err := former.End(t.Context(), []byte("end")); !errors.Is(err, ErrFenced) || !former.Fenced() {
		t.Errorf("the former worker ended the session: %v", err)
	}
	if err := former.Spent(t.Context(), 120, 0.5); err != nil {
		t.Error(err)
	}
	if calls, tokens, cost, err := b.Spent(t.Context()); calls != 1 || tokens != 120 || cost != 0.5 || err != nil {
		t.Errorf("spent: %d calls, %d tokens, %v, %v", calls, tokens, cost, err)
	}
	if err := next.Append(t.Context(), []byte("unit 1 of 00000001.0\n"+sumOf([][]byte{next.Units[0], resumed}))); err != nil {
		t.Fatal(err)
	}
	if err := next.End(t.Context(), []byte("end of 00000001.0")); err != nil {
		t.Fatal(err)
	}
	f.follow(t.Context())
	f.check(2)
}

// TestPublishOverARunningWorker publishes a session again while a worker holds it: before its first unit, where the
// subject is empty for everybody, and after it.
func TestPublishOverARunningWorker(t *testing.T) {
	t.Parallel()
	for units := range 2 {
		t.Run(fmt.Sprint(units, " units"), func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			b := openBatch(t, s.connect("coordinator"), "b1")
			task := taskOf("b1", 1)
			if err := b.Publish(t.Context(), task, nil); err != nil {
				t.Fatal(err)
			}
			former, _ := lease(t, s.connect("former"))
			for range units {
				if err := former.Append(t.Context(), []byte("unit 0 of 00000001.0\nstart")); err != nil {
					t.Fatal(err)
				}
			}
			// The same again changes nothing.
			if err := b.Publish(t.Context(), task, former.Units); err != nil {
				t.Fatal(err)
			}
			if former.Fenced() {
				t.Error("publishing the same again fenced the worker")
			}
			// The file has something else.
			prefix := [][]byte{[]byte("unit 0 of 00000001.0\nstart"), []byte("other\n")}
			if err := b.Publish(t.Context(), task, prefix); err != nil {
				t.Fatal(err)
			}
			if err := former.Append(t.Context(), []byte("more")); !errors.Is(err, ErrFenced) {
				t.Errorf("the former worker appended: %v", err)
			}
			next, _ := lease(t, s.connect("next"))
			if !slices.EqualFunc(next.Units, prefix, bytes.Equal) {
				t.Errorf("the next worker got %q", next.Units)
			}
		})
	}
}

// TestLaterAttemptIsNotFencedByPurge removes a session and publishes it without units, between two appends of a
// worker: the expectation "nothing is there" must not match.
func TestEmptySubjectMatchesNobody(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	task := taskOf("b1", 1)
	if err := b.Publish(t.Context(), task, nil); err != nil {
		t.Fatal(err)
	}
	former, _ := lease(t, s.connect("former"))
	if err := b.Done(t.Context(), task.Key); err != nil {
		t.Fatal(err)
	}
	if err := b.Done(t.Context(), task.Key); err != nil {
		t.Errorf("the second time: %v", err)
	}
	if err := former.Append(t.Context(), []byte("first")); !errors.Is(err, ErrFenced) {
		t.Errorf("a worker from before appended to an empty subject: %v", err)
	}
	// The keeper sees it without an append as well.
	if err := b.Publish(t.Context(), task, nil); err != nil {
		t.Fatal(err)
	}
	idle, _ := lease(t, s.connect("idle"))
	if err := b.Done(t.Context(), task.Key); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); !idle.Fenced(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a worker that appends nothing was not fenced")
		}
	}
}

func TestWithdraw(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 3)...)
	holder, _ := lease(t, s.connect("one"))
	first := []byte("unit 0 of 00000000.0\nstart")
	if err := holder.Append(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks("b1", 3) {
		if err := b.Withdraw(t.Context(), task.Key); err != nil {
			t.Fatal(err)
		}
	}
	// One that the queue never had.
	f.files[Key{"0000000a", 0}] = &file{}
	f.left++
	if err := b.Withdraw(t.Context(), Key{"0000000a", 0}); err != nil {
		t.Fatal(err)
	}
	if err := holder.Append(t.Context(), []byte("more")); !errors.Is(err, ErrFenced) {
		t.Errorf("the holder appended: %v", err)
	}
	f.follow(t.Context())
	for key, one := range f.files {
		if !one.gone || one.ends > 0 {
			t.Errorf("%s: withdrawn %v, %d ends", key, one.gone, one.ends)
		}
	}
	if one := f.files[taskOf("b1", 0).Key]; len(one.units) != 1 || !bytes.Equal(one.units[0], first) {
		t.Errorf("the confirmed unit was lost: %q", one.units)
	}
	// It can be published again.
	f.left = 1
	f.files[taskOf("b1", 0).Key].gone = false
	f.publish(t.Context(), taskOf("b1", 0))
	work(t, s.connect("two"), 1, session(2, nil))
	f.follow(t.Context())
	delete(f.files, Key{"0000000a", 0})
	delete(f.files, taskOf("b1", 1).Key)
	delete(f.files, taskOf("b1", 2).Key)
	f.check(2)
}

func TestTwoCoordinators(t *testing.T) {
	t.Parallel()
	s := serve(t)
	first := openBatch(t, s.connect("first"), "b1")
	q := s.connect("second")
	_, err := q.Open(t.Context(), BatchOptions{ID: "b1", Owner: "another folder"})
	if !errors.Is(err, ErrHeld) || !strings.Contains(fmt.Sprint(err), "first") {
		t.Errorf("a second coordinator: %v", err)
	}
	// The same folder after a crash takes over at once.
	again := openBatch(t, q, "b1")
	again.Close()
	first.Close()
	other, err := q.Open(t.Context(), BatchOptions{ID: "b1", Owner: "another folder"})
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	defer other.Close()
	// A coordinator whose claim was taken while it was away notices and stops.
	late := &Batch{q: q, id: "b1", options: BatchOptions{Owner: "folder", Check: time.Second}, lost: make(chan struct{}), done: make(chan struct{})}
	if err := late.claim(t.Context()); !errors.Is(err, ErrHeld) {
		t.Errorf("a claim on a taken batch: %v", err)
	}
	close(late.lost)
	if err := late.Publish(t.Context(), taskOf("b1", 1), nil); !errors.Is(err, ErrHeld) {
		t.Errorf("a coordinator without its claim published: %v", err)
	}
	if err := late.Follow(t.Context(), nil); !errors.Is(err, ErrHeld) {
		t.Errorf("a coordinator without its claim follows: %v", err)
	}
}

func TestAnotherVersionIsRefused(t *testing.T) {
	t.Parallel()
	s := serve(t)
	var notes sync.Map
	o := s.options("coordinator")
	o.Note = func(line string) { notes.Store(line, true) }
	b := openBatch(t, connect(t, o), "b1")
	f := newFolder(t, b)
	f.publish(t.Context(), taskOf("b1", 1))
	following := make(chan struct{})
	go func() { defer close(following); f.follow(t.Context()) }()
	time.Sleep(100 * time.Millisecond)
	err := s.connect("old").Work(t.Context(), WorkOptions{Jobs: 2, Name: "old", Version: "v0"}, func(context.Context, *Lease) error {
		t.Error("a worker of another version held the session")
		return nil
	})
	var version *VersionError
	if !errors.As(err, &version) || version.Worker != "v0" || version.Coordinator != "v1" {
		t.Errorf("a worker of another version: %v", err)
	}
	work(t, s.connect("new"), 1, session(2, nil))
	<-following
	f.check(2)
	found := false
	notes.Range(func(line, _ any) bool {
		found = found || strings.Contains(line.(string), "v0") && strings.Contains(line.(string), "v1")
		return true
	})
	if !found {
		t.Error("the coordinator was not told")
	}
}

// foreign starts a server as somebody else would run it.
func foreign(t *testing.T, change func(*server.Options)) string {
	t.Helper()
	options := &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true}
	change(options)
	s, err := server.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return "nats://" + s.Addr().String()
}

func TestServerWithoutJetStream(t *testing.T) {
	t.Parallel()
	url := foreign(t, func(o *server.Options) { o.JetStream = false })
	if _, err := Connect(t.Context(), Options{URL: url}); !errors.Is(err, ErrNoJetStream) {
		t.Errorf("got %v", err)
	}
}

// TestLargeUnits sends units that are larger than a message of the server, with faults between their pieces.
func TestLargeUnits(t *testing.T) {
	t.Parallel()
	url := foreign(t, func(o *server.Options) { o.MaxPayload = 64 << 10 })
	q := connect(t, Options{URL: url, Name: "test"})
	b := openBatch(t, q, "b1")
	task := taskOf("b1", 1)
	large := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	if err := b.Publish(t.Context(), task, [][]byte{large, []byte("small")}); err != nil {
		t.Fatal(err)
	}
	l, done := lease(t, q)
	if len(l.Units) != 2 || !bytes.Equal(l.Units[0], large) {
		t.Fatalf("the worker got %d units", len(l.Units))
	}
	// It dies between the pieces of its unit.
	h := header{Kind: part, Index: 2, ID: nonce(), Chain: first("x").String()}
	for h.Part = range 2 {
		if err := l.to.store(t.Context(), h, large[:1000]); err != nil {
			t.Fatal(err)
		}
	}
	done()
	l, _ = lease(t, connect(t, Options{URL: url, Name: "next"}))
	if len(l.Units) != 2 {
		t.Fatalf("the next worker got %d units", len(l.Units))
	}
	if err := errors.Join(l.Append(t.Context(), large), l.Append(t.Context(), nil), l.End(t.Context(), large)); err != nil {
		t.Fatal(err)
	}
	var got [][]byte
	stop := errors.New("stop")
	err := b.Follow(t.Context(), func(e Event) error {
		got = append(got, e.Data)
		if e.Kind == End {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || len(got) != 5 || !bytes.Equal(got[0], large) || !bytes.Equal(got[2], large) || !bytes.Equal(got[4], large) {
		t.Errorf("%d events arrived, %v", len(got), err)
	}
}

// TestHostileMessages publishes what no coordinator or worker of ours writes.
func TestHostileMessages(t *testing.T) {
	t.Parallel()
	s := serve(t)
	q := s.connect("coordinator")
	b := openBatch(t, q, "b1")
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 6)...)
	item := func(text string) string { return strings.ReplaceAll(text, "'", `"`) }
	for subject, text := range map[string]string{
		"moot.items.b1.00000001.0":  item(`{'generation':'x'}`),
		"moot.items.b1.ffffffff.0":  item(`{'generation':'` + nonce() + `','batch':'b1','item':'00000002','attempt':0,'version':'v1','payload':{},'material':[]}`),
		"moot.items.b1.eeeeeeee.0":  item(`{'generation':'` + nonce() + `','batch':'b1','item':'eeeeeeee','attempt':0,'version':'v1','payload':{},'material':['../../x']}`),
		"moot.items.b1.dddddddd.0":  item(`{'generation':'` + nonce() + `','batch':'b1','item':'dddddddd','attempt':0,'version':'v1','payload':{},'material':[],'more':1}`),
		"moot.items.B.x":            "",
		"moot.items.b1.cccccccc.-1": "{}",
		"moot.units.b1.00000003.0":  "no header",
		"moot.units.b1.00000004.00": "another name",
		"moot.units.b1.zz.0":        "no digest",
	} {
		if err := q.conn.Publish(subject, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for subject, h := range map[string]header{
		"moot.units.b1.00000005.0": {Kind: unit, Index: 7, ID: nonce()},
		"moot.units.b1.00000002.0": {Kind: "new", ID: "x"},
		"moot.units.b1.bbbbbbbb.0": {Kind: begin},
	} {
		message, err := h.message(subject, []byte("hostile"))
		if err != nil {
			t.Fatal(err)
		}
		if err := q.conn.PublishMsg(message); err != nil {
			t.Fatal(err)
		}
	}
	work(t, s.connect("one"), 2, session(3, nil))
	f.follow(t.Context())
	f.check(3)
}

func TestMaterial(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	text := bytes.Repeat([]byte("text "), 100_000)
	sum := sha256.Sum256(text)
	digest := hex.EncodeToString(sum[:])
	for range 2 {
		if err := b.Material(t.Context(), digest, text); err != nil {
			t.Fatal(err)
		}
	}
	task := taskOf("b1", 1)
	task.Material = []string{digest}
	if err := b.Publish(t.Context(), task, nil); err != nil {
		t.Fatal(err)
	}
	l, _ := lease(t, s.connect("one"))
	if got, err := l.Material(t.Context(), digest); err != nil || !bytes.Equal(got, text) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if _, err := l.Material(t.Context(), strings.Repeat("0", 64)); err == nil {
		t.Error("a text that the task does not name was read")
	}
	// Somebody replaced it.
	store, err := b.q.js.ObjectStore(t.Context(), materialBucket("b1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.PutBytes(t.Context(), digest, []byte("other")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Material(t.Context(), digest); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a text with another digest was read: %v", err)
	}
	// The coordinator hears of it, and sends the text again.
	stop := errors.New("stop")
	err = b.Follow(t.Context(), func(e Event) error {
		if e.Kind != Lost || e.Key != task.Key {
			t.Errorf("got %+v", e)
		}
		return stop
	})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if err := errors.Join(b.Material(t.Context(), digest, text), b.Publish(t.Context(), task, nil)); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), []byte("x")); !errors.Is(err, ErrFenced) {
		t.Errorf("the worker that could not read the text appended: %v", err)
	}
	l, _ = lease(t, s.connect("two"))
	if got, err := l.Material(t.Context(), digest); err != nil || !bytes.Equal(got, text) {
		t.Errorf("after the text was sent again: got %d bytes, %v", len(got), err)
	}
	if err := b.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), []byte("x")); !errors.Is(err, ErrFenced) {
		t.Errorf("a worker appended to a removed batch: %v", err)
	}
}

// TestNewCoordinatorContinues closes a coordinator in the middle and continues with another one, with and without its
// files: running workers are not disturbed.
func TestNewCoordinatorContinues(t *testing.T) {
	t.Parallel()
	s := serve(t)
	q := s.connect("first")
	b := openBatch(t, q, "b1")
	var fenced atomic.Int32
	do := session(5, slow(60*time.Millisecond))
	work(t, s.connect("one"), 4, func(ctx context.Context, l *Lease) error {
		err := do(ctx, l)
		if errors.Is(err, ErrFenced) {
			fenced.Add(1)
		}
		return err
	})
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 16)...)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_ = b.Follow(ctx, func(e Event) error { return f.on(ctx, e) })
	b.Close()
	q.Close()
	f.b = openBatch(t, s.connect("second"), "b1")
	f.publish(t.Context(), tasks("b1", 16)...)
	f.follow(t.Context())
	f.check(5)
	if n := fenced.Load(); n > 0 {
		t.Errorf("%d running workers were fenced for nothing", n)
	}
}

func TestServeTwiceAndDamage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	if _, err := Serve(t.Context(), ServerOptions{Addr: "127.0.0.1:0", Token: testToken, Dir: s.dir}); !errors.Is(err, ErrServing) {
		t.Errorf("a second server on the folder: %v", err)
	}
	if _, err := Serve(t.Context(), ServerOptions{Addr: strings.TrimPrefix(s.Local, "nats://"), Token: testToken, Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("a second server on the address: %v", err)
	}
	if _, err := Serve(t.Context(), ServerOptions{Addr: "127.0.0.1:0", Token: "short", Dir: t.TempDir()}); err == nil {
		t.Error("a short token was taken")
	}
	pin := s.Pin
	s.restart(func() {
		info, err := os.Stat(filepath.Join(s.dir, "certificate.pem"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the certificate: %v, %v", info.Mode(), err)
		}
	})
	if s.Pin != pin {
		t.Error("the pin changed at a restart")
	}
	s.Close()
	if err := os.WriteFile(filepath.Join(s.dir, "certificate.pem"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Serve(t.Context(), ServerOptions{Addr: "127.0.0.1:0", Token: testToken, Dir: s.dir}); err == nil || !strings.Contains(err.Error(), "delete the file") {
		t.Errorf("a damaged certificate: %v", err)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	s := serve(t)
	h, err := s.connect("doctor").Check(t.Context())
	if err != nil || h.Version != server.VERSION || h.TLS != "TLS 1.3" || !h.ClockKnown || h.Writable != nil || h.MaxPayload != serverPayload {
		t.Errorf("got %+v, %v", h, err)
	}
	if h.Ahead.Abs() > 5*time.Second {
		t.Errorf("the clock of this process is %s ahead of itself", h.Ahead)
	}
}

// TestForeignStream finds streams that would lose sessions.
func TestForeignStream(t *testing.T) {
	t.Parallel()
	url := foreign(t, func(*server.Options) {})
	q := connect(t, Options{URL: url})
	js, err := q.conn.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.AddStream(&nats.StreamConfig{Name: "MOOT-UNITS-b1", Subjects: []string{"moot.units.b1.>"}, MaxAge: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Open(t.Context(), BatchOptions{ID: "b1"}); err == nil || !strings.Contains(err.Error(), "by age") {
		t.Errorf("got %v", err)
	}
}

func TestWorkers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	_, done := func() (*Lease, func()) {
		if err := b.Publish(t.Context(), taskOf("b1", 1), nil); err != nil {
			t.Fatal(err)
		}
		return lease(t, s.connect("one"))
	}()
	list, err := b.Workers(t.Context())
	for deadline := time.Now().Add(10 * time.Second); err == nil && len(list) == 0 && time.Now().Before(deadline); {
		// Its first sign of life may come after its first item.
		list, err = b.Workers(t.Context())
	}
	if err != nil || len(list) != 1 || list[0].Name != "one" || list[0].Version != "v1" || list[0].Jobs != 1 {
		t.Errorf("got %+v, %v", list, err)
	}
	done()
	if list, err = b.Workers(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("after the worker has ended: %+v, %v", list, err)
	}
}

// TestRandomFaults kills workers, the coordinator and the server, forgets, damages and stalls, at random moments.
func TestRandomFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	listener.Close()
	served := start(t, "JETSTREAM_TEST_SERVER="+dir+" "+addr)
	url, pin, _ := strings.Cut(<-served.said, " ")
	p := newProxy(t, url)
	kids := []*child{
		start(t, "JETSTREAM_TEST_WORKER="+url+" "+pin),
		start(t, "JETSTREAM_TEST_WORKER="+p.url()+" "+pin),
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second+time.Duration(*faults)*5*time.Second)
	defer cancel()
	// coordinate returns a new coordinator, whose queue may be away at the moment.
	coordinate := func() *Batch {
		for {
			q, err := Connect(ctx, Options{URL: url, Token: testToken, Pin: pin, Name: "coordinator", Timeout: 2 * time.Second, Ping: time.Second})
			if err == nil {
				t.Cleanup(q.Close)
				b, err := q.Open(ctx, BatchOptions{ID: "b1", Owner: "folder", AckWait: shortWait, Check: 300 * time.Millisecond})
				if err == nil {
					return b
				}
				q.Close()
			}
			if ctx.Err() != nil {
				t.Error(err)
				return nil
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	f := newFolder(t, coordinate())
	n := 10 + 6**faults
	f.publish(ctx, tasks("b1", min(n, 20))...)
	counts := map[string]int{}
	following, kill := context.WithCancel(ctx)
	killed, again := make(chan struct{}), make(chan struct{})
	restart := func(meanwhile func()) {
		served.kill()
		if meanwhile != nil {
			meanwhile()
		}
		served.again()
		<-served.said
	}
	var injecting sync.WaitGroup
	injecting.Go(func() {
		defer func() { close(again) }()
		for i := range *faults {
			next := min(n, 20+6*i)
			f.publish(ctx, tasks("b1", min(n, next+6))[next:]...)
			time.Sleep(rand.N(400 * time.Millisecond))
			switch kind := rand.IntN(12); {
			case kind < 4:
				counts["worker killed"]++
				k := kids[rand.IntN(2)]
				k.kill()
				k.again()
			case kind < 6:
				counts["server killed"]++
				restart(nil)
			case kind == 6:
				counts["server forgot two seconds"]++
				before := filepath.Join(t.TempDir(), fmt.Sprint(i))
				copyFolder(t, dir, before)
				time.Sleep(2 * time.Second)
				restart(func() {
					os.RemoveAll(filepath.Join(dir, "jetstream"))
					copyFolder(t, before, dir)
				})
				os.RemoveAll(before)
			case kind == 7:
				counts["byte flipped"]++
				restart(func() { flip(t, filepath.Join(dir, "jetstream")) })
			case kind == 8:
				counts["partition"]++
				p.stall()
				time.Sleep(time.Second + rand.N(2*time.Second))
				p.resume()
			case kind == 9:
				counts["queue deleted"]++
				restart(func() { os.RemoveAll(filepath.Join(dir, "jetstream")) })
			default:
				counts["coordinator killed"]++
				// Its process is gone: nothing is said to the server, and only the files are left.
				kill()
				<-killed
				close(f.b.lost)
				f.b.q.Close()
				following, kill = context.WithCancel(ctx) //nolint:fatcontext // made from ctx, not from the one before
				killed = make(chan struct{})
				f.b = coordinate()
				f.publish(ctx, tasks("b1", min(n, next+6))...)
				again <- struct{}{}
			}
		}
	})
	for more := true; more; {
		f.mutex.Lock()
		f.finish = nil
		f.mutex.Unlock()
		// This coordinator's own context: the injecting goroutine replaces it for the next one.
		now, stop := following, kill
		go func() {
			injecting.Wait()
			f.mutex.Lock()
			defer f.mutex.Unlock()
			f.finish = stop
			if f.left == 0 {
				stop()
			}
		}()
		err = f.b.Follow(now, func(e Event) error { return f.on(now, e) })
		close(killed)
		_, more = <-again
	}
	kill()
	if f.left > 0 {
		f.report()
		t.Fatalf("%d of %d sessions have no end: %v", f.left, len(f.files), err)
	}
	f.check(5)
	t.Logf("%d sessions, %d published again, faults: %v", len(f.files), f.again, counts)
}

// TestUnitsWhileASessionIsLost appends units after the session was reported as lost, and publishes it only then: all
// units arrive, in order.
func TestUnitsWhileASessionIsLost(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	task := taskOf("b1", 1)
	if err := b.Publish(t.Context(), task, nil); err != nil {
		t.Fatal(err)
	}
	l, _ := lease(t, s.connect("one"))
	units := []string{"a", "b", "c", "d"}
	if err := l.Append(t.Context(), []byte(units[0])); err != nil {
		t.Fatal(err)
	}
	if err := b.purge(t.Context(), itemsStream, itemSubject("b1", task.Key)); err != nil {
		t.Fatal(err)
	}
	var got []string
	lost, ended, rest := make(chan struct{}), errors.New("ended"), make(chan error, 1)
	go func() {
		<-lost
		err := errors.Join(l.Append(t.Context(), []byte(units[1])), l.Append(t.Context(), []byte(units[2])))
		for seen := 0; seen < 3 && err == nil; time.Sleep(5 * time.Millisecond) {
			b.mutex.Lock()
			if r := b.records[task.Key]; r != nil {
				seen = r.units()
			}
			b.mutex.Unlock()
			err = t.Context().Err()
		}
		rest <- errors.Join(err, b.Publish(t.Context(), task, [][]byte{[]byte(units[0])}),
			l.Append(t.Context(), []byte(units[3])), l.End(t.Context(), nil))
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	reported := 0
	err := b.Follow(ctx, func(e Event) error {
		switch e.Kind {
		case Unit:
			if e.Index > len(got) {
				t.Errorf("unit %d came after %d units", e.Index, len(got))
			}
			got = append(got[:min(e.Index, len(got))], string(e.Data))
		case Lost:
			if reported++; reported == 1 {
				close(lost)
			}
		case End:
			return ended
		case Withdrawn:
		}
		return nil
	})
	if !errors.Is(err, ended) || !slices.Equal(got, units) || reported != 1 {
		t.Errorf("got %q, lost %d times, %v", got, reported, err)
	}
	if err := <-rest; err != nil {
		t.Error(err)
	}
}

// TestForgottenDone brings a store back in which sessions are not deleted yet.
func TestForgottenDone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := openBatch(t, s.connect("coordinator"), "b1")
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 4)...)
	before := t.TempDir()
	copyFolder(t, s.dir, before)
	work(t, s.connect("one"), 2, session(3, nil))
	f.follow(t.Context())
	s.restart(func() {
		os.RemoveAll(filepath.Join(s.dir, "jetstream"))
		copyFolder(t, before, s.dir)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	following := make(chan error, 1)
	go func() {
		following <- b.Follow(ctx, func(e Event) error {
			t.Errorf("got %+v of a session that is done", e)
			return nil
		})
	}()
	for {
		// Nothing is left, neither of the sessions nor of the items.
		if info, err := b.snapshot(ctx); err == nil && info.messages == 0 && info.allItems == 0 {
			break
		}
		if ctx.Err() != nil {
			t.Fatal("the sessions were not deleted again")
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	<-following
}
