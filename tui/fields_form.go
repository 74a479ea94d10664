package tui

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
)

// fieldForm is a dialog of fields. What was typed stays in it: it can be hidden
// and shown again.
type fieldForm struct {
	heading string
	// about is said above the fields.
	about  string
	fields []*field
	// sends makes what is wanted done out of the values.
	sends func(values map[string]string) perform
	// at is the field that has the keys.
	at int
	// top is the first row that is seen; it follows the keys unless the wheel
	// moved it.
	top     int
	wheeled bool
	// spots are what stands in the rows that were drawn last.
	spots []spot
	// busy says what is waited for; nothing can be sent meanwhile.
	busy string
}

// spot is what a click in a row bears on: a field, and one of its options or -1.
type spot struct{ field, option int }

// editable is a dialog with a text that can be written in the person's editor.
type editable interface {
	// editedText is the text that is being written.
	editedText() string
	// setEditedText replaces it.
	setEditedText(text string)
}

// newFieldForm makes a form that asks for the fields. What send returns is done
// when the values are sent, and the form is closed; it may push it again.
func newFieldForm(heading string, fields []*field, send func(values map[string]string) perform) *fieldForm {
	f := &fieldForm{heading: heading, fields: fields, sends: send}
	for _, one := range fields {
		one.begin()
	}
	f.enter(f.next(-1, 1))
	return f
}

func (f *fieldForm) title() string { return f.heading }

func (f *fieldForm) place() Place { return InForm }

// hint says what enter does in the field, and which one it is.
func (f *fieldForm) hint() string {
	if f.busy != "" {
		return f.busy
	}
	last := f.next(f.at, 1) < 0
	said := when(last, "enter sends", "enter goes on")
	switch f.focused().kind {
	case fieldText:
		said = when(last, "", "tab goes on")
	case fieldChoice:
		said = when(last, "enter takes and sends", "enter takes")
	case fieldChoices:
		said = "space takes"
	case fieldLine:
	}
	if shown := f.shown(); len(shown) > 1 {
		place := fmt.Sprintf("%d of %d", slices.Index(shown, f.at)+1, len(shown))
		return when(said == "", place, said+", "+place)
	}
	return said
}

// values are those of all fields by their names; what is hidden is "", also where it is
// hidden since what it goes by is: a field stands behind those that it goes by.
func (f *fieldForm) values() map[string]string {
	values := make(map[string]string, len(f.fields))
	for _, one := range f.fields {
		values[one.name] = one.current()
	}
	for _, one := range f.fields {
		if one.hidden != nil && one.hidden(values) {
			values[one.name] = ""
		}
	}
	return values
}

// shown are the fields that mean something now, by their places.
func (f *fieldForm) shown() []int {
	values := f.values()
	var list []int
	for i, one := range f.fields {
		if one.hidden == nil || !one.hidden(values) {
			list = append(list, i)
		}
	}
	return list
}

// next is the field that is shown after a place in the direction, or -1.
func (f *fieldForm) next(at, by int) int {
	shown := f.shown()
	if by < 0 {
		slices.Reverse(shown)
	}
	for _, i := range shown {
		if by > 0 && i > at || by < 0 && i < at {
			return i
		}
	}
	return -1
}

func (f *fieldForm) focused() *field { return f.fields[f.at] }

// enter gives the keys to a field.
func (f *fieldForm) enter(i int) {
	if i < 0 {
		return
	}
	f.at, f.wheeled = i, false
	if one := f.focused(); one.kind == fieldChoice {
		one.at = max(one.index(), 0)
	}
}

// around gives the keys to the next field, and from the end to the first.
func (f *fieldForm) around(by int) {
	next := f.next(f.at, by)
	if next < 0 {
		next = f.next(when(by > 0, -1, len(f.fields)), by)
	}
	f.enter(next)
}

// named is the field with a name, or nil.
func (f *fieldForm) named(name string) *field {
	for _, one := range f.fields {
		if one.name == name {
			return one
		}
	}
	return nil
}

// setError shows at a field what is wrong with it, and goes there. Of a field that is
// unknown, or not shown now, the first one says it.
func (f *fieldForm) setError(name, text string) {
	i := slices.IndexFunc(f.fields, func(one *field) bool { return one.name == name })
	if !slices.Contains(f.shown(), i) {
		i = f.next(-1, 1)
	}
	f.fields[i].wrong = text
	f.enter(i)
}

// send checks what is required, and makes what is wanted done.
func (f *fieldForm) send() intent {
	if f.busy != "" {
		return nil
	}
	f.settle()
	values := f.values()
	for _, one := range f.fields {
		one.wrong = ""
	}
	for _, i := range f.shown() {
		if one := f.fields[i]; one.required && values[one.name] == "" && (one.unless == nil || !one.unless(values)) {
			f.setError(one.name, "this is needed")
			return nil
		}
	}
	if done := f.sends(values); done != nil {
		return done
	}
	return nil
}

// settle takes the option that is pointed at.
func (f *fieldForm) settle() {
	if one := f.focused(); one.kind == fieldChoice {
		one.take(one.at)
		one.wrong = ""
	}
}

func (f *fieldForm) key(msg tea.Msg) intent {
	f.wheeled = false
	one := f.focused()
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		one.write(msg)
		return nil
	}
	switch name := press.String(); name {
	case "tab", "shift+tab":
		f.settle()
		f.around(when(name == "tab", 1, -1))
	case "up", "down":
		f.vertical(msg, when(name == "up", -1, 1))
	case "enter":
		return f.enterKey(msg)
	case "left", "right", "space":
		if !one.writes() {
			f.point(name)
			return nil
		}
		one.write(msg)
	default:
		if n, err := strconv.Atoi(name); err == nil && !one.writes() {
			one.take(n - 1)
			return nil
		}
		one.write(msg)
	}
	return nil
}

// vertical moves in a text or among options, and from their ends to the next
// field. Options that were only passed are not taken.
func (f *fieldForm) vertical(msg tea.Msg, by int) {
	one := f.focused()
	switch one.kind {
	case fieldText:
		row, offset := one.area.Line(), one.area.LineInfo().RowOffset
		if one.write(msg); row != one.area.Line() || offset != one.area.LineInfo().RowOffset {
			return
		}
	case fieldChoice, fieldChoices:
		if to := one.at + by; to >= 0 && to < len(one.options) {
			one.at = to
			return
		}
	case fieldLine:
	}
	f.enter(f.next(f.at, by))
}

// point takes the next option, or what space takes.
func (f *fieldForm) point(key string) {
	one := f.focused()
	one.wrong = ""
	switch {
	case key == "space":
		one.take(one.at)
	case one.kind == fieldChoice:
		one.take(one.at + when(key == "left", -1, 1))
	}
}

// enterKey begins a line in a text; elsewhere it goes to the next field, and from
// the last one it sends.
func (f *fieldForm) enterKey(msg tea.Msg) intent {
	if f.focused().kind == fieldText {
		f.focused().write(msg)
		return nil
	}
	f.settle()
	if next := f.next(f.at, 1); next >= 0 {
		f.enter(next)
		return nil
	}
	return f.send()
}

func (f *fieldForm) editedText() string { return f.focused().current() }

func (f *fieldForm) setEditedText(text string) {
	if one := f.focused(); one.writes() {
		one.set(text)
		one.wrong = ""
	}
}
