package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/state"
)

// several returns panelists that each make their own claim, and an orchestrator that stays silent.
func several(panelists int) map[state.Seat]protocol.Participant {
	seats := map[state.Seat]protocol.Participant{state.Orchestrator: says(nil)}
	for i := 1; i <= panelists; i++ {
		seat := panel.Panelist
		if i > 1 {
			seat = state.Seat(fmt.Sprintf("panelist-%d", i))
		}
		seats[seat] = says(map[state.Stage]string{state.StagePropose: fmt.Sprintf("1. Claim number %d stands", i)})
	}
	return seats
}

// waiting is a participant that answers only once it is let go, and says that it was
// asked.
type waiting struct {
	protocol.Participant
	asked, free chan struct{}
}

func hold(p protocol.Participant) *waiting {
	return &waiting{Participant: p, asked: make(chan struct{}, 10), free: make(chan struct{})}
}

func (h *waiting) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	h.asked <- struct{}{}
	select {
	case <-h.free:
		return h.Participant.Reply(ctx, call, watch)
	case <-ctx.Done():
		return protocol.Reply{}, ctx.Err()
	}
}

// failing is a participant that gives no answer, for a reason.
func failing(err error) *seat {
	return &seat{name: "failing", reply: func(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply,
		error,
	) {
		return protocol.Reply{}, err
	}}
}

func pointsOf(events []state.Event) []string {
	var texts []string
	for _, e := range events {
		if p, ok := e.Data.(*state.PointRaised); ok {
			texts = append(texts, p.ID+" "+string(p.By))
		}
	}
	return texts
}

func panelRun(t testing.TB, log *record, o *state.SessionOpened,
	seats map[state.Seat]protocol.Participant,
) Options {
	t.Helper()
	run := options(t, log, o, seats)
	return run
}

// Replies are stored while slower seats are still working, so a killed process loses none of them. Ids follow the
// order of the seats.
func TestRepliesAreStoredWhileOthersRun(t *testing.T) {
	log := &record{told: make(chan protocol.Notice, 1000)}
	seats := several(4)
	second, third := hold(seats["panelist-2"]), hold(seats["panelist-3"])
	seats["panelist-2"], seats["panelist-3"] = second, third
	o := panelRun(t, log, protocoltest.Opened(panel.Name, protocoltest.Panelists(4)), seats)
	done := make(chan error, 1)
	go func() { done <- New(o).Run(t.Context()) }()
	has := func(points int) func(protocol.Advanced) bool {
		return func(n protocol.Advanced) bool { return n.State.Points.Len() == points }
	}
	first := until(t, log, has(1))
	if ids := pointsOf(first.Events); !slices.Equal(ids, []string{"P1 panelist"}) {
		t.Fatalf("stored %v", ids)
	}
	close(second.free)
	// The fourth came long ago, and waits for the third, so that ids stay in order.
	until(t, log, has(2))
	close(third.free)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if ids := pointsOf(log.events); !slices.Equal(ids, []string{
		"P1 panelist", "P2 panelist-2", "P3 panelist-3",
		"P4 panelist-4",
	}) {
		t.Fatalf("stored %v", ids)
	}
}

// A canceled or interrupted call discards no finished reply of another seat: only seats without a reply are asked
// again.
func TestFinishedAnswersSurvive(t *testing.T) {
	for name, stop := range map[string]func(r *Session, cancel func()){
		"esc":    func(r *Session, _ func()) { r.CancelCall(context.Background()) },
		"leave":  func(r *Session, _ func()) { r.Leave(context.Background()) },
		"ctrl-c": func(_ *Session, cancel func()) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			log := &record{told: make(chan protocol.Notice, 1000)}
			seats := several(3)
			first := hold(seats[panel.Panelist])
			seats[panel.Panelist] = first
			o := panelRun(t, log, protocoltest.Opened(panel.Name, protocoltest.Panelists(3)), seats)
			o.Attended = name == "esc"
			ctx, cancel := context.WithCancel(t.Context())
			r := New(o)
			done := make(chan error, 1)
			go func() { done <- r.Run(ctx) }()
			<-first.asked
			for range 2 {
				until(t, log, func(n protocol.CallEnded) bool { return n.Err == nil })
			}
			stop(r, cancel)
			if name == "esc" {
				ready := until(t, log, func(n protocol.TurnReady) bool { return len(n.Asks) > 0 })
				if len(ready.Asks) != 1 || ready.Asks[0].Seat != panel.Panelist {
					t.Fatalf("asked again: %+v", ready.Asks)
				}
				r.Leave(t.Context())
			}
			if err := <-done; !errors.Is(err, protocol.ErrStopped) {
				t.Fatalf("got %v", err)
			}
			if ids := pointsOf(log.events); !slices.Equal(ids, []string{"P1 panelist-2", "P2 panelist-3"}) {
				t.Fatalf("kept %v", ids)
			}
			cancel()
			log.told = nil
			close(first.free)
			o = again(t, o, log)
			o.Attended = false
			if err := New(o).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if ids := pointsOf(log.events); !slices.Equal(ids,
				[]string{"P1 panelist-2", "P2 panelist-3", "P3 panelist"}) {
				t.Fatalf("in the end %v", ids)
			}
		})
	}
}

// If the whole panel is unreachable, an attended session reports it and waits. Events are stored before anyone is
// notified.
func TestWholePanelUnreachable(t *testing.T) {
	log := &record{told: make(chan protocol.Notice, 1000)}
	down := failing(&protocol.Unreachable{Participant: "down", What: "connection refused", Fix: "start it"})
	seats := map[state.Seat]protocol.Participant{
		state.Orchestrator: says(nil), panel.Panelist: down,
		"panelist-2": down,
	}
	o := panelRun(t, log, protocoltest.Opened(panel.Name, protocoltest.Panelists(2), func(o *state.SessionOpened) { o.Settings.Attended = true }), seats)
	r := New(o)
	done := make(chan error, 1)
	go func() { done <- r.Run(t.Context()) }()
	told := until(t, log, func(n protocol.Advanced) bool { return n.State.Paused == state.PauseUnreachable })
	if !strings.Contains(told.State.PauseReason, "panelist-2") {
		t.Fatalf("told %q", told.State.PauseReason)
	}
	until(t, log, always[protocol.TurnReady])
	r.Leave(t.Context())
	if err := <-done; !errors.Is(err, protocol.ErrStopped) {
		t.Fatalf("got %v", err)
	}
	if s := again(t, o, log).State; s.Paused != state.PauseUnreachable {
		t.Fatalf("paused %q", s.Paused)
	}
}
