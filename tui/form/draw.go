package form

import (
	"strconv"
	"strings"

	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"moot/internal/plain"
	"moot/tui/theme"
	"moot/view"
)

// Drawer is how a form is drawn.
type Drawer = *theme.Look

const (
	// MaxWidth is the width of the largest form.
	MaxWidth = 92
	// From minLabelWidth on, labels and values share a row; from minHelpWidth on, a choice and its help do.
	minLabelWidth, minHelpWidth = 48, 44
	// maxTextRows bounds a text while it is edited, maxSummaryRows otherwise.
	maxTextRows, maxSummaryRows = 8, 3
	// minHeadRows of the head are visible however many rows the fields take.
	minHeadRows = 2
	// unreadRows is how much a field gets while the head must be read. In a form narrower than minReadWidth, rows of
	// the head are cut, so nothing counts as read.
	unreadRows, minReadWidth = 3, 20
)

// Size returns the size that the form needs, at most the given one.
func (f *Form) Size(l Drawer, width, height int) (int, int) {
	width = min(width, MaxWidth)
	rows, _ := f.layout(l, width, 1<<10)
	return width, min(len(rows)+len(f.head(l, width)), height)
}

func (f *Form) head(l Drawer, width int) []string {
	if f.Head == nil {
		return nil
	}
	return append(f.Head(l, width), theme.Blank(width))
}

// View draws the form: exactly height rows of exactly the width. If there is little room, the
// head gives way to the fields and can be scrolled by itself.
func (f *Form) View(l Drawer, width, height int) []string {
	head := f.head(l, width)
	rows, at := f.layout(l, width, 1<<10)
	if len(head)+len(rows) > height {
		room := height - min(len(head), minHeadRows)
		if f.HeadEnd != nil && !f.headRead {
			// The head is to be read first.
			room = min(room, unreadRows)
		}
		rows, at = f.layout(l, width, room)
	}
	f.headRows = len(head)
	f.headShown = min(len(head), max(height-len(rows), min(minHeadRows, height-1)))
	f.headTop = max(min(f.headTop, f.headRows-f.headShown), 0)
	if f.HeadEnd != nil && width >= minReadWidth && f.headTop+f.headShown >= f.HeadEnd(l, width) {
		f.headRead = true
	}
	room := max(height-f.headShown, 0)

	if !f.scrolled {
		first, end := -1, 0
		for y, field := range at {
			if field == f.at {
				if first < 0 {
					first = y
				}
				end = y + 1
			}
		}
		if f.top+room < end {
			f.top = end - room
		}
		f.top = min(f.top, first)
	}
	f.top = max(min(f.top, len(rows)-room), 0)

	out := append([]string{}, head[f.headTop:f.headTop+f.headShown]...)
	for y := f.top; y < len(rows) && len(out) < height; y++ {
		out = append(out, rows[y])
	}
	for len(out) < height {
		out = append(out, theme.Blank(width))
	}
	out = out[:max(height, 0)]
	if width < minLabelWidth/2 {
		// The indent may be wider than the form.
		for i := range out {
			out[i] = l.Cut(out[i], width)
		}
	}
	return out
}

// layout draws all visible fields, and says which field is in each row.
func (f *Form) layout(l Drawer, width, height int) (rows []string, at []int) {
	shown, labels := f.shown(), 0
	if width >= minLabelWidth {
		for _, i := range shown {
			labels = max(labels, l.Width(l.Line(f.fields[i].Label))+4)
		}
		labels = min(labels, width/3)
	}
	for _, i := range shown {
		one, focused := f.fields[i], i == f.at
		label := []theme.Span{{Text: "  "}, l.Bold.Span(one.Label)}
		if focused {
			label = []theme.Span{l.Accent.Span(l.Glyphs.Pointer + " "), l.Accent.Span(one.Label)}
		}
		indent := max(labels, 2)
		if labels == 0 && (one.Label != "" || focused) {
			rows, at = append(rows, l.Row(width, label, nil)), append(at, i)
		}
		for k, line := range one.draw(l, width-indent, height, focused) {
			lead := theme.Blank(indent)
			if k == 0 && labels > 0 {
				lead = l.Row(labels, label, nil)
			}
			rows, at = append(rows, lead+line), append(at, i)
		}
	}
	return rows, at
}

// draw draws the value, its error and its help.
func (f *field) draw(l Drawer, width, height int, focused bool) []string {
	rows := f.summary(l, width)
	if focused {
		f.style(l)
		room := max(height-3, 1)
		if f.err != "" {
			room = max(room-1, 1)
		}
		rows = f.drawWidget(l, width, room)
	}
	if f.err != "" {
		lead := []theme.Span{l.Warn.Span(l.Glyphs.Warn + " ")}
		rows = append(rows, l.Paragraph(width, lead, l.Warn.Span(f.err), nil, maxSummaryRows)...)
	}
	if help := f.help(l, width); focused && help != "" && height > 3 {
		rows = append(rows, l.Paragraph(width, nil, l.Faint.Span(help), nil, 2)...)
	}
	return rows
}

