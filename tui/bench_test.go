package tui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// big is a session of 10,000 facts, 1,000 points and 200 challenges.
func big(b testing.TB) (*recorder, []state.Ruling) {
	r := &recorder{t: b, state: &state.State{}}
	r.add(opened(state.SeatAssignment{Seat: state.Consultee, Participant: "openai:gpt-5.2"}), &state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive})
	for i := range 10_000 {
		r.add(&state.FactRecorded{ID: fmt.Sprint("F", i+1), Tag: ledger.TagVerified, Seat: state.Protocol, Text: fmt.Sprintf("fact number %d of this long session — it is known", i), Reference: "queue/consumer.go:88"})
	}
	rulings := make([]state.Ruling, 1000)
	for i := range rulings {
		id := fmt.Sprint("P", i+1)
		r.add(&state.PointRaised{ID: id, By: state.Consultee, Text: fmt.Sprintf("point number %d claims something that takes more than one line of its pane", i)})
		rulings[i] = state.Ruling{Point: id, Bucket: state.Buckets()[i%5], Reason: "because", Crux: "what would resolve it"}
	}
	for i := range 200 {
		r.add(&state.ChallengeRaised{ID: fmt.Sprint("C", i+1), Point: fmt.Sprint("P", i+1), By: state.Orchestrator, Kind: state.Skeptical, Objection: "a flaw that can be said in one sentence"})
	}
	return r, rulings
}

func bigScreen(b testing.TB, width, height int) (*Model, *recorder, []state.Ruling) {
	r, rulings := big(b)
	m := newModel(Options{Opened: &Opened{State: r.state, Rulings: rulings, Events: r.events}, Environ: []string{"TERM=xterm-256color"}, Now: func() time.Time { return demoTime }})
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	tell(m, protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer}, Participant: "openai:gpt-5.2", At: demoTime})
	return m, r, rulings
}

// tailLatency measures f and reports its 99th percentile in milliseconds.
func tailLatency(b *testing.B, f func(i int)) {
	times := make([]time.Duration, 0, 4096)
	i := 0
	for b.Loop() {
		begin := time.Now()
		f(i)
		times = append(times, time.Since(begin))
		i++
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e6, "p99-ms")
}

// messages is the load of a busy session: tokens, facts, keys.
func messages(m *Model, r *recorder, rulings []state.Ruling) []tea.Msg {
	fact := r.state
	return []tea.Msg{
		delivery{notice{m.session, protocol.Streamed{Seat: state.Consultee, Text: "XAUTOCLAIM covers the crash window, and more "}}},
		keyOf("down"), keyOf("tab"),
		delivery{notice{m.session, protocol.Streamed{Seat: state.Consultee, Text: "words in a stream of a thousand tokens a second "}}},
		delivery{notice{m.session, protocol.Advanced{State: fact, Rulings: func() []state.Ruling { return rulings }}}},
		keyOf("pgdown"),
		delivery{notice{m.session, protocol.Streamed{Seat: state.Consultee, Text: "and so on.\n"}}},
	}
}

func eachSize(b *testing.B, f func(b *testing.B, width, height int)) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) { f(b, size[0], size[1]) })
	}
}

func BenchmarkUpdate(b *testing.B) {
	eachSize(b, func(b *testing.B, width, height int) {
		m, r, rulings := bigScreen(b, width, height)
		list := messages(m, r, rulings)
		m.View()
		tailLatency(b, func(i int) { m.Update(list[i%len(list)]) })
	})
}

func BenchmarkView(b *testing.B) {
	eachSize(b, func(b *testing.B, width, height int) {
		m, r, rulings := bigScreen(b, width, height)
		list := messages(m, r, rulings)
		times := make([]time.Duration, 0, 4096)
		i := 0
		for b.Loop() {
			m.Update(list[i%len(list)])
			begin := time.Now()
			m.View()
			times = append(times, time.Since(begin))
			i++
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e6, "p99-ms")
	})
}

func BenchmarkResize(b *testing.B) {
	m, _, _ := bigScreen(b, 200, 60)
	tailLatency(b, func(i int) {
		m.Update(tea.WindowSizeMsg{Width: 200 - i%50, Height: 60 - i%20})
		m.View()
	})
}

func BenchmarkFirstFrame(b *testing.B) {
	tailLatency(b, func(int) {
		m := newModel(Options{Opened: &Opened{State: &state.State{}}, Environ: []string{"TERM=xterm-256color"}, Now: func() time.Time { return demoTime }})
		m.Init()
		m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
		m.View()
	})
}
