package batch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/queue"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// many is a batch of n items, most of which have ended, with a hundred that run.
func many(n int) *queue.Snapshot {
	now := time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)
	s := &queue.Snapshot{At: now, Name: "services", Held: true, Counts: map[queue.State]int{}, Rows: make([]queue.Row, n)}
	s.Live = &queue.Live{At: now, Began: now.Add(-time.Hour), Jobs: 100, Ended: n / 2, Left: n / 2}
	running := min(100, n/10)
	for i := range n - running {
		s.Rows[i] = queue.Row{
			Item: &queue.Item{
				Digest: fmt.Sprintf("%064d", i), IDs: []string{fmt.Sprintf("service-%05d", i)}, Title: strings.Repeat("Is it safe to retry? ", 20),
			},
			State: queue.StateWaiting,
		}
		if i < n/2 {
			outcome := queue.Outcomes()[i%5]
			s.Rows[i].State, s.Rows[i].Session = queue.State(outcome), fmt.Sprintf("20261121-150000-%05d", i)
			s.Rows[i].Result = queue.Result{
				Outcome: outcome, Answer: strings.Repeat("It is safe to retry, since writes carry a key. ", 8), Usage: state.Usage{Calls: 9, PromptTokens: 9000},
				Ended: now,
			}
		}
	}
	for i := n - running; i < n; i++ {
		id := fmt.Sprintf("service-%05d", i)
		s.Live.Sessions = append(s.Live.Sessions, queue.Running{Item: id, Since: now, Pulse: queue.Pulse{Session: "20261121-" + id, Round: 2, Doing: "consultee"}})
		s.Rows[i] = queue.Row{Item: &queue.Item{Digest: id, IDs: []string{id}}, State: queue.StateRunning, Session: "20261121-" + id}
	}
	for i := range s.Live.Sessions {
		s.Rows[n-running+i].Live = &s.Live.Sessions[i]
	}
	for i := range s.Rows {
		s.Counts[s.Rows[i].State]++
	}
	return s
}

// What is prepared from an earlier snapshot is the same as what is prepared anew.
func TestPrepareSeesWhatChanged(t *testing.T) {
	s := many(60)
	before := Prepare(s, nil)
	next := *s
	next.Rows = slices.Clone(s.Rows)
	next.Rows[3].Result.Ended, next.Rows[3].Result.Answer = s.At.Add(time.Minute), "It is not."
	next.Rows[50].State, next.Rows[50].Result = queue.State(queue.Failure), queue.Result{Outcome: queue.Failure, Reason: "no disk"}
	next.Live.Sessions[0].Doing = "orchestrator"
	after, anew := Prepare(&next, before), Prepare(&next, nil)
	if !slices.Equal(after.lines, anew.lines) || !slices.Equal(after.words, anew.words) || after.unended != anew.unended || after.idWidth != anew.idWidth {
		t.Errorf("with an earlier one it is\n%v\nnot\n%v", after.lines, anew.lines)
	}
	if after.lines[3].about != "It is not." || after.lines[50].about != "no disk" || after.lines[54].about != "round 2, orchestrator" {
		t.Errorf("got %q %q %q", after.lines[3], after.lines[50], after.lines[54])
	}
}

// The bar is full only when every item has ended, and 100 % are not said before.
func TestBarIsTrue(t *testing.T) {
	p := New(theme.New(theme.Appearance{Mono: true}), "moot batch retry x")
	s := many(1000)
	for i := range s.Rows {
		s.Rows[i].Result.Outcome = queue.Concluded
	}
	s.Rows[0].Result.Outcome = ""
	p.SetData(Prepare(s, nil), nil)
	if text := ansi.Strip(p.bar(80)); strings.Contains(text, "100 %") || !strings.Contains(text, "999 of 1000 ended") {
		t.Errorf("got %q", text)
	}
	s.Rows[0].Result.Outcome = queue.Failure
	p.SetData(Prepare(s, nil), nil)
	if text := ansi.Strip(p.bar(80)); !strings.Contains(text, "100 %") || strings.Contains(text, "─") {
		t.Errorf("got %q", text)
	}
}

// Each segment of the bar has the color of an outcome, as long as its share.
func TestBarHasColors(t *testing.T) {
	l := theme.New(theme.Appearance{})
	p := New(l, "")
	s := &queue.Snapshot{Rows: make([]queue.Row, 10), Counts: map[queue.State]int{}}
	for i := range s.Rows {
		s.Rows[i].Item = &queue.Item{Digest: fmt.Sprintf("%064d", i)}
		if i < 4 {
			s.Rows[i].Result.Outcome = []queue.Outcome{queue.Concluded, queue.Concluded, queue.Failure, queue.Stopped}[i]
		}
	}
	p.SetData(Prepare(s, nil), nil)
	color := p.segments()
	for at, role := range map[float64]string{0: "agreed", 0.19: "agreed", 0.2: "dismissed", 0.3: "not-evaluated", 0.39: "not-evaluated"} {
		if got := color(0.4, at); got != l.Ink(role) {
			t.Errorf("at %.2f it is %v, not %s", at, got, role)
		}
	}
}

// BenchmarkPrepare is the work beside the screen, after a look.
func BenchmarkPrepare(b *testing.B) {
	s := many(10_000)
	before := Prepare(s, nil)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			Prepare(s, nil)
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			Prepare(s, before)
		}
	})
}

// BenchmarkFilter is a stroke of the filter among 10,000 items, and the frame after it.
func BenchmarkFilter(b *testing.B) {
	p := New(theme.New(theme.Appearance{}), "")
	p.SetData(Prepare(many(10_000), nil), nil)
	p.SetFocused(true)
	p.StartFilter()
	strokes := []tea.KeyPressMsg{{Code: 's', Text: "s"}, {Code: 'a', Text: "a"}, {Code: tea.KeyBackspace}, {Code: tea.KeyBackspace}}
	i := 0
	for b.Loop() {
		p.Type(strokes[i%len(strokes)])
		p.View(200, 50)
		i++
	}
}

// BenchmarkMove is a cursor key in the middle of 10,000 items, and the frame after it.
func BenchmarkMove(b *testing.B) {
	p := New(theme.New(theme.Appearance{}), "")
	p.SetData(Prepare(many(10_000), nil), nil)
	p.SetFocused(true)
	p.Choose(fmt.Sprintf("%064d", 5000))
	p.View(200, 50)
	keys := []pane.Motion{pane.MoveDown, pane.MovePageDown, pane.MoveUp, pane.MoveEnd, pane.MovePageUp, pane.MoveHome}
	i := 0
	for b.Loop() {
		p.Move(keys[i%len(keys)], 200, 50)
		p.View(200, 50)
		i++
	}
}

// BenchmarkShow is what the screen does with a new snapshot of 10,000 items.
func BenchmarkShow(b *testing.B) {
	p := New(theme.New(theme.Appearance{}), "")
	d := Prepare(many(10_000), nil)
	p.SetFocused(true)
	for b.Loop() {
		p.SetData(d, nil)
		p.Head(200, MaxHead)
		p.Running.View(200, 12)
		p.View(200, 40)
	}
}
