// Package state defines a session: the kinds of events, the fold that turns them into a
// State, and the types of rulings. A State is an immutable value: Apply returns a new one
// that shares unchanged data, so a screen may keep one while the session continues. The
// package is pure: no files (see state/store), clock, randomness or goroutines; time comes
// in with the events. It decides nothing: package protocol decides which events may follow,
// package resolver how points are ruled. Start at Apply, then read events_*.go.
package state

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"moot/ledger"
)

// Version is the version of the session file: of its events and of the rules that decided what they say. Files of
// an earlier version open read-only, with the rulings that they store. Files of a later version are refused.
const Version = 7

// Payload is the data of one kind of event. Fold changes the copy of the state that it is
// given, through the lists, and refuses a payload that names something unknown.
type Payload interface {
	// Fold applies the payload; s.Seq and s.At already belong to its event.
	Fold(s *State) error
}

// Event is one line of the session file, the only thing that is stored.
type Event struct {
	// Seq counts from 1 within a session.
	Seq int
	// At is when the event was appended, in UTC.
	At time.Time
	// Channel is the way that a decision of the user came, or a pause by the user from another process. It is
	// ChannelTerminal for all other events.
	Channel Channel
	Data    Payload
}

// KindOf returns the kind of an event, which is its name in the session file: that of the payload's
// type in kebab case, "point-raised" for a *PointRaised. Moves are named in the same way.
func KindOf(p any) string {
	kind := make([]byte, 0, 40) // as long as most
	for i, b := range []byte(reflect.TypeOf(p).Elem().Name()) {
		if 'A' <= b && b <= 'Z' {
			if b += 'a' - 'A'; i > 0 {
				kind = append(kind, '-')
			}
		}
		kind = append(kind, b)
	}
	return string(kind)
}

// UnknownKindError says that an event is of a kind that this program does not know, though it
// reads this version of the session file.
type UnknownKindError struct{ Kind string }

// Error names the kind.
func (e *UnknownKindError) Error() string {
	return fmt.Sprintf("unknown kind of event %q: a newer moot may know it; this one reads version %d of the session "+
		"file",
		e.Kind, Version)
}

// ErrOrder says that an event does not follow the last one.
var ErrOrder = errors.New("the event does not follow the last one")

// Apply returns the state after one more event; the given state stays as it was. Apply, Extend and
// Replay are the only ways to change a state. On an error the given state is returned.
func Apply(s *State, e Event) (*State, error) {
	next := *s
	if err := next.fold(&e); err != nil {
		return s, err
	}
	return &next, nil
}

// Extend applies payloads as the next events of a session. It returns the state after them and
// the events; on an error, the given state and none.
func Extend(s *State, at time.Time, payloads ...Payload) (*State, []Event, error) {
	return ExtendThrough(s, at, ChannelTerminal, payloads...)
}

// ExtendThrough is Extend for the events of a decision of the user that came through a channel.
func ExtendThrough(s *State, at time.Time, channel Channel, payloads ...Payload) (*State, []Event, error) {
	at = at.UTC()
	if at.Before(s.At) {
		at = s.At // the clock was set back
	}
	next, events := *s, make([]Event, len(payloads))
	for i, p := range payloads {
		events[i] = Event{Seq: next.Seq + 1, At: at, Channel: channel, Data: p}
		if err := next.fold(&events[i]); err != nil {
			return s, nil, err
		}
	}
	return &next, events, nil
}

