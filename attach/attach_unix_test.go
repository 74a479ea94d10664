//go:build unix

package attach

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/protocol/run"
	"moot/state"
)

// hangs is how long a test waits before it fails.
const hangs = 30 * time.Second

// fake is a session whose acts only leave a trace. Overrides are carried out.
type fake struct {
	host  *Host
	mutex sync.Mutex
	state *state.State
	acts  chan string
}

func (f *fake) act(format string, args ...any)  { f.acts <- fmt.Sprintf(format, args...) }
func (f *fake) Step(context.Context)            { f.act("step") }
func (f *fake) StepRound(context.Context)       { f.act("round") }
func (f *fake) Auto(_ context.Context, on bool) { f.act("auto %v", on) }
func (f *fake) CancelCall(context.Context)      { f.act("cancel") }
func (f *fake) EditPrompt(_ context.Context, seat state.Seat, text string) {
	f.act("edit %s %s", seat, text)
}

func (f *fake) Preview(context.Context) map[state.Seat]protocol.Prompt {
	return map[state.Seat]protocol.Prompt{state.Consultee: {System: "system", Text: "<text> & more"}}
}

func (f *fake) Replace(_ context.Context, seat state.Seat, p protocol.Participant) error {
	f.act("replace %s %s", seat, p.Name())
	return nil
}

func (f *fake) Pause(context.Context) error { f.act("pause"); return nil }

func (f *fake) Override(_ context.Context, move protocol.UserMove) error {
	f.mutex.Lock()
	payloads, err := protocol.AdmitUser(f.state, move)
	f.mutex.Unlock()
	if err == nil {
		f.record(payloads...)
	}
	return err
}

func (f *fake) record(payloads ...state.Payload) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var events []state.Event
	for _, p := range payloads {
		e := state.Event{Seq: f.state.Seq + 1, At: time.Unix(0, 0).UTC(), Data: p}
		next, err := state.Apply(f.state, e)
		if err != nil {
			panic(err)
		}
		f.state, events = next, append(events, e)
	}
	f.host.Watch(run.Advanced(events, f.state))
}

// start runs a session that listens in a folder of its own.
func start(t testing.TB, o Options) (*fake, string) {
	t.Helper()
	folder, err := os.MkdirTemp("", "moot") //nolint:usetesting // the names of t.TempDir are too long for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	f := fakeSession(o)
	if err := f.host.Listen([]string{folder}, f); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.host.Close)
	return f, filepath.Join(folder, "k3f9"+extension)
}

func fakeSession(o Options) *fake {
	f := &fake{state: &state.State{}, acts: make(chan string, 100)}
	o.State = f.state
	o.Seat = func(_ state.Seat, name string) (protocol.Participant, error) { return other{name: name}, nil }
	f.host = New(o)
	f.record(&state.SessionOpened{
		Rules: formats.ByName(consult.Name), Version: state.Version, ID: "k3f9", Question: "Is <it> safe?",
		Settings: state.Settings{Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeStandard},
	})
	f.host.session = f
	return f
}

type other struct {
	protocol.Participant
	name string
}

func (o other) Name() string { return o.name }

// joined is a client with the notices that it received.
type joined struct {
	*Client
	t       testing.TB
	notices chan protocol.Notice
	over    chan error
}

func join(t testing.TB, path string, mode Mode) *joined {
	t.Helper()
	c, err := Dial(t.Context(), path, mode, rules()...)
	if err != nil {
		t.Fatal(err)
	}
	j := &joined{Client: c, t: t, notices: make(chan protocol.Notice, 100000), over: make(chan error, 1)}
	c.Notify = func(n protocol.Notice) { j.notices <- n }
	go func() { j.over <- c.Run(t.Context()) }()
	t.Cleanup(func() { c.Leave(t.Context()) })
	return j
}

func rules() []state.Rules {
	var list []state.Rules
	for _, f := range formats.All() {
		list = append(list, f)
	}
	return list
}

