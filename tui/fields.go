package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/tui/pane"
	"moot/tui/theme"
)

// fieldKind says how a field of a form is filled in.
type fieldKind int

const (
	// fieldLine is one line of text, fieldText several.
	fieldLine fieldKind = iota
	fieldText
	// fieldChoice takes one of its options, fieldChoices any number of them.
	fieldChoice
	fieldChoices
)

// choice is an option of a field.
type choice struct {
	// value is what the form sends, label what it shows; "" shows the value. help
	// says in a few words what it means.
	value, label, help string
}

// shown is what the option is called.
func (c *choice) shown() string { return when(c.label == "", c.value, c.label) }

// field is one thing that a form asks for.
type field struct {
	// name is that of its value, label what the form calls it, and help a line
	// that is shown while it has the keys.
	name, label, help string
	kind              fieldKind
	// options are those of a choice.
	options []choice
	// value is what it begins with; several options are a line each.
	value string
	// placeholder is shown where nothing is filled in.
	placeholder string
	// required refuses to send an empty value.
	required bool
	// unless reports whether it may be empty all the same, for the values of the
	// others; nil is never.
	unless func(values map[string]string) bool
	// hidden reports whether the field means nothing for the values of the
	// others; its own is then "". nil shows it always.
	hidden func(values map[string]string) bool

	input textinput.Model
	area  textarea.Model
	// taken are the options that are taken, at is the one that is pointed at.
	taken []bool
	at    int
	// wrong says what is wrong with the value, or "".
	wrong string
	// touched says that the person filled it in.
	touched bool
}

// begin fills in what the field begins with.
func (f *field) begin() {
	switch f.kind {
	case fieldLine:
		f.input = newInput("")
		f.input.Prompt = ""
	case fieldText:
		f.area = newArea("")
	case fieldChoice, fieldChoices:
		f.taken = make([]bool, len(f.options))
	}
	f.set(f.value)
}

// newArea is a text to write in, whose cursor does not blink.
func newArea(placeholder string) textarea.Model {
	area := textarea.New()
	area.ShowLineNumbers = false
	area.Prompt = ""
	area.CharLimit, area.MaxHeight = 0, 0
	area.Placeholder = placeholder
	styles := area.Styles()
	styles.Cursor.Blink = false
	styles.Focused.CursorLine = styles.Focused.Text
	area.SetStyles(styles)
	area.Focus()
	return area
}

// areaRows draws a text to write in: exactly height rows of exactly the width.
func areaRows(l *theme.Look, area *textarea.Model, width, height int) []string {
	area.SetStyles(l.Area)
	area.SetWidth(max(width, 1))
	area.SetHeight(max(height, 1))
	var rows []string
	for line := range strings.SplitSeq(area.View(), "\n") {
		rows = append(rows, l.Cut(line, width))
	}
	return pane.Fit(rows, width, height)
}

// writes reports whether the field holds a text.
func (f *field) writes() bool { return f.kind == fieldLine || f.kind == fieldText }

// set replaces the value. A choice without the option keeps its first.
func (f *field) set(value string) {
	switch f.kind {
	case fieldLine:
		f.input.SetValue(plain.Line(strings.Join(strings.Fields(value), " ")))
	case fieldText:
		f.area.SetValue(plain.Text(value))
	case fieldChoice, fieldChoices:
		wanted := linesOf(value)
		f.at = 0
		for i := range f.options {
			f.taken[i] = f.kind == fieldChoices && slices.Contains(wanted, f.options[i].value) ||
				f.kind == fieldChoice && f.options[i].value == value
			if f.taken[i] && f.kind == fieldChoice {
				f.at = i
			}
		}
		f.takeFirst()
	}
}

// takeFirst takes the first option of a choice that has none.
func (f *field) takeFirst() {
	if f.kind == fieldChoice && f.index() < 0 && len(f.options) > 0 {
		f.taken[0] = true
	}
}

// index is the first option that is taken, or -1.
func (f *field) index() int {
	for i, on := range f.taken {
		if on {
			return i
		}
	}
	return -1
}

// take takes an option, or of several lets go of one that was taken.
func (f *field) take(i int) {
	if i < 0 || i >= len(f.options) {
		return
	}
	f.at, f.touched = i, true
	if f.kind == fieldChoices {
		f.taken[i] = !f.taken[i]
		return
	}
	clear(f.taken)
	f.taken[i] = true
}

// current is the value now, without space around it.
func (f *field) current() string {
	switch f.kind {
	case fieldLine:
		return strings.TrimSpace(f.input.Value())
	case fieldText:
		return strings.TrimSpace(f.area.Value())
	case fieldChoice, fieldChoices:
	}
	var values []string
	for i, on := range f.taken {
		if on {
			values = append(values, f.options[i].value)
		}
	}
	return strings.Join(values, "\n")
}

// write gives a key or a paste to the text.
func (f *field) write(msg tea.Msg) {
	switch f.kind {
	case fieldLine:
		f.input, _ = f.input.Update(msg)
	case fieldText:
		f.area, _ = f.area.Update(msg)
	case fieldChoice, fieldChoices:
		return
	}
	f.wrong, f.touched = "", true
}

// offer replaces the options of a choice; what the person took stays where it is
// still there, else value is taken. What was pointed at stays pointed at, too.
func (f *field) offer(options []choice, value string) {
	before, touched := f.current(), f.touched
	if touched && slices.ContainsFunc(options, func(o choice) bool { return o.value == before }) {
		value = before
	}
	pointed := -1
	if f.at != f.index() && f.at < len(f.options) {
		at := &f.options[f.at]
		pointed = slices.IndexFunc(options, func(o choice) bool { return o.value == at.value && o.label == at.label })
	}
	f.options, f.taken = options, make([]bool, len(options))
	f.set(value)
	f.touched = touched
	if pointed >= 0 {
		f.at = pointed
	}
}

// linesOf are the lines of a value that say something.
func linesOf(value string) []string {
	var lines []string
	for line := range strings.SplitSeq(value, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
