package endpoint

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"

	"github.com/sashabaranov/go-openai"
)

var (
	// errCut says that a stream ended without a finish_reason, and without
	// [DONE] after a text: only these say that a reply is whole.
	errCut = errors.New("the stream ended before the reply did")
	// errOversized says that a reply is longer than its limit.
	errOversized = errors.New("the reply is longer than its limit")
	// errUnsent says that the library refused the request itself.
	errUnsent = errors.New("the request was not sent")
	// errGivenUp says that the server itself ended the reply with an error.
	errGivenUp = errors.New("the server gave the reply up")
)

// foreignError says that what answered with a 200 is no chat endpoint.
type foreignError struct {
	// what it is: "an HTML page".
	what, title string
}

// Error implements error.
func (f *foreignError) Error() string { return "the answer is " + f.what }

// ask sends one request and reads its stream. A nil error says that the reply
// is whole.
func (r *run) ask(ctx context.Context, taken ability) error {
	r.earlier.add(r.usage)
	r.finish, r.declined, r.usage = "", "", usage{}
	r.listen()
	leave, err := r.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	dog := newWatchdog(r.stalls.connect, cancel)
	defer dog.stop()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { dog.expect(r.stalls.first) },
	})
	ctx, kept := withExchange(ctx)
	request := r.request(r.call, taken)
	r.sent = promptBytes(request)
	r.reply.Attempts++
	stream, err := r.client.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return stalled(ctx, sendError(err))
	}
	defer closeBody(stream)
	return stalled(ctx, r.read(bufio.NewReader(kept.response.Body), dog))
}

// sendError marks an error that is neither the network's nor the server's.
func sendError(err error) error {
	var network *url.Error
	var said *refusal
	if errors.As(err, &network) || errors.As(err, &said) {
		return err
	}
	if errors.Is(err, openai.ErrReasoningEffortUnsupported) {
		return &refusal{status: http.StatusBadRequest, message: err.Error()}
	}
	return fmt.Errorf("%w: %w", errUnsent, err)
}

// stalled returns the watchdog's or the clock's reason where one of them ended
// the request, and else the error itself.
func stalled(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// read takes the reply from a response's body.
func (r *run) read(body *bufio.Reader, dog *watchdog) error {
	first, err := firstByte(body)
	switch {
	case errors.Is(err, io.EOF):
		return errCut
	case err != nil:
		return err
	case first == '<' || first == '{' || first == '[':
		return r.readWhole(body)
	}
	stream := &events{reader: body, maxLine: r.maxBody(), maxIdle: r.limits.MaxIdleLines}
	for {
		data, err := stream.next()
		if err != nil {
			return r.end(body, dog, err)
		}
		if err := r.take(data); err != nil && r.finish == "" {
			return err
		}
		switch {
		case r.finish != "":
			dog.expect(r.stalls.tail)
		case r.text.Len() > 0 || r.aloud.bytes > 0:
			dog.expect(r.stalls.idle)
		}
	}
}

// maxBody is how long one line, or a reply in one piece, may be in bytes: JSON
// at its worst writes six for one.
func (r *run) maxBody() int { return 6*r.limits.MaxReplyBytes + maxRefusalBytes }

// end decides whether a stream that ends was whole.
func (r *run) end(body *bufio.Reader, dog *watchdog, err error) error {
	if errors.Is(err, errDone) {
		dog.expect(r.stalls.drain)
		// To its end, so that the connection is free for the next call.
		_, _ = io.Copy(io.Discard, io.LimitReader(body, maxRefusalBytes))
	}
	if err := r.flush(); err != nil {
		return err
	}
	switch {
	case r.finish != "":
		return nil // Only the token counts may be missing.
	case errors.Is(err, errDone) && (r.declined != "" || strings.TrimSpace(r.text.String()) != ""):
		return nil // Some servers announce the end and never say why it came.
	case errors.Is(err, errDone), errors.Is(err, io.EOF):
		return errCut
	}
	return err
}

// readWhole reads a body that is no stream: an error under a 200, a reply from
// a server that does not stream, or a page.
func (r *run) readWhole(body io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(body, int64(r.maxBody())+1))
	if err != nil {
		return err
	}
	if len(data) > r.maxBody() {
		return errOversized
	}
	if said := parseRefusal(data); said.page {
		return &foreignError{what: "an HTML page", title: said.message}
	}
	piece, err := parseChunk(data)
	if err != nil || (piece.refused == nil && piece.finish == "" && piece.text == "" && piece.reasoning == "") {
		return &foreignError{what: "no chat completion"}
	}
	if err := r.take(data); err != nil {
		return err
	}
	if err := r.flush(); err != nil {
		return err
	}
	if r.finish == "" {
		return errCut
	}
	r.noteOnce("the endpoint does not stream: replies come in one piece")
	return nil
}

// take adds one chunk to the reply and shows it.
func (r *run) take(data []byte) error {
	piece, err := parseChunk(data)
	if err != nil {
		return err
	}
	if piece.refused != nil {
		return piece.refused
	}
	if piece.model != "" {
		r.reply.Model = piece.model
	}
	if piece.usage.told {
		r.usage = piece.usage
	}
	r.declined += piece.declined
	if len(r.declined) > r.limits.MaxReplyBytes {
		return errOversized
	}
	r.think(piece.reasoning)
	if piece.text != "" {
		if err := r.hear(piece.text); err != nil {
			return err
		}
	}
	switch piece.finish {
	case "":
	case "error", "insufficient_system_resource":
		return errGivenUp
	default:
		r.finish = piece.finish
	}
	return nil
}