// next waits for a notice of a type.
func next[T any](j *joined) T {
	j.t.Helper()
	timeout := time.After(hangs)
	for {
		select {
		case n := <-j.notices:
			if wanted, ok := n.(T); ok {
				return wanted
			}
		case <-timeout:
			var wanted T
			j.t.Fatalf("no %T arrives", wanted)
		}
	}
}

func (f *fake) did(t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-f.acts:
		if got != want {
			t.Errorf("the session did %q, want %q", got, want)
		}
	case <-time.After(hangs):
		t.Fatalf("the session doesn't do %q", want)
	}
}

// Two join, one of them late. Each sees what is streamed and what the other does.
func TestJoin(t *testing.T) {
	f, path := start(t, Options{Saved: true})
	first := join(t, path, Join)
	if len(first.Events) != 1 || first.State.Question != "Is <it> safe?" || !first.Saved {
		t.Errorf("joined %+v with %d events", first.Hello, len(first.Events))
	}
	f.host.Watch(protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose}, Participant: "script"})
	f.host.Watch(protocol.Streamed{Seat: state.Consultee, Text: "I begin "})
	if n := next[protocol.Streamed](first); n.Text != "I begin " {
		t.Errorf("streamed %q", n.Text)
	}
	second := join(t, path, Join)
	if n := next[protocol.CallStarted](second); n.Participant != "script" || n.Ask.Stage != state.StagePropose {
		t.Errorf("the one who is late sees the call %+v", n)
	}
	if n := next[protocol.Streamed](second); n.Text != "I begin " {
		t.Errorf("the one who is late sees the reply %q", n.Text)
	}
	ctx := t.Context()
	if err := second.Override(ctx, protocol.RecordFact{Text: "writes are idempotent"}); err != nil {
		t.Fatal(err)
	}
	for _, j := range []*joined{first, second} {
		n := next[protocol.Advanced](j)
		if fact := n.State.Fact("F1"); fact == nil || fact.Text != "writes are idempotent" {
			t.Errorf("the state after the override has the fact %v", fact)
		}
	}
	if err := first.Override(ctx, claims.RuleOn{Point: "P9", What: state.OverrideAgree}); err == nil || !strings.Contains(err.Error(), "P9") {
		t.Errorf("a ruling on an unknown point: %v", err)
	}
	if p := first.Preview(ctx)[state.Consultee]; p.Text != "<text> & more" {
		t.Errorf("preview %+v", p)
	}
	first.Step(ctx)
	f.did(t, "step")
	first.StepRound(ctx)
	f.did(t, "round")
	first.CancelCall(ctx)
	f.did(t, "cancel")
	first.Auto(ctx, true)
	f.did(t, "auto true")
	first.EditPrompt(ctx, state.Consultee, "say yes")
	f.did(t, "edit consultee say yes")
	if err := first.Replace(ctx, state.Consultee, other{name: "rules"}); err != nil {
		t.Error(err)
	}
	f.did(t, "replace consultee rules")

	first.Leave(ctx)
	if err := <-first.over; !errors.Is(err, protocol.ErrStopped) || !first.Left() {
		t.Errorf("leaving: %v", err)
	}
	f.host.Watch(protocol.CallEnded{Seat: state.Consultee, Err: errors.New("cut off")})
	if n := next[protocol.CallEnded](second); n.Err == nil || n.Err.Error() != "cut off" {
		t.Errorf("call ended with %v", n.Err)
	}
	f.host.Watch(protocol.Ended{Err: errors.New("the disk is full")})
	f.host.Close()
	if n := next[protocol.Ended](second); n.Err == nil || n.Err.Error() != "the disk is full" || n.State.Seq != 2 {
		t.Errorf("ended with %v after event %d", n.Err, n.State.Seq)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}

