package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"time"
	"unicode/utf8"

	"moot/state"
)

// Version is that of the form of a recording.
const Version = 1

// Kind is what a line of a recording tells.
type Kind string

// The kinds of lines, in the order in which a call has them.
const (
	// KindBegin says that a seat is asked.
	KindBegin Kind = "begin"
	// KindRequest is a request to an endpoint, KindResponse the head of its
	// answer, KindChunk bytes of its body as they came, KindClosed the end of the
	// body, KindFailed that there was no answer.
	KindRequest  Kind = "request"
	KindResponse Kind = "response"
	KindChunk    Kind = "chunk"
	KindClosed   Kind = "closed"
	KindFailed   Kind = "failed"
	// KindProgram is a program that was started, or asked again; then come what
	// it read and wrote, and how it ended.
	KindProgram Kind = "program"
	KindStdin   Kind = "stdin"
	KindStdout  Kind = "stdout"
	KindStderr  Kind = "stderr"
	KindExit    Kind = "exit"
	// KindNote says what was told on the way: a wait, a retry.
	KindNote Kind = "note"
	// KindReply is the reply as the session got it, KindEnd the end of the call.
	KindReply Kind = "reply"
	KindEnd   Kind = "end"
	// KindStopped says why nothing more is recorded.
	KindStopped Kind = "stopped"
)

// Failure is how a call ended.
type Failure string

// How calls end.
const (
	FailureNone        Failure = "ok"
	FailureBroken      Failure = "broken"
	FailureUnreachable Failure = "unreachable"
	FailureTooLong     Failure = "too-long"
	FailureCancelled   Failure = "cancelled"
	FailureOther       Failure = "other"
)

// header is the first line.
type header struct {
	Recording int       `json:"recording"`
	Moot      string    `json:"moot"`
	Session   string    `json:"session"`
	At        time.Time `json:"at"`
}

// Line is any other line. Which fields it has depends on its kind.
type Line struct {
	Kind Kind `json:"kind"`
	// Call counts calls from 1; At is the time since it began, in milliseconds.
	Call int   `json:"call,omitempty"`
	At   int64 `json:"at_ms"`

	// Of a call that begins. Retry says why the seat is asked again.
	Seat        state.Seat  `json:"seat,omitempty"`
	Stage       state.Stage `json:"stage,omitempty"`
	Round       int         `json:"round,omitempty"`
	Participant string      `json:"participant,omitempty"`
	Retry       string      `json:"retry,omitempty"`

	// Request counts the requests and programs of a call, from 1. Names of
	// headers are in their canonical form; those that may be secret have no value.
	Request int                 `json:"request,omitempty"`
	Method  string              `json:"method,omitempty"`
	URL     string              `json:"url,omitempty"`
	Status  int                 `json:"status,omitempty"`
	Headers map[string][]string `json:"headers,omitempty"`

	// Of a program: its arguments, and how it ended.
	Argv []string `json:"argv,omitempty"`
	Exit *int     `json:"exit,omitempty"`

	// Text is the body, the bytes, the note, the reply; where it is no UTF-8 it is
	// in Base64.
	Text   string `json:"text,omitempty"`
	Base64 string `json:"base64,omitempty"`

	// Of a reply.
	Model            string `json:"model,omitempty"`
	PromptTokens     int    `json:"prompt_tokens,omitempty"`
	CompletionTokens int    `json:"completion_tokens,omitempty"`
	Estimated        bool   `json:"estimated,omitempty"`
	By               string `json:"by,omitempty"`
	Recovered        string `json:"recovered,omitempty"`
	WaitMillis       int64  `json:"wait_ms,omitempty"`

	// Of an end. Failure is how, Code that of a broken reply, whose partial text
	// is Text; Error is what was said. Cause is the sort of a failed connection.
	Failure Failure `json:"failure,omitempty"`
	Code    string  `json:"code,omitempty"`
	Error   string  `json:"error,omitempty"`
	Cause   string  `json:"cause,omitempty"`
}

// put sets the text of a line to bytes.
func (l *Line) put(data []byte) {
	if utf8.Valid(data) {
		l.Text = string(data)
		return
	}
	l.Base64 = base64.StdEncoding.EncodeToString(data)
}

// Data is the text of a line as bytes.
func (l *Line) Data() ([]byte, error) {
	if l.Base64 != "" {
		return base64.StdEncoding.DecodeString(l.Base64)
	}
	return []byte(l.Text), nil
}

// encode is a value as one line.
func encode(value any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return line.Bytes(), err
}
