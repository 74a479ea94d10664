package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
	"moot/resolver/jsonlines"
)

// JSON reads facts as packets have them: one object a line, a list of objects, or
// packets, whose facts are taken. What a fact lacks is left empty, and a fact without
// an id is named by its number. Keys that facts do not have are left out, and noted.
type JSON struct {
	// ID is that of the first packet that was read, "" where none was, and Windows are
	// those of all of them.
	ID      string
	Windows [][2]time.Time

	unknown unknownKeys
}

// LeftOut implements Chooser.
func (j *JSON) LeftOut() []string { return j.unknown }

// unknownKeys are keys that facts do not have, each once, up to mostUnknown of them.
type unknownKeys []string

const mostUnknown = 20

func (u *unknownKeys) add(key string) {
	if len(*u) < mostUnknown && !slices.Contains(*u, key) {
		*u = append(*u, key)
	}
}

// Extract implements Extractor.
func (j *JSON) Extract(from Source) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		text, err := io.ReadAll(io.LimitReader(from.From, LargestJSON+1))
		if err == nil && len(text) > LargestJSON {
			err = fmt.Errorf("it has more than %d MiB; split it: each line is read by itself", LargestJSON>>20)
		}
		if err != nil {
			yield(Found{}, fmt.Errorf("%s: %w", from.Name, err))
			return
		}
		// A list of facts is a packet that has nothing else.
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
		if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
			text = slices.Concat([]byte(`{"facts":`), text, []byte("}"))
		}
		r := &jsonReader{JSON: j, name: from.Name, objects: jsonlines.NewReader(text), yield: yield}
		for r.next() {
		}
	}
}

// LargestJSON is how many bytes of JSON are read of one file.
const LargestJSON = 512 << 20

// jsonReader reads one file.
type jsonReader struct {
	*JSON
	name    string
	objects *jsonlines.Reader
	yield   func(Found, error) bool
	// count is that of the facts so far.
	count int
}

// next reads one object, and reports whether to go on.
func (r *jsonReader) next() bool {
	text, err := r.objects.Next()
	wrong, damaged := errors.AsType[*jsonlines.Error](err)
	switch {
	case errors.Is(err, io.EOF):
		return false
	case damaged:
		return r.damage(wrong)
	case err != nil:
		r.yield(Found{}, fmt.Errorf("%s: %w", r.name, err))
		return false
	case holdsFacts(text):
		return r.packet(text)
	}
	return r.fact(text, "")
}

// wrong reports damage at a place of the object that was read.
func (r *jsonReader) wrong(at jsontext.Pointer, what string) bool {
	wrong, _ := errors.AsType[*jsonlines.Error](r.objects.Locate(jsonlines.Faultf(at, "%s", what)))
	return r.damage(wrong)
}

func (r *jsonReader) damage(wrong *jsonlines.Error) bool {
	what := wrong.What
	if wrong.Path != "" {
		what = wrong.Path + ": " + what
	}
	return r.yield(Found{}, &Damage{Name: r.name, Line: wrong.Line, What: what})
}

// holdsFacts reports whether an object is a packet.
func holdsFacts(object jsontext.Value) bool {
	if !bytes.Contains(object, []byte(`facts"`)) && !bytes.Contains(object, []byte(`\u`)) {
		return false
	}
	for name := range members(object) {
		if name == "facts" {
			return true
		}
	}
	return false
}

// members are the names of an object with their values, which stand until the next.
func members(object jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		decoder := jsontext.NewDecoder(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true))
		_, err := decoder.ReadToken()
		for err == nil && decoder.PeekKind() == jsontext.KindString {
			name, failed := decoder.ReadToken()
			if failed != nil {
				return
			}
			key := name.String()
			value, failed := decoder.ReadValue()
			if failed != nil || !yield(key, value) {
				return
			}
		}
	}
}

