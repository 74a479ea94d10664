package record

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"moot/agent/scrub"
	"moot/protocol"
)

// callKey finds the call in a context.
type callKey struct{}

// Call is the record of one call. It may be used by several goroutines; nil
// records nothing.
type Call struct {
	recorder *Recorder
	number   int
	began    time.Time

	mutex    sync.Mutex
	requests int
}

// From returns the record of the call that is made in a context, nil where none
// is kept.
func From(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// at is the time since the call began, in milliseconds.
func (c *Call) at() int64 { return time.Since(c.began).Milliseconds() }

// next counts a request or a program.
func (c *Call) next() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.requests++
	return c.requests
}

// line writes a line of the call, with all texts cleaned.
func (c *Call) line(l Line) {
	l.Call, l.At = c.number, c.at()
	c.put(l)
}

// put is line for one whose time is known.
func (c *Call) put(l Line) {
	l.Call = c.number
	clean := c.recorder.scrubber.Clean
	l.Participant, l.Retry, l.URL = clean(l.Participant), clean(l.Retry), clean(l.URL)
	l.Text, l.Model, l.By = clean(l.Text), clean(l.Model), clean(l.By)
	l.Recovered, l.Error = clean(l.Recovered), clean(l.Error)
	l.Argv = slices.Clone(l.Argv)
	for i := range l.Argv {
		l.Argv[i] = clean(l.Argv[i])
	}
	c.recorder.write(l)
}

// Tell implements protocol.CallRecord: it notes what happens on the wire. Pieces
// of the reply are in the bytes that came.
func (c *Call) Tell(d protocol.Delta) {
	switch {
	case c == nil:
	case d.Note != "":
		c.line(Line{Kind: KindNote, Text: d.Note, WaitMillis: d.Wait.Milliseconds()})
	case d.Restart:
		c.line(Line{Kind: KindNote, Text: "the reply begins again"})
	}
}

// End implements protocol.CallRecord.
func (c *Call) End(reply protocol.Reply, err error) string {
	if c == nil {
		return ""
	}
	// A reply beside an error is one to a prompt that was probably cut.
	if err == nil || reply.Text != "" {
		c.line(Line{
			Kind: KindReply, Text: string(c.whole([]byte(reply.Text))), Model: reply.Model, PromptTokens: reply.PromptTokens,
			CompletionTokens: reply.CompletionTokens, Estimated: reply.Estimated, By: reply.By, Recovered: reply.Recovered,
		})
	}
	end := ending(err)
	end.Text = string(c.whole([]byte(end.Text)))
	c.line(end)
	return c.recorder.trouble()
}

// ending is the line that says how a call ended.
func ending(err error) Line {
	end := Line{Kind: KindEnd, Failure: FailureNone}
	if err == nil {
		return end
	}
	var broken *protocol.Broken
	var gone *protocol.Unreachable
	var long *protocol.TooLong
	end.Error = err.Error()
	switch {
	case errors.As(err, &broken):
		end.Failure, end.Code, end.Text = FailureBroken, broken.Code, broken.Partial
	case errors.As(err, &gone):
		end.Failure = FailureUnreachable
	case errors.As(err, &long):
		end.Failure = FailureTooLong
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, protocol.ErrStopped):
		end.Failure = FailureCancelled
	default:
		end.Failure = FailureOther
	}
	return end
}

// flow is a stream of bytes of a call that is recorded as it comes.
type flow struct {
	call    *Call
	request int
	kind    Kind

	mutex  sync.Mutex
	stream *scrub.Stream
}

func (c *Call) flow(request int, kind Kind) *flow {
	return &flow{call: c, request: request, kind: kind, stream: c.recorder.scrubber.Stream()}
}

// add records bytes.
func (f *flow) add(data []byte) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.put(f.stream.Write(data, f.call.at()))
}

// close records what was held back.
func (f *flow) close() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.put(f.stream.Close())
}

func (f *flow) put(pieces []scrub.Piece) {
	for _, piece := range pieces {
		l := Line{Kind: f.kind, Request: f.request, At: piece.At}
		l.put(piece.Data)
		f.call.put(l)
	}
}

// whole is bytes that came at once, cleaned.
func (c *Call) whole(data []byte) []byte {
	stream := c.recorder.scrubber.Stream()
	var out []byte
	for _, piece := range append(stream.Write(data, 0), stream.Close()...) {
		out = append(out, piece.Data...)
	}
	return out
}