// An observer that joins late gets what the session does now. A session is paused by its process, or waits on its own screen.
func TestPresentAndPause(t *testing.T) {
	for _, front := range []bool{false, true} {
		f, path := start(t, Options{Saved: true, Front: front})
		f.host.Watch(protocol.CallStarted{
			Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose}, Participant: "script",
		})
		f.host.Watch(protocol.Streamed{Seat: state.Consultee, Text: "I begin "})
		c, err := Dial(t.Context(), path, Join, rules()...)
		if err != nil {
			t.Fatal(err)
		}
		f.host.Watch(protocol.Streamed{Seat: state.Consultee, Text: "later"})
		present, err := c.Present(t.Context())
		if err != nil || len(present) != 2 {
			t.Fatalf("%d notices, %v", len(present), err)
		}
		started, is := present[0].(protocol.CallStarted)
		if text, streams := present[1].(protocol.Streamed); !is || started.Participant != "script" || !streams || text.Text != "I begin " {
			t.Errorf("the present is %+v", present)
		}
		later := make(chan protocol.Notice, 10)
		c.Notify = func(n protocol.Notice) { later <- n }
		go func() { _ = c.Run(t.Context()) }()
		if n, is := (<-later).(protocol.Streamed); !is || n.Text != "later" {
			t.Errorf("after the present comes %+v", n)
		}
		stays, err := c.Pause(t.Context())
		if err != nil || stays != front {
			t.Errorf("paused: stays %v, %v", stays, err)
		}
		f.did(t, map[bool]string{false: "pause", true: "auto false"}[front])
		c.Leave(t.Context())
	}
}

// A headless session that someone paused runs on when they leave.
func TestLeaveAlone(t *testing.T) {
	f, path := start(t, Options{Alone: true})
	watcher, j := join(t, path, Watch), join(t, path, Join)
	f.host.Watch(protocol.Stepping{On: true})
	next[protocol.Stepping](j)
	j.Leave(t.Context())
	f.did(t, "auto true")
	watcher.Leave(t.Context())
	f.host.Close()
	if len(f.acts) > 0 {
		t.Errorf("one who only watched leaves, and the session does %q", <-f.acts)
	}
}

// Bad input is answered with an error, and the session continues.
func TestBadInput(t *testing.T) {
	f, path := start(t, Options{})
	hello := `{"kind":"hello","id":0,"data":{"version":4,"mode":"join"}}` + "\n"
	for name, test := range map[string]struct{ send, want string }{
		"nothing":       {"\n", "must be a hello"},
		"not JSON":      {"GET / HTTP/1.1\r\n\r\n", "must be a hello"},
		"act first":     {`{"kind":"step","id":1}` + "\n", "must be a hello"},
		"version":       {`{"kind":"hello","data":{"version":1,"mode":"join"}}` + "\n", "another version of moot"},
		"mode":          {`{"kind":"hello","data":{"version":4,"mode":"own"}}` + "\n", `unknown mode \"own\"`},
		"garbage":       {hello + "\x00\xff\n", "not valid"},
		"two values":    {hello + `{"kind":"step"} {}` + "\n", "not valid"},
		"unknown act":   {hello + `{"kind":"rm","id":7}` + "\n", `unknown act \"rm\"`},
		"unknown field": {hello + `{"kind":"step","id":7,"force":true}` + "\n", "not valid"},
		"unknown move":  {hello + `{"kind":"override","id":7,"data":{"kind":"Format","move":{}}}` + "\n", `\"Format\" is not known`},
		"odd move":      {hello + `{"kind":"override","id":7,"data":{"kind":"RuleOn","move":[1]}}` + "\n", "RuleOn"},
		"no move":       {hello + `{"kind":"override","id":7}` + "\n", "EOF"},
		"watching":      {strings.Replace(hello, "join", "watch", 1) + `{"kind":"step","id":7}` + "\n", "you only watch"},
		"long line":     {hello + `{"kind":"` + strings.Repeat("x", maxAct), "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(hangs))
			go func() { _, _ = conn.Write([]byte(test.send)) }()
			lines := bufio.NewScanner(conn)
			for lines.Scan() {
				if strings.Contains(lines.Text(), test.want) {
					return
				}
			}
			t.Errorf("no answer contains %q: %v", test.want, lines.Err())
		})
	}
	j := join(t, path, Join)
	j.Step(t.Context())
	f.did(t, "step")
	if err := j.Override(t.Context(), protocol.RecordFact{Text: strings.Repeat("x", maxAct)}); err == nil {
		t.Error("an act over the limit is sent")
	}
}

