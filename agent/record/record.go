// Package record writes everything that a session exchanges with its participants to a JSON Lines file, for tests and
// bug reports: each call with its HTTP requests, the programs it ran, and the reply. Keys are removed. Start at
// Create.
//
// The session reports calls through run.Recorder, endpoints use the Recorder's Transport, and package program finds
// the current call with From.
package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"moot/agent/scrub"
	"moot/protocol"
	"moot/protocol/run"
	"moot/state"
)

// Version is the version of the format.
const Version = 3

const (
	// MaxFile is the size at which a recording stops.
	MaxFile = 64 << 20
	// maxBody is the maximum size of a body or a program's stream.
	maxBody = 8 << 20
)

// ErrExists reports that the file exists.
var ErrExists = errors.New("the file exists and was not changed; use another name, or remove it")

// Head is the first line of a recording.
type Head struct {
	Recording int       `json:"recording"`
	Moot      string    `json:"moot"`
	Session   string    `json:"session"`
	At        time.Time `json:"at"`
}

// Kind says what a line holds.
type Kind string

// The kinds of lines.
const (
	// KindCall is a call to a seat.
	KindCall Kind = "call"
	// KindExchange is a request to an endpoint with its response.
	KindExchange Kind = "exchange"
	// KindProgram is a run of a program, or one turn of a program that stays up.
	KindProgram Kind = "program"
	// KindNote is a note, such as a wait or a retry.
	KindNote Kind = "note"
	// KindEnd is the reply or the error of a call.
	KindEnd Kind = "end"
	// KindStopped says why the recording stops.
	KindStopped Kind = "stopped"
)

