package tui

import (
	"context"
	"sync"

	"moot/protocol"
	"moot/state"
)

// Session is a running session as the screen drives it; *protocol.Runner is
// one. Its methods may be called while Run is under way.
type Session interface {
	// Run drives the session until it ends; it tells its watcher Ended.
	Run(ctx context.Context) error
	Step(ctx context.Context)
	Auto(ctx context.Context, on bool)
	CancelCall(ctx context.Context)
	Leave(ctx context.Context)
	Override(ctx context.Context, move protocol.UserMove) error
	Preview(ctx context.Context) map[state.Seat]protocol.Prompt
	EditPrompt(ctx context.Context, seat state.Seat, text string)
	Replace(ctx context.Context, seat state.Seat, p protocol.Participant) error
}

// driver passes the person's orders to the session in their order, without
// the screen waiting for them.
type driver struct {
	mutex  sync.Mutex
	orders []func(context.Context, Session)
	wake   chan struct{}
}

func newDriver() *driver { return &driver{wake: make(chan struct{}, 1)} }

// order takes what is to be done; it never blocks.
func (d *driver) order(f func(context.Context, Session)) {
	d.mutex.Lock()
	d.orders = append(d.orders, f)
	d.mutex.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

func (d *driver) take() []func(context.Context, Session) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	orders := d.orders
	d.orders = nil
	return orders
}

// drive does what is ordered until ctx ends.
func (d *driver) drive(ctx context.Context, s Session) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		}
		for _, f := range d.take() {
			f(ctx, s)
		}
	}
}
