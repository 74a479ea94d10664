package conflict

import "slices"

// Kind is the JSON type of a Value.
type Kind byte

// The kinds of values. The zero Kind is null.
const (
	Null Kind = iota
	Boolean
	Number
	String
	Array
	Object
)

// Value is an output: any JSON value. Numbers are doubles.
type Value struct {
	Kind Kind
	// Truth is the value of a Boolean, Float of a Number, Text of a String.
	Truth bool
	Float float64
	Text  string
	// Items are the elements of an Array, or the values of an Object by Names,
	// which are sorted by their bytes and differ from each other.
	Items []Value
	Names []string
}

// Equal reports whether two values are the same JSON value: object keys in any
// order, numbers as doubles.
func (v *Value) Equal(o *Value) bool {
	if v.Kind != o.Kind || v.Truth != o.Truth || v.Float != o.Float || v.Text != o.Text || !slices.Equal(v.Names, o.Names) {
		return false
	}
	return slices.EqualFunc(v.Items, o.Items, func(a, b Value) bool { return a.Equal(&b) })
}
