package endpoint

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"moot/protocol"
)

var (
	// errCut: a stream ended without a finish_reason, and without [DONE] after a
	// text. Only these mean that a reply is complete.
	errCut       = errors.New("the stream ended before the reply did")
	errOversized = errors.New("the reply is longer than its limit")
	errGivenUp   = errors.New("the server gave up on the reply")
	errMalformed = errors.New("the server sent a chunk that is not JSON")
	errEndless   = errors.New("the server sends too much around the reply")
	// errDone is the end that a stream announces with [DONE].
	errDone = errors.New("the stream is done")
)

// foreignError says that the answer to a request, with status 200, is something
// else than expected: "an HTML page".
type foreignError struct{ what, title string }

// Error implements error.
func (f *foreignError) Error() string { return "the answer is " + f.what }

// stallError says which limit a server exceeded.
type stallError struct {
	// what did not happen within the limit.
	what  string
	limit time.Duration
}

// Error implements error.
func (s *stallError) Error() string { return fmt.Sprintf("%s within %s", s.what, s.limit) }

const (
	// tailWait is how long the token counts may take after the reply has ended, and
	// tailBytes how much may follow it.
	tailWait  = 2 * time.Second
	tailBytes = 256 << 10
	// drainWait is how long the end of a stream may take after [DONE]; waiting
	// for it lets the connection be reused.
	drainWait = 25 * time.Millisecond
	// peekBytes is enough to see what a body is, and lineBytes more than most lines of a stream have.
	peekBytes = 16
	lineBytes = 1 << 10
	// maxOverhead is how many bytes of a stream one byte of the reply may take.
	maxOverhead = 512
)

// watchdog cancels a request if the server is silent for too long. It is a timer
// and needs no goroutine.
type watchdog struct {
	timer *time.Timer
	stall atomic.Pointer[stallError]
}

// expect restarts the clock for what has to happen now.
func (w *watchdog) expect(what string, limit time.Duration) {
	if stall := w.stall.Load(); stall.what != what || stall.limit != limit {
		w.stall.Store(&stallError{what, limit})
	}
	w.timer.Reset(limit)
}

// ask sends one request and reads its stream. A nil error means that the reply is
// complete.
func (r *run) ask(ctx context.Context, taken ability, schema json.RawMessage) error {
	r.earlier.add(r.usage)
	r.finish, r.declined, r.usage, r.tools = "", "", usage{}, toolCalls{}
	r.thinking = thinking{Thoughts: protocol.Thoughts{KeepJSON: true}}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	dog := &watchdog{}
	dog.stall.Store(&stallError{"no connection", r.limits.Connect})
	dog.timer = time.AfterFunc(r.limits.Connect, func() { cancel(dog.stall.Load()) })
	defer dog.timer.Stop()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { dog.expect("no token", r.limits.FirstToken) },
	})
	request := r.request(taken)
	r.sent = 0
	for _, message := range request.Messages {
		r.sent += len(message.Content)
	}
	r.reply.Attempts++
	response, err := r.post(ctx, request, taken, schema)
	if err == nil {
		defer func() { _ = response.Body.Close() }()
		err = r.read(bufio.NewReaderSize(response.Body, peekBytes), dog)
	}
	return stalled(ctx, err)
}

// stalled returns the cause if the watchdog or the clock ended the request.
func stalled(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// maxBody bounds one line, or a reply in one piece: at worst JSON writes six bytes
// for one.
func (r *run) maxBody() int { return 6*r.limits.MaxReplyBytes + maxRefusalBytes }

// read reads the reply from a response's body. The Content-Type of a body is often
// wrong, so its first byte decides what it is.
func (r *run) read(body *bufio.Reader, dog *watchdog) error {
	first, err := body.Peek(1)
	for n := 0; err == nil && n < maxRefusalBytes && strings.IndexByte(" \t\r\n\xEF\xBB\xBF", first[0]) >= 0; n++ {
		_, _ = body.Discard(1) // White space or a byte order mark.
		first, err = body.Peek(1)
	}
	switch {
	case errors.Is(err, io.EOF):
		return errCut
	case err != nil:
		return err
	case strings.IndexByte("<{[", first[0]) >= 0:
		return r.readWhole(body, dog)
	}
	// event holds the data of an event whose first line is no whole chunk.
	var event []byte
	takeEvent := func() error {
		data := event
		event = nil
		if data == nil {
			return nil
		}
		if err := r.take(data); r.finish == "" {
			return err
		}
		return nil
	}
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, lineBytes), r.maxBody())
	lines.Split(splitLines())
	for read, most := 0, r.maxBody(); lines.Scan(); {
		data, err := eventData(lines.Bytes())
		finished, taken := r.finish != "", false
		switch {
		case len(lines.Bytes()) == 0 || errors.Is(err, errDone):
			taken = event != nil
			if err := takeEvent(); err != nil {
				return err
			}
		case event != nil && data != nil:
			event = append(append(event, '\n'), data...)
		case data != nil:
			taken = true
			if err := r.take(data); errors.Is(err, errMalformed) {
				event, taken = bytes.Clone(data), false
			} else if err != nil && r.finish == "" {
				return err
			}
		}
		if errors.Is(err, errDone) {
			drain(body, dog)
			return r.ended(errDone)
		}
		read += len(lines.Bytes()) + 1
		progress := r.text.Len() + r.thinking.bytes + len(r.declined) + r.tools.bytes
		switch {
		case finished:
		case r.finish != "":
			most = read + tailBytes
			dog.expect("no end of the stream", tailWait)
		case taken && progress > 0:
			most = r.maxBody() + maxOverhead*progress
			dog.expect("nothing more", r.limits.Idle)
		}
		if read > most {
			return r.ended(errEndless)
		}
	}
	err = lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = errOversized
	}
	if err == nil {
		err = cmp.Or(takeEvent(), errCut)
	}
	return r.ended(err)
}

