package tui

import (
	"context"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
	"moot/tui/form"
	"moot/tui/pane"
	"moot/tui/theme"
)

// openPreview shows the next prompts, or lets the user edit one of them.
func (m *Model) openPreview(p previewed) {
	seats := slices.Sorted(maps.Keys(p.prompts))
	switch {
	case len(seats) == 0:
		m.say("there is no next prompt yet", true)
		return
	case !p.edit:
		m.push(m.promptReader(seats, p.prompts))
		return
	}
	if r, ok := m.dialog().(*reader); ok && r.prompt {
		// It would show the old prompt.
		m.pop()
	}
	if len(seats) == 1 {
		m.openPrompt(seats[0], p.prompts[seats[0]])
		return
	}
	m.push(newPicker("Edit which prompt?", func() []pick {
		var list []pick
		for _, s := range seats {
			detail := "as moot writes it"
			if m.edited[s] {
				detail = "edited by you"
			}
			list = append(list, pick{
				ID: string(s), Name: "to " + string(s), Detail: detail,
				Do: func(m *Model) tea.Cmd {
					m.openPrompt(s, p.prompts[s])
					return nil
				},
			})
		}
		return list
	}))
}

// promptReader shows the next prompts.
func (m *Model) promptReader(seats []state.Seat, prompts map[state.Seat]protocol.Prompt) *reader {
	return &reader{
		heading: "The next prompt", prompt: true,
		blocks: func(l *theme.Look) []pane.Block {
			var list []pane.Block
			for _, s := range seats {
				p := prompts[s]
				size := "about " + pane.FormatCount((len(p.System)+len(p.Text))/4) + " tokens"
				list = append(list, pane.Block{Section: "to " + string(s), Right: l.Faint.Span(size)})
				if m.edited[s] {
					list = append(list, pane.Block{
						Lead: l.User.Span(l.Glyphs.User + " "),
						Body: l.User.Span("edited by you; the record will say so"),
					})
				}
				list = append(list, pane.Block{Body: l.Faint.Span(p.System)}, pane.Block{},
					pane.Block{Body: l.Text.Span(p.Text)}, pane.Block{})
			}
			return list
		},
		copies: func() string {
			var parts []string
			for _, s := range seats {
				parts = append(parts, prompts[s].System+"\n\n"+prompts[s].Text)
			}
			return strings.Join(parts, "\n\n")
		},
	}
}

// openPrompt opens the form for a prompt, with its draft if the prompt is still the same.
func (m *Model) openPrompt(seat state.Seat, p protocol.Prompt) {
	name := "prompt " + string(seat)
	f, ok := m.drafts[name].(*promptForm)
	if !ok || f.original != p.Text {
		f = newPromptForm(seat, p.Text)
		m.drafts[name] = f
	}
	m.push(f)
}

// promptForm is a dialog in which the user edits a prompt.
type promptForm struct {
	seat state.Seat
	// original is the prompt without changes.
	original string
	// given is the text that the editor started with, and shown how it is displayed: tabs are spaces, and characters
	// that could act on the terminal are escaped. Unless the text is changed here, given is sent byte for byte.
	given, shown string
	written      *form.LongText
}

func newPromptForm(seat state.Seat, text string) *promptForm {
	f := &promptForm{seat: seat, original: text}
	f.setEditedText(text)
	return f
}

func (f *promptForm) title() string { return "The next prompt to " + string(f.seat) }

func (f *promptForm) place() Place { return InForm }

func (f *promptForm) hint() string { return "used for the next call" }

func (f *promptForm) size(_ *theme.Look, width, height int) (int, int) {
	return min(width, 100), height
}

func (f *promptForm) view(l *theme.Look, width, height int) []string {
	return f.written.View(l, width, max(height, 1))
}

func (f *promptForm) scroll(a Action, _ int) { f.written.Scroll(a == ActionUp) }

func (f *promptForm) key(msg tea.Msg) perform {
	f.written.Write(msg)
	return nil
}

func (f *promptForm) editedText() string {
	if value := f.written.Value(); value != f.shown {
		return value
	}
	return f.given
}

func (f *promptForm) setEditedText(text string) {
	f.written = form.NewLongText(plain.Text(text), "empty: moot writes the prompt")
	f.given, f.shown = text, f.written.Value()
}

// send uses the text as the next prompt. An empty text means that moot writes it.
func (f *promptForm) send() perform {
	seat, text, unchanged := f.seat, f.editedText(), f.editedText() == f.original
	return func(m *Model) tea.Cmd {
		name := "prompt " + string(seat)
		if unchanged {
			delete(m.drafts, name)
			m.say("the prompt to "+string(seat)+" is unchanged", false)
			return nil
		}
		m.edited[seat] = text != ""
		said := "the next prompt to " + string(seat) + " is yours; " + m.keyOf(ActionNext) + " sends it"
		if text == "" {
			said = "moot writes the next prompt to " + string(seat)
		}
		m.order(nil, name, said, func(ctx context.Context, s Session) error {
			s.EditPrompt(ctx, seat, text)
			return nil
		})
		return nil
	}
}

// yours says which of the next prompts the user has edited, or "".
func (m *Model) yours() string {
	var seats []string
	for _, a := range m.ready {
		if m.edited[a.Seat] {
			seats = append(seats, string(a.Seat))
		}
	}
	if len(seats) == 0 {
		return ""
	}
	return "the next prompt to " + strings.Join(seats, " and ") + " is yours"
}
