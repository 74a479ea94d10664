package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrFenced means that the session has another writer now, or that the coordinator took it back. What was appended
// before is kept.
var ErrFenced = errors.New("another worker or the coordinator has taken the session over")

// headroom is what a message needs besides its data.
const headroom = 8 << 10

// maxPiece bounds a piece even if the server takes larger messages: large ones delay all others of a connection.
const maxPiece = 4 << 20

// appender writes to the subject of one session. Each message names the sequence of the one before it on the subject,
// and the server stores it only if that is still the last one. It is not safe for concurrent use.
type appender struct {
	q       *Queue
	stream  string
	subject string
	// last is the sequence of the last message known on the subject, and header what it says; index is the number of
	// units, and link that of the last one.
	last   uint64
	header header
	index  int
	link   link
}

// begin writes the first message of a generation on an empty subject.
func (a *appender) begin(ctx context.Context, generation, task string) error {
	a.index, a.link = 0, first(generation)
	h := header{Kind: begin, ID: nonce(), Chain: a.link.String(), Task: task}
	return a.store(ctx, h, []byte(generation))
}

// append writes a unit or an end, in pieces if it does not fit into a message. It returns when the server has stored
// it. If the connection is lost, it waits for the next one. The error is ErrFenced if somebody else has written.
func (a *appender) append(ctx context.Context, k kind, data []byte) error {
	if len(data) > MaxUnit {
		return fmt.Errorf("it has %d bytes, at most %d fit", len(data), MaxUnit)
	}
	if a.index >= MaxUnits {
		return fmt.Errorf("the session has %d units, more do not fit", a.index)
	}
	size := int(min(a.q.conn.MaxPayload()-headroom, maxPiece))
	if size <= 0 {
		return fmt.Errorf("the server takes messages of %d bytes only: raise its max_payload to 1 MB",
			a.q.conn.MaxPayload())
	}
	next := a.link.next(k, data)
	h := header{Kind: part, Index: a.index, ID: nonce(), Chain: next.String()}
	for len(data) > size {
		if err := a.store(ctx, h, data[:size]); err != nil {
			return err
		}
		data = data[size:]
		h.Part++
	}
	h.Kind, h.Parts = k, h.Part+1
	if err := a.store(ctx, h, data); err != nil {
		return err
	}
	a.link = next
	if k == unit {
		a.index++
	}
	return nil
}

