package view

import (
	"cmp"
	"strings"
)

// FieldKind says how a field of a form is filled in.
type FieldKind int

// The kinds of fields.
const (
	// FieldLine is one line of text, FieldText several.
	FieldLine FieldKind = iota
	FieldText
	// FieldSelect takes one of its choices, FieldMultiSelect any number of them.
	FieldSelect
	FieldMultiSelect
	// FieldConfirm is yes or no. Its value is "yes" or "no".
	FieldConfirm
	// FieldParticipant names who takes a seat. The front end offers the participants it found.
	FieldParticipant
)

// The values of a FieldConfirm.
const (
	Yes = "yes"
	No  = "no"
)

// The default of a FieldParticipant: different models in the order in which they were found, or
// built-in rules if there are too few. ThirdFound is empty if there are only two.
const (
	FirstFound  = "first"
	SecondFound = "second"
	ThirdFound  = "third"
)

// Field is one value that a form asks for. Formats and overrides describe their forms as
// lists of fields; every front end shows the same lists.
type Field struct {
	Key, Label, Help string
	Kind             FieldKind
	Choices          []Choice
	// Default is the initial value. Several choices are one per line.
	Default     string
	Placeholder string
	Required    bool
	// NoDefault starts a FieldSelect without a choice, so that enter alone confirms nothing.
	NoDefault bool
	// Other, if set, adds a choice with this label whose value is typed. OtherHelp and
	// OtherPlaceholder belong to the line that is then shown.
	Other, OtherHelp, OtherPlaceholder string
	// None, if set, adds an empty choice with this label to a FieldParticipant.
	None Choice
	// Hidden reports whether the field does not apply, given the values of the others. Its value is
	// then empty. A nil Hidden always shows the field.
	Hidden func(Values) bool
	// Only, if set, names the values of another field for which this one applies. Hidden then
	// reports the same.
	Only Only
	// Flag is the help of its command-line flag if that differs from Help.
	Flag string
	// Needless reports whether a required field may be empty for the values of the others.
	Needless func(Values) bool
}

// Only names values of another field.
type Only struct {
	Key    string
	Values []string
}

// Words returns the values of the choices that are not empty.
func (f *Field) Words() []string {
	var words []string
	for _, c := range f.Choices {
		if c.Value != "" {
			words = append(words, c.Value)
		}
	}
	return words
}

// Choice is one option of a field. Label is shown instead of Value unless it is empty.
type Choice struct{ Value, Label, Help string }

// Shown returns the text that names the choice.
func (c Choice) Shown() string {
	return cmp.Or(c.Label, c.Value)
}

// Values are the values of a form by the keys of its fields.
type Values map[string]string

// Lines returns the lines of a value that are not blank.
func (v Values) Lines(key string) []string {
	var lines []string
	for line := range strings.SplitSeq(v[key], "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// FieldError says which value of a form is wrong.
type FieldError struct {
	Key string
	Err error
}

// Error returns the text of the wrapped error.
func (e *FieldError) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *FieldError) Unwrap() error { return e.Err }