// Line is any line but the first. Its kind determines its fields.
type Line struct {
	Kind Kind `json:"kind"`
	// Call numbers calls from 1. Millis is the time since the call began.
	Call   int   `json:"call,omitempty"`
	Millis int64 `json:"at_ms"`

	// For a call. Retry says why the seat is asked again.
	Seat        state.Seat  `json:"seat,omitempty"`
	Stage       state.Stage `json:"stage,omitempty"`
	Round       int         `json:"round,omitempty"`
	Participant string      `json:"participant,omitempty"`
	Retry       string      `json:"retry,omitempty"`

	// For an exchange.
	Method          string              `json:"method,omitempty"`
	URL             string              `json:"url,omitempty"`
	Headers         map[string][]string `json:"headers,omitempty"`
	Body            string              `json:"body,omitempty"`
	Status          int                 `json:"status,omitempty"`
	ResponseHeaders map[string][]string `json:"response_headers,omitempty"`
	Response        string              `json:"response,omitempty"`

	// For a program. Exit is missing if it stays up.
	Argv   []string `json:"argv,omitempty"`
	Stdin  string   `json:"stdin,omitempty"`
	Stdout string   `json:"stdout,omitempty"`
	Stderr string   `json:"stderr,omitempty"`
	Exit   *int     `json:"exit,omitempty"`

	// For a note or an end. For a broken reply, Text has the part that arrived.
	Text             string `json:"text,omitempty"`
	Model            string `json:"model,omitempty"`
	PromptTokens     int    `json:"prompt_tokens,omitempty"`
	CompletionTokens int    `json:"completion_tokens,omitempty"`
	By               string `json:"by,omitempty"`

	// For a failed call, exchange or program. Code is the code of a broken reply.
	Code  string `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
}

// Recorder writes a recording. It is safe for concurrent use; nil records nothing.
type Recorder struct {
	scrubber *scrub.Scrubber
	// beginning is held while a call starts, so that calls are written in order.
	beginning sync.Mutex

	mutex sync.Mutex
	file  *os.File
	path  string
	calls int
	size  int64
	// stopped says why recording stopped. reported is set once that was shown.
	stopped          string
	reported, closed bool
}

var _ run.Recorder = (*Recorder)(nil)

// Create creates the file of a recording, which only its owner can read. If the file exists, the error is ErrExists.
// Secrets in the environment (NAME=value entries), and those added to Hidden, are removed from the recording.
func Create(path string, head Head, environ []string) (*Recorder, error) {
	hidden, err := scrub.Secrets(environ)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("record to %s: %w", path, ErrExists)
	}
	if err != nil {
		return nil, fmt.Errorf("record to a file: %w", err)
	}
	r := &Recorder{scrubber: scrub.New(hidden...), file: file, path: path}
	head.Recording, head.At = Version, head.At.UTC()
	if r.write(head); r.stopped != "" {
		r.Discard()
		return nil, fmt.Errorf("record to %s: %s", path, r.stopped)
	}
	return r, nil
}

// Hidden returns the scrubber of the recording, to which secrets can be added.
func (r *Recorder) Hidden() *scrub.Scrubber {
	if r == nil {
		return nil
	}
	return r.scrubber
}

// write appends a line. A failure stops the recording, never the session.
func (r *Recorder) write(value any) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.stopped != "" || r.closed {
		return
	}
	if err == nil && r.size+int64(line.Len()) > MaxFile {
		r.stopped = fmt.Sprintf("it has reached its limit of %d MiB", MaxFile>>20)
		line.Reset()
		err = encoder.Encode(Line{Kind: KindStopped, Error: r.stopped})
	}
	if err == nil {
		_, err = r.file.Write(line.Bytes())
	}
	if err != nil {
		r.stopped = err.Error()
		// Never leave an incomplete line in the file.
		if err := r.file.Truncate(r.size); err != nil {
			r.stopped += "; its last line is cut"
		}
		return
	}
	r.size += int64(line.Len())
}

// Summary describes the recording in a line without a label.
func (r *Recorder) Summary() string {
	if r == nil {
		return ""
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.stopped != "" {
		return fmt.Sprintf("%s is incomplete: %s", r.path, r.stopped)
	}
	const summary = "%s, %d calls, %d bytes; it contains prompts and replies, without keys"
	return fmt.Sprintf(summary, r.path, r.calls, r.size)
}

// Close closes the file. It may be called repeatedly.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	if err := r.file.Close(); err != nil {
		return fmt.Errorf("close the recording %s: %w", r.path, err)
	}
	return nil
}

// Discard removes the file of a session that was not started.
func (r *Recorder) Discard() {
	if r != nil {
		_ = r.Close()
		_ = os.Remove(r.path) // if this fails, one line without secrets remains
	}
}

// Call records one call. It is safe for concurrent use; nil records nothing.
type Call struct {
	recorder *Recorder
	number   int
	began    time.Time
}

type callKey struct{}

// From returns the call in a context, or nil.
func From(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// Begin implements run.Recorder.
func (r *Recorder) Begin(
	ctx context.Context, call protocol.Call, participant string,
) (context.Context, run.CallRecord) {
	if r == nil {
		return ctx, (*Call)(nil)
	}
	r.beginning.Lock()
	defer r.beginning.Unlock()
	r.mutex.Lock()
	r.calls++
	c := &Call{recorder: r, number: r.calls, began: time.Now()}
	r.mutex.Unlock()
	c.write(Line{
		Kind: KindCall, Seat: call.Ask.Seat, Stage: call.Ask.Stage, Round: call.State.Round,
		Participant: participant, Retry: call.Ask.Retry,
	})
	return context.WithValue(ctx, callKey{}, c), c
}

// write writes a line of the call, without secrets.
func (c *Call) write(l Line) {
	l.Call, l.Millis = c.number, time.Since(c.began).Milliseconds()
	for _, text := range []*string{&l.Participant, &l.Retry, &l.URL, &l.Model, &l.By, &l.Error} {
		*text = c.recorder.scrubber.Clean(*text)
	}
	for _, text := range []*string{&l.Body, &l.Response, &l.Stdin, &l.Stdout, &l.Stderr, &l.Text} {
		*text = c.recorder.scrubber.Body(strings.ToValidUTF8(*text, "\uFFFD"))
	}
	l.Argv = slices.Clone(l.Argv)
	for i := range l.Argv {
		l.Argv[i] = c.recorder.scrubber.Clean(l.Argv[i])
	}
	c.recorder.write(l)
}

// Tell implements run.CallRecord: it records notes.
func (c *Call) Tell(d protocol.Delta) {
	if c != nil && d.Note != "" {
		c.write(Line{Kind: KindNote, Text: d.Note})
	}
}

// End implements run.CallRecord.
func (c *Call) End(reply protocol.Reply, err error) string {
	if c == nil {
		return ""
	}
	l := Line{
		Kind: KindEnd, Text: reply.Text, Model: reply.Model, By: reply.By,
		PromptTokens: reply.PromptTokens, CompletionTokens: reply.CompletionTokens,
	}
	if broken, ok := errors.AsType[*protocol.Broken](err); ok {
		l.Code, l.Text = broken.Code, broken.Partial
	}
	if err != nil {
		l.Error = err.Error()
	}
	c.write(l)
	r := c.recorder
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.stopped == "" || r.reported {
		return ""
	}
	r.reported = true
	const stopped = "the recording %s is incomplete and stops here: %s; the session continues"
	return fmt.Sprintf(stopped, r.path, r.stopped)
}
