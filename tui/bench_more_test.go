package tui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// Each main view with its busy session: what a delivery costs to take and to
// draw while it is the one that is looked at.
func BenchmarkViews(b *testing.B) {
	for p := PaneDebate; p.Main(); p++ {
		b.Run(p.String(), func(b *testing.B) {
			eachSize(b, func(b *testing.B, width, height int) {
				m, r, rulings := bigScreen(b, width, height)
				settle(m, m.act(showsPane(p)))
				timeFrames(b, m, messages(m, r, rulings))
			})
		})
	}
}

// settle does what an action leaves to be done outside, such as a large map.
func settle(m *Model, cmd tea.Cmd) {
	m.View()
	_, more := m.Update(nil)
	for _, c := range []tea.Cmd{cmd, more} {
		if c == nil {
			continue
		}
		if done, ok := c().(answer); ok {
			m.Update(done)
		}
	}
	m.View()
}

// tail is the 99th percentile in milliseconds.
func tail(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)*99/100].Nanoseconds()) / 1e6
}

// What a frame costs must not grow with what is not seen: the ratio of a
// session with 40,000 facts to one with 1,000.
func BenchmarkGrowth(b *testing.B) {
	screens := map[int]*Model{}
	for _, facts := range []int{1000, 40_000} {
		r := &recorder{t: b}
		r.add(opened(state.SeatAssignment{Seat: state.Consultee, Participant: "openai:gpt-5.2"}), &state.RoundStarted{Round: 1})
		for i := range facts {
			r.add(&state.FactRecorded{ID: fmt.Sprint("F", i+1), Tag: "user", Seat: state.User, Text: "a fact of this session"})
		}
		screens[facts] = screenOf(b, r, Options{}, 200, 60)
		tell(screens[facts], protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee}, At: demoTime})
	}
	took := map[int]time.Duration{}
	for b.Loop() {
		for facts, m := range screens {
			begin := time.Now()
			tell(m, protocol.Streamed{Seat: state.Consultee, Text: "more words "})
			typeKeys(m, "4 down")
			m.View()
			took[facts] += time.Since(begin)
		}
	}
	b.ReportMetric(float64(took[40_000])/float64(took[1000]), "ratio-40k/1k")
}

// The heap that the big session takes with all its views looked at.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		m, _, _ := bigScreen(b, 200, 60)
		for p := PaneDebate; p.Main(); p++ {
			settle(m, m.act(showsPane(p)))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "heap-MB")
		b.ReportMetric(float64(after.Sys)/(1<<20), "process-MB")
		runtime.KeepAlive(m)
	}
}

// painted notes when a screen was written that holds what is waited for.
type paintedAt struct {
	mutex sync.Mutex
	want  []byte
	seen  chan time.Time
}

func (w *paintedAt) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.want != nil && bytes.Contains(p, w.want) {
		w.want = nil
		w.seen <- time.Now()
	}
	return len(p), nil
}

func (w *paintedAt) expect(text string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.want = []byte(text)
}

// From a key's byte to the bytes of its frame, in the whole program, while a
// reply streams in at 1,000 tokens a second.
func BenchmarkKeyToPaint(b *testing.B) {
	r, rulings := big(b)
	input, keys := io.Pipe()
	out := &paintedAt{seen: make(chan time.Time, 1)}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	streaming := make(chan struct{})
	o := Options{
		Opened: &Opened{
			Start: func(watch func(protocol.Notice)) (Session, error) {
				return &streamer{watch: watch, begun: streaming}, nil
			},
			State: r.state, Rulings: rulings, Events: r.events,
		},
		Now: time.Now, Environ: []string{"TERM=xterm-256color"}, Input: input, Output: out, Width: 200, Height: 60,
		Signals: make(chan os.Signal),
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if _, err := Run(ctx, o); err != nil {
			b.Error(err)
		}
	}()
	<-streaming
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		// The pointer goes from one title to the other, and is written anew.
		out.expect("▸")
		begin := time.Now()
		if _, err := keys.Write([]byte(when(i%2 == 0, "8", "1"))); err != nil {
			b.Fatal(err)
		}
		times = append(times, (<-out.seen).Sub(begin))
	}
	b.ReportMetric(tail(times), "p99-ms")
	cancel()
	<-ended
}

// streamer is a session whose reply never ends.
type streamer struct {
	noting
	watch func(protocol.Notice)
	begun chan struct{}
}

func (s *streamer) Run(ctx context.Context) error {
	s.watch(protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer}, Participant: "openai:gpt-5.2", At: time.Now()})
	close(s.begun)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			s.watch(protocol.Streamed{Seat: state.Consultee, Text: "word "})
		}
	}
}

// timeFrames gives a screen message after message, draws it after each, and
// reports what the slowest hundredth of both took.
func timeFrames(b *testing.B, m *Model, list []tea.Msg) {
	b.Helper()
	var updates, views []time.Duration
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		m.Update(list[i%len(list)])
		updated := time.Now()
		m.View()
		updates, views = append(updates, updated.Sub(begin)), append(views, time.Since(updated))
	}
	b.ReportMetric(tail(updates), "update-p99-ms")
	b.ReportMetric(tail(views), "view-p99-ms")
}
