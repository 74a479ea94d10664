package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/state"
	"moot/state/store"
	"moot/tui/home"
)

// big is a session of 10,000 facts, 1,000 points and 200 challenges.
func big(b testing.TB) (*protocoltest.Record, []state.Ruling) {
	r := protocoltest.NewRecord(b)
	r.Add(protocoltest.ConsultOpened(state.SeatAssignment{Seat: state.Consultee, Participant: "openai:gpt-5.2"}), &state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive})
	for i := range 10_000 {
		r.Add(&state.FactRecorded{ID: fmt.Sprint("F", i+1), Tag: ledger.TagVerified, Seat: state.Protocol, Text: fmt.Sprintf("fact number %d of this long session — it is known", i), Reference: "queue/consumer.go:88"})
	}
	rulings := make([]state.Ruling, 1000)
	for i := range rulings {
		id := fmt.Sprint("P", i+1)
		r.Add(&state.PointRaised{ID: id, By: state.Consultee, Text: fmt.Sprintf("point number %d claims something that takes more than one line of its pane", i)})
		rulings[i] = state.Ruling{Point: id, Bucket: state.Buckets()[i%5], Reason: "because", Crux: "what would resolve it"}
	}
	for i := range 200 {
		r.Add(&state.ChallengeRaised{ID: fmt.Sprint("C", i+1), Point: fmt.Sprint("P", i+1), By: state.Orchestrator, Kind: state.Skeptical, Objection: "a flaw that can be said in one sentence"})
	}
	return r, rulings
}

func bigScreen(b testing.TB, width, height int) (*Model, *protocoltest.Record, []state.Ruling) {
	r, rulings := big(b)
	m := newModel(Options{Opened: &Opened{State: r.State, Rulings: rulings, Events: r.Events}, Environ: []string{"TERM=xterm-256color"}, Now: protocoltest.RecordTime})
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	tell(m, protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer}, Participant: "openai:gpt-5.2", At: protocoltest.RecordTime()})
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
func messages(m *Model, r *protocoltest.Record, rulings []state.Ruling) []tea.Msg {
	fact := r.State
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
		m := newModel(Options{Opened: &Opened{State: &state.State{}}, Environ: []string{"TERM=xterm-256color"}, Now: protocoltest.RecordTime})
		m.Init()
		m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
		m.View()
	})
}

// tokensPerFrame is a stream of 1,000 tokens a second.
const tokensPerFrame = 25

// BenchmarkStreaming draws seconds of a stream of 1,000 tokens a second of one seat
// and of two, in a session of 10,000 facts. An iteration is a frame: its tokens go
// through the inbox, and the screen is updated and drawn. A frame that takes longer
// than frameTime would be dropped.
func BenchmarkStreaming(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {200, 50}} {
		for _, seats := range [][]state.Seat{{state.Consultee}, {state.Consultee, state.Orchestrator}} {
			b.Run(fmt.Sprintf("%dx%d/%d", size[0], size[1], len(seats)), func(b *testing.B) {
				streaming(b, size[0], size[1], seats)
			})
		}
	}
}

func streaming(b *testing.B, width, height int, seats []state.Seat) {
	m, _, _ := bigScreen(b, width, height)
	if len(seats) > 1 {
		tell(m, protocol.CallStarted{Ask: protocol.Ask{Seat: seats[1], Stage: state.StageEvaluate}, Participant: "ollama:qwen3", At: protocoltest.RecordTime()})
	}
	m.View()
	var times []time.Duration
	late := 0
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		for i := range tokensPerFrame {
			for _, seat := range seats {
				text := fmt.Sprintf("token%d ", i)
				if i%20 == 0 {
					text = "\n"
				}
				m.inbox.push(notice{m.session, protocol.Streamed{Seat: seat, Text: text}})
			}
		}
		m.Update(delivery(m.inbox.take()))
		if len(times)%4 == 0 {
			m.Update(tick{})
		}
		if content := m.View().Content; len(times) == 0 && !strings.Contains(content, "token") {
			b.Fatalf("the stream is not on the screen:\n%s", content)
		}
		took := time.Since(began)
		if took > frameTime {
			late++
		}
		times = append(times, took)
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e6, "p99-ms")
	b.ReportMetric(100*float64(times[len(times)/2])/float64(frameTime), "%frame")
	b.ReportMetric(float64(late), "late")
}

// BenchmarkBatch is a key on the screen of a batch of 10,000 items, with its frame, and now and then a new snapshot.
func BenchmarkBatch(b *testing.B) {
	eachSize(b, func(b *testing.B, width, height int) {
		m := batchOf(b, &crowd{snapshot: manyItems(10_000, 100)}, Options{}, width, height)
		data := m.batch.Data()
		keys := strings.Fields("down pgdown / s e r v 4 2 up esc end t home t pgdown tab down tab esc")
		tailLatency(b, func(i int) {
			if i%10 == 0 {
				m.Update(answer(func(m *Model) tea.Cmd {
					m.batch.SetData(data, nil)
					return nil
				}))
			}
			m.Update(keyOf(keys[i%len(keys)]))
			m.View()
		})
	})
}

// crowdedHome are 10,000 sessions of 40 repositories.
func crowdedHome() []store.Summary {
	list := make([]store.Summary, 10_000)
	for i := range list {
		s := &list[i]
		*s = someSessions()[i%4]
		s.ID, s.Workspace, s.Closed = fmt.Sprintf("20260304-%05d", i), fmt.Sprintf("/home/ada/service-%d", i%40), true
		s.Question = fmt.Sprintf("Should service %d move from lists to streams, and what does it cost to go back when the deadline is near?", i)
		s.UpdatedAt = protocoltest.RecordTime().Add(-time.Duration(i) * time.Minute)
	}
	return list
}

// BenchmarkHome is a key on the list of 10,000 sessions, with its frame, as the filter is typed. Target: 16 ms.
func BenchmarkHome(b *testing.B) {
	sessions := crowdedHome()
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			m := homeOf(b, &house{sessions: sessions}, Options{}, size[0], size[1])
			keys := strings.Fields("/ s e r v i c e space 4 2 down pgdown backspace esc end home space space esc")
			tailLatency(b, func(i int) {
				m.Update(keyOf(keys[i%len(keys)]))
				m.View()
			})
		})
	}
}

// BenchmarkHomePrepare orders 10,000 sessions, in the background.
func BenchmarkHomePrepare(b *testing.B) {
	sessions := crowdedHome()
	for b.Loop() {
		home.Prepare(&home.Source{Sessions: sessions, Here: "/home/ada/service-7", Now: protocoltest.RecordTime()})
	}
}

// BenchmarkHomeFirstFrame draws home before anything is read. Target: 30 ms.
func BenchmarkHomeFirstFrame(b *testing.B) {
	tailLatency(b, func(int) {
		m := newModel(Options{Home: (&house{}).home(), Environ: []string{"TERM=xterm-256color"}, Now: protocoltest.RecordTime})
		m.Init()
		m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
		m.View()
	})
}
