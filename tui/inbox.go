package tui

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
)

// frameTime is the minimum time between two deliveries. The library draws them at its next tick, up to 17 ms later, so
// streamed text is drawn 30 times a second.
const frameTime = 25 * time.Millisecond

// mailbox is unbounded: push never blocks. It wakes a reader.
type mailbox[T any] struct {
	mutex   sync.Mutex
	waiting []T
	wake    chan struct{}
	// join adds an item to the last one and reports whether it could. It may be nil.
	join func(last *T, next T) bool
}

// push adds an item.
func (q *mailbox[T]) push(item T) {
	q.mutex.Lock()
	if n := len(q.waiting); n == 0 || q.join == nil || !q.join(&q.waiting[n-1], item) {
		q.waiting = append(q.waiting, item)
	}
	q.mutex.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns the waiting items.
func (q *mailbox[T]) take() []T {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	items := q.waiting
	q.waiting = nil
	return items
}

// inbox carries messages from other goroutines to the model. Nothing is lost; waiting pieces of the same reply are
// joined.
type inbox struct {
	mailbox[any]
	closed chan struct{}
	once   sync.Once
	last   time.Time
}

// delivery holds all messages that waited, in order.
type delivery []any

// joinPieces adds a piece of a reply or a thought to the last message if that is a piece of the same.
func joinPieces(last *any, item any) bool {
	next, _ := item.(notice)
	before, ok := (*last).(notice)
	if !ok || before.by != next.by {
		return false
	}
	switch piece := next.Notice.(type) {
	case protocol.Streamed:
		joined, ok := before.Notice.(protocol.Streamed)
		if !ok || joined.Seat != piece.Seat || piece.Restart {
			return false
		}
		joined.Text += piece.Text
		*last = notice{next.by, joined}
	case protocol.Thinking:
		joined, ok := before.Notice.(protocol.Thinking)
		if !ok || joined.Seat != piece.Seat {
			return false
		}
		joined.Text += piece.Text
		*last = notice{next.by, joined}
	default:
		return false
	}
	return true
}

// next waits for messages, and until the last delivery is a frame ago. It returns a delivery, or nil once the inbox is
// closed and empty.
func (b *inbox) next() tea.Msg {
	for {
		select {
		case <-b.wake:
		case <-b.closed:
			if items := b.take(); len(items) > 0 {
				return delivery(items)
			}
			return nil
		}
		if rest := frameTime - time.Since(b.last); rest > 0 {
			select {
			case <-time.After(rest):
			case <-b.closed:
			}
		}
		b.last = time.Now()
		if items := b.take(); len(items) > 0 {
			return delivery(items)
		}
	}
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

// answer runs on the screen after work in the background.
type answer func(m *Model) tea.Cmd

// outside runs work in the background.
func (m *Model) outside(work func() answer) tea.Cmd {
	return m.command(func() tea.Msg {
		if a := work(); a != nil {
			return a
		}
		return nil
	})
}

// command returns a tea.Cmd whose panic ends the program in order.
func (m *Model) command(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer m.crash.catch(func() { msg = crashed{} })
		return f()
	}
}

// guarded catches panics of a command and of those that it batches.
func (m *Model) guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return m.command(func() tea.Msg {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = m.guarded(batch[i])
			}
		}
		return msg
	})
}

// Items of the inbox.
type (
	// notice is a notice of a session.
	notice struct {
		by *session
		protocol.Notice
	}
	// sessionOver says that a session has ended.
	sessionOver struct {
		of  *session
		err error
	}
	// crashed says that a panic was caught.
	crashed struct{}
)

// withdraw drops a request that nobody waits for anymore.
func (m *Model) withdraw(r *request) {
	m.requests = slices.DeleteFunc(m.requests, func(o *request) bool { return o == r })
	m.dialogs = slices.DeleteFunc(m.dialogs, func(d dialog) bool {
		f, ok := d.(*formDialog)
		return ok && f.request == r
	})
}
