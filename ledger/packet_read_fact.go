package ledger

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// FactKeys are the keys of a fact in the JSON form, in their order.
func FactKeys() []string {
	return []string{
		"id", "entity", "entity_type", "field", "value", "timestamp", "source_type", "source_id", "parser_version", "raw",
	}
}

// The keys of a fact as bits.
const (
	keyID = 1 << iota
	keyEntity
	keyEntityType
	keyField
	keyValue
	keyTimestamp
	keySourceType
	keySourceID
	keyParserVersion
	keyRaw
)

// list reads a list of facts. Behind as many mistakes as are wanted it only looks for
// the packet's id, to name it.
func (r *factReader) list() error {
	if r.decoder.PeekKind() != '[' {
		value, err := r.decoder.ReadValue()
		if err != nil {
			return r.broken(err)
		}
		r.wrong(len(value), "facts", "it takes a list, not %s", kindNamed(byte(value.Kind())))
		return nil
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.broken(err)
	}
	for r.index = 0; r.decoder.PeekKind() != ']'; r.index++ {
		if r.full() {
			if r.packet.id != "" {
				return errEnough
			}
			if err := r.skip(); err != nil {
				return err
			}
			continue
		}
		if err := r.next(); err != nil {
			return err
		}
	}
	r.index = -1
	r.draft.clear()
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.broken(err)
	}
	return nil
}

