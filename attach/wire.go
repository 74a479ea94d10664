package attach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/state"
)

// version is the version of the protocol. Both sides must have the same one.
const version = 4

// The maximum length of a line in bytes: from a client, and from a host. An event has at most 16 MiB.
const (
	maxAct  = 1 << 20
	maxLine = 17 << 20
)

// Mode says what a client wants.
type Mode string

// The modes.
const (
	// Join sees everything, and may do what the user may do.
	Join Mode = "join"
	// Watch sees everything.
	Watch Mode = "watch"
)

// Hello is the first message of both sides. A client sets Version and Mode.
type Hello struct {
	Version int  `json:"version"`
	Mode    Mode `json:"mode"`
	// ID is the session's.
	ID string `json:"id"`
	// Events is the number of events that follow at once, and Present the number of lines after them that describe what
	// the session does now.
	Events  int `json:"events"`
	Present int `json:"present"`
	// Saved says that the session has a file, so that it can be resumed.
	Saved bool `json:"saved"`
	// Stepping says that the session waits before each turn.
	Stepping bool `json:"stepping"`
	// Error says why the host refuses the client, or is "".
	Error string `json:"error"`
}

// Session is a running session, with the acts of the user as methods; *run.Session implements it.
type Session interface {
	Step(ctx context.Context)
	StepRound(ctx context.Context)
	Auto(ctx context.Context, on bool)
	CancelCall(ctx context.Context)
	Override(ctx context.Context, move protocol.UserMove) error
	Preview(ctx context.Context) map[state.Seat]protocol.Prompt
	EditPrompt(ctx context.Context, seat state.Seat, text string)
	Replace(ctx context.Context, seat state.Seat, p protocol.Participant) error
	// Pause records that the user paused the session, and ends the run.
	Pause(ctx context.Context) error
}

// line is one line of the protocol. An event has its sequence number as in the session file, its kind in Event, and
// in Left the number of events of the same notice that follow.
type line struct {
	Kind  string    `json:"kind"`
	ID    int       `json:"id,omitzero"`
	Seq   int       `json:"seq,omitzero"`
	At    time.Time `json:"at,omitzero"`
	Left  int       `json:"left,omitzero"`
	Event string    `json:"event,omitzero"`
	// Channel is the way an event of the user came in.
	Channel state.Channel  `json:"channel,omitzero"`
	Data    jsontext.Value `json:"data,omitzero"`
}

// The kinds of lines. The kind of a notice is the name of its type.
const (
	kindHello  = "hello"
	kindEvent  = "event"
	kindResult = "result"

	actStep      = "step"
	actStepRound = "step-round"
	actAuto      = "auto"
	actCancel    = "cancel"
	actOverride  = "override"
	actPreview   = "preview"
	actEdit      = "edit-prompt"
	actReplace   = "replace"
	actPause     = "pause"
)

// The data of lines.
type (
	// override is a move of the user; Kind is the name of its type.
	override struct {
		Kind string         `json:"kind"`
		Move jsontext.Value `json:"move"`
	}
	// edit is a prompt or a participant for a seat.
	edit struct {
		Seat state.Seat `json:"seat"`
		Text string     `json:"text"`
	}
	result struct {
		Error   string                         `json:"error"`
		Prompts map[state.Seat]protocol.Prompt `json:"prompts"`
		// Stays says that the paused session stays open in its process.
		Stays bool `json:"stays,omitzero"`
	}
	// callEnded and ended stand for the notices with errors in them.
	callEnded struct {
		Seat  state.Seat `json:"seat"`
		Error string     `json:"error"`
	}
	ended struct {
		Stopped bool   `json:"stopped"`
		Error   string `json:"error"`
	}
)

// notices are the notices that are sent as they are.
func notices() []any {
	return []any{
		protocol.CallStarted{},
		protocol.Streamed{},
		protocol.Thinking{},
		protocol.Reported{},
		protocol.Forecast{},
		protocol.TurnReady{},
		protocol.Waiting{},
		protocol.Stepping{},
		callEnded{},
		ended{},
	}
}

// moves are the moves of the user in a session.
func moves(s *state.State) []any {
	all := []any{
		claims.RuleOn{},
		protocol.RecordFact{},
		claims.ChallengePoint{},
		claims.AnswerChallenge{},
		claims.SupplyEvidence{},
		claims.WeighEvidence{},
		protocol.AnswerQuestion{},
		claims.SetKind{},
		claims.ConcedePoint{},
		claims.SetPriority{},
		protocol.SetBudget{},
		claims.RewriteAnswer{},
		claims.AskArbitration{},
		protocol.EndSession{},
	}
	if f := protocol.Of(s); f != nil {
		for _, m := range f.Moves().User {
			all = append(all, m)
		}
	}
	return all
}

// nameOf is the name of a value's type.
func nameOf(value any) string { return reflect.TypeOf(value).Name() }

// decodeOne decodes data as the one of the known types that is named.
func decodeOne(known []any, name string, data []byte) (any, error) {
	for _, k := range known {
		if nameOf(k) == name {
			value := reflect.New(reflect.TypeOf(k))
			err := decode(data, value.Interface())
			return value.Elem().Interface(), err
		}
	}
	return nil, fmt.Errorf("%.40q is not known; do both sides run the same version of moot?", name)
}

// decode decodes one JSON value. Unknown fields are refused.
func decode(data []byte, into any) error {
	return json.Unmarshal(data, into, json.RejectUnknownMembers(true))
}

// encode returns a line with its newline. Bytes that are not UTF-8 become U+FFFD.
func encode(kind string, id int, data any) ([]byte, error) {
	raw, err := marshal(data)
	if err != nil {
		return nil, err
	}
	return seal(line{Kind: kind, ID: id, Data: raw})
}

func seal(l line) ([]byte, error) {
	encoded, err := marshal(l)
	return append(encoded, '\n'), err
}

func marshal(value any) ([]byte, error) { return json.Marshal(value, jsontext.AllowInvalidUTF8(true)) }

func encodeEvent(e state.Event, left int) ([]byte, error) {
	var data bytes.Buffer
	if err := state.Encode(&data, e.Data); err != nil {
		return nil, err
	}
	kind := state.KindOf(e.Data)
	return seal(line{
		Kind: kindEvent, Seq: e.Seq, At: e.At, Left: left, Event: kind, Channel: e.Channel,
		Data: data.Bytes(),
	})
}

// encodeNotice returns the lines of a notice.
func encodeNotice(n protocol.Notice) ([]byte, error) {
	switch n := n.(type) {
	case protocol.Advanced:
		var lines []byte
		for i, e := range n.Events {
			one, err := encodeEvent(e, len(n.Events)-1-i)
			if err != nil {
				return nil, err
			}
			lines = append(lines, one...)
		}
		return lines, nil
	case protocol.CallEnded:
		return encode(nameOf(callEnded{}), 0, callEnded{Seat: n.Seat, Error: textOf(n.Err)})
	case protocol.Ended:
		return encode(nameOf(ended{}), 0, ended{Stopped: errors.Is(n.Err, protocol.ErrStopped), Error: textOf(n.Err)})
	}
	return encode(nameOf(n), 0, n)
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// errorOf is the opposite of textOf.
func errorOf(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}
