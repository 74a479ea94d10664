package state

import (
	"fmt"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Decoder reads the data of events. It is safe for concurrent use.
type Decoder struct {
	kinds   map[string]func() Payload
	options json.Options
}

// NewDecoder returns a Decoder for all kinds of events.
func NewDecoder() *Decoder {
	table := kinds()
	d := &Decoder{
		kinds: make(map[string]func() Payload, len(table)),
		// What encoding/json wrote is read by its rules.
		options: json.JoinOptions(jsonv1.DefaultOptionsV1(), json.RejectUnknownMembers(true)),
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
	return payload, nil
}
