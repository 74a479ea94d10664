// Package form shows a list of view.Fields as a form in a terminal. The fields are huh's; the
// form lays them out so that every field is visible in one line until it has the focus, hides
// fields that have no meaning for the values of others, and keeps errors at their fields.
//
// A form knows nothing of the program around it: keys, pastes, clicks and errors are passed
// in, and Key and Submit say when the values are complete. Only the focused field is drawn by
// huh. Commands that huh returns are dropped: they move the focus, which the form does itself,
// or blink a cursor, which must not wake an idle screen.
package form

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"moot/view"
)

// Form asks for the values of fields.
type Form struct {
	Title string
	// Head is drawn above the fields, for example the question that the form answers.
	Head func(d Drawer, width int) []string
	// HeadEnd returns how many rows of the head must have been on the screen before values for which NeedsHead is true
	// are submitted. Both may be nil.
	HeadEnd   func(d Drawer, width int) int
	NeedsHead func(v view.Values) bool
	// Unread is the error if they were not.
	Unread string
	// Busy says what the form waits for. Nothing can be submitted meanwhile.
	Busy string

	fields []*field
	// kept are the values that were entered, also those of fields that are not in the form now.
	kept view.Values
	at   int
	// top is the first row of the fields that is visible, headTop that of the head.
	top, headTop int
	scrolled     bool
	// The number of rows of the head when it was drawn last.
	headRows, headShown int
	// headRead says that the required rows of the head were on the screen.
	headRead bool
}

// New returns a form that asks for the fields.
func New(title string, fields []view.Field) *Form {
	f := &Form{Title: title, kept: view.Values{}}
	f.SetFields(fields)
	return f
}

// SetFields replaces the fields. Values that were entered and the focus stay.
func (f *Form) SetFields(fields []view.Field) {
	focused := ""
	if len(f.fields) > 0 {
		focused = f.fields[f.at].Key
	}
	for _, old := range f.fields {
		if old.touched {
			f.kept[old.Key] = old.current()
		}
	}
	var list []*field
	for _, spec := range fields {
		for _, one := range newFields(spec) {
			i := slices.IndexFunc(f.fields, func(old *field) bool {
				return old.Key == one.Key && old.Kind == one.Kind && slices.Equal(old.Choices, one.Choices) &&
					(old.touched || old.Default == one.Default)
			})
			switch value, ok := f.kept[one.Key]; {
			case i >= 0:
				old := f.fields[i]
				old.Field = one.Field
				one = old
			case ok:
				one.set(value)
				one.touched = true
			}
			list = append(list, one)
		}
	}
	f.fields, f.at = list, max(min(f.at, len(list)-1), 0)
	if i := f.index(focused); i >= 0 {
		f.at = i
	}
	if !f.visible(f.at) {
		f.at = f.next(-1, 1)
	}
	f.focus(f.at)
}

// Adopt takes over the values of an earlier form with the same fields.
func (f *Form) Adopt(draft *Form) {
	for _, one := range f.fields {
		if i := draft.index(one.Key); i >= 0 {
			one.set(draft.fields[i].current())
			one.touched = draft.fields[i].touched
		}
	}
	f.focus(f.at)
}

// Set replaces a value.
func (f *Form) Set(key, value string) {
	if i := f.index(key); i >= 0 {
		f.fields[i].set(value)
		f.focus(f.at)
	}
}

// Participant returns the field with the focus, if its value names a participant.
func (f *Form) Participant() (view.Field, bool) {
	if f.at < 0 || f.at >= len(f.fields) || !f.fields[f.at].participant {
		return view.Field{}, false
	}
	return f.fields[f.at].Field, true
}

// Enter is Set for a value that the user chose, which stays when the fields change.
func (f *Form) Enter(key, value string) {
	if i := f.index(key); i >= 0 {
		f.fields[i].touched = true
	}
	f.Set(key, value)
}

// Values returns the values by key. Those of hidden fields are empty.
func (f *Form) Values() view.Values {
	values := f.raw()
	for _, one := range f.fields {
		if one.parent != "" {
			if values[one.parent] == other {
				values[one.parent] = values[one.Key]
			}
			delete(values, one.Key)
		}
	}
	return values
}

// raw returns the value of every field, also of those that belong to another.
func (f *Form) raw() view.Values {
	values := make(view.Values, len(f.fields))
	for _, one := range f.fields {
		values[one.Key] = one.current()
	}
	for _, one := range f.fields {
		if one.Hidden != nil && one.Hidden(values) {
			values[one.Key] = ""
		}
	}
	return values
}

func (f *Form) index(key string) int {
	return slices.IndexFunc(f.fields, func(one *field) bool { return one.Key == key })
}

func (f *Form) visible(i int) bool { return f.fields[i].Hidden == nil || !f.fields[i].Hidden(f.raw()) }

// shown returns the indexes of the fields that are not hidden.
func (f *Form) shown() []int {
	values := f.raw()
	var list []int
	for i, one := range f.fields {
		if one.Hidden == nil || !one.Hidden(values) {
			list = append(list, i)
		}
	}
	return list
}

// next returns the visible field after i in a direction, or -1.
func (f *Form) next(i, by int) int {
	shown := f.shown()
	if by < 0 {
		slices.Reverse(shown)
	}
	for _, to := range shown {
		if (to-i)*by > 0 {
			return to
		}
	}
	return -1
}

func (f *Form) focus(i int) {
	if i < 0 || i >= len(f.fields) {
		return
	}
	if i != f.at {
		f.fields[f.at].rebuild()
	}
	f.at, f.scrolled = i, false
	f.fields[i].widget.Focus()
}