// next reads one fact, and adds it unless something is wrong with it. The error ends
// reading.
func (r *factReader) next() error {
	r.wrongs = len(r.mistakes)
	r.draft.clear()
	kind := r.decoder.PeekKind()
	if kind != '{' {
		raw, err := r.decoder.ReadValue()
		if err != nil {
			return r.broken(err)
		}
		r.wrong(len(raw), "", "a fact is an object, not %s", kindNamed(byte(kind)))
		return nil
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.broken(err)
	}
	r.begins = r.decoder.InputOffset() - 1
	if r.lines != nil {
		r.lines.Forget(r.begins)
	}
	seen := 0
	for r.decoder.PeekKind() == '"' {
		raw, err := r.decoder.ReadValue()
		if err != nil {
			return r.broken(err)
		}
		key := keyOf(raw)
		switch {
		case key == 0:
			name := r.string(raw)
			r.wrong(len(raw), name, "%s", unknownKey("a fact", name, FactKeys()))
			err = r.skip()
		case seen&key != 0:
			r.wrong(len(raw), r.string(raw), "it is there twice")
			err = r.skip()
		default:
			seen |= key
			err = r.value(key)
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.broken(err)
	}
	r.add(seen)
	for _, wrong := range r.mistakes[r.wrongs:] {
		// The id may stand behind what is wrong.
		wrong.Fact = string(r.draft.id)
	}
	return nil
}

// keyOf is the bit of a key as it stands, or 0. Keys with escapes are rare and are
// read once more.
func keyOf(raw jsontext.Value) int {
	name := []byte(raw[1 : len(raw)-1])
	if bytes.IndexByte(name, '\\') >= 0 {
		name, _ = jsontext.AppendUnquote(nil, raw)
	}
	switch string(name) {
	case "id":
		return keyID
	case "entity":
		return keyEntity
	case "entity_type":
		return keyEntityType
	case "field":
		return keyField
	case "value":
		return keyValue
	case "timestamp":
		return keyTimestamp
	case "source_type":
		return keySourceType
	case "source_id":
		return keySourceID
	case "parser_version":
		return keyParserVersion
	case "raw":
		return keyRaw
	}
	return 0
}

// nameOf is the key of a bit.
func nameOf(key int) string {
	for i, name := range FactKeys() {
		if key == 1<<i {
			return name
		}
	}
	return ""
}

// value reads the value of a key of the fact.
func (r *factReader) value(key int) error {
	raw, err := r.decoder.ReadValue()
	switch {
	case err != nil:
		return r.broken(err)
	case key == keyValue:
		r.canonical(raw)
		return nil
	case raw.Kind() == 'n' && (key == keyParserVersion || key == keyRaw):
		return nil
	case raw.Kind() != '"':
		r.wrong(len(raw), nameOf(key), "it takes a text, not %s", kindNamed(byte(raw.Kind())))
		return nil
	}
	text := []byte(raw[1 : len(raw)-1])
	if len(text) == 0 && key != keyParserVersion && key != keyRaw {
		r.wrong(len(raw), nameOf(key), "it is empty")
		return nil
	}
	if bytes.IndexByte(text, '\\') >= 0 {
		// The decoder found it sound.
		text, _ = jsontext.AppendUnquote(r.spare[:0], raw)
		r.spare = text
	}
	if err := r.draft.set(key, text); err != nil {
		r.wrong(len(raw), nameOf(key), "%s", err)
	}
	return nil
}

// set takes the text of a key.
func (d *draft) set(key int, text []byte) (err error) {
	switch key {
	case keyID:
		d.id = append(d.id, text...)
	case keyEntity:
		d.entity = append(d.entity, text...)
	case keyEntityType:
		if string(d.entityType) != string(text) {
			err = d.entityType.UnmarshalText(text)
		}
	case keyField:
		d.field = append(d.field, text...)
	case keyTimestamp:
		d.at, err = ParseMoment(text)
		d.dated = err == nil
	case keySourceType:
		if string(d.sourceType) != string(text) {
			err = d.sourceType.UnmarshalText(text)
		}
	case keySourceID:
		d.sourceID = append(d.sourceID, text...)
	case keyParserVersion:
		d.parser = append(d.parser, text...)
	case keyRaw:
		d.raw = append(d.raw, text...)
	}
	return err
}

// canonical keeps the value of the fact in its canonical form, which most have.
func (r *factReader) canonical(raw jsontext.Value) {
	text := []byte(raw)
	switch kind := raw.Kind(); {
	case kind == '"' && bytes.IndexByte(raw, '\\') < 0:
	case kind == '0' && plainInteger(raw):
	case kind == 't' || kind == 'f' || kind == 'n':
	default:
		var err error
		text, err = appendCanonical(r.spare[:0], raw)
		if err != nil {
			r.wrong(len(raw), "value", "%s", err)
			return
		}
		r.spare = text
	}
	r.draft.value = append(r.draft.value, text...)
}

// add adds the fact that was read, with the keys that it has.
func (r *factReader) add(seen int) {
	d, p := &r.draft, r.packet
	const needed = keyParserVersion - 1
	if seen&needed != needed {
		r.missing(needed &^ seen)
	}
	hash := hashOf(d.id)
	if p.ids.find(&p.facts, hash, d.id) >= 0 || r.refused[string(d.id)] {
		r.wrongAt(r.begins, "id", "%s", anotherFact)
	}
	if d.dated && r.windowed {
		if what := p.outside(d.at); what != "" {
			r.wrongAt(r.begins, "timestamp", "%s", what)
		}
	}
	if len(r.mistakes) == r.wrongs {
		if !r.windowed {
			r.early = append(r.early, int32(r.line(r.begins))) //nolint:gosec // no file has so many lines
		}
		p.take(d, hash)
		return
	}
	if r.refused == nil {
		r.refused = map[string]bool{}
	}
	if len(d.id) > 0 {
		r.refused[string(d.id)] = true
	}
}

// clear empties the draft for the next fact, which likely has the same types.
func (d *draft) clear() {
	d.id, d.entity, d.field, d.value = d.id[:0], d.entity[:0], d.field[:0], d.value[:0]
	d.sourceID, d.parser, d.raw = d.sourceID[:0], d.parser[:0], d.raw[:0]
	d.dated = false
}

// missing says which keys the fact does not have.
func (r *factReader) missing(keys int) {
	for i, name := range FactKeys() {
		switch key := keys & (1 << i); key {
		case 0:
		case keySourceType, keySourceID:
			r.wrongAt(r.begins, name, "%s", noProvenance)
		default:
			r.wrongAt(r.begins, name, "it is missing")
		}
	}
}

// kindNamed names what a JSON value is, by its first byte.
func kindNamed(kind byte) string {
	switch kind {
	case '"':
		return "a text"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	}
	return "no JSON"
}
