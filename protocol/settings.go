package protocol

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/ledger"
	"moot/state"
	"moot/view"
)

// Settings describe the settings of a format that the user gives when a session is opened. The key
// of a field is the flag of moot ask that gives the same value, or the seat that a participant
// takes.
type Settings struct {
	// ClosedWorld says that the seats see only what they are given.
	ClosedWorld bool
	// About says in a few words what the format is for.
	About string
	// OptionalQuestion allows an empty question: Open then returns one.
	OptionalQuestion bool
	// Question is how the form for a new session asks for the question, if it asks for something else.
	Question view.Field
	// QuestionFile lets a form accept @FILE as the question.
	QuestionFile bool
	// Rules says what built-in rules do in a seat. NoRules explains by seat why they cannot fill
	// it; the seat "" means all others.
	Rules   string
	NoRules map[state.Seat]string
	Fields  []view.Field
	// Repeated is the seat that up to Most participants can take; the second one is NAME-2.
	Repeated state.Seat
	Most     int
	// Refused explains by key why the format has no use for a setting that all sessions share.
	Refused map[string]string
	// Vacant names participants for seats that are still empty. It may be nil.
	Vacant func(taken []state.SeatAssignment, kind func(participant string) ParticipantKind) []state.SeatAssignment
	// Open reads the values into the settings of a new session. It may be nil. An error of
	// type *view.FieldError says which value is wrong.
	Open func(v view.Values, files Files, s *state.Settings) (Opening, error)
}

// ParticipantKind is the kind of a participant, as far as formats need to know.
type ParticipantKind int

// The kinds of participants. ParticipantProgram can be anything that needs no person.
const (
	ParticipantUnknown ParticipantKind = iota
	ParticipantModel
	ParticipantProgram
	ParticipantPerson
)

// Files reads the files that the user names in settings.
type Files interface {
	// Read returns the content of a file, up to limit bytes.
	Read(name string, limit int64) ([]byte, error)
	// Text returns a text file without its secrets, cut if it is long.
	Text(name string) (string, error)
	// Redact returns a text without its secrets.
	Redact(name, text string) string
	// Packet returns a frozen packet without its secrets.
	Packet(name string) (*ledger.Packet, error)
}

// Opening holds what a format adds to a new session: a question if the user asked none, and
// events that follow the first one.
type Opening struct {
	Question string
	Events   []state.Payload
}

// Field returns the field with the key, or nil.
func (s *Settings) Field(key string) *view.Field {
	if i := slices.IndexFunc(s.Fields, func(f view.Field) bool { return f.Key == key }); i >= 0 {
		return &s.Fields[i]
	}
	return nil
}

// Seats returns the names of all seats, numbered ones included, in the order of the fields.
func (s *Settings) Seats() []string {
	var names []string
	for _, f := range s.Fields {
		if f.Kind != view.FieldParticipant || slices.Contains(names, f.Key) {
			continue
		}
		names = append(names, f.Key)
		for n := 2; f.Key == string(s.Repeated) && n <= s.Most; n++ {
			names = append(names, f.Key+"-"+strconv.Itoa(n))
		}
	}
	return names
}

// Required returns the two seats that a session can't do without. The first one answers.
func (s *Settings) Required() (first, second state.Seat) {
	for _, f := range s.Fields {
		switch f.Default {
		case view.FirstFound:
			first = state.Seat(f.Key)
		case view.SecondFound:
			second = state.Seat(f.Key)
		}
	}
	return first, second
}

// Check fills in the defaults of the fields that apply, and returns a *view.FieldError for a value
// that is not among the choices of its field, or whose field does not apply.
func (s *Settings) Check(v view.Values) error {
	for _, f := range s.Fields {
		if f.Kind == view.FieldParticipant {
			continue
		}
		if f.Only.Key != "" && !slices.Contains(f.Only.Values, v[f.Only.Key]) {
			if v[f.Key] == "" {
				continue
			}
			needed := lists.Map(f.Only.Values, func(value string) string { return "--" + f.Only.Key + " " + value })
			return WrongValue(f.Key, "--%s is a flag of %s, but the %s is %s", f.Key, strings.Join(needed, ", "),
				f.Only.Key, v[f.Only.Key])
		}
		if v[f.Key] == "" && !f.Required && (f.Hidden == nil || !f.Hidden(v)) {
			v[f.Key] = f.Default
			if f.Default == "" && f.Kind == view.FieldSelect {
				v[f.Key] = f.Choices[0].Value
			}
		}
		if v[f.Key] == "" || f.Kind != view.FieldSelect || f.Other != "" {
			continue
		}
		if _, err := enum.Parse(f.Key, v[f.Key], f.Words()); err != nil {
			return &view.FieldError{Key: f.Key, Err: err}
		}
	}
	return nil
}

// WrongValue is the error for the value of a field.
func WrongValue(key, format string, args ...any) error {
	return &view.FieldError{Key: key, Err: fmt.Errorf(format, args...)}
}

// ReadNumber reads a number from low to high.
func ReadNumber(v view.Values, key string, low, high int, into *int) error {
	if v[key] == "" {
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(v[key]))
	if err != nil || n < low || n > high {
		return WrongValue(key, "--%s is a number from %d to %d, not %q", key, low, high, v[key])
	}
	*into = n
	return nil
}

// SearchRules describes built-in rules in most formats.
const SearchRules = "no language model: searches and checks"

// ContextFields ask for the background of the question.
func ContextFields() []view.Field {
	return []view.Field{
		{
			Key: "context", Label: "Context files", Kind: view.FieldText, Placeholder: "none",
			Help: "Files, folders and globs for the participants, one per line; @ completes paths.",
		},
		{
			Key: "fact", Label: "Facts", Kind: view.FieldText, Placeholder: "none",
			Help: "Facts and constraints that everyone must respect, one per line.",
		},
		{
			Key: "workspace", Label: "Workspace", Placeholder: "none: citations are refused",
			Help: "The folder that citations refer to. Empty means none.",
		},
	}
}

// SeatField asks who takes a seat. The text says what the seat does: "judges and challenges". If
// none is not empty, the seat may stay empty.
func SeatField(seat state.Seat, label, does, proposal, none string) view.Field {
	f := view.Field{
		Key: string(seat), Label: label, Kind: view.FieldParticipant, Help: "It " + does + ".", Default: proposal,
		Flag:  does,
		Other: "a participant that you name", OtherPlaceholder: "its name",
		OtherHelp: "PRESET:MODEL, codex, claude, script:FILE, exec:PATH or http://host:port/v1#MODEL.",
	}
	if none != "" {
		f.None = view.Choice{Label: none}
		f.Flag += " (default: " + none + ")"
	}
	return f
}

// Choices are values with their help.
func Choices[T ~string](help map[T]string, values ...T) []view.Choice {
	list := make([]view.Choice, len(values))
	for i, value := range values {
		list[i] = view.Choice{Value: string(value), Help: help[value]}
	}
	return list
}

// OnlyIf shows a field only if another field has one of the values.
func OnlyIf[T ~string](f view.Field, key string, values ...T) view.Field {
	f.Only = view.Only{Key: key, Values: enum.Words(values)}
	f.Hidden = func(v view.Values) bool { return !slices.Contains(f.Only.Values, v[key]) }
	return f
}