// drain reads the end of a body, so that the connection can be reused.
func drain(body io.Reader, dog *watchdog) {
	dog.expect("no end of the stream", drainWait)
	_, _ = io.Copy(io.Discard, io.LimitReader(body, maxRefusalBytes))
}

// splitLines returns a split function for lines that end in LF, CRLF or CR. A line
// that ends in CR is returned at once: the LF may be late.
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

// eventData returns the data of one line of server-sent events, or nil. A line with
// a whole chunk is an event: some servers leave out the blank line in between.
func eventData(line []byte) ([]byte, error) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch {
	case len(value) == 0:
	case string(name) == "data" && string(value) == "[DONE]":
		return nil, errDone
	case string(name) == "data":
		return value, nil
	case string(name) == "error":
		// Older llama.cpp servers report an error in a field of that name.
		return fmt.Appendf(nil, `{"error":%s}`, value), nil
	}
	return nil, nil
}

// ended decides whether a stream that ended with err was complete.
func (r *run) ended(err error) error {
	if last := r.takeParts(r.thinking.End()); last != nil {
		return last
	}
	said := r.declined != "" || len(r.tools.calls) > 0 || strings.TrimSpace(r.text.String()) != ""
	switch {
	case r.finish != "":
		return nil // Only the token counts may be missing.
	case errors.Is(err, errDone) && said:
		return nil // Some servers announce the end and never give a reason.
	case errors.Is(err, errDone):
		return errCut
	}
	return err
}

