package endpoint

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"moot/protocol"
	"moot/state"
	"moot/state/store"
)

// slowest is how long the slowest participant of a benchmark thinks; the others
// are evenly quicker.
const slowest = time.Second

// BenchmarkPanelWallTime runs the blind first pass of a panel of 2, 4 and 8
// participants, each behind an HTTP server of its own that waits as a model thinks,
// with a session file on disk. It reports the wall time from the first call to the
// first prompt behind the pass as a ratio to the slowest participant.
func BenchmarkPanelWallTime(b *testing.B) {
	for _, k := range []int{2, 4, 8} {
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			ratio := 0.0
			for b.Loop() {
				ratio += float64(panelPass(b, k)) / float64(slowest)
			}
			b.ReportMetric(ratio/float64(b.N), "wall/slowest")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// thinking is a server that answers after a while, with so many claims.
func thinking(b *testing.B, after time.Duration, claims string) *Endpoint {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(after):
		case <-r.Context().Done():
			return
		}
		stream(w, token(claims), finish("stop"), counted, "[DONE]")
	}))
	b.Cleanup(server.Close)
	return New(Config{Name: server.URL, Base: server.URL, Model: "m"}, Limits{})
}

// panelPass is the time of one first pass, from the start of the run until the
// orchestrator is asked, which is when all answers are admitted, checked and stored.
func panelPass(b *testing.B, k int) time.Duration {
	b.Helper()
	b.StopTimer()
	opened := &state.SessionOpened{
		Version: state.Version, ID: "s", Question: "Is the queue safe?",
		Settings: state.Settings{Format: state.FormatPanel, Nonce: "5eed", Panel: &state.PanelSettings{Strategy: "tiered"}},
		Seats:    []state.SeatAssignment{{Seat: state.Orchestrator, Participant: "m"}},
	}
	seats := map[state.Seat]protocol.Participant{state.Orchestrator: thinking(b, 0, `{"moves":[]}`)}
	for i := 1; i <= k; i++ {
		seat := state.Panelist
		if i > 1 {
			seat = state.Seat(fmt.Sprintf("%s-%d", state.Panelist, i))
		}
		var moves []protocol.Move
		for claim := range 7 {
			moves = append(moves, &protocol.Raise{Text: fmt.Sprintf("claim %d of answer %d says that part %d of the queue is safe when the broker restarts", claim, i, claim+i)})
		}
		text, err := protocol.EncodeMoves(moves)
		if err != nil {
			b.Fatal(err)
		}
		// The first one is the slowest, so that nothing is stored before it ends.
		opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: "m"})
		seats[seat] = thinking(b, slowest*time.Duration(k-i+1)/time.Duration(k), text)
	}
	file, err := store.Create(b.TempDir(), "s")
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := file.Close(); err != nil {
			b.Fatal(err)
		}
	}()
	first := state.Event{Seq: 1, At: time.Now().UTC(), Data: opened}
	if err := file.Append([]state.Event{first}); err != nil {
		b.Fatal(err)
	}
	s, err := state.Apply(state.State{}, first)
	if err != nil {
		b.Fatal(err)
	}
	parser, err := protocol.NewParser()
	if err != nil {
		b.Fatal(err)
	}
	var wall time.Duration
	began := time.Now()
	run := protocol.NewRunner(protocol.Options{
		Format: protocol.Panel{}, State: s, Log: file, Participants: seats, Parser: parser, Now: time.Now,
		Watch: func(n protocol.Notice) {
			if started, ok := n.(protocol.CallStarted); ok && started.Ask.Stage == state.StageTriage {
				wall = time.Since(began)
			}
		},
	})
	b.StartTimer()
	if err := run.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	if wall == 0 {
		b.Fatal("the orchestrator was never asked")
	}
	return wall
}
