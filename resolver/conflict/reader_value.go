package conflict

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/resolver/jsonlines"
)

// valueReader reads the outputs of an object.
type valueReader struct {
	// text is the object.
	text jsontext.Value
	from *jsontext.Decoder
	// left is how many more values are taken.
	left int
}

// answer reads an output, and where it stands in the object.
func (r *valueReader) answer(from *jsontext.Decoder, into *answer) error {
	r.from = from
	behind := from.InputOffset()
	if err := r.value(&into.value); err != nil {
		return err
	}
	into.text = bytes.TrimLeft(r.text[behind:from.InputOffset()], ": \t\r\n")
	return nil
}

// value reads one value with all that is in it.
func (r *valueReader) value(into *Value) error {
	token, err := r.from.ReadToken()
	if err != nil {
		//nolint:wrapcheck // the decoder knows the place
		return err
	}
	if r.left--; r.left < 0 {
		return r.fault("the outputs hold more than %d values", LargestCase)
	}
	switch byte(token.Kind()) {
	case 't', 'f':
		into.Kind, into.Truth = Boolean, token.Bool()
	case '"':
		into.Kind, into.Text = String, token.String()
	case '0':
		into.Kind = Number
		if into.Float, err = strconv.ParseFloat(token.String(), 64); err != nil {
			return r.fault("%s is not a number that a double can hold", token.String())
		}
	case '[':
		into.Kind = Array
		return r.array(into)
	case '{':
		into.Kind = Object
		return r.object(into)
	}
	return nil
}

// fault is an error about the value that was begun last.
func (r *valueReader) fault(format string, args ...any) error {
	return &json.SemanticError{JSONPointer: r.from.StackPointer(), Err: jsonlines.Fault(fmt.Sprintf(format, args...))}
}

func (r *valueReader) array(into *Value) error {
	for r.from.PeekKind() != jsontext.KindEndArray {
		into.Items = append(into.Items, Value{})
		if err := r.value(&into.Items[len(into.Items)-1]); err != nil {
			return err
		}
	}
	return r.end()
}

func (r *valueReader) object(into *Value) error {
	for r.from.PeekKind() != jsontext.KindEndObject {
		name, err := r.from.ReadToken()
		if err != nil {
			//nolint:wrapcheck // the decoder knows the place
			return err
		}
		into.Names = append(into.Names, name.String())
		into.Items = append(into.Items, Value{})
		if err := r.value(&into.Items[len(into.Items)-1]); err != nil {
			return err
		}
	}
	sort.Sort(byName{into})
	return r.end()
}

// end reads the end of an array or object.
func (r *valueReader) end() error {
	_, err := r.from.ReadToken()
	//nolint:wrapcheck // the decoder knows the place
	return err
}

// byName sorts the members of an object by their names.
type byName struct{ *Value }

// Len implements sort.Interface.
func (b byName) Len() int { return len(b.Names) }

// Less implements sort.Interface.
func (b byName) Less(i, j int) bool { return b.Names[i] < b.Names[j] }

// Swap implements sort.Interface.
func (b byName) Swap(i, j int) {
	b.Names[i], b.Names[j] = b.Names[j], b.Names[i]
	b.Items[i], b.Items[j] = b.Items[j], b.Items[i]
}
