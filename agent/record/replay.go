package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"moot/state"
)

// Replay is a transport that answers as the servers of a recording did, byte for
// byte and piece by piece: so what was reported becomes a test. It is for one
// seat, whose calls follow one another.
type Replay struct {
	calls []*Made

	mutex sync.Mutex
	left  []*Exchange
	call  int
}

// A replay is a transport.
var _ http.RoundTripper = (*Replay)(nil)

// Replay returns what answers the requests of a seat.
func (r *Recording) Replay(seat state.Seat) *Replay {
	replay := &Replay{}
	for _, call := range r.Calls {
		if call.Begin.Seat == seat {
			replay.calls = append(replay.calls, call)
		}
	}
	return replay
}

// Calls gives the calls of the seat, one after the other: requests are answered
// out of the one that was given last.
func (p *Replay) Calls() iter.Seq[*Made] {
	return func(yield func(*Made) bool) {
		for i, call := range p.calls {
			p.mutex.Lock()
			p.call, p.left = i+1, call.Exchanges
			p.mutex.Unlock()
			if !yield(call) {
				return
			}
		}
	}
}

// Left is how many requests of the present call were not sent again.
func (p *Replay) Left() int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return len(p.left)
}

// next is the exchange that a request repeats.
func (p *Replay) next(request *http.Request) (*Exchange, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.left) == 0 {
		return nil, fmt.Errorf("the recording has no answer to one more request of call %d of the seat: %s %s", p.call, request.Method, request.URL.Path)
	}
	next := p.left[0]
	path := request.URL.Path
	recorded, _, _ := strings.Cut(next.Request.URL, "?")
	if next.Request.Method != request.Method || !strings.HasSuffix(recorded, path) {
		return nil, fmt.Errorf("the recording has an answer to %s %s, not to %s %s", next.Request.Method, next.Request.URL, request.Method, path)
	}
	p.left = p.left[1:]
	return next, nil
}

// RoundTrip implements http.RoundTripper.
func (p *Replay) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		_, err := io.Copy(io.Discard, request.Body)
		if err := errors.Join(err, request.Body.Close()); err != nil {
			return nil, err
		}
	}
	exchange, err := p.next(request)
	if err != nil {
		return nil, err
	}
	if exchange.Response == nil {
		return nil, exchange.failure(request.Context())
	}
	header := http.Header{}
	for name, values := range exchange.Response.Headers {
		header[name] = values
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", exchange.Response.Status, http.StatusText(exchange.Response.Status)), StatusCode: exchange.Response.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, ContentLength: -1, Request: request,
		Body: &replayed{exchange: exchange, ctx: request.Context(), from: exchange.Response.At},
	}, nil
}

// failure is why a request had no answer.
func (e *Exchange) failure(ctx context.Context) error {
	if e.Failed == nil {
		// The recording ends while it was waited for.
		<-ctx.Done()
		return ctx.Err()
	}
	return e.Failed.connection(ctx)
}

// connection is the error of a connection that a line tells of.
func (l *Line) connection(ctx context.Context) error {
	fail := func(err error) error { return &net.OpError{Op: "read", Net: "tcp", Err: err} }
	switch l.Cause {
	case causeEOF:
		return io.EOF
	case causeUnexpected:
		return io.ErrUnexpectedEOF
	case causeRefused:
		return fail(syscall.ECONNREFUSED)
	case causeReset:
		return fail(syscall.ECONNRESET)
	case causeDNS:
		return &net.DNSError{Err: l.Error, IsNotFound: true}
	case causeLeft, causeCancelled:
		// It was given up: so it will be again.
		<-ctx.Done()
		return ctx.Err()
	}
	return fail(errors.New(l.Error))
}

// replayed is the body of an answer, in the pieces and at the times in which it
// came.
type replayed struct {
	exchange *Exchange
	ctx      context.Context
	next     int
	left     bytes.Reader
	// from is when the last piece came, in milliseconds of the call.
	from int64
}

// Read implements io.Reader.
func (b *replayed) Read(data []byte) (int, error) {
	for b.left.Len() == 0 {
		if b.next == len(b.exchange.Chunks) {
			return 0, b.end()
		}
		chunk := &b.exchange.Chunks[b.next]
		b.next++
		if err := b.wait(chunk.At); err != nil {
			return 0, err
		}
		piece, err := chunk.Data()
		if err != nil {
			return 0, err
		}
		b.left.Reset(piece)
	}
	return b.left.Read(data)
}

// wait waits as long as it took.
func (b *replayed) wait(at int64) error {
	timer := time.NewTimer(time.Duration(max(0, at-b.from)) * time.Millisecond)
	defer timer.Stop()
	b.from = at
	select {
	case <-timer.C:
		return nil
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
}

// end is how the body ended.
func (b *replayed) end() error {
	if b.exchange.Closed == nil {
		<-b.ctx.Done()
		return b.ctx.Err()
	}
	return b.exchange.Closed.connection(b.ctx)
}

// Close implements io.Closer.
func (b *replayed) Close() error { return nil }
