package form

import (
	"cmp"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
)

// Filter is a line to type in that narrows a list down to the items with all of its words.
type Filter struct {
	// Label is before what is typed; "" is "filter".
	Label string

	input textinput.Model
	// on says that there is a filter, typing that keys edit it.
	on, typing bool
}

// Start lets the user type.
func (f *Filter) Start() {
	if !f.on {
		f.input = NewInput("")
	}
	f.on, f.typing = true, true
}

// End shows all items again.
func (f *Filter) End() { f.on, f.typing = false, false }

// On reports whether there is a filter, Typing whether keys edit it.
func (f *Filter) On() bool { return f.on }

// Typing reports whether keys edit the filter.
func (f *Filter) Typing() bool { return f.typing }

// StopTyping keeps the filter as it is.
func (f *Filter) StopTyping() { f.typing = false }

// Type passes a key or a paste to the filter, and reports whether it changed.
func (f *Filter) Type(msg tea.Msg) (changed bool) {
	before := f.input.Value()
	UpdateInput(&f.input, msg)
	return f.input.Value() != before
}

// Matching returns the indexes of the texts with all words of the filter, in the memory of into. The texts are in lower
// case.
func (f *Filter) Matching(texts []string, into []int) []int {
	into = into[:0]
	var words []string
	if f.on {
		words = strings.Fields(strings.ToLower(f.input.Value()))
	}
next:
	for i, text := range texts {
		for _, word := range words {
			if !strings.Contains(text, word) {
				continue next
			}
		}
		into = append(into, i)
	}
	return into
}

// Value is what was typed, without spaces around it. It is "" without a filter.
func (f *Filter) Value() string {
	if !f.on {
		return ""
	}
	return strings.TrimSpace(f.input.Value())
}

// Shown is the filter as the status shows it.
func (f *Filter) Shown() string {
	text := cmp.Or(f.Label, "filter") + ": " + plain.Line(f.input.Value())
	if f.typing {
		text += "_"
	}
	return text
}
