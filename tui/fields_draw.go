package tui

import (
	"strings"

	"moot/tui/pane"
	"moot/tui/theme"
)

// The widths from which labels stand beside what is filled in, and the help of an
// option beside it.
const (
	besideWidth = 48
	helpWidth   = 44
)

// The most rows of a text that is written in, and of one that is not.
const (
	mostWritten = 8
	mostShown   = 3
)

// ample is a height that takes nothing away.
const ample = 1 << 10

// size is what the form takes whole, where there is room.
func (f *fieldForm) size(l *theme.Look, width, height int) (int, int) {
	width = min(width, 92)
	rows, _, _ := f.lay(l, width, ample)
	return width, min(len(rows), height)
}

// scroll moves what is seen and leaves the keys where they are.
func (f *fieldForm) scroll(a Action, _ int) {
	f.top += map[Action]int{ActionUp: -1, ActionDown: 1}[a]
	f.wheeled = true
}

func (f *fieldForm) view(l *theme.Look, width, height int) []string {
	rows, spots, mark := f.lay(l, width, ample)
	if len(rows) > height {
		rows, spots, mark = f.lay(l, width, height)
	}
	if !f.wheeled {
		f.follow(spots, mark, height)
	}
	f.top = max(min(f.top, len(rows)-height), 0)
	f.spots = spots[f.top:min(f.top+height, len(spots))]
	return pane.Fit(rows[f.top:], width, height)
}

// follow brings the field with the keys into view, or the row of it that counts
// where it is higher than the room.
func (f *fieldForm) follow(spots []spot, mark, height int) {
	from, to := -1, 0
	for y, s := range spots {
		if s.field == f.at {
			if from < 0 {
				from = y
			}
			to = y + 1
		}
	}
	if to-from > height {
		from, to = max(mark-height/2, from), min(mark-height/2+height, to)
	}
	f.top = max(min(f.top, from), to-height)
}

// click gives the keys to the field that was clicked, and takes the option.
func (f *fieldForm) click(_, y, _, _ int) intent { //nolint:unparam // dialogs that can be clicked have this method
	if y < 0 || y >= len(f.spots) {
		return nil
	}
	s := f.spots[y]
	if s.field >= 0 && s.field != f.at {
		f.enter(s.field)
	}
	if s.field >= 0 && s.option >= 0 {
		f.focused().take(s.option)
		f.focused().wrong = ""
	}
	return nil
}

// lay draws all fields that mean something, with fewer words in little height;
// mark is the
// row that counts most: the option that is pointed at, or the line that is written.
func (f *fieldForm) lay(l *theme.Look, width, height int) (rows []string, spots []spot, mark int) {
	labels := f.labelWidth(l, width)
	if f.about != "" && height > mostShown+1 {
		rows = append(l.Paragraph(width, nil, l.Text.Span(f.about), nil, mostShown), theme.Blank(width))
		for range rows {
			spots = append(spots, spot{-1, -1})
		}
	}
	for _, i := range f.shown() {
		one, focused := f.fields[i], i == f.at
		name := []theme.Span{l.Accent.Span(when(focused, l.Glyphs.Pointer+" ", "  ")), when(focused, l.Accent, l.Bold).Span(one.label)}
		body := one.draw(l, width-max(labels, 2), height, focused)
		// What belongs to the field above has no name to stand on a row of its own.
		if labels == 0 && (one.label != "" || focused) {
			rows, spots = append(rows, l.Row(width, name, nil)), append(spots, spot{i, -1})
		}
		for k, b := range body {
			if focused && b.marked {
				mark = len(rows)
			}
			lead := theme.Blank(max(labels, 2))
			if k == 0 && labels > 0 {
				lead = l.Row(labels, name, nil)
			}
			rows, spots = append(rows, lead+b.text), append(spots, spot{i, b.option})
		}
	}
	return rows, spots, mark
}

// labelWidth is the width of the labels with the pointer and a gap, or 0 where
// they stand above.
func (f *fieldForm) labelWidth(l *theme.Look, width int) int {
	if width < besideWidth {
		return 0
	}
	widest := 0
	for _, i := range f.shown() {
		widest = max(widest, l.Width(l.Line(f.fields[i].label)))
	}
	return min(widest+4, width/3)
}

// bodyRow is a row of what is filled in: of an option, or -1.
type bodyRow struct {
	text   string
	option int
	marked bool
}