// drawWidget draws the focused field in at most height rows.
func (f *field) drawWidget(l Drawer, width, height int) []string {
	rows := 1
	switch f.Kind {
	case view.FieldText:
		rows = len(l.Wrap(f.text, max(width-1, 1))) + 1
		if f.Label != "" {
			rows = min(rows, maxTextRows)
		}
	case view.FieldSelect, view.FieldMultiSelect:
		f.relabel(f.choiceLabels(l, width-4))
		rows = len(f.Choices)
		title := ""
		if f.filtering() {
			// The filter is drawn where the title would be.
			title, rows = "filter", rows+1
		}
		switch w := f.widget.(type) {
		case *huh.Select[string]:
			w.Title(title)
		case *huh.MultiSelect[string]:
			w.Title(title)
		}
	case view.FieldLine, view.FieldConfirm, view.FieldParticipant:
	}
	rows = max(min(rows, height), 1)
	// Choices are cut below: huh would wrap those that it measures differently.
	if f.Kind == view.FieldSelect || f.Kind == view.FieldMultiSelect {
		f.widget = f.widget.WithWidth(2 * max(width, 8)).WithHeight(rows)
	} else {
		f.widget = f.widget.WithWidth(max(width, 4)).WithHeight(rows)
	}
	lines := strings.Split(f.widget.View(), "\n")
	for len(lines) < rows {
		lines = append(lines, "")
	}
	lines = lines[:rows]
	for i := range lines {
		// The text input draws NUL bytes if a wide character of its placeholder doesn't fit.
		lines[i] = l.Cut(unjoined(strings.ReplaceAll(lines[i], "\x00", ""), f.text), width)
	}
	return lines
}

// style makes the widget look like the rest of the screen.
func (f *field) style(l Drawer) {
	text, faint, accent := l.Input.Focused.Text, l.Input.Focused.Placeholder, l.Input.Focused.Prompt
	pointer := accent.SetString(l.Glyphs.Pointer + " ")
	s := huh.FieldStyles{
		Base: lipgloss.NewStyle(), Title: lipgloss.NewStyle(), Description: faint,
		SelectSelector: pointer, MultiSelectSelector: pointer,
		Option: text, SelectedOption: accent, UnselectedOption: text,
		SelectedPrefix:   accent.SetString(l.Glyphs.DotFull + " "),
		UnselectedPrefix: faint.SetString(l.Glyphs.DotEmpty + " "),
		FocusedButton:    accent.SetString(l.Glyphs.Pointer).PaddingRight(2),
		BlurredButton:    text.SetString(" ").PaddingRight(2),
		TextInput: huh.TextInputStyles{
			Cursor: lipgloss.NewStyle(), CursorText: text, Placeholder: faint, Prompt: accent, Text: text,
		},
	}
	*f.theme = huh.Styles{Focused: s, Blurred: s}
}

// choiceLabels are the choices with their numbers, and their help if there is room.
func (f *field) choiceLabels(l Drawer, width int) []string {
	widest := f.widestChoice(l, width)
	labels := make([]string, len(f.Choices))
	first := 1
	if f.NoDefault {
		first = 0
	}
	for i, c := range f.Choices {
		number := "  "
		if n := i + first; n > 0 && n < 10 {
			number = strconv.Itoa(n) + " "
		}
		label := l.Line(c.Shown())
		if width >= minHelpWidth && c.Help != "" {
			label += theme.Blank(max(widest-l.Width(label), 0)+2) + l.Line(c.Help)
		}
		labels[i] = l.Clip(number+label, width)
	}
	return labels
}

func (f *field) widestChoice(l Drawer, width int) int {
	widest := 0
	for _, c := range f.Choices {
		widest = max(widest, l.Width(l.Line(c.Shown())))
	}
	return min(widest, width/2)
}

// help returns the help of the field, or of the chosen option if it is not shown beside the option.
func (f *field) help(l Drawer, width int) string {
	if i := f.choice(f.text); f.Kind == view.FieldSelect && i >= 0 {
		if help := f.Choices[i].Help; help != "" &&
			(width-4 < minHelpWidth || l.Width(l.Line(help)) > width-4-f.widestChoice(l, width)-4) {
			return help
		}
	}
	return f.Help
}

// summary is the value of a field without the focus.
func (f *field) summary(l Drawer, width int) []string {
	text, help := f.current(), ""
	switch f.Kind {
	case view.FieldSelect:
		if i := f.choice(f.text); i >= 0 {
			text, help = f.Choices[i].Shown(), f.Choices[i].Help
		}
	case view.FieldMultiSelect:
		text = strings.Join(f.list, ", ")
	case view.FieldLine, view.FieldText, view.FieldConfirm, view.FieldParticipant:
	}
	switch {
	case text == "" && f.Placeholder != "":
		return []string{l.Row(width, []theme.Span{l.Faint.Span(f.Placeholder)}, nil)}
	case text == "":
		return []string{l.Row(width, []theme.Span{l.Faint.Span(l.Glyphs.NotEvaluated)}, nil)}
	case f.Kind == view.FieldSelect && width >= minHelpWidth:
		return []string{l.Row(width, []theme.Span{l.Text.Span(plain.Line(text)), l.Faint.Span("  " + help)}, nil)}
	case f.Kind == view.FieldText:
		return l.Paragraph(width, nil, l.Text.Span(text), nil, maxSummaryRows)
	}
	return l.Paragraph(width, nil, l.Text.Span(text), nil, 1)
}