// Replay folds events from the beginning, without a copy of the state for each.
func Replay(events []Event) (*State, error) {
	s := &State{}
	for i := range events {
		if err := s.fold(&events[i]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// fold changes the state by one more event. On an error, the state is no longer usable.
func (s *State) fold(e *Event) error {
	if e.Seq != s.Seq+1 {
		return fmt.Errorf("event %d after event %d: %w", e.Seq, s.Seq, ErrOrder)
	}
	if s.WasClosed() && !mayFollowEnd(s, e.Data) {
		return fmt.Errorf("event %d (%s): only decisions of the user and what code makes of them may follow the end "+
			"of a session", e.Seq, KindOf(e.Data))
	}
	if !slices.Contains(Channels(), e.Channel) {
		return fmt.Errorf("event %d (%s): %q is not a channel", e.Seq, KindOf(e.Data), e.Channel)
	}
	if s.noClaims && claimTypes[reflect.TypeOf(e.Data)] {
		return fmt.Errorf("event %d (%s): %w", e.Seq, KindOf(e.Data), noSuchEvent(s))
	}
	s.Before, s.Seq, s.At, s.Channel = s.At, e.Seq, e.At, e.Channel
	if _, answer := e.Data.(*AnswerGiven); s.Closed && !answer {
		s.Closed, s.Decided = false, e.Seq
	}
	if err := e.Data.Fold(s); err != nil {
		return fmt.Errorf("event %d (%s): %w", e.Seq, KindOf(e.Data), err)
	}
	return nil
}

// mayFollowEnd reports whether an event may follow the end of a session (AN3): the user's own answer, and the user's
// answers to questions, rulings and facts. After these come the rulings, the answer as code corrects it, and the new
// end. No seat is asked. A format says it of an event of its own with a method FollowsEnd.
func mayFollowEnd(s *State, p Payload) bool {
	switch e := p.(type) {
	case *AnswerGiven:
		return e.By == User || e.By == Protocol && s.Decided > 0
	case *Ruled, *SessionClosed:
		return s.Decided > 0
	case *OverrideMade:
		return e.What == OverrideAgree || e.What == OverrideDismiss || e.What == OverrideUnresolved ||
			e.What == OverrideIntended
	case *QuestionAnswered:
		return e.By == User
	case *FactRecorded:
		return e.Seat == User
	case *ViolationNamed:
		return e.By == User
	case *FactSuperseded:
		f := s.Fact(e.By)
		return s.Decided > 0 && f != nil && f.Tag == ledger.TagUser
	case *QuestionSurfaced:
		return s.Decided > 0 && e.What == QuestionConstraint
	case *ChallengeConceded:
		return e.By == User
	case *EvidenceOffered:
		return e.By == User
	case *EvidenceVerified:
		return s.Item(e.ID) != nil && s.Item(e.ID).OfferedBy == string(User)
	case *AnchorShiftConsented:
		return true
	case interface{ FollowsEnd(s *State) bool }:
		return e.FollowsEnd(s)
	}
	return false
}

// Rules are the part of a session's format that the fold needs. Packages above state extend
// the same value: package protocol adds the turns, package resolver the rulings.
type Rules interface {
	// Name is the word in the session file.
	Name() Format
	// Own describes what the format adds to a session.
	Own() Own
}

// Own describes the settings, state and kinds of events that a format adds to a session. A format
// that adds nothing returns the zero Own.
type Own struct {
	// Claims says that the format debates claims. In sessions of other formats, their events are errors.
	Claims bool
	// Settings points to the format's default settings: Settings.Own of a session that was
	// recorded without them. It is nil for a format without settings.
	Settings any
	// State points to the format's own part of an empty session, or is nil.
	State any
	// Kinds create the payloads of the format's own events.
	Kinds []func() Payload
	// Stages are the steps of a round that only this format has.
	Stages []Stage
	// OnePhase says that all rounds are alike: each accepts claims and evidence.
	OnePhase bool
}

// OwnOf returns the own part of a state, which the format keeps as a *T. It must not be changed.
func OwnOf[T any](s *State) *T {
	if own, ok := s.Own.(*T); ok {
		return own
	}
	return new(T)
}

// ChangeOwn changes a copy of the format's own part of a state. The copy is shallow: change must
// replace, not write into, slices and pointers. The part of another format is an error.
func ChangeOwn[T any](s *State, change func(*T)) error {
	own, ok := s.Own.(*T)
	if !ok && (s.Own != nil || s.Rules != nil) {
		return noSuchEvent(s)
	}
	var next T
	if ok {
		next = *own
	}
	change(&next)
	s.Own = &next
	return nil
}

// noSuchEvent says that an event belongs to other formats.
func noSuchEvent(s *State) error {
	return fmt.Errorf("the format %s has no such event", s.Settings.Format)
}

// Encode writes the data of an event as one JSON value on one line. Bytes that are not UTF-8 become U+FFFD.
func Encode(to io.Writer, p Payload, more ...json.Options) error {
	options := append([]json.Options{jsonv1.DefaultOptionsV1(), jsontext.EscapeForHTML(false)}, more...)
	if err := json.MarshalWrite(to, p, options...); err != nil {
		return fmt.Errorf("write the data of %s: %w", KindOf(p), err)
	}
	return nil
}

// RefuseWords is an option of Encode: a word that its closed list or its UnmarshalText method refuses is an error,
// since it could not be read again. Creating the option takes longer than writing an event, so reuse it. It is not
// safe for concurrent use.
func RefuseWords() json.Options {
	known := map[any]bool{}
	refuse := func(_ *jsontext.Encoder, pointer encoding.TextUnmarshaler) error {
		word := reflect.ValueOf(pointer).Elem()
		if word.Kind() != reflect.String || known[word.Interface()] {
			return errors.ErrUnsupported // The library writes it.
		}
		again, _ := reflect.New(word.Type()).Interface().(encoding.TextUnmarshaler)
		if err := again.UnmarshalText([]byte(word.String())); err != nil {
			return err
		}
		known[word.Interface()] = true
		return errors.ErrUnsupported
	}
	return json.WithMarshalers(json.JoinMarshalers(ClosedWords().Write, json.MarshalToFunc(refuse)))
}

// Decoder reads the data of events. It is safe for concurrent use.
type Decoder struct {
	kinds   map[string]func() Payload
	rules   map[Format]Rules
	options json.Options
	// earlier is set for files of an earlier version.
	earlier bool
}

// NewDecoder returns a Decoder for all kinds of events of sessions in the given formats.
func NewDecoder(formats ...Rules) *Decoder {
	table := append(sessionKinds(), claimKinds()...)
	d := &Decoder{
		kinds: make(map[string]func() Payload, len(table)),
		rules: make(map[Format]Rules, len(formats)),
		// Session files are written by the rules of encoding/json, so they are read by them.
		options: json.JoinOptions(jsonv1.DefaultOptionsV1(), json.RejectUnknownMembers(true),
			json.WithUnmarshalers(ClosedWords().Read)),
	}
	for _, f := range formats {
		d.rules[f.Name()] = f
		table = append(table, f.Own().Kinds...)
	}
	for _, create := range table {
		d.kinds[KindOf(create())] = create
	}
	return d
}

// Earlier returns a decoder for files of an earlier version. It ignores unknown fields, accepts words that are no
// longer used, and returns an event of a kind that no longer exists as an *EarlierEvent.
func (d *Decoder) Earlier() *Decoder {
	return &Decoder{kinds: d.kinds, rules: d.rules, options: jsonv1.DefaultOptionsV1(), earlier: true}
}

// renamed returns the current name of a kind that earlier versions wrote under another one, or "".
func renamed(kind string) string {
	if kind == "challenge-mended" {
		return "challenge-reworded"
	}
	return ""
}

// EarlierEvent is an event of a kind that only earlier versions wrote. It changes nothing.
type EarlierEvent struct{ Kind string }

// Fold implements Payload.
func (e *EarlierEvent) Fold(*State) error { return nil }

// Kinds returns the names of all kinds of events that the decoder can read, sorted.
func (d *Decoder) Kinds() []string { return slices.Sorted(maps.Keys(d.kinds)) }

// Decode reads the data of an event of the named kind: one JSON value and
// nothing after it. Unknown fields are refused; a kind that is not known is an
// *UnknownKindError.
func (d *Decoder) Decode(kind string, data []byte) (Payload, error) {
	create := d.kinds[kind]
	if now := renamed(kind); create == nil && d.earlier {
		create = d.kinds[now]
	}
	if create == nil && d.earlier {
		return &EarlierEvent{Kind: kind}, nil
	}
	if create == nil {
		return nil, &UnknownKindError{Kind: kind}
	}
	payload := create()
	if opened, ok := payload.(*SessionOpened); ok && len(d.rules) > 0 {
		if err := d.choose(opened, data); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(data, payload, d.options); err != nil {
		return nil, fmt.Errorf("read the data of %s: %w", kind, err)
	}
	return payload, nil
}

// choose reads the name of the format first: only the format knows the type of its own settings.
func (d *Decoder) choose(opened *SessionOpened, data []byte) error {
	var named struct {
		Settings struct {
			Format Format `json:"format"`
		} `json:"settings"`
	}
	if err := json.Unmarshal(data, &named, jsonv1.DefaultOptionsV1()); err != nil {
		return fmt.Errorf("read the format of the session: %w", err)
	}
	if opened.Rules = d.rules[named.Settings.Format]; opened.Rules == nil {
		return &UnknownFormatError{Name: string(named.Settings.Format)}
	}
	opened.Settings.Own = opened.Rules.Own().Settings
	return nil
}

// UnknownFormatError says that a session is in a format that this program does not have.
type UnknownFormatError struct{ Name string }

// Error names the format.
func (e *UnknownFormatError) Error() string {
	return fmt.Sprintf("unknown format %q: a newer moot may have it", e.Name)
}

// sessionKinds is the table of the events that all sessions have.
func sessionKinds() []func() Payload {
	return []func() Payload{
		Create[SessionOpened], Create[SeatTaken], Create[SessionPaused], Create[SessionResumed], Create[ExitReached],
		Create[SessionClosed], Create[RoundStarted], Create[PhaseChanged],
		Create[QualityFailed], Create[PromptSent], Create[PromptEdited], Create[PromptShrunk], Create[ReplyReceived],
		Create[ReplyRefused], Create[LookupAnswered], Create[UsageCounted], Create[WorkspaceChanged],
		Create[ParticipantLearned], Create[CommandsAllowed], Create[HostsAllowed], Create[FactRecorded], Create[FactSuperseded],
		Create[FactEvaluated], Create[QuestionSurfaced], Create[QuestionAnswered], Create[OverrideMade],
		Create[SeatMissed], Create[SeatRecalled], Create[Withheld], Create[PacketFacts], Create[PacketFrozen],
	}
}

// Create returns an empty payload, see Own.Kinds.
func Create[T any, P interface {
	*T
	Payload
}]() Payload {
	return P(new(T))
}
