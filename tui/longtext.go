package tui

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
)

// How many lines of a long text are written in at once, and how many stand at
// least between the cursor and what is not: more than a page.
const (
	sliceLines = 136
	sliceEdge  = 64
)

// longText is a text to write in, of any length. The component that is written in
// draws all of its lines for each key: it holds those around the cursor only.
type longText struct {
	area         textarea.Model
	above, below []string
}

// newLongText makes a text to write in, with the cursor at its beginning.
func newLongText(text, placeholder string) *longText {
	t := &longText{area: newArea(placeholder)}
	t.hold(strings.Split(text, "\n"), 0, 0)
	return t
}

// hold puts the cursor into a line, and the lines around it into the component.
func (t *longText) hold(lines []string, line, column int) {
	from := max(min(line-sliceLines/2, len(lines)-sliceLines), 0)
	to := min(from+sliceLines, len(lines))
	t.above, t.below = lines[:from:from], lines[to:]
	t.area.SetValue(strings.Join(lines[from:to], "\n"))
	t.area.MoveToBegin()
	for t.area.Line() < line-from {
		t.area.CursorEnd()
		t.area.CursorDown()
	}
	t.area.SetCursorColumn(column)
}

// lines are all of them.
func (t *longText) lines() []string {
	lines := append([]string{}, t.above...)
	lines = append(lines, strings.Split(t.area.Value(), "\n")...)
	return append(lines, t.below...)
}

func (t *longText) value() string { return strings.Join(t.lines(), "\n") }

// write takes a key or a paste.
func (t *longText) write(msg tea.Msg) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "ctrl+home", "alt+<":
			t.hold(t.lines(), 0, 0)
			return
		case "ctrl+end", "alt+>":
			lines := t.lines()
			t.hold(lines, len(lines)-1, len([]rune(lines[len(lines)-1])))
			return
		}
	}
	t.area, _ = t.area.Update(msg)
	t.slide()
}

// scroll moves the cursor by a row.
func (t *longText) scroll(up bool) {
	if up {
		t.area.CursorUp()
	} else {
		t.area.CursorDown()
	}
	t.slide()
}

// slide holds other lines where the cursor comes near to the end of those that are
// held, or where they became many.
func (t *longText) slide() {
	line, held := t.area.Line(), t.area.LineCount()
	switch {
	case line < sliceEdge && len(t.above) > 0:
	case line >= held-sliceEdge && len(t.below) > 0:
	case held > 2*sliceLines:
	default:
		return
	}
	t.hold(t.lines(), len(t.above)+line, t.area.Column())
}
