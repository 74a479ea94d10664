package tui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/tui/theme"
)

// giveAnswer and giveReply are what the forms want done.
type giveAnswer struct {
	form   *questionForm
	answer string
}

type giveReply struct {
	request *request
	text    string
}

func (giveAnswer) intent() {}
func (giveReply) intent()  {}

// newInput is a line to type in, whose cursor does not blink: an idle screen
// wakes nobody up.
func newInput(placeholder string) textinput.Model {
	input := textinput.New()
	input.Prompt = "> "
	input.Placeholder = placeholder
	styles := input.Styles()
	styles.Cursor.Blink = false
	input.SetStyles(styles)
	input.Focus()
	return input
}

// inputRow draws a line to type in, cut to the width.
func inputRow(l *theme.Look, input *textinput.Model, width int) string {
	input.SetStyles(l.Input)
	input.SetWidth(max(width-3, 1))
	return l.Cut(input.View(), width)
}

// isPress reports whether the message is the press of the key.
func isPress(msg tea.Msg, key string) bool {
	k, ok := msg.(tea.KeyPressMsg)
	return ok && k.String() == key
}
