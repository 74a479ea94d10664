package form

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
)

// The number of lines of a long text that are edited at once, and the least number of lines
// between the cursor and the others: more than a page.
const (
	sliceLines = 136
	sliceEdge  = 64
)

// LongText is a text to write in, of any length. A textarea draws all of its lines for each
// key, so it holds only those around the cursor.
type LongText struct {
	area         textarea.Model
	above, below []string
}

// NewLongText returns a text with the cursor at its beginning.
func NewLongText(text, placeholder string) *LongText {
	t := &LongText{area: newArea(placeholder)}
	t.hold(strings.Split(text, "\n"), 0, 0)
	return t
}

// hold puts the cursor into a line, and the lines around it into the textarea.
func (t *LongText) hold(lines []string, line, column int) {
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

// lines returns all lines.
func (t *LongText) lines() []string {
	lines := append([]string{}, t.above...)
	lines = append(lines, strings.Split(t.area.Value(), "\n")...)
	return append(lines, t.below...)
}

// Value returns the whole text.
func (t *LongText) Value() string { return strings.Join(t.lines(), "\n") }

// Write takes a key or a paste.
func (t *LongText) Write(msg tea.Msg) {
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

// Scroll moves the cursor by a row.
func (t *LongText) Scroll(up bool) {
	if up {
		t.area.CursorUp()
	} else {
		t.area.CursorDown()
	}
	t.slide()
}

// slide holds other lines if the cursor is near the end of those that are held, or if there
// are many.
func (t *LongText) slide() {
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
