package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decoder reads the data of many events: it looks the table of kinds through
// once, and keeps its buffers. It is for one goroutine at a time.
type Decoder struct {
	kinds  map[string]func() Payload
	source bytes.Reader
	json   *json.Decoder
}

// NewDecoder returns a Decoder for all kinds of events.
func NewDecoder() *Decoder {
	table := kinds()
	d := &Decoder{kinds: make(map[string]func() Payload, len(table))}
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
	if err := d.read(data, payload); err != nil {
		// A json.Decoder does not go on after an error.
		d.json = nil
		return nil, fmt.Errorf("read the data of %s: %w", kind, err)
	}
	return payload, nil
}

// read feeds the data to the one json.Decoder, which would otherwise allocate
// a buffer per event.
func (d *Decoder) read(data []byte, into Payload) error {
	d.source.Reset(data)
	if d.json == nil {
		d.json = json.NewDecoder(&d.source)
		d.json.DisallowUnknownFields()
	}
	before := d.json.InputOffset()
	if err := d.json.Decode(into); err != nil {
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	if read := d.json.InputOffset() - before; read != int64(len(data)) {
		d.json = nil
		return fmt.Errorf("%d more bytes after the value", int64(len(data))-read)
	}
	return nil
}
