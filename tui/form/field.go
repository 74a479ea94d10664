package form

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"moot/internal/plain"
	"moot/view"
)

// other is the choice behind which a value is typed, in a field whose key ends in otherSuffix.
const (
	other       = "another…"
	otherSuffix = "-other"
)

// field is a view.Field with its value.
type field struct {
	view.Field
	// parent is the key of the field whose typed value this is, or "".
	parent string
	// participant says that the value names a participant.
	participant bool
	// The value is in text, list or yes, depending on the kind.
	text string
	list []string
	yes  bool

	widget huh.Field
	// theme styles the widget. The form changes it before drawing.
	theme *huh.Styles
	// labels are the texts of the choices as they were drawn last.
	labels []string

	// query is the text of the filter.
	query string

	err     string
	touched bool
}

// newFields returns the field for a description, and the line behind its other choice.
func newFields(spec view.Field) []*field {
	participant := spec.Kind == view.FieldParticipant
	if participant {
		spec.Kind = view.FieldLine
		if len(spec.Choices) > 0 {
			spec.Kind = view.FieldSelect
		}
	}
	if spec.NoDefault {
		spec.Choices = append([]view.Choice{{Label: "choose one"}}, spec.Choices...)
	}
	list := []*field{{Field: spec, participant: participant, theme: &huh.Styles{}}}
	if spec.Other != "" && spec.Kind == view.FieldSelect {
		list[0].Choices = append(slices.Clip(spec.Choices), view.Choice{Value: other, Help: spec.Other})
		list = append(list, &field{
			Field: view.Field{
				Key: spec.Key + otherSuffix, Help: spec.OtherHelp, Placeholder: spec.OtherPlaceholder, Required: true,
				Hidden: func(v view.Values) bool { return v[spec.Key] != other },
			},
			parent: spec.Key, theme: &huh.Styles{},
		})
	}
	for _, f := range list {
		f.set(f.Default)
	}
	return list
}

// current returns the value without surrounding space. Several choices are one per line.
func (f *field) current() string {
	switch f.Kind {
	case view.FieldMultiSelect:
		return strings.Join(f.list, "\n")
	case view.FieldConfirm:
		if f.yes {
			return view.Yes
		}
		return view.No
	case view.FieldLine, view.FieldText, view.FieldSelect, view.FieldParticipant:
	}
	return strings.TrimSpace(f.text)
}

// set replaces the value. A select without the choice takes its first, or its other choice.
func (f *field) set(value string) {
	switch f.Kind {
	case view.FieldLine, view.FieldParticipant:
		f.text = plain.Typed(strings.Join(strings.Fields(value), " "))
	case view.FieldText:
		f.text = plain.Typed(value)
	case view.FieldSelect:
		f.text = value
		if f.choice(value) < 0 && len(f.Choices) > 0 {
			f.text = f.Choices[0].Value
		}
	case view.FieldMultiSelect:
		f.list = nil
		for line := range strings.SplitSeq(value, "\n") {
			if f.choice(line) >= 0 {
				f.list = append(f.list, line)
			}
		}
	case view.FieldConfirm:
		f.yes = value == view.Yes
	}
	f.rebuild()
}

func (f *field) choice(value string) int {
	return slices.IndexFunc(f.Choices, func(c view.Choice) bool { return c.Value == value })
}

// rebuild makes the widget for the value, without a filter.
func (f *field) rebuild() {
	f.labels, f.query = nil, ""
	switch f.Kind {
	case view.FieldLine, view.FieldParticipant:
		f.widget = huh.NewInput().Prompt("").Placeholder(plain.Line(f.Placeholder)).Value(&f.text)
	case view.FieldText:
		f.widget = huh.NewText().ExternalEditor(false).Placeholder(plain.Line(f.Placeholder)).Value(&f.text)
	case view.FieldSelect:
		f.widget = huh.NewSelect[string]().Options(f.options()...).Value(&f.text)
	case view.FieldMultiSelect:
		f.widget = huh.NewMultiSelect[string]().Options(f.options()...).Value(&f.list).Filterable(true)
	case view.FieldConfirm:
		f.widget = huh.NewConfirm().Value(&f.yes)
	}
	f.widget = f.widget.WithKeyMap(keys()).WithTheme(huh.ThemeFunc(func(bool) *huh.Styles { return f.theme }))
}