// One who stops reading is dropped, and never slows the session.
func TestSlowObserver(t *testing.T) {
	f, path := start(t, Options{})
	c, err := Dial(t.Context(), path, Join, rules()...)
	if err != nil {
		t.Fatal(err)
	}
	piece := protocol.Streamed{Seat: state.Consultee, Text: strings.Repeat("x", 1<<16)}
	present := func() int {
		f.host.mutex.Lock()
		defer f.host.mutex.Unlock()
		return len(f.host.observers)
	}
	for sent := 0; present() > 0; sent += len(piece.Text) {
		if sent > 4*maxQueue {
			t.Fatal("it isn't dropped")
		}
		f.host.Watch(piece)
	}
	c.Notify = func(protocol.Notice) {}
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "moot attach k3f9") {
		t.Errorf("the one who was dropped is told %v", err)
	}
}

// The socket of a dead process is removed, and its observers report how to continue.
// A process that was stopped still has its socket, and the system takes connections for it.
func TestAStoppedProcessIsNamedAsSilent(t *testing.T) {
	t.Parallel()
	listener, path, err := listen(t.TempDir(), "s")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, err = dial(t.Context(), path, Watch, time.Millisecond, formats.Rules()...)
	if !errors.Is(err, errSilent) {
		t.Errorf("got %v", err)
	}
}

func TestDeath(t *testing.T) {
	f, path := start(t, Options{Saved: true})
	j := join(t, path, Join)
	if list, err := List(t.Context(), []string{filepath.Dir(path)}); err != nil || len(list) != 1 || list[0].ID != "k3f9" {
		t.Fatalf("list: %+v, %v", list, err)
	}
	// As a kill would, close the sockets only.
	_ = f.host.listener.Close()
	f.host.mutex.Lock()
	for _, o := range f.host.observers {
		_ = o.conn.Close()
	}
	f.host.mutex.Unlock()
	if err := <-j.over; err == nil || !strings.Contains(err.Error(), "moot resume k3f9") {
		t.Errorf("told %v", err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "notes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	_ = dead.Close()
	if list, err := List(t.Context(), []string{filepath.Dir(path)}); err != nil || len(list) != 0 {
		t.Errorf("list: %+v, %v", list, err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}

// Folders that others can write to are refused; a second folder takes their place.
func TestFolders(t *testing.T) {
	f, path := start(t, Options{})
	folder := filepath.Dir(path)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket has mode %v, %v", info.Mode(), err)
	}
	open := filepath.Join(folder, "open")
	if err := errors.Join(os.Mkdir(open, 0o700), os.Chmod(open, 0o777)); err != nil {
		t.Fatal(err)
	}
	if _, err := List(t.Context(), []string{open}); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("an open folder: %v", err)
	}
	again := New(Options{State: f.state})
	defer again.Close()
	if err := again.Listen([]string{open, filepath.Join(folder, "b")}, f); err != nil || again.path != filepath.Join(folder, "b", "k3f9.sock") {
		t.Errorf("listens at %s, %v", again.path, err)
	}
	if os.Getuid() == 0 {
		theirs := filepath.Join(folder, "theirs")
		if err := errors.Join(os.Mkdir(theirs, 0o700), os.Chown(theirs, 12345, 12345)); err != nil {
			t.Fatal(err)
		}
		if _, err := List(t.Context(), []string{theirs}); err == nil || !strings.Contains(err.Error(), "another user") {
			t.Errorf("a folder of another user: %v", err)
		}
	}
}

// Every move of the user can be sent.
func TestMoves(t *testing.T) {
	known := map[string]bool{}
	for _, f := range formats.All() {
		for _, m := range moves(&state.State{Rules: f}) {
			known[nameOf(m)] = true
		}
	}
	found := 0
	for _, name := range []string{"protocol/user.go", "protocol/claims/user.go", "protocol/dialectic/admit.go", "protocol/panel/admit.go", "protocol/hearing/overrides.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			choice, ok := n.(*ast.TypeSwitchStmt)
			if !ok {
				return true
			}
			assign, ok := choice.Assign.(*ast.AssignStmt)
			if !ok || assign.Rhs[0].(*ast.TypeAssertExpr).X.(*ast.Ident).Name != "move" {
				return true
			}
			for _, clause := range choice.Body.List {
				for _, kind := range clause.(*ast.CaseClause).List {
					name := fmt.Sprint(kind)
					if selector, ok := kind.(*ast.SelectorExpr); ok {
						name = selector.Sel.Name
					}
					if found++; !known[name] {
						t.Errorf("%s cannot be sent", name)
					}
				}
			}
			return true
		})
	}
	if found < len(known) {
		t.Errorf("found %d cases for %d moves: the test looks in the wrong place", found, len(known))
	}
}

