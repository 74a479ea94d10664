package cli

import (
	"sync"

	"moot/protocol"
	"moot/state"
)

// inbox carries notices from a running session to its front end: none is lost,
// and the session never waits.
type inbox struct {
	mutex   sync.Mutex
	notices []protocol.Notice
	// thinks are the seats of which it was told that they think.
	thinks map[state.Seat]bool
	ready  chan struct{}
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1), thinks: map[state.Seat]bool{}} }

// push takes a notice. Pieces of a reply are left out: lines show whole moves. That
// a seat thinks is told once a call.
func (b *inbox) push(n protocol.Notice) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	switch n := n.(type) {
	case protocol.Streamed:
		return
	case protocol.Thinking:
		if b.thinks[n.Seat] {
			return
		}
		b.thinks[n.Seat] = true
	case protocol.CallEnded:
		delete(b.thinks, n.Seat)
	}
	b.notices = append(b.notices, n)
	b.wake()
}

// wake has the front end look into the inbox, also where nothing came.
func (b *inbox) wake() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// take returns what came since the last time.
func (b *inbox) take() []protocol.Notice {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	notices := b.notices
	b.notices = nil
	return notices
}
