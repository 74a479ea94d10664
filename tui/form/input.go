package form

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"

	"moot/tui/theme"
)

// NewInput returns a line to type in. Its cursor does not blink, so that an idle screen does
// not wake up.
func NewInput(placeholder string) textinput.Model {
	input := textinput.New()
	input.Prompt = "> "
	input.Placeholder = placeholder
	styles := input.Styles()
	styles.Cursor.Blink = false
	input.SetStyles(styles)
	input.Focus()
	return input
}

// InputRow draws a line to type in, cut to the width.
func InputRow(l Drawer, input *textinput.Model, width int) string {
	input.SetStyles(l.Input)
	input.SetWidth(max(width-3, 1))
	return l.Cut(input.View(), width)
}

// newArea returns a text to write in, without limits.
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

// View draws the text: exactly height rows of exactly the width.
func (t *LongText) View(l Drawer, width, height int) []string {
	t.area.SetStyles(l.Area)
	t.area.SetWidth(max(width, 1))
	t.area.SetHeight(max(height, 1))
	var rows []string
	for line := range strings.SplitSeq(t.area.View(), "\n") {
		rows = append(rows, l.Cut(line, width))
	}
	for len(rows) < height {
		rows = append(rows, theme.Blank(width))
	}
	return rows[:max(height, 0)]
}
