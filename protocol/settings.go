package protocol

import (
	"moot/state"
	"moot/view"
)

// Settings describe what a format asks for when a session is opened. The key of a field is the
// flag of moot ask that gives the same value, or the seat that a participant takes.
type Settings struct {
	// About says in a few words what the format is for.
	About string
	// OptionalQuestion says that the question may be empty.
	OptionalQuestion bool
	// Rules says what built-in rules do in a seat.
	Rules  string
	Fields []view.Field
}

// SearchRules describes built-in rules in most formats.
const SearchRules = "no language model: searches and checks"

// ContextFields ask for the background of the question.
func ContextFields() []view.Field {
	return []view.Field{
		{
			Key: "context", Label: "Context files", Kind: view.FieldText, Placeholder: "none",
			Help: "Text files for the participants, one per line.",
		},
		{
			Key: "fact", Label: "Facts", Kind: view.FieldText, Placeholder: "none",
			Help: "Facts and constraints that everyone must respect, one per line.",
		},
		{
			Key: "workspace", Label: "Workspace", Placeholder: "none: citations are refused",
			Help: "The folder that citations refer to. Empty means none.",
		},
	}
}

// SeatField asks who takes a seat. If none is not empty, the seat may stay empty.
func SeatField(seat state.Seat, label, help, proposal, none string) view.Field {
	f := view.Field{
		Key: string(seat), Label: label, Kind: view.FieldParticipant, Help: help, Default: proposal,
		Other: "a participant that you name", OtherPlaceholder: "its name",
		OtherHelp: "PRESET:MODEL, codex, claude, script:FILE, exec:PATH or http://host:port/v1#MODEL.",
	}
	if none != "" {
		f.None = view.Choice{Label: none}
	}
	return f
}

// Choices are values with their help.
func Choices[T ~string](help map[T]string, values ...T) []view.Choice {
	list := make([]view.Choice, len(values))
	for i, value := range values {
		list[i] = view.Choice{Value: string(value), Help: help[value]}
	}
	return list
}

// Unless hides a field unless another has one of the values.
func Unless[T ~string](key string, values ...T) func(view.Values) bool {
	return func(v view.Values) bool {
		for _, value := range values {
			if v[key] == string(value) {
				return false
			}
		}
		return true
	}
}