// draw draws what is filled in, and what is to be said of it.
func (f *field) draw(l *theme.Look, width, height int, focused bool) []bodyRow {
	var rows []bodyRow
	add := func(lines ...string) {
		for _, line := range lines {
			rows = append(rows, bodyRow{text: line, option: -1})
		}
	}
	switch {
	case focused && f.kind == fieldLine:
		add(inputRow(l, &f.input, width))
	case focused && f.kind == fieldText:
		add(areaRows(l, &f.area, width, f.areaHeight(l, width, height))...)
	case focused:
		rows = f.optionRows(l, width)
	default:
		add(f.summary(l, width)...)
	}
	if focused && len(rows) > 0 && f.writes() {
		rows[min(cursorRow(f), len(rows)-1)].marked = true
	}
	if f.wrong != "" {
		add(l.Paragraph(width, []theme.Span{l.Warn.Span(l.Glyphs.Warn + " ")}, l.Warn.Span(f.wrong), nil, mostShown)...)
	}
	if help := f.helpNow(l, width); focused && help != "" && height > 3 {
		add(l.Paragraph(width, nil, l.Faint.Span(help), nil, 2)...)
	}
	return rows
}

// cursorRow is the row of a text's cursor among those that are seen.
func cursorRow(f *field) int {
	if f.kind == fieldLine {
		return 0
	}
	return max(f.area.Line()-f.area.ScrollYOffset(), 0)
}

// helpNow is the help of the field, or of the option that is pointed at where it
// has no room beside it.
func (f *field) helpNow(l *theme.Look, width int) string {
	if !f.writes() && f.at < len(f.options) {
		help := f.options[f.at].help
		if help != "" && (width < helpWidth || l.Width(l.Line(help)) > width-f.widest(l, width)-8) {
			return help
		}
	}
	return f.help
}

// widest is the width of the longest option, of half the width at most.
func (f *field) widest(l *theme.Look, width int) int {
	widest := 0
	for i := range f.options {
		widest = max(widest, l.Width(l.Line(f.options[i].shown())))
	}
	return min(widest, width/2)
}

// areaHeight is as high as the text, and a row more to go on in.
func (f *field) areaHeight(l *theme.Look, width, height int) int {
	rows := len(l.Wrap(f.area.Value(), width)) + 1
	return max(min(rows, mostWritten, height-3), 1)
}

// optionRows lists the options: which is pointed at, and what is taken.
func (f *field) optionRows(l *theme.Look, width int) []bodyRow {
	widest := f.widest(l, width)
	var rows []bodyRow
	for i := range f.options {
		o := &f.options[i]
		number := when(i < 9, string(rune('1'+i%9))+" ", "  ")
		left := []theme.Span{
			l.Accent.Span(when(i == f.at, l.Glyphs.Pointer, " ") + " "),
			l.Faint.Span(number),
			when(f.taken[i], l.Accent, l.Border).Span(when(f.taken[i], l.Glyphs.DotFull, l.Glyphs.DotEmpty) + " "),
			when(f.taken[i], l.Accent, l.Text).Span(o.shown()),
		}
		if width >= helpWidth && o.help != "" {
			gap := max(widest-l.Width(l.Line(o.shown())), 0) + 2
			left = append(left, theme.Span{Text: strings.Repeat(" ", gap)}, l.Faint.Span(o.help))
		}
		rows = append(rows, bodyRow{l.Row(width, left, nil), i, i == f.at})
	}
	return rows
}

// summary is what is filled in, of a field without the keys.
func (f *field) summary(l *theme.Look, width int) []string {
	text, help := f.current(), ""
	if !f.writes() {
		var names []string
		for i, on := range f.taken {
			if on {
				names = append(names, f.options[i].shown())
				help = f.options[i].help
			}
		}
		text = strings.Join(names, ", ")
	}
	if text == "" {
		return []string{l.Row(width, []theme.Span{l.Faint.Span(when(f.placeholder == "", l.Glyphs.NotEvaluated, f.placeholder))}, nil)}
	}
	if f.kind == fieldChoice && width >= helpWidth {
		return []string{l.Row(width, []theme.Span{l.Text.Span(text), l.Faint.Span("  " + help)}, nil)}
	}
	return l.Paragraph(width, nil, l.Text.Span(text), nil, when(f.kind == fieldText, mostShown, 1))
}
