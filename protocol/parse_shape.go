package protocol

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"moot/enum"
)

// Bounds of one move.
const (
	// maxText is the length of one text field in bytes.
	maxText = 8 << 10
	// maxItems is the length of one list.
	maxItems = 50
)

// reading is how a value of a reply is read.
type reading int

const (
	asText reading = iota
	asID
	asWord
	asShare
	asFlag
	asValue
	asList
	asObject
)

// shape is a schema made ready for reading: what jsonschema.Validate would
// check, with the tolerance that models need (null is absent, words in any
// case, numbers in strings, unknown fields), and without its cost.
type shape struct {
	as reading
	// name is the field's, for messages.
	name   string
	words  []string
	item   *shape
	fields []shapeField
}

// shapeField is one property of an object.
type shapeField struct {
	*shape
	index    []int
	required bool
	// lax says that admission, not the parser, deals with its absence.
	lax bool
}

// misread is why one move cannot be read: a short code and a sentence.
type misread struct{ code, text string }

func misreadf(code, format string, args ...any) *misread {
	return &misread{code: code, text: fmt.Sprintf(format, args...)}
}

// newShape pairs the schema with the Go type that it was inferred from.
func newShape(t reflect.Type, s *jsonschema.Schema) (*shape, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return &shape{as: asValue}, nil
	case t.Kind() == reflect.String && s.Enum != nil:
		words := make([]string, len(s.Enum))
		for i, word := range s.Enum {
			words[i], _ = word.(string)
		}
		return &shape{as: asWord, words: words}, nil
	case t.Kind() == reflect.String:
		return &shape{as: asText}, nil
	case t.Kind() == reflect.Float64:
		return &shape{as: asShare}, nil
	case t.Kind() == reflect.Bool:
		return &shape{as: asFlag}, nil
	case t.Kind() == reflect.Slice:
		item, err := newShape(t.Elem(), s.Items)
		return &shape{as: asList, item: item}, err
	case t.Kind() == reflect.Struct:
		return newObject(t, s)
	}
	return nil, fmt.Errorf("a move cannot hold a %s", t)
}

func newObject(t reflect.Type, s *jsonschema.Schema) (*shape, error) {
	object := &shape{as: asObject}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := s.Properties[name]
		if f.Anonymous || property == nil {
			continue
		}
		inner, err := newShape(f.Type, property)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		inner.name = name
		switch name {
		case "point", "other", "into", "challenge", "evidence", "fact":
			inner.as = asID
		case "from", "cites", "of", "open":
			inner.item.as = asID
		}
		object.fields = append(object.fields, shapeField{
			shape: inner, index: f.Index, required: slices.Contains(s.Required, name),
		})
	}
	return object, nil
}

// relax marks the fields whose absence the rules of the protocol answer: a
// defense without its id is confirmed with the author (CH4), an incomplete
// BLOCKED is a rejected defense (CH7).
func (s *shape) relax(kind MoveKind) {
	for i := range s.fields {
		f := &s.fields[i]
		f.lax = kind == MoveDefend && f.name == "challenge" ||
			kind == MoveBlocked && f.name != "challenge" && f.name != "point"
	}
}

func missingField(name string) *misread {
	return misreadf("missing-field", "%s is missing", name)
}

// check finds what the JSON and the telegraphic form have in common: missing
// fields, unknown words, bounds.
func (s *shape) check(v reflect.Value) *misread {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch s.as {
	case asText, asID, asValue:
		if v.Len() > maxText {
			return misreadf("too-long", "%s has %d bytes; %d are the most", s.name, v.Len(), maxText)
		}
	case asWord:
		if word := v.String(); word != "" {
			if _, err := enum.Parse(s.name, word, s.words); err != nil {
				return misreadf("unknown-word", "%v", err)
			}
		}
	case asShare:
		if share := v.Float(); !(share >= 0 && share <= 1) {
			return misreadf("out-of-range", "%s must be from 0 to 1, not %g", s.name, share)
		}
	case asList:
		return s.checkList(v)
	case asObject:
		return s.checkObject(v)
	case asFlag:
	}
	return nil
}

func (s *shape) checkList(v reflect.Value) *misread {
	if v.Len() > maxItems {
		return misreadf("too-long", "%s has %d items; %d are the most", s.name, v.Len(), maxItems)
	}
	for i := range v.Len() {
		if r := s.item.check(v.Index(i)); r != nil {
			return misreadf(r.code, "%s %d: %s", s.name, i+1, strings.TrimLeft(r.text, " "))
		}
	}
	return nil
}

func (s *shape) checkObject(v reflect.Value) *misread {
	for i := range s.fields {
		f := &s.fields[i]
		inner := v.FieldByIndex(f.index)
		if f.required && !f.lax && f.as != asShare && f.as != asFlag && inner.IsZero() {
			return missingField(f.name)
		}
		if r := f.check(inner); r != nil {
			return r
		}
	}
	return nil
}
