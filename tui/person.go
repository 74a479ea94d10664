package tui

import (
	"context"
	"errors"
	"sync"

	"moot/protocol"
)

// Person asks the person at the screen for a seat's replies. Make one with
// NewPerson, hand it to the participant of the seat and to Options. It may be
// used from several goroutines.
type Person struct {
	mutex    sync.Mutex
	attached chan struct{}
	inbox    *inbox
}

// NewPerson returns a Person that waits for a screen.
func NewPerson() *Person { return &Person{attached: make(chan struct{})} }

// ErrNoScreen says that the screen closed before the person answered.
var ErrNoScreen = errors.New("the screen closed before you answered; the session is saved")

// request is one question to the person in a seat.
type request struct {
	call   protocol.Call
	answer chan string
	gone   chan struct{}
	// form keeps what was typed while it is hidden.
	form *formDialog
}

// requested and withdrawn tell the model of a request.
type (
	requested struct{ request *request }
	withdrawn struct{ request *request }
)

// Ask shows what the seat is asked and waits for the person's reply, in the
// telegraphic form; "" means that the person has nothing to say. It ends with ctx, or with ErrNoScreen.
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

// attach connects the person with the screen's inbox.
func (p *Person) attach(i *inbox) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	first := p.inbox == nil
	p.inbox = i
	if first {
		close(p.attached)
	}
}
