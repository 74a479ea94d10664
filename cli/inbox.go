package cli

import (
	"sync"

	"moot/protocol"
)

// inbox carries notices from a running session to its front end: none is lost,
// and the session never waits.
type inbox struct {
	mutex   sync.Mutex
	notices []protocol.Notice
	ready   chan struct{}
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

// push takes a notice. Pieces of a reply are left out: lines show whole moves.
func (b *inbox) push(n protocol.Notice) {
	if _, piece := n.(protocol.Streamed); piece {
		return
	}
	b.mutex.Lock()
	b.notices = append(b.notices, n)
	b.mutex.Unlock()
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
