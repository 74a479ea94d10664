package tui

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
)

// frameTime is the minimum time between two deliveries. The library draws them at its next tick, up to 17 ms later, so
// streamed text is drawn 30 times a second.
const frameTime = 25 * time.Millisecond

// inbox carries messages from other goroutines to the model. It is unbounded: push never blocks, and nothing is lost.
// Waiting pieces of the same reply are joined.
type inbox struct {
	mutex   sync.Mutex
	waiting []any
	wake    chan struct{}
	closed  chan struct{}
	once    sync.Once
	last    time.Time
}

// delivery holds all messages that waited, in order.
type delivery []any

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1), closed: make(chan struct{})}
}

// push adds a message.
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

// join adds a piece of a reply or a thought to a waiting one of the same seat. Pieces of other seats may be in between:
// nobody sees which came first within a frame.
func (b *inbox) join(item any) bool {
	next, ok := item.(notice)
	if !ok {
		return false
	}
	seat, isPiece := pieceOf(next.Notice)
	if !isPiece {
		return false
	}
	for i := len(b.waiting) - 1; i >= 0; i-- {
		before, ok := b.waiting[i].(notice)
		if !ok || before.by != next.by {
			return false
		}
		other, isPiece := pieceOf(before.Notice)
		if !isPiece {
			return false
		}
		if other != seat {
			continue
		}
		joined, ok := joinPieces(before.Notice, next.Notice)
		if ok {
			b.waiting[i] = notice{next.by, joined}
		}
		return ok
	}
	return false
}

// pieceOf returns the seat of a piece of a reply or of a thought.
func pieceOf(n protocol.Notice) (seat state.Seat, ok bool) {
	switch n := n.(type) {
	case protocol.Streamed:
		return n.Seat, true
	case protocol.Thinking:
		return n.Seat, true
	}
	return "", false
}

// joinPieces joins two pieces of a seat if they are of the same kind.
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
			// Only the end of a thought is drawn.
			joined.Text = strings.Clone(joined.Text[len(joined.Text)-pane.TailBytes:])
		}
		return joined, ok
	}
	return nil, false
}

// take returns the waiting messages.
func (b *inbox) take() delivery {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	items := b.waiting
	b.waiting = nil
	return items
}

// next waits for messages, and until the last delivery is a frame ago. It returns nil once the inbox is closed and
// empty.
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

// beat returns when a delivery was due, so that waits which are always a little late don't lower the frame rate. After
// a pause it is now.
func beat(last, now time.Time) time.Time {
	if due := last.Add(frameTime); now.Sub(due) < frameTime {
		return due
	}
	return now
}

// close ends next. Waiting messages are still delivered.
func (b *inbox) close() { b.once.Do(func() { close(b.closed) }) }

// Person asks the user for the replies of a seat. Pass it to the seat's participant and to Opened. Its methods may be
// called from several goroutines.
type Person struct {
	mutex    sync.Mutex
	attached chan struct{}
	inbox    *inbox
}

// NewPerson returns a Person that waits for a screen.
func NewPerson() *Person { return &Person{attached: make(chan struct{})} }

// ErrNoScreen says that the screen closed before the user answered.
var ErrNoScreen = errors.New("the screen closed before you answered; the session is saved")

// request is a request for a reply of the user.
type request struct {
	call   protocol.Call
	answer chan string
	gone   chan struct{}
	// form keeps what was typed while it is closed.
	form *formDialog
}

// Items of the inbox about requests.
type (
	requested struct{ request *request }
	withdrawn struct{ request *request }
)

// Ask shows a request and waits for the user's reply, one move per line; "" means that the user has nothing to say. It
// returns an error when ctx ends, or ErrNoScreen.
func (p *Person) Ask(ctx context.Context, call protocol.Call) (string, error) {
	select {
	case <-p.attached:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	p.mutex.Lock()
	inbox := p.inbox
	p.mutex.Unlock()
	r := &request{call: call, answer: make(chan string, 1), gone: inbox.closed}
	inbox.push(requested{r})
	select {
	case text := <-r.answer:
		return text, nil
	case <-ctx.Done():
		inbox.push(withdrawn{r})
		return "", ctx.Err()
	case <-r.gone:
		return "", ErrNoScreen
	}
}

// attach connects the person with the inbox of a screen.
func (p *Person) attach(i *inbox) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	first := p.inbox == nil
	p.inbox = i
	if first {
		close(p.attached)
	}
}