// Focused returns the key of the focused field.
func (f *Form) Focused() string { return f.fields[f.at].Key }

// SetError shows an error at a field and moves the focus there. Without a key it is the focused
// field. If the field is unknown or hidden, the first one shows it.
func (f *Form) SetError(key, text string) {
	i := f.index(key)
	if key == "" {
		i = f.at
	}
	if child := f.index(key + otherSuffix); child >= 0 && f.visible(child) {
		i = child
	}
	if i < 0 || !f.visible(i) {
		i = f.next(-1, 1)
	}
	f.fields[i].err = text
	f.focus(i)
}

// Submit returns the values if nothing required is missing.
func (f *Form) Submit() (view.Values, bool) {
	if f.Busy != "" {
		return nil, false
	}
	f.settle()
	raw, values := f.raw(), f.Values()
	for _, one := range f.fields {
		one.err = ""
	}
	for _, i := range f.shown() {
		one := f.fields[i]
		if one.Required && raw[one.Key] == "" && (one.Needless == nil || !one.Needless(values)) {
			f.SetError(one.Key, "a value is required")
			return nil, false
		}
	}
	if !f.headRead && f.NeedsHead != nil && f.NeedsHead(values) {
		f.SetError("", f.Unread)
		return nil, false
	}
	return values, true
}

// settle takes the choice under the cursor of a filtered list, or what was typed if it matches none.
func (f *Form) settle() {
	one := f.fields[f.at]
	if !one.filtering() {
		return
	}
	child, value, hovered := f.index(one.Key+otherSuffix), "", false
	if list, ok := one.widget.(*huh.Select[string]); ok {
		value, hovered = list.Hovered()
	}
	switch {
	case hovered:
		one.set(value)
	case child >= 0 && one.query != "":
		f.fields[child].set(one.query)
		one.set(other)
		f.focus(child)
	}
	one.touched = true
	f.fields[f.at].touched = true
	f.fields[f.at].widget.Focus()
}

// Edited reports whether a field holds something else than its default.
func (f *Form) Edited() bool {
	return slices.ContainsFunc(f.fields, func(one *field) bool { return one.touched && one.current() != one.Default })
}

// Escape ends a filter, and reports whether there was one.
func (f *Form) Escape() bool {
	one := f.fields[f.at]
	if !one.filtering() {
		return false
	}
	one.rebuild()
	one.widget.Focus()
	return true
}

// Key passes a key or a paste to the form. It reports whether it submits the form.
func (f *Form) Key(msg tea.Msg) (submit bool) {
	one := f.fields[f.at]
	press, ok := msg.(tea.KeyPressMsg)
	if child := f.index(one.Key + otherSuffix); child >= 0 && !one.filtering() &&
		(!ok || press.Text != "" && !strings.ContainsAny(press.Text, "/ 0123456789")) {
		// Text typed over the choices is another value; numbers choose, and a slash filters.
		one.set(other)
		one.touched = true
		f.focus(child)
		f.fields[child].update(msg)
		return false
	}
	if !ok {
		one.update(msg)
		return false
	}
	switch name := press.String(); {
	case name == "pgup" || name == "pgdown":
		f.ScrollHead(name == "pgdown")
	case name == "tab" || name == "shift+tab":
		by := 1
		if name == "shift+tab" {
			by = -1
		}
		f.settle()
		to := f.next(f.at, by)
		if to < 0 && by > 0 {
			to = f.next(-1, by)
		} else if to < 0 {
			to = f.next(len(f.fields), by)
		}
		f.focus(to)
	case name == "enter" && one.Kind != view.FieldText:
		f.settle()
		to := f.next(f.at, 1)
		if to < 0 {
			return true
		}
		f.focus(to)
	case one.Kind == view.FieldLine && name == "up":
		f.focus(f.next(f.at, -1))
	case one.Kind == view.FieldLine && name == "down":
		f.focus(f.next(f.at, 1))
	case one.Kind != view.FieldLine && one.Kind != view.FieldText && !one.filtering() && one.pick(name):
	default:
		one.update(msg)
	}
	return false
}

// Hint says what enter does in the focused field, and which field it is.
func (f *Form) Hint() string {
	if f.Busy != "" {
		return f.Busy
	}
	one, shown := f.fields[f.at], f.shown()
	last := f.at == shown[len(shown)-1]
	hint := ""
	switch {
	case one.filtering():
		hint = "enter select"
	case one.Kind == view.FieldText && !last:
		hint = "tab next"
	case one.Kind == view.FieldText:
	case one.Kind == view.FieldMultiSelect:
		hint = "space toggle  / filter"
	case last:
		hint = "enter send"
	default:
		hint = "enter next"
	}
	if f.headShown < f.headRows {
		hint = "pgdn read  " + hint
	}
	if len(shown) > 1 {
		hint += fmt.Sprintf("  %d/%d", slices.Index(shown, f.at)+1, len(shown))
	}
	return hint
}

// Scroll moves the visible rows but not the focus.
func (f *Form) Scroll(by int) { f.top, f.scrolled = f.top+by, true }

// ScrollHead moves the visible part of the head by a page.
func (f *Form) ScrollHead(down bool) {
	if down {
		f.headTop += f.headShown
	} else {
		f.headTop -= f.headShown
	}
}

// disabled are the bindings of huh that the form handles itself.
func disabled() key.Binding { return key.NewBinding(key.WithDisabled()) }
