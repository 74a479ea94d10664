package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"moot/agent/person"
	"moot/protocol/claims"
	"moot/tui/theme"
	"moot/view"
)

// newReplyForm asks the user for the reply of a seat. It shows examples of what can be typed, and the prompt that a
// model in this seat would get.
func newReplyForm(r *request) *formDialog {
	ask := r.call.Ask
	f := newForm(fmt.Sprintf("You speak as %s: %s", ask.Seat, view.StageName(ask.Stage)), []view.Field{{
		Key: "reply", Label: "Reply", Kind: view.FieldText, Placeholder: "one move per line",
		Help: "An empty reply means that you have nothing to say.",
	}}, func(v view.Values) perform {
		return func(m *Model) tea.Cmd {
			r.answer <- v["reply"]
			m.withdraw(r)
			return nil
		}
	})
	f.request = r
	// Prompts can be long, so the rows are kept from frame to frame.
	var rows []string
	var drawnFor *theme.Look
	drawnWidth := 0
	f.Head = func(l *theme.Look, width int) []string {
		if l == drawnFor && width == drawnWidth {
			return rows
		}
		rows, drawnFor, drawnWidth = nil, l, width
		if ask.Retry != "" {
			lead := []theme.Span{l.Warn.Span(l.Glyphs.Warn + " again: ")}
			rows = append(rows, l.Paragraph(width, lead, l.Text.Span(ask.Retry), nil, 0)...)
		}
		for _, hint := range person.Hints(&ask) {
			lead := []theme.Span{l.Accent.Span(l.Glyphs.Bullet + " ")}
			rows = append(rows, l.Paragraph(width, lead, l.Text.Span(hint), nil, 0)...)
		}
		due, argument := claims.DueOf(r.call.State, ask), view.NewArgument(r.call.State, nil)
		for _, id := range slices.Concat(due.Answer, due.Judge) {
			it := argument.Challenge(r.call.State.Challenge(id))
			lead := []theme.Span{l.Unresolved.Span(l.Glyphs.Unresolved + " "), l.Bold.Span(it.ID + "  ")}
			rows = append(rows, l.Paragraph(width, lead, l.Text.Span(it.Text), nil, 0)...)
		}
		rows = append(rows, theme.Blank(width))
		for _, line := range l.Wrap(r.call.Prompt.Text, width) {
			rows = append(rows, l.Row(width, []theme.Span{l.Text.Span(line)}, nil))
		}
		return rows
	}
	return f
}
