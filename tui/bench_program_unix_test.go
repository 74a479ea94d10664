//go:build unix

package tui

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moot/agent/endpoint"
	"moot/protocol"
	"moot/state"
)

// streamedSeconds is how long the server of the benchmark speaks.
const streamedSeconds = 3

// shownTime is how far the frames of what streams in may lie apart: 30 a second.
const shownTime = time.Second / 30

// metronome is a server that speaks 1,000 tokens a second: tok1, tok2, and so on.
func metronome(sent *atomic.Int64) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		began := time.Now()
		for n := 1; n <= 1000*streamedSeconds; {
			select {
			case <-r.Context().Done():
				return
			case <-tick.C:
			}
			// A tick that was missed is caught up with.
			for ; n <= int(time.Since(began).Milliseconds()) && n <= 1000*streamedSeconds; n++ {
				_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"tok%d \"},\"finish_reason\":null}]}\n\n", n)
				sent.Store(int64(n))
			}
			w.(http.Flusher).Flush()
		}
		_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
}

// calling is a session of calls to endpoints, at once.
type calling struct {
	noting
	watch func(protocol.Notice)
	seats map[state.Seat]protocol.Participant
}

func (s *calling) Run(ctx context.Context) error {
	var group sync.WaitGroup
	for seat, participant := range s.seats {
		ask := protocol.Ask{Seat: seat, Stage: state.StageAnswer}
		s.watch(protocol.CallStarted{Ask: ask, Participant: participant.Name(), At: time.Now()})
		group.Go(func() {
			call := protocol.Call{Ask: ask, Prompt: protocol.Prompt{Text: "speak"}}
			_, err := participant.Reply(ctx, call, func(d protocol.Delta) {
				if d.Text != "" {
					s.watch(protocol.Streamed{Seat: seat, Text: d.Text})
				}
			})
			s.watch(protocol.CallEnded{Seat: seat, Err: err})
		})
	}
	group.Wait()
	return nil
}

// BenchmarkStreamingProgram streams 1,000 tokens a second and seat from a server on
// this machine through the adapter, the inbox and the whole program onto a terminal,
// for three seconds each time, and counts the frames that reach the terminal: how
// many of the 30 a second were missed, and how many milliseconds (or tokens) what
// is seen lies behind what was sent. Run it with -benchtime 1x.
func BenchmarkStreamingProgram(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {200, 50}} {
		for _, seats := range [][]state.Seat{{state.Consultee}, {state.Consultee, state.Orchestrator}} {
			b.Run(fmt.Sprintf("%dx%d/%d", size[0], size[1], len(seats)), func(b *testing.B) {
				for b.Loop() {
					streamProgram(b, size[0], size[1], seats)
				}
			})
		}
	}
}

// lastToken finds the tokens on a screen.
var lastToken = regexp.MustCompile(`tok(\d+) `)

func streamProgram(b *testing.B, width, height int, seats []state.Seat) {
	b.Helper()
	e := newTerminal(b, width, height)
	var sent atomic.Int64
	server := metronome(&sent)
	defer server.Close()
	var frames []time.Time
	var behind []time.Duration
	seen := 0
	e.painted = func() {
		newest := 0
		for _, match := range lastToken.FindAllStringSubmatch(e.screen.String(), -1) {
			n, _ := strconv.Atoi(match[1])
			newest = max(newest, n)
		}
		if newest <= seen {
			return
		}
		seen = newest
		frames = append(frames, time.Now())
		behind = append(behind, time.Duration(sent.Load()-int64(newest))*time.Millisecond)
	}
	s := &calling{seats: map[state.Seat]protocol.Participant{}}
	for _, seat := range seats {
		config, err := endpoint.Parse(server.URL+"/v1#metronome", func(string) string { return "" })
		if err != nil {
			b.Fatal(err)
		}
		s.seats[seat] = endpoint.New(config, endpoint.Limits{})
	}
	r, rulings := big(b)
	ended := make(chan struct{})
	o := Options{
		Opened: &Opened{
			Start: func(watch func(protocol.Notice)) (Session, error) { s.watch = watch; return s, nil },
			State: r.state, Rulings: rulings, Events: r.events,
			Close: func() { close(ended) },
		},
		Now: time.Now, Environ: []string{"TERM=xterm-256color"}, Input: e.slave, Output: e.slave, Signals: make(chan os.Signal),
	}
	ctx, cancel := context.WithCancel(b.Context())
	out := launched(ctx, newModel(o))
	<-ended
	cancel()
	<-out
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if seen < 900*streamedSeconds || len(frames) < 2 {
		b.Fatalf("the screen showed %d of %d tokens, in %d frames:\n%s", seen, 1000*streamedSeconds, len(frames), e.screen.String())
	}
	dropped := 0
	longest := time.Duration(0)
	for i := range frames[1:] {
		gap := frames[i+1].Sub(frames[i])
		longest = max(longest, gap)
		// Half a frame late still is that frame.
		dropped += max(0, int((gap+shownTime/2)/shownTime)-1)
	}
	b.ReportMetric(float64(len(frames)), "frames")
	b.ReportMetric(float64(dropped), "dropped")
	b.ReportMetric(float64(longest.Milliseconds()), "longest-gap-ms")
	b.ReportMetric(tail(behind), "behind-p99-ms")
}
