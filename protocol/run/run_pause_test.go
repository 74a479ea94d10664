package run

import (
	"context"
	"errors"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// A session that the user pauses from another process ends, and its record says who paused it and how. It verifies, and
// continues. A pause with other words, or a channel of another event, is a forgery.
func TestPauseFromAnotherProcess(t *testing.T) {
	log, seats := &record{}, agreeable()
	var runner *Session
	good, paused := seats[state.Consultee], false
	seats[state.Consultee] = &seat{
		name: "slow",
		reply: func(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
			if !paused {
				paused = true
				if err := (Attached{runner}).Pause(t.Context()); err != nil {
					t.Error(err)
				}
				<-ctx.Done()
				return protocol.Reply{}, context.Cause(ctx)
			}
			return good.Reply(ctx, call, watch)
		},
	}
	o := options(t, log, protocoltest.Opened(consult.Name), seats)
	runner = New(o)
	if err := runner.Run(t.Context()); !errors.Is(err, protocol.ErrStopped) {
		t.Fatalf("the run ends with %v", err)
	}
	last := log.events[len(log.events)-1]
	pause, is := last.Data.(*state.SessionPaused)
	if !is || pause.Why != state.PauseUser || pause.Reason != userPaused || last.Channel != state.ChannelAttach {
		t.Fatalf("the record ends with %+v through %q", last.Data, last.Channel)
	}
	if err := recomputes(t, log.events); err != nil {
		t.Errorf("verify: %v", err)
	}
	pause.Reason = userLeft
	if err := recomputes(t, log.events); err == nil || !strings.Contains(err.Error(), "names a channel") {
		t.Errorf("verify takes a channel of one who left: %v", err)
	}
	pause.Reason = userPaused
	if err := New(again(t, o, log)).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s, err := state.Replay(log.events); err != nil || !s.Closed {
		t.Errorf("it does not continue: %v", err)
	}
	if err := runner.Pause(t.Context()); !errors.Is(err, ErrOver) {
		t.Errorf("a session that has ended is paused: %v", err)
	}
}
