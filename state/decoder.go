package state

import (
	"fmt"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Rules are the part of a session's format that the fold needs. Packages above state extend
// the same value: package protocol adds the turns, package resolver the rulings.
type Rules interface {
	// Name is the word in the session file.
	Name() Format
}

// Decoder reads the data of events. It is safe for concurrent use.
type Decoder struct {
	kinds   map[string]func() Payload
	rules   map[Format]Rules
	options json.Options
}

// NewDecoder returns a Decoder for all kinds of events of sessions in the given formats.
func NewDecoder(formats ...Rules) *Decoder {
	table := kinds()
	d := &Decoder{
		kinds: make(map[string]func() Payload, len(table)),
		rules: make(map[Format]Rules, len(formats)),
		// What encoding/json wrote is read by its rules.
		options: json.JoinOptions(jsonv1.DefaultOptionsV1(), json.RejectUnknownMembers(true)),
	}
	for _, f := range formats {
		d.rules[f.Name()] = f
	}
	for _, create := range table {
		d.kinds[create().Kind()] = create
	}
	return d
}

// Knows reports whether the kind is in the table.
func (d *Decoder) Knows(kind string) bool { return d.kinds[kind] != nil }

// Decode reads the data of an event of the named kind: one JSON value and
// nothing after it. Unknown fields are refused; a kind that is not known is an
// *UnknownKindError.
func (d *Decoder) Decode(kind string, data []byte) (Payload, error) {
	create := d.kinds[kind]
	if create == nil {
		return nil, &UnknownKindError{Kind: kind, FileVersion: Version}
	}
	payload := create()
	if err := json.Unmarshal(data, payload, d.options); err != nil {
		return nil, fmt.Errorf("read the data of %s: %w", kind, err)
	}
	if opened, ok := payload.(*SessionOpened); ok && len(d.rules) > 0 {
		if opened.Rules = d.rules[opened.Settings.Format]; opened.Rules == nil {
			return nil, &UnknownFormatError{Name: string(opened.Settings.Format)}
		}
	}
	return payload, nil
}

// UnknownFormatError says that a session is in a format that this program does not have.
type UnknownFormatError struct{ Name string }

// Error names the format.
func (e *UnknownFormatError) Error() string {
	return fmt.Sprintf("unknown format %q: a newer moot may have it", e.Name)
}
