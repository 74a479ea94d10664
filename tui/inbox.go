package tui

import (
	"strings"
	"sync"
	"time"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
)

// frameTime is the least time between two deliveries. The library writes what they
// changed at its next tick, 17 ms later at most: so what streams in is on the screen 30
// times a second, whichever way the two beats lie.
const frameTime = 25 * time.Millisecond

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

// join adds a piece of a reply or of a thought to what waits of the same seat of
// the same session. Pieces of other seats may stand between: nobody sees which of
// two came first within a frame.
func (b *inbox) join(item any) bool {
	next, ok := item.(told)
	if !ok {
		return false
	}
	seat, isPiece := pieceOf(next.notice)
	if !isPiece {
		return false
	}
	for i := len(b.waiting) - 1; i >= 0; i-- {
		before, ok := b.waiting[i].(told)
		if !ok || before.by != next.by {
			return false
		}
		other, isPiece := pieceOf(before.notice)
		if !isPiece {
			return false
		}
		if other != seat {
			continue
		}
		joined, ok := joinPieces(before.notice, next.notice)
		if ok {
			b.waiting[i] = told{next.by, joined}
		}
		return ok
	}
	return false
}

// pieceOf is the seat whose piece of a reply or of a thought a notice is.
func pieceOf(n protocol.Notice) (state.Seat, bool) {
	switch n := n.(type) {
	case protocol.Streamed:
		return n.Seat, true
	case protocol.Thinking:
		return n.Seat, true
	}
	return "", false
}

// joinPieces joins two pieces of one seat, where they are of one kind.
func joinPieces(before, next protocol.Notice) (protocol.Notice, bool) {
	switch next := next.(type) {
	case protocol.Streamed:
		joined, ok := before.(protocol.Streamed)
		joined.Text += next.Text
		return joined, ok && !next.Restart
	case protocol.Thinking:
		joined, ok := before.(protocol.Thinking)
		joined.Text += next.Text
		if len(joined.Text) > 2*pane.TailBytes {
			// More of a thought is never drawn.
			joined.Text = strings.Clone(joined.Text[len(joined.Text)-pane.TailBytes:])
		}
		return joined, ok
	}
	return nil, false
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
		b.last = beat(b.last, time.Now())
		if items := b.take(); len(items) > 0 {
			return items
		}
	}
}

// beat is when a delivery was due: so that a wait which is a little late each time
// does not make frames fewer. After a pause the beat begins anew.
func beat(last, now time.Time) time.Time {
	if due := last.Add(frameTime); now.Sub(due) < frameTime {
		return due
	}
	return now
}

// close ends next; what waits is still delivered.
func (b *inbox) close() { b.once.Do(func() { close(b.closed) }) }