// store writes one message. Without an answer it looks whether the message was stored before it decides.
func (a *appender) store(ctx context.Context, h header, data []byte) error {
	for attempt := 0; ; attempt++ {
		message, err := h.message(a.subject, data)
		if err != nil {
			return err
		}
		limited, cancel := context.WithTimeout(ctx, a.q.options.Timeout)
		ack, err := a.q.js.PublishMsg(limited, message, jetstream.WithExpectStream(a.stream),
			jetstream.WithExpectLastSequencePerSubject(a.last), jetstream.WithRetryAttempts(1))
		cancel()
		if err == nil {
			a.last, a.header = ack.Sequence, h
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if permanent(err) {
			return fmt.Errorf("the queue at %s: %w", a.q.host, err)
		}
		// The outcome is unknown, or the server refused: it tells what is last.
		sequence, last, lookErr := a.q.lastOf(ctx, a.stream, a.subject)
		switch {
		case missing(lookErr):
			return fmt.Errorf("%w: the queue has no such batch any more", ErrFenced)
		case lookErr != nil, sequence == a.last:
			// Not stored, or not known: the same expectation makes it safe to publish again.
		case sequence > a.last && last.same(h):
			a.last, a.header = sequence, h
			return nil
		case sequence > a.last && a.last > 0 && last.same(a.header):
			// Our own last message was stored twice.
			a.last = sequence
			continue
		default:
			return ErrFenced
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if attempt > 0 {
			a.q.note("store a unit in the queue at %s: %v; trying again", a.q.host, err)
		}
		a.q.pause(ctx, attempt)
	}
}

// lastOf returns the sequence and header of the last message of a subject; 0 if there is none. A message without a
// header of ours has an empty one.
func (q *Queue) lastOf(ctx context.Context, stream, subject string) (uint64, header, error) {
	message, err := q.lastMessage(ctx, stream, subject)
	if err != nil || message == nil {
		return 0, header{}, err
	}
	h, err := decodeHeader(message.Header)
	if err != nil {
		h = header{}
	}
	return message.Sequence, h, nil
}

// lastMessage returns the last message of a subject, or nil. It asks the server that decides, never a copy.
func (q *Queue) lastMessage(ctx context.Context, stream, subject string) (*jetstream.RawStreamMsg, error) {
	limited, cancel := context.WithTimeout(ctx, q.options.Timeout)
	defer cancel()
	// A handle without a request of its own.
	handle, err := q.stream(limited, stream)
	if err != nil {
		return nil, err
	}
	message, err := handle.GetLastMsgForSubject(limited, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil // there is none
	}
	return message, err
}

// errUnreadable means that the server has messages of a session that it does not deliver.
var errUnreadable = errors.New("the queue does not deliver what it has of the session")

// readRecord reads all messages of the subject of a session, and the units. The record of an empty subject is absent.
func (q *Queue) readRecord(ctx context.Context, stream, subject string) (record, [][]byte, error) {
	var r record
	var units [][]byte
	size := 0
	last, err := q.lastMessage(ctx, stream, subject)
	if err != nil || last == nil {
		return r, nil, err
	}
	add := func(sequence uint64, from nats.Header, data []byte) error {
		one, err := r.add(sequence, from, data)
		if err == nil && r.units() == 0 {
			units, size = nil, 0
		}
		if err == nil && one != nil && one.kind == unit {
			units = append(units, one.data)
			size += len(one.data)
		}
		if size > MaxSession {
			err = r.fail(fmt.Sprintf("its units are larger than %d bytes", MaxSession))
		}
		return err
	}
	if h, err := decodeHeader(last.Header); err == nil && h.Kind == begin {
		// Most sessions are taken before they have a unit.
		err = add(last.Sequence, last.Header, last.Data)
		return r, nil, unlessBroken(err)
	}
	consumer, err := q.js.OrderedConsumer(ctx, stream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subject}, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return r, nil, err
	}
	messages, err := consumer.Messages(pulls())
	if err != nil {
		return r, nil, err
	}
	defer messages.Stop()
	for r.last < last.Sequence {
		message, err := messages.Next(jetstream.NextMaxWait(q.options.Timeout))
		if errors.Is(err, nats.ErrTimeout) && q.conn.IsConnected() {
			err = errUnreadable
		}
		if err != nil {
			return r, nil, err
		}
		if ctx.Err() != nil {
			return r, nil, context.Cause(ctx)
		}
		meta, err := message.Metadata()
		if err != nil {
			return r, nil, err
		}
		if err := unlessBroken(add(meta.Sequence.Stream, message.Headers(), message.Data())); err != nil {
			return r, nil, err
		}
	}
	return r, units, nil
}

// unlessBroken drops the reason of a broken record, whose standing says so.
func unlessBroken(err error) error {
	var b *brokenError
	if errors.As(err, &b) {
		return nil
	}
	return err
}

// pulls bounds what a reader asks for ahead, in messages and bytes.
func pulls() jetstream.PullMessagesOpt {
	return jetstream.PullMaxMessagesWithBytesLimit(256, 4*maxPiece)
}

// missing reports whether a stream does not exist.
func missing(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) ||
		errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamNotFound
}

// stream returns a handle, which is kept: it holds no more than the name.
func (q *Queue) stream(ctx context.Context, name string) (jetstream.Stream, error) {
	q.mutex.Lock()
	handle := q.handles[name]
	q.mutex.Unlock()
	if handle != nil {
		return handle, nil
	}
	handle, err := q.js.Stream(ctx, name)
	if err == nil {
		q.mutex.Lock()
		defer q.mutex.Unlock()
		if q.handles == nil || len(q.handles) > 1000 {
			q.handles = map[string]jetstream.Stream{}
		}
		q.handles[name] = handle
	}
	return handle, err
}
