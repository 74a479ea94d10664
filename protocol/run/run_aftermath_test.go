package run

import (
	"context"
	"errors"
	"slices"
	"testing"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// lingering is a participant whose cancelled calls are at work until ended is closed.
type lingering struct {
	*seat
	ended chan struct{}
	told  bool
}

func (l *lingering) Aftermath() []string {
	<-l.ended
	if l.told {
		return nil
	}
	l.told = true
	return []string{"it changed 1 file in the workspace: a.go"}
}

// linger is a run whose consultee is asked and does not answer.
func linger(t *testing.T) (*lingering, *record, Options) {
	t.Helper()
	l := &lingering{
		ended: make(chan struct{}),
		seat: &seat{reply: func(ctx context.Context, _ protocol.Call, watch func(protocol.Delta)) (protocol.Reply,
			error,
		) {
			watch(protocol.Delta{Text: "1."})
			<-ctx.Done()
			return protocol.Reply{}, ctx.Err()
		}},
	}
	seats := agreeable()
	seats[state.Consultee] = l
	log := &record{told: make(chan protocol.Notice, 1000)}
	return l, log, options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) { o.Settings.Attended = true }), seats)
}

// speaking runs a session until its consultee speaks; done tells how the run ends.
func speaking(t *testing.T, log *record, o Options) (r *Session, done <-chan error) {
	t.Helper()
	r = New(o)
	over := make(chan error, 1)
	go func() { over <- r.Run(t.Context()) }()
	until(t, log, func(n protocol.Streamed) bool { return n.Seat == state.Consultee })
	return r, over
}

// changes reports where in the log the workspace was changed, and where the session
// was paused or closed; -1 for never.
func changes(log *record) (changed, paused, closed int) {
	at := func(kind string) int {
		return slices.IndexFunc(log.events, func(e state.Event) bool { return state.KindOf(e.Data) == kind })
	}
	return at("workspace-changed"), at("session-paused"), at("session-closed")
}

// What a cancelled call changed is recorded when it is known: while the session waits,
// before it closes, and before the run of one that was left comes back.
func TestAftermathIsRecorded(t *testing.T) {
	t.Run("waiting", func(t *testing.T) {
		l, log, o := linger(t)
		r, done := speaking(t, log, o)
		r.CancelCall(t.Context())
		// The call is over, and the program is not.
		until(t, log, func(n protocol.TurnReady) bool { return len(n.Asks) == 1 })
		close(l.ended)
		n := until(t, log, func(n protocol.Advanced) bool { return state.KindOf(n.Events[0].Data) == "workspace-changed" })
		if want := "consultee: it changed 1 file in the workspace: a.go, in a call that was cancelled"; !slices.Contains(n.State.Warnings, want) {
			t.Errorf("warnings %q", n.State.Warnings)
		}
		r.Leave(t.Context())
		if err := <-done; !errors.Is(err, protocol.ErrStopped) {
			t.Error(err)
		}
	})
	t.Run("left", func(t *testing.T) {
		l, log, o := linger(t)
		r, done := speaking(t, log, o)
		r.Leave(t.Context())
		until(t, log, func(n protocol.Advanced) bool { return n.State.Paused == state.PauseUser })
		select {
		case err := <-done:
			t.Fatalf("the run came back with %v before its participant had ended", err)
		default:
		}
		close(l.ended)
		if err := <-done; !errors.Is(err, protocol.ErrStopped) {
			t.Error(err)
		}
		if changed, paused, _ := changes(log); changed < 0 || paused < 0 {
			t.Errorf("changed at %d, paused at %d", changed, paused)
		}
		if s := again(t, o, log).State; s.Paused != state.PauseUser {
			t.Errorf("paused %q", s.Paused)
		}
	})
	t.Run("closed", func(t *testing.T) {
		l, log, o := linger(t)
		r, done := speaking(t, log, o)
		r.CancelCall(t.Context())
		until(t, log, func(n protocol.TurnReady) bool { return len(n.Asks) == 1 })
		if err := r.Override(t.Context(), protocol.EndSession{}); err != nil {
			t.Fatal(err)
		}
		close(l.ended)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if changed, _, closed := changes(log); changed < 0 || closed != len(log.events)-1 {
			t.Errorf("changed at %d, closed at %d of %d", changed, closed, len(log.events))
		}
	})
	t.Run("the disk is full", func(t *testing.T) {
		l, log, o := linger(t)
		r, done := speaking(t, log, o)
		r.CancelCall(t.Context())
		until(t, log, func(n protocol.TurnReady) bool { return len(n.Asks) == 1 })
		full := errors.New("no space left on device")
		log.Lock()
		log.fail = full
		log.Unlock()
		close(l.ended)
		if err := <-done; !errors.Is(err, full) {
			t.Error(err)
		}
	})
}
