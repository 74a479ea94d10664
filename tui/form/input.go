package form

import (
	"charm.land/bubbles/v2/textinput"
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
