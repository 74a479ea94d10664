package jsonlines

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/enum"
)

// Fault is an error at a path within an object.
type Fault struct {
	At   jsontext.Pointer
	What string
}

// Faultf returns a *Fault.
func Faultf(at jsontext.Pointer, format string, args ...any) error {
	return &Fault{At: at, What: fmt.Sprintf(format, args...)}
}

// Error includes the path.
func (f *Fault) Error() string { return Dotted(f.At) + ": " + f.What }

// Decode fills a Go value from an object, or returns a *Fault. It rejects unknown names, and null for a number,
// which the library would read as 0. Other unmarshalers are tried first.
func Decode(text jsontext.Value, into any, other ...*json.Unmarshalers) error {
	other = append(other, json.UnmarshalFromFunc(notNull[float64]), json.UnmarshalFromFunc(notNull[*float64]),
		json.UnmarshalFromFunc(notNull[int]))
	err := json.Unmarshal(text, into,
		json.RejectUnknownMembers(true), json.WithUnmarshalers(json.JoinUnmarshalers(other...)))
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &semantic):
		return &Fault{At: semantic.JSONPointer, What: explain(semantic)}
	case err != nil:
		return &Fault{What: err.Error()}
	}
	return nil
}

func notNull[T float64 | *float64 | int](from *jsontext.Decoder, _ *T) error {
	if from.PeekKind() == jsontext.KindNull {
		return Faultf("", "null is not a number; leave it out to get the default")
	}
	return errors.ErrUnsupported
}

// Words refuse words outside of closed lists when values are read and written.
type Words struct {
	Read  *json.Unmarshalers
	Write *json.Marshalers
}

// Closed returns the words of one closed list.
func Closed[T ~string](what string, known ...T) Words {
	return Words{
		Read: json.UnmarshalFromFunc(func(from *jsontext.Decoder, word *T) error {
			if from.PeekKind() != jsontext.KindString {
				return errors.ErrUnsupported
			}
			token, err := from.ReadToken()
			if err != nil {
				return err
			}
			*word, err = enum.Parse(what, token.String(), known)
			return err
		}),
		Write: json.MarshalToFunc(func(_ *jsontext.Encoder, word T) error {
			if _, err := enum.Parse(what, string(word), known); err != nil {
				return err
			}
			return errors.ErrUnsupported // The library writes it.
		}),
	}
}

// JoinWords joins closed lists.
func JoinWords(all ...Words) Words {
	var read []*json.Unmarshalers
	var write []*json.Marshalers
	for _, words := range all {
		read, write = append(read, words.Read), append(write, words.Write)
	}
	return Words{json.JoinUnmarshalers(read...), json.JoinMarshalers(write...)}
}

// explain converts an error of the JSON library into a message for users.
func explain(e *json.SemanticError) string {
	var unknown *enum.UnknownError
	var fault *Fault
	switch {
	case errors.As(e, &unknown):
		return unknown.Error()
	case errors.As(e, &fault):
		return fault.What
	case errors.Is(e, json.ErrUnknownName):
		known := fieldNames(e.GoType)
		if nearest := enum.Nearest(e.JSONPointer.LastToken(), known); nearest != "" {
			return fmt.Sprintf("there is no such field; did you mean %q?", nearest)
		}
		return "there is no such field (known: " + strings.Join(known, ", ") + ")"
	case e.Err != nil && len(e.JSONValue) > 0:
		return fmt.Sprintf("%s is not %s", e.JSONValue, kindOf(e.GoType))
	case e.Err != nil && e.JSONKind == '"':
		return e.Err.Error()
	}
	return "it takes " + kindOf(e.GoType) + ", not " + KindName(e.JSONKind)
}

func fieldNames(of reflect.Type) []string {
	for of != nil && of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of == nil || of.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			names = append(names, fieldNames(field.Type)...)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// kindOf names the JSON type that a Go type is read from.
func kindOf(t reflect.Type) string {
	if t == nil {
		return "a value"
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "a text"
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number that a double can hold"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	}
	return "a value"
}

// KindName names a JSON type in messages.
func KindName(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindString:
		return "a text"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "a list"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "true or false"
	case jsontext.KindNull:
		return "null"
	case jsontext.KindInvalid, jsontext.KindEndObject, jsontext.KindEndArray:
	}
	return "a value"
}