// readWhole reads a body that is not a stream: an error with status 200, a reply
// from a server that does not stream, or a page.
func (r *run) readWhole(body *bufio.Reader, dog *watchdog) error {
	if first, _ := body.Peek(1); string(first) == "<" {
		page, err := io.ReadAll(io.LimitReader(body, maxRefusalBytes))
		if err != nil {
			return err
		}
		return &foreignError{what: "an HTML page", title: pageTitle(page)}
	}
	// The decoder stops where the value ends: the connection may stay open.
	limited := &io.LimitedReader{R: body, N: int64(r.maxBody())}
	var data json.RawMessage
	var syntax *json.SyntaxError
	err := json.NewDecoder(limited).Decode(&data)
	switch {
	case err != nil && limited.N == 0:
		return errOversized
	case errors.As(err, &syntax):
		return &foreignError{what: "no chat completion"}
	case err != nil:
		return err
	}
	drain(body, dog)
	piece, err := parseChunk(data)
	if err != nil || (piece.refused == nil && piece.finish == "" && piece.text == "" && piece.reasoning == "") {
		return &foreignError{what: "no chat completion"}
	}
	if err := r.take(data); err != nil {
		return err
	}
	if err := r.takeParts(r.thinking.End()); err != nil {
		return err
	}
	if r.finish == "" {
		return errCut
	}
	r.noteOnce("the endpoint does not stream: replies arrive in one piece")
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
	if piece.usage.reported {
		r.usage = piece.usage
	}
	r.declined += piece.declined
	if len(r.declined) > r.limits.MaxReplyBytes {
		return errOversized
	}
	if r.tools.add(piece.tools); r.tools.bytes > r.limits.MaxReplyBytes {
		return errOversized
	}
	r.think(piece.reasoning)
	if err := r.takeParts(r.thinking.Feed(piece.text)); err != nil {
		return err
	}
	if r.thinking.bytes > r.limits.MaxReplyBytes {
		return errOversized
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

// chunk is one event of a stream, or a reply that was not streamed. Chunks are read
// by path: the content may be a list, an error a string, and a thought has many names.
type chunk struct {
	refused *refusal
	model   string
	// text, reasoning and declined are the next pieces of the reply, of the
	// thought before it, and of the model's refusal to answer.
	text, reasoning, declined string
	// finish is the reason why the reply ended, or "".
	finish string
	usage  usage
	// tools are the next pieces of calls of tools.
	tools gjson.Result
}

// usage is the cost of a reply in tokens.
type usage struct {
	reported           bool
	prompt, completion int
	// cached tokens of the prompt; most servers count them in prompt too.
	cached int
	// cost is in US dollars, 0 if not reported.
	cost float64
}

func (u *usage) add(other usage) {
	u.reported = u.reported || other.reported
	u.prompt += other.prompt
	u.completion += other.completion
	u.cost += other.cost
}

func parseChunk(data []byte) (chunk, error) {
	var out chunk
	// This also refuses JSON that is nested too deep for gjson, and is much faster than json.Valid.
	if !jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return out, errMalformed
	}
	root := gjson.ParseBytes(data)
	if root.IsArray() {
		root = root.Get("0") // One provider wraps its errors in a list.
	}
	if !root.IsObject() {
		return out, errMalformed
	}
	clean := func(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
	// One pass over each object: streams have many small chunks.
	var choice, delta gjson.Result
	root.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "error":
			if value.Type != gjson.Null && value.Type != gjson.False {
				out.refused = parseRefusal(data)
			}
		case "model":
			out.model = value.String()
		case "usage":
			out.usage.read(value)
		case "x_groq":
			out.usage.read(value.Get("usage"))
		case "choices":
			value.ForEach(func(_, first gjson.Result) bool {
				choice = first // The request asks for one.
				return false
			})
		}
		return true
	})
	choice.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "error":
			if value.IsObject() {
				out.refused = parseRefusal([]byte(choice.Raw))
			}
		case "finish_reason":
			out.finish = value.String()
		case "delta":
			delta = value
		case "message":
			if !delta.Exists() {
				delta = value
			}
		}
		return true
	})
	delta.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "content":
			if value.Type == gjson.String {
				out.text = clean(value.Str)
				break
			}
			for _, part := range value.Array() {
				switch part.Get("type").Str {
				case "text":
					out.text += clean(part.Get("text").String())
				case "thinking", "reasoning":
					out.reasoning += clean(thoughtOf(part))
				}
			}
		case "reasoning", "reasoning_content", "thinking":
			if value.Type == gjson.String && out.reasoning == "" {
				out.reasoning = clean(value.Str)
			}
		case "refusal":
			out.declined = value.String()
		case "tool_calls":
			out.tools = value
		}
		return true
	})
	return out, nil
}

// thoughtOf reads a part of the content that is a thought: the text of a field, or
// of a list of such parts.
func thoughtOf(part gjson.Result) string {
	for _, field := range []string{"thinking", "reasoning", "text"} {
		value := part.Get(field)
		if value.Type == gjson.String {
			return value.Str
		}
		if value.IsArray() {
			text := ""
			for _, inner := range value.Array() {
				text += inner.Get("text").String()
			}
			return text
		}
	}
	return ""
}

// read takes the counts of a chunk. Counts that no model has are not reported.
func (u *usage) read(value gjson.Result) {
	if !value.IsObject() {
		return
	}
	const mostCost = 1e6
	cost := max(0, value.Get("cost").Float())
	possible := cost <= mostCost
	count := func(path string) int {
		n := max(0, value.Get(path).Float())
		possible = possible && n <= mostContext
		return int(min(n, mostContext))
	}
	found := usage{
		reported: true, prompt: count("prompt_tokens"), completion: count("completion_tokens"), cost: cost,
		cached: max(count("prompt_tokens_details.cached_tokens"), count("cache_read_input_tokens")),
	}
	if possible {
		*u = found
	}
}

// thinking holds the thoughts of one attempt. They are not part of the reply.
type thinking struct {
	protocol.Thoughts
	bytes int
}

// takeParts adds to the reply and to the thoughts.
func (r *run) takeParts(parts []protocol.ThoughtPart) error {
	for _, part := range parts {
		if part.Void {
			// The template of the model began the thought.
			thought := r.text.String()
			r.text.Reset()
			r.watch(protocol.Delta{Restart: true})
			r.think(thought)
		}
		r.think(part.Thought)
		if r.text.Len()+len(part.Text) > r.limits.MaxReplyBytes {
			return errOversized
		}
		if part.Text != "" {
			r.text.WriteString(part.Text)
			r.watch(protocol.Delta{Text: part.Text})
		}
	}
	return nil
}

// think shows a thought.
func (r *run) think(thought string) {
	if thought != "" {
		r.thinking.bytes += len(thought)
		r.watch(protocol.Delta{Thought: thought})
	}
}
