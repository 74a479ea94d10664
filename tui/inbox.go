package tui

import (
	"sync"
	"time"

	"moot/protocol"
)

// frameTime is the least time between two deliveries: about 30 a second.
const frameTime = 33 * time.Millisecond

// inbox carries what happens outside to the model: unbounded, so that nobody
// who pushes ever waits and nothing is lost. Pieces of a reply that wait
// together are joined.
type inbox struct {
	mutex   sync.Mutex
	waiting []any
	wake    chan struct{}
	closed  chan struct{}
	once    sync.Once
	last    time.Time
}

// delivery is what the model gets: all that waited, in order.
type delivery []any

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1), closed: make(chan struct{})}
}

// push takes anything; it never blocks.
func (b *inbox) push(item any) {
	b.mutex.Lock()
	if !b.join(item) {
		b.waiting = append(b.waiting, item)
	}
	b.mutex.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// join adds a piece of a reply to the last waiting item where that is one of
// the same seat of the same session.
func (b *inbox) join(item any) bool {
	last := len(b.waiting) - 1
	next, ok := item.(told)
	if !ok || last < 0 {
		return false
	}
	before, ok := b.waiting[last].(told)
	if !ok || before.by != next.by {
		return false
	}
	piece, ok := next.notice.(protocol.Streamed)
	if !ok || piece.Restart {
		return false
	}
	joined, ok := before.notice.(protocol.Streamed)
	if !ok || joined.Seat != piece.Seat {
		return false
	}
	joined.Text += piece.Text
	b.waiting[last] = told{next.by, joined}
	return true
}

// take returns what waits.
func (b *inbox) take() delivery {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	items := b.waiting
	b.waiting = nil
	return items
}

// next waits until something is there and the last delivery is a frame ago. It
// returns nil once the inbox is closed and empty.
func (b *inbox) next() delivery {
	for {
		select {
		case <-b.wake:
		case <-b.closed:
			return b.take()
		}
		if rest := frameTime - time.Since(b.last); rest > 0 {
			select {
			case <-time.After(rest):
			case <-b.closed:
			}
		}
		b.last = time.Now()
		if items := b.take(); len(items) > 0 {
			return items
		}
	}
}

// close ends next; what waits is still delivered.
func (b *inbox) close() { b.once.Do(func() { close(b.closed) }) }
