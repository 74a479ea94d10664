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

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/enum"
	"moot/internal/jsonlines"
	"moot/ledger"
)

// JSON reads facts as packets have them: one object a line, a list of objects, or
// packets, whose facts are taken. What a fact lacks is left empty, and a fact without
// an id is named by its number. Keys that facts do not have are left out, and noted.
type JSON struct {
	// ID is the id of the first packet, or "". Windows are the windows of all packets.
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

// LargestJSON is how many bytes of JSON are read of one file.
const LargestJSON = 512 << 20

// Extract implements Extractor.
func (j *JSON) Extract(from Source) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		text, err := io.ReadAll(io.LimitReader(from.From, LargestJSON+1))
		if err == nil && len(text) > LargestJSON {
			err = fmt.Errorf("it has more than %d MiB", LargestJSON>>20)
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
		objects := jsonlines.NewReader(text)
		for count := 0; ; {
			object, err := objects.Next()
			if wrong, damaged := errors.AsType[*jsonlines.Error](err); damaged {
				what := wrong.What
				if wrong.Path != "" {
					what = wrong.Path + ": " + what
				}
				if !yield(Found{}, &Damage{Name: from.Name, Line: wrong.Line, What: what}) {
					return
				}
				continue
			}
			if err != nil {
				return
			}
			for one, what := range j.facts(object, objects.Line()) {
				if what != "" {
					if !yield(Found{}, &Damage{Name: from.Name, Line: one.Line, What: what}) {
						return
					}
					continue
				}
				if count++; one.Fact.ID == "" {
					one.Fact.ID = from.Name + ":" + strconv.Itoa(count)
				}
				if !yield(one, nil) {
					return
				}
			}
		}
	}
}

// facts iterates over the facts of an object that begins at a line: those of a packet, or the object itself. A text
// beside one says what is wrong at its place.
func (j *JSON) facts(object jsontext.Value, line int) iter.Seq2[Found, string] {
	return func(yield func(Found, string) bool) {
		keys := slices.Collect(members(object, line))
		if !slices.ContainsFunc(keys, func(m member) bool { return m.name == "facts" }) {
			fact, what := j.fact(object)
			yield(Found{Fact: fact, Line: line}, what)
			return
		}
		for _, key := range keys {
			switch key.name {
			case "facts":
				if key.text.Kind() != jsontext.KindBeginArray {
					yield(Found{Line: key.line}, "facts: it takes a list of facts")
					return
				}
				for m := range members(key.text, key.line) {
					fact, what := ledger.PacketFact{}, ": a fact is an object"
					if m.text.Kind() == jsontext.KindBeginObject {
						if fact, what = j.fact(m.text); what != "" {
							what = "." + what
						}
					}
					if what != "" {
						what = "facts[" + m.name + "]" + what
					}
					if !yield(Found{Fact: fact, Line: m.line}, what) {
						return
					}
				}
			case "packet_id":
				if j.ID == "" {
					j.ID, _ = ledger.Value(key.text).Text()
				}
			case "window":
				window, err := windowOf(key.text)
				if err == nil {
					j.Windows = append(j.Windows, window)
				} else if !yield(Found{Line: key.line}, "window: "+err.Error()) {
					return
				}
			default:
				j.unknown.add(key.name)
			}
		}
	}
}

// member is a value of an object or a list, with its name or position.
type member struct {
	name string
	text jsontext.Value
	line int
}

// members iterates over the values of an object or a list that begins at a line. The text is sound JSON.
func members(text jsontext.Value, line int) iter.Seq[member] {
	return func(yield func(member) bool) {
		decoder := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))
		_, err := decoder.ReadToken()
		counted := int64(0)
		for place := 0; err == nil; place++ {
			m := member{name: strconv.Itoa(place)}
			next := decoder.PeekKind()
			if next == jsontext.KindEndObject || next == jsontext.KindEndArray || next == jsontext.KindInvalid {
				return
			}
			if text.Kind() == jsontext.KindBeginObject {
				var name jsontext.Token
				if name, err = decoder.ReadToken(); err != nil {
					return
				}
				m.name = name.String()
			}
			if m.text, err = decoder.ReadValue(); err != nil {
				return
			}
			begins := decoder.InputOffset() - int64(len(m.text))
			line += bytes.Count(text[counted:begins], []byte("\n"))
			counted, m.line = begins, line
			if !yield(m) {
				return
			}
		}
	}
}

// windowOf reads the window of a packet.
func windowOf(value jsontext.Value) (window [2]time.Time, err error) {
	var written []string
	if json.Unmarshal(value, &written) != nil || len(written) < len(window) {
		return window, errors.New("it takes a list of two times, its first and its last moment; it is skipped")
	}
	for i := range window {
		if window[i], err = ledger.ParseMoment([]byte(written[i])); err != nil {
			return [2]time.Time{}, err
		}
	}
	return window, nil
}

// fact reads one fact. If something is wrong with it, what names the key and says so.
func (j *JSON) fact(object jsontext.Value) (f ledger.PacketFact, what string) {
	for m := range members(object, 1) {
		known, err := setKey(&f, m.name, m.text)
		switch {
		case !known:
			j.unknown.add(m.name)
		case err != nil:
			return f, m.name + ": " + err.Error()
		}
	}
	return f, ""
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
	case "entity_type":
		if text != "" {
			f.EntityType, err = enum.Parse("entity type", text, ledger.EntityTypes())
		}
	case "source_type":
		if text != "" {
			f.SourceType, err = enum.Parse("source type", text, ledger.SourceTypes())
		}
	case "timestamp":
		if text != "" {
			f.At, err = ledger.ParseMoment([]byte(text))
		}
	default:
		return false, nil
	}
	return true, err
}