// packet reads the facts of a packet.
func (r *jsonReader) packet(object jsontext.Value) bool {
	for name, value := range members(object) {
		var err error
		switch name {
		case "facts":
			if !r.list(value) {
				return false
			}
		case "packet_id":
			id, _ := ledger.Value(value).Text()
			if r.ID == "" {
				r.ID = id
			}
		case "window":
			var window [2]time.Time
			if window, err = windowOf(value); err == nil {
				r.Windows = append(r.Windows, window)
			}
		default:
			r.unknown.add(name)
		}
		if err != nil && !r.wrong(jsontext.Pointer("").AppendToken(name), err.Error()) {
			return false
		}
	}
	return true
}

// windowOf reads the window of a packet.
func windowOf(value jsontext.Value) (window [2]time.Time, err error) {
	const takes = "it takes a list of two times, its first and its last moment; it is passed over"
	decoder := jsontext.NewDecoder(bytes.NewReader(value))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '[' {
		return window, errors.New(takes)
	}
	for i := range window {
		token, err := decoder.ReadToken()
		if err != nil || token.Kind() != '"' {
			return [2]time.Time{}, errors.New(takes)
		}
		if window[i], err = ledger.ParseMoment([]byte(token.String())); err != nil {
			return [2]time.Time{}, err
		}
	}
	return window, nil
}

// list reads the facts of a list.
func (r *jsonReader) list(list jsontext.Value) bool {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(list), jsontext.AllowDuplicateNames(true))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '[' {
		return r.wrong("/facts", "it takes a list of facts")
	}
	for place := 0; decoder.PeekKind() != ']'; place++ {
		value, err := decoder.ReadValue()
		if err != nil {
			return r.wrong("/facts", err.Error())
		}
		at := jsontext.Pointer("/facts/" + strconv.Itoa(place))
		if value.Kind() != '{' {
			if !r.wrong(at, "a fact is an object") {
				return false
			}
			continue
		}
		if !r.fact(value, at) {
			return false
		}
	}
	return true
}

// fact reads one fact, which stands at a place of the object that was read.
func (r *jsonReader) fact(object jsontext.Value, at jsontext.Pointer) bool {
	r.count++
	var f ledger.PacketFact
	for name, value := range members(object) {
		known, err := setKey(&f, name, value)
		switch {
		case !known:
			r.unknown.add(name)
		case err != nil:
			return r.wrong(at.AppendToken(name), err.Error())
		}
	}
	if f.ID == "" {
		f.ID = r.name + ":" + strconv.Itoa(r.count)
	}
	line := 0
	if at == "" {
		line = r.objects.Line()
	}
	return r.yield(Found{Fact: f, Line: line}, nil)
}

// setKey sets a key of a fact to what stands there as JSON; known is false for a key
// that facts do not have. Null is as good as nothing, save for a value.
func setKey(f *ledger.PacketFact, key string, value jsontext.Value) (known bool, err error) {
	if key == "value" {
		f.Value, err = ledger.ParseValue(value)
		return true, err
	}
	var text string
	isText := value.Kind() == jsontext.KindString
	if isText {
		unquoted, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return true, err
		}
		text = string(unquoted)
	}
	known, err = setText(f, key, text)
	if known && !isText {
		if value.Kind() == jsontext.KindNull {
			return true, nil
		}
		return true, errors.New("it takes a text")
	}
	return known, err
}

// setText sets a key of a fact, other than its value, to a text. An empty text is as
// good as nothing.
func setText(f *ledger.PacketFact, key, text string) (known bool, err error) {
	switch key {
	case "id":
		f.ID = text
	case "entity":
		f.Entity = text
	case "field":
		f.Field = text
	case "source_id":
		f.SourceID = text
	case "parser_version":
		f.ParserVersion = text
	case "raw":
		f.Raw = text
	case "entity_type", "source_type", "timestamp":
		if text == "" {
			return true, nil
		}
		switch key {
		case "entity_type":
			err = f.EntityType.UnmarshalText([]byte(text))
		case "source_type":
			err = f.SourceType.UnmarshalText([]byte(text))
		default:
			f.At, err = ledger.ParseMoment([]byte(text))
		}
	default:
		return false, nil
	}
	return true, err
}
