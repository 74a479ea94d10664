package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/state"
)

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
		tell(m, protocol.CallStarted{Ask: protocol.Ask{Seat: seats[1], Stage: state.StageEvaluate}, Participant: "ollama:qwen3", At: demoTime})
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
