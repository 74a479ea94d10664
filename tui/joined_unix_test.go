//go:build unix

package tui

import (
	"os"
	"testing"

	tea "charm.land/bubbletea/v2"

	"moot/attach"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/protocol/run"
	"moot/state"
)

// hosted lets others join the session of options. It returns the path of its socket.
func hosted(t testing.TB, o *Options) func() *Opened {
	t.Helper()
	folder, err := os.MkdirTemp("", "moot") //nolint:usetesting // the names of t.TempDir are too long for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	host := attach.New(attach.Options{State: o.Opened.State, Events: o.Opened.Events, Saved: true, Stepping: true})
	start := o.Opened.Start
	o.Opened.Start = func(watch func(protocol.Notice)) (Session, error) {
		s, err := start(func(n protocol.Notice) { host.Watch(n); watch(n) })
		if err == nil {
			err = host.Listen([]string{folder}, s.(*run.Session))
		}
		return s, err
	}
	o.Opened.Close = host.Close
	t.Cleanup(host.Close)
	return func() *Opened { return joinIn(t, folder) }
}

func joinIn(t testing.TB, folder string) *Opened {
	t.Helper()
	list, err := attach.List(t.Context(), []string{folder})
	if err != nil || len(list) != 1 {
		t.Fatalf("running sessions: %v, %v", list, err)
	}
	var rules []state.Rules
	for _, f := range formats.All() {
		rules = append(rules, f)
	}
	c, err := attach.Dial(t.Context(), list[0].Path, attach.Join, rules...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Leave(t.Context()) })
	return &Opened{
		Start: func(watch func(protocol.Notice)) (Session, error) {
			c.Notify = watch
			return c, nil
		},
		State: c.State, Rulings: c.Rulings, Events: c.Events, Auto: !c.Stepping, Joined: true,
		ResumeCommand: "moot resume k3f9", Close: func() { c.Leave(t.Context()) },
	}
}

// A second screen joins a session: both show what either does. It leaves, and the session runs on.
func TestJoinedSession(t *testing.T) {
	e := newTerminal(t, 120, 36)
	o, _ := sessionOptions(e, &speaker{replies: replies()})
	join := hosted(t, &o)
	out := launch(t, o)
	e.shows("next: orchestrator to map")
	e.press(" ")
	e.shows("next: consultee to propose")

	second := newTerminal(t, 80, 24)
	o2, _ := sessionOptions(second, &speaker{})
	o2.Opened = join()
	out2 := launch(t, o2)
	second.shows("joined, step by step")
	second.shows("next: consultee to propose")
	second.press(" ")
	second.shows("The default is eight")
	e.shows("next: orchestrator to evaluate")
	second.press("F")
	second.shows("Record a fact")
	second.press("writes are idempotent\r")
	second.shows("recorded as a fact of the user")
	e.shows("writes are idempotent")
	e.press("8")
	e.shows("▸ 8 Buckets 2")
	e.press("\x1b[FA\r")
	e.shows("P2 is Agreed, by you")
	second.shows("P2  ruled Agreed")
	second.press("a")
	e.shows("closed: 2 agreed")
	second.shows("closed: 2 agreed")
	second.press("q")
	if l := gone(t, second, out2); l.err != nil || l.Left {
		t.Errorf("the second screen: %v, left %v", l.err, l.Left)
	}
	e.press("q")
	if l := gone(t, e, out); l.err != nil || l.Left {
		t.Errorf("the first screen: %v, left %v", l.err, l.Left)
	}
}

// One who joined leaves, and the session still runs. Another sees that its own user leaves.
func TestJoinedLeaves(t *testing.T) {
	e := newTerminal(t, 120, 36)
	o, _ := sessionOptions(e, &speaker{replies: replies()})
	join := hosted(t, &o)
	out := launch(t, o)
	e.shows("next: orchestrator to map")
	joins := func() (*terminal, <-chan left) {
		second := newTerminal(t, 80, 24)
		o, _ := sessionOptions(second, &speaker{})
		o.Opened = join()
		return second, launch(t, o)
	}
	second, left2 := joins()
	second.shows("next: orchestrator to map")
	second.press("q")
	gone(t, second, left2)
	e.press(" ")
	e.shows("next: consultee to propose")

	third, left3 := joins()
	third.shows("next: consultee to propose")
	e.press("q")
	gone(t, e, out)
	third.shows("moot resume k3f9")
	third.press("q")
	if l := gone(t, third, left3); l.err != nil || !l.Left {
		t.Errorf("%v, left %v", l.err, l.Left)
	}
}

// BenchmarkJoin measures joining a session of 11,000 events until the first frame. The target is 150 ms.
func BenchmarkJoin(b *testing.B) {
	r, _ := big(b)
	o := Options{Opened: &Opened{State: r.State, Events: r.Events, Start: func(func(protocol.Notice)) (Session, error) {
		return run.New(run.Options{State: r.State}), nil
	}}}
	join := hosted(b, &o)
	if _, err := o.Opened.Start(func(protocol.Notice) {}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		joined := join()
		m := newModel(Options{Opened: joined, Environ: []string{"TERM=xterm-256color"}, Now: protocoltest.RecordTime})
		m.Init()
		m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
		m.drawScreen()
		joined.Close()
	}
}
