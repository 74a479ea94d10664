package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"
)

var (
	errOversized = errors.New("the reply is longer than its limit")
	errMalformed = errors.New("the server sent a chunk that is not JSON")
	errEndless   = errors.New("the server sends too much around the reply")
)

// foreignError reports that a response with status 200 is not from a model API, such as "an HTML page".
type foreignError struct{ what, title string }

// Error implements error.
func (f *foreignError) Error() string { return "the answer is " + f.what }

const (
	// tailWait is how long the token counts may take after the reply has ended, and
	// tailBytes how much may follow it.
	tailWait  = 2 * time.Second
	tailBytes = 256 << 10
	// drainWait is how long to wait for the end of a stream after [DONE], so that the connection can be reused.
	drainWait = 25 * time.Millisecond
	// errorWait is how long an error body may take.
	errorWait = 5 * time.Second
	// peekBytes is enough to recognize the kind of body. lineBytes exceeds most lines of a stream.
	peekBytes = 16
	lineBytes = 1 << 10
	// maxOverhead is the maximum number of stream bytes per byte of reply.
	maxOverhead = 512
)

// NewTransport returns a transport that endpoints can share. It disables compression, because proxies buffer
// compressed streams.
func NewTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        512,
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true,
		WriteBufferSize:     16 << 10, // most requests fit in one write

		MaxResponseHeaderBytes: 256 << 10,
	}
}

// send sends a request with the key. It does not follow redirects, which would turn the POST into a GET or send the
// prompt to another host.
func (e *Endpoint) send(request *http.Request) (*http.Response, error) {
	c := &e.config
	switch {
	case !c.User.IsZero() || !c.Password.IsZero():
		request.SetBasicAuth(c.User.reveal(), c.Password.reveal())
	case !c.Key.IsZero() && c.KeyHeader != "":
		request.Header.Set(c.KeyHeader, c.Key.reveal())
	case !c.Key.IsZero():
		request.Header.Set("Authorization", "Bearer "+c.Key.reveal())
	}
	request.Header.Set("User-Agent", "moot")
	return e.transport.RoundTrip(request)
}

// watchdog cancels a request if the server is silent for too long. It uses a timer instead of a goroutine.
type watchdog struct {
	timer *time.Timer
	stall atomic.Pointer[stallError]
}

// stallError says which limit a server exceeded.
type stallError struct {
	// what did not happen in time
	what  string
	limit time.Duration
}

// Error implements error.
func (s *stallError) Error() string { return fmt.Sprintf("%s within %s", s.what, s.limit) }

func newWatchdog(cancel context.CancelCauseFunc, what string, limit time.Duration) *watchdog {
	w := &watchdog{}
	w.stall.Store(&stallError{what, limit})
	w.timer = time.AfterFunc(limit, func() { cancel(w.stall.Load()) })
	return w
}

// expect restarts the timer for the next thing that must happen.
func (w *watchdog) expect(what string, limit time.Duration) {
	if stall := w.stall.Load(); stall.what != what || stall.limit != limit {
		w.stall.Store(&stallError{what, limit})
	}
	w.timer.Reset(limit)
}

