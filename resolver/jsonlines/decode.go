package jsonlines

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/enum"
)

// Fault is an error of a decoding method that is shown in its own words.
type Fault string

// Error implements error.
func (f Fault) Error() string { return string(f) }

// errNull says that null stands where a number should.
const errNull Fault = "null is no number; leave it out for what it is by default"

// Decode fills a type from an object, and says what is wrong with it and where;
// what is "" if nothing is. Names that the type does not have are wrong, and so is
// null in the place of a number. More are asked for their types first.
func Decode(text jsontext.Value, into any, more ...*json.Unmarshalers) (at jsontext.Pointer, what string) {
	more = append(more, json.UnmarshalFromFunc(notNull[float64]), json.UnmarshalFromFunc(notNull[int]))
	err := json.Unmarshal(text, into, json.RejectUnknownMembers(true), json.WithUnmarshalers(json.JoinUnmarshalers(more...)))
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &semantic):
		return semantic.JSONPointer, explain(semantic)
	case err != nil:
		return "", err.Error()
	}
	return "", ""
}

// notNull refuses null where a number is asked for: it would be read as 0.
func notNull[T float64 | int](from *jsontext.Decoder, _ *T) error {
	if from.PeekKind() == jsontext.KindNull {
		return errNull
	}
	return errors.ErrUnsupported
}

// explain puts the decoder's error in words.
func explain(e *json.SemanticError) string {
	var unknown *enum.UnknownError
	var fault Fault
	switch {
	case errors.As(e, &unknown):
		return unknown.Error()
	case errors.As(e, &fault):
		return fault.Error()
	case errors.Is(e, json.ErrUnknownName):
		name := e.JSONPointer.LastToken()
		known := fieldNames(e.GoType)
		if nearest := enum.Nearest(name, known); nearest != "" {
			return fmt.Sprintf("there is no such field; did you mean %q?", nearest)
		}
		return "there is no such field (known: " + strings.Join(known, ", ") + ")"
	case e.Err != nil && len(e.JSONValue) > 0:
		return fmt.Sprintf("%s is not %s", e.JSONValue, kindOf(e.GoType))
	case e.Err != nil && e.JSONKind == '"':
		return e.Err.Error()
	}
	return "it takes " + kindOf(e.GoType) + ", not " + kindNamed(e.JSONKind)
}

// fieldNames are the names that an object of a type may have.
func fieldNames(of reflect.Type) []string {
	var names []string
	for of != nil && of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of == nil || of.Kind() != reflect.Struct {
		return names
	}
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

// kindOf names what a type is read from.
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

// kindNamed names what a JSON value is.
func kindNamed(kind jsontext.Kind) string {
	switch byte(kind) {
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
	return "a value"
}