// FuzzHost sends bytes to a host, which neither fails nor hangs.
func FuzzHost(f *testing.F) {
	hello := `{"kind":"hello","data":{"version":4,"mode":"join"}}` + "\n"
	f.Add(hello + `{"kind":"override","id":1,"data":{"kind":"RecordFact","move":{"Text":"x"}}}` + "\n")
	f.Add(hello + `{"kind":"auto","id":1,"data":true}` + "\n" + `{"kind":"edit-prompt","data":{"seat":"consultee","text":""}}`)
	f.Add(`{"kind":"hello","data":{"version":4,"mode":"ask"}}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		session := fakeSession(Options{})
		session.acts = make(chan string, len(text)+1)
		ours, theirs := net.Pipe()
		go func() {
			_, _ = ours.Write([]byte(text))
			_ = ours.SetReadDeadline(time.Now())
			_ = ours.Close()
		}()
		session.host.group.Go(func() {
			defer theirs.Close()
			session.host.serve(theirs)
		})
		drained := bufio.NewScanner(ours)
		for drained.Scan() {
		}
		session.host.group.Wait()
		session.host.Close()
	})
}

// FuzzClient sends bytes to a client.
func FuzzClient(f *testing.F) {
	hello := `{"kind":"hello","id":0,"data":{"version":4,"id":"k3f9","events":1}}` + "\n"
	session := fakeSession(Options{})
	opened, err := encodeEvent(session.host.events[0], 0)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(hello + string(opened) + `{"kind":"Streamed","data":{"Seat":"consultee","Text":"x"}}` + "\n")
	f.Add(hello + string(opened) + `{"kind":"ended","data":{"stopped":true}}` + "\n")
	f.Add(hello + string(opened) + `{"kind":"result","id":1,"data":{"error":"no"}}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		ours, theirs := net.Pipe()
		go func() {
			_, _ = ours.Read(make([]byte, 1000))
			_, _ = ours.Write([]byte(text))
			_ = ours.Close()
		}()
		defer theirs.Close()
		c := newClient(theirs, filepath.Join(t.TempDir(), "none"), rules()...)
		if c.greet(Join, patience) != nil {
			return
		}
		c.Notify = func(protocol.Notice) {}
		if err := c.Run(t.Context()); err == nil && !strings.Contains(text, "ended") {
			t.Error("a connection that ends is taken for the end of the session")
		}
	})
}

// BenchmarkFollow measures how many pieces of a stream reach an observer per second.
func BenchmarkFollow(b *testing.B) {
	f, path := start(b, Options{})
	j := join(b, path, Join)
	for b.Loop() {
		f.host.Watch(protocol.Streamed{Seat: state.Consultee, Text: "token "})
		<-j.notices
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}