// stalled returns the cause if the watchdog or the context ended the request.
func stalled(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// exchange is one HTTP request and its response, between the library's client and the network. It adds to the request
// what the library's types cannot hold, limits the response, and keeps what the library drops.
type exchange struct {
	*Endpoint
	dog *watchdog
	// splices are replacements in the request, in order. tail is appended to its fields.
	splices []splice
	tail    string

	// refused is the server's error, including what the library's error type drops.
	refused *refusal
	// whole is an answer that was not streamed.
	whole []byte
	// done says that [DONE] was received.
	done bool
	// count is the number of stream bytes so far, and most their limit.
	count, most int
}

// splice replaces a part of a request with JSON or a string.
type splice struct {
	part []byte
	json json.RawMessage
	text string
}

// client returns a library client that sends its requests through the exchange.
func (x *exchange) client() *openai.Client {
	config := openai.DefaultConfig("")
	config.BaseURL, config.HTTPClient = x.config.Base, x
	config.EmptyMessagesLimit = 1 << 30 // the exchange has its own limit
	return openai.NewClientWithConfig(config)
}

// splice returns a placeholder for JSON or text. In the request, the part that holds it, such as "%q", is replaced.
// The placeholder cannot occur in foreign text.
func (x *exchange) splice(part string, value json.RawMessage, text string) string {
	word := rand.Text()
	x.splices = append(x.splices, splice{fmt.Appendf(nil, part, word), value, text})
	return word
}

// maxBody is the maximum size of a line or an unstreamed reply: JSON uses up to six bytes per byte.
func (e *Endpoint) maxBody() int { return 6*e.limits.MaxReplyBytes + maxRefusalBytes }

// Do implements openai.HTTPDoer.
func (x *exchange) Do(request *http.Request) (*http.Response, error) {
	if err := x.patch(request); err != nil {
		return nil, err
	}
	ctx := request.Context()
	response, err := x.send(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		x.dog.expect("no end of the error", errorWait)
		if x.refused, err = readRefusal(ctx, response); err != nil {
			return nil, err
		}
		x.refused.model = x.config.Model
		return nil, x.refused
	}
	x.most = x.maxBody()
	body := bufio.NewReaderSize(response.Body, peekBytes)
	first, err := body.Peek(1)
	for n := 0; err == nil && n < maxRefusalBytes && strings.IndexByte(" \t\r\n\xEF\xBB\xBF", first[0]) >= 0; n++ {
		_, _ = body.Discard(1) // white space or a byte order mark
		first, err = body.Peek(1)
	}
	if err == nil && strings.IndexByte("<{[", first[0]) >= 0 {
		x.whole, err = x.readWhole(body, first[0] == '<')
		x.drain(body)
		_ = response.Body.Close()
		if err != nil {
			return nil, stalled(ctx, err)
		}
		answer := bytes.NewReader(x.whole)
		if request.Method == http.MethodPost {
			answer = bytes.NewReader(appendEvent(nil, compact(x.whole)))
		}
		response.Body = io.NopCloser(answer)
		return response, nil
	}
	if err != nil && !errors.Is(err, io.EOF) {
		_ = response.Body.Close()
		return nil, stalled(ctx, err)
	}
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, lineBytes), x.maxBody())
	lines.Split(splitLines())
	response.Body = &tidyStream{exchange: x, body: response.Body, rest: body, lines: lines}
	return response, nil
}

// patch applies the splices and the tail to a request.
func (x *exchange) patch(request *http.Request) error {
	if request.Body == nil || len(x.splices) == 0 && x.tail == "" {
		return nil
	}
	body := make([]byte, request.ContentLength)
	if _, err := io.ReadFull(request.Body, body); err != nil {
		return err
	}
	grown := len(x.tail)
	for _, s := range x.splices {
		grown += len(s.json) + len(s.text) + len(s.text)/16 // with room for escapes
	}
	patched := make([]byte, 0, len(body)+grown)
	for _, s := range x.splices { // splices are in the order of the request
		before, after, found := bytes.Cut(body, s.part)
		if !found {
			return errors.New("build the request: a part of it is missing")
		}
		patched, body = append(append(patched, before...), s.json...), after
		if s.json == nil {
			patched, _ = jsontext.AppendQuote(patched, s.text) // also replaces invalid UTF-8
		}
	}
	patched = append(patched, body...)
	if x.tail != "" {
		patched = append(append(bytes.TrimSuffix(patched, []byte("}")), x.tail...), '}')
	}
	request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(patched)), nil }
	request.Body = io.NopCloser(bytes.NewReader(patched))
	request.ContentLength = int64(len(patched))
	return nil
}

// readWhole reads a body that is not a stream: an error with status 200, an unstreamed reply, or a page.
func (x *exchange) readWhole(body *bufio.Reader, page bool) ([]byte, error) {
	if page {
		text, err := io.ReadAll(io.LimitReader(body, maxRefusalBytes))
		if err != nil {
			return nil, err
		}
		return nil, &foreignError{what: "an HTML page", title: pageTitle(text)}
	}
	// The decoder stops at the end of the value, since the connection may stay open.
	limited := &io.LimitedReader{R: body, N: int64(x.maxBody())}
	var data json.RawMessage
	var syntax *json.SyntaxError
	err := json.NewDecoder(limited).Decode(&data)
	switch {
	case err != nil && limited.N == 0:
		return nil, errOversized
	case errors.As(err, &syntax):
		return nil, &foreignError{what: "no chat completion"}
	}
	return data, err
}