// options are the choices with the labels that were drawn last.
func (f *field) options() []huh.Option[string] {
	list := make([]huh.Option[string], len(f.Choices))
	for i, c := range f.Choices {
		label := c.Shown()
		if i < len(f.labels) {
			label = f.labels[i]
		}
		list[i] = huh.NewOption(label, c.Value).Selected(slices.Contains(f.list, c.Value))
	}
	return list
}

// relabel changes the labels of the choices, for example for another width.
func (f *field) relabel(labels []string) {
	if slices.Equal(f.labels, labels) {
		return
	}
	f.labels = labels
	switch w := f.widget.(type) {
	case *huh.Select[string]:
		w.Options(f.options()...)
	case *huh.MultiSelect[string]:
		w.Options(f.options()...)
	}
}

func (f *field) filtering() bool {
	switch w := f.widget.(type) {
	case *huh.Select[string]:
		return w.GetFiltering()
	case *huh.MultiSelect[string]:
		return w.GetFiltering()
	}
	return false
}

// update passes a message to the widget.
func (f *field) update(msg tea.Msg) {
	if f.filtering() {
		switch msg := msg.(type) {
		case tea.PasteMsg:
			f.query += msg.Content
		case tea.KeyPressMsg:
			f.query += msg.Text
			if typed := []rune(f.query); msg.Code == tea.KeyBackspace && len(typed) > 0 {
				begin, _ := emojiAt(typed, len(typed)-1)
				f.query = string(typed[:begin])
			}
		}
	}
	before := f.text
	f.pass(msg)
	if utf8.RuneCountInString(f.text) == utf8.RuneCountInString(before)-1 {
		// huh has deleted a code point. If that was a part of an emoji, delete the other parts too.
		runes := []rune(before)
		at := 0
		for i, r := range []rune(f.text) {
			if runes[i] != r {
				break
			}
			at = i + 1
		}
		begin, end := emojiAt(runes, at)
		for range at - begin {
			f.pass(tea.KeyPressMsg{Code: tea.KeyBackspace})
		}
		for range end - at - 1 {
			f.pass(tea.KeyPressMsg{Code: tea.KeyDelete})
		}
	}
	f.err, f.touched = "", true
}

// pass passes a message to the widget as it is.
func (f *field) pass(msg tea.Msg) {
	model, _ := f.widget.Update(msg)
	if w, ok := model.(huh.Field); ok {
		f.widget = w
	}
}

// pick takes the choice of a number key, or toggles it in a list of several. It reports
// whether the key is such a number.
func (f *field) pick(name string) bool {
	n, err := strconv.Atoi(name)
	if err != nil || f.Kind == view.FieldConfirm {
		return false
	}
	if f.NoDefault {
		// The entry that stands for no choice has no number.
		n++
	}
	if n < 1 || n > len(f.Choices) {
		return true
	}
	value := f.Choices[n-1].Value
	if f.Kind == view.FieldMultiSelect {
		if i := slices.Index(f.list, value); i >= 0 {
			f.list = slices.Delete(f.list, i, i+1)
		} else {
			f.list = append(f.list, value)
		}
	} else {
		f.text = value
	}
	f.rebuild()
	f.widget.Focus()
	f.err, f.touched = "", true
	return true
}

// keys are huh's keys without those that the form handles itself.
func keys() *huh.KeyMap {
	k := huh.NewDefaultKeyMap()
	k.Input.Prev, k.Input.Next, k.Input.Submit = disabled(), disabled(), disabled()
	k.Text.Prev, k.Text.Next, k.Text.Submit, k.Text.Editor = disabled(), disabled(), disabled(), disabled()
	k.Text.NewLine.SetKeys("enter", "alt+enter", "ctrl+j")
	k.Select.Prev, k.Select.Next, k.Select.Submit = disabled(), disabled(), disabled()
	k.MultiSelect.Prev, k.MultiSelect.Next, k.MultiSelect.Submit = disabled(), disabled(), disabled()
	k.Confirm.Prev, k.Confirm.Next, k.Confirm.Submit = disabled(), disabled(), disabled()
	k.Confirm.Toggle.SetKeys("left", "right", "up", "down", "space", "h", "l")
	return k
}
