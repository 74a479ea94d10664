package form

import (
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
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
	return l.Cut(unjoined(input.View(), input.Value()), width)
}

// UpdateInput passes a key or a paste to a line. The line knows code points only; here an emoji is one character.
func UpdateInput(input *textinput.Model, msg tea.Msg) {
	before, from := []rune(input.Value()), input.Position()
	*input, _ = input.Update(msg)
	at, length := input.Position(), len([]rune(input.Value()))
	switch {
	case length == len(before)-1:
		begin, end := emojiAt(before, at)
		input.SetValue(string(slices.Delete(before, begin, end)))
		input.SetCursor(begin)
	case length == len(before) && at < length && (at == from-1 || at == from+1):
		begin, end := emojiAt(before, at)
		if begin < at && at < from {
			input.SetCursor(begin)
		} else if begin < at {
			input.SetCursor(end)
		}
	}
}

// emojiAt returns the part of a text that is edited as one character at a place: an emoji of several code points, or
// else one code point.
func emojiAt(text []rune, at int) (begin, end int) {
	// No emoji has such a rune in its middle.
	from := at
	for from > 0 && text[from] >= firstPart {
		from--
	}
	for begin = from; begin <= at; begin = end {
		cluster, _ := ansi.FirstGraphemeCluster(string(text[begin:min(begin+maxParts, len(text))]), ansi.GraphemeWidth)
		parts := []rune(cluster)
		end = begin + max(len(parts), 1)
		if end > at && slices.ContainsFunc(parts, func(r rune) bool { return r >= firstPart }) {
			return begin, end
		}
	}
	return at, at + 1
}

// firstPart is the first code point that parts of emoji have, except for digits in front. maxParts is how many an emoji
// has at most.
const firstPart, maxParts = 0x200d, 32

// unjoined removes what joins the parts of emoji from a drawn line, as package plain does everywhere else: terminals
// disagree about their width.
func unjoined(line, value string) string {
	if !strings.ContainsFunc(value, unicode.IsSymbol) {
		return line
	}
	return strings.Map(func(r rune) rune {
		if r == '\u200d' || unicode.Is(unicode.Variation_Selector, r) || r >= '\U000e0020' && r <= '\U000e007f' {
			return -1
		}
		return r
	}, line)
}