// compact removes the line breaks from JSON.
func compact(data []byte) []byte {
	var line bytes.Buffer
	if json.Compact(&line, data) != nil {
		return data
	}
	return line.Bytes()
}

// drain reads the end of a body, so that the connection can be reused.
func (x *exchange) drain(body io.Reader) {
	x.dog.expect("no end of the stream", drainWait)
	_, _ = io.Copy(io.Discard, io.LimitReader(body, maxRefusalBytes))
}

// tidyStream normalizes a stream to one line of JSON per event. The library's reader supports neither CR line ends,
// nor events of several lines, nor comments before an error, and it does not limit line lengths.
type tidyStream struct {
	*exchange
	body  io.ReadCloser
	rest  io.Reader
	lines *bufio.Scanner
	// event holds the data of a multi-line event.
	event []byte
	out   []byte
	end   error
}

// Read returns at most one event, so that the limits track the reply.
func (t *tidyStream) Read(data []byte) (int, error) {
	for len(t.out) == 0 && t.end == nil {
		switch {
		case t.count > t.most:
			t.end = errEndless
		case t.lines.Scan():
			t.count += len(t.lines.Bytes()) + 1
			t.line(t.lines.Bytes())
		case errors.Is(t.lines.Err(), bufio.ErrTooLong):
			t.end = errOversized
		case t.lines.Err() != nil:
			t.end = t.lines.Err()
		default:
			if t.end = io.EOF; t.event != nil {
				t.flush()
			}
		}
	}
	if len(t.out) == 0 {
		return 0, t.end
	}
	n := copy(data, t.out)
	t.out = t.out[n:]
	return n, nil
}

// line processes one line. A line that holds a complete value is an event, because some servers omit the blank line
// between events.
func (t *tidyStream) line(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch {
	case len(line) == 0:
		if t.event != nil {
			t.flush()
		}
	case len(value) == 0:
	case string(name) == "data" && string(value) == "[DONE]":
		if t.event != nil {
			t.flush()
			if t.end != nil {
				return
			}
		}
		t.done = true
		t.out = append(t.out, "data: [DONE]\n"...)
	case string(name) == "data":
		switch {
		case t.event != nil:
			t.event = append(append(t.event, ' '), value...)
		case isValid(value):
			t.emit(value)
		default:
			t.event = bytes.Clone(value)
		}
	case string(name) == "error":
		// Older llama.cpp servers report errors in this field.
		t.emit(fmt.Appendf(nil, `{"error":%s}`, value))
	}
}

// flush ends a multi-line event.
func (t *tidyStream) flush() {
	event := t.event
	t.event = nil
	if !isValid(event) {
		t.end = errMalformed
		return
	}
	t.emit(event)
}

func (t *tidyStream) emit(event []byte) { t.out = appendEvent(t.out, event) }

// appendEvent appends an event for the library's reader. The reader would wait for more data after an event that
// begins with an error; a leading space prevents that.
func appendEvent(out, event []byte) []byte {
	out = append(out, "data: "...)
	if rest, ok := bytes.CutPrefix(event, []byte(`{"error"`)); ok {
		out, event = append(out, `{ "error"`...), rest
	}
	return append(append(out, event...), '\n')
}

// Close closes the body. After [DONE] it first reads to the end.
func (t *tidyStream) Close() error {
	if t.done {
		t.drain(t.rest)
	}
	return t.body.Close()
}

// isValid reports whether data is one JSON value. Unlike json.Valid, it rejects nesting too deep for gjson, and it is
// much faster.
func isValid(data []byte) bool {
	return jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// splitLines returns a split function for lines that end in LF, CRLF or CR. A line that ends in CR is returned at
// once, because the LF may be delayed.
func splitLines() bufio.SplitFunc {
	afterCR, searched := false, 0
	return func(data []byte, atEOF bool) (int, []byte, error) {
		start := 0
		if afterCR && len(data) > 0 && data[0] == '\n' {
			start = 1
		}
		from := max(start, searched)
		end := bytes.IndexAny(data[from:], "\r\n")
		switch {
		case end >= 0:
			end += from
			afterCR, searched = data[end] == '\r', 0
			return end + 1, data[start:end], nil
		case atEOF && len(data) > start:
			searched = 0
			return len(data), data[start:], nil
		}
		searched = len(data)
		return 0, nil, nil
	}
}
