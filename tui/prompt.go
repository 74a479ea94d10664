package tui

import (
	"context"
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

// openPreview shows the prompts that go out next, or has one of them edited.
func (m *Model) openPreview(p previewed) {
	var seats []state.Seat
	for s := range p.prompts {
		seats = append(seats, s)
	}
	slices.Sort(seats)
	switch {
	case len(seats) == 0:
		m.say("no prompt waits to go out", true)
	case !p.edit:
		m.push(m.promptReader(seats, p.prompts))
	default:
		if r, ok := m.dialog().(*reader); ok && r.prompt {
			// It would show what went before.
			m.pop()
		}
		m.choosePrompt(seats, p.prompts)
	}
}

// promptReader shows prompts as they go out.
func (m *Model) promptReader(seats []state.Seat, prompts map[state.Seat]protocol.Prompt) *reader {
	return &reader{
		heading: "What goes out next", prompt: true,
		blocks: func(l *theme.Look) []pane.Block {
			var list []pane.Block
			for _, s := range seats {
				p := prompts[s]
				size := "about " + pane.FormatCount((len(p.System)+len(p.Text))/4) + " tokens"
				list = append(list, pane.Block{Section: "to " + string(s), Right: l.Faint.Span(size)})
				if m.edited[s] {
					list = append(list, pane.Block{Lead: l.User.Span(l.Glyphs.User + " "), Body: l.User.Span("the text is yours; the record will say so")})
				}
				list = append(list, pane.Block{Body: l.Faint.Span(p.System)}, pane.Block{}, pane.Block{Body: l.Text.Span(p.Text)}, pane.Block{})
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

// choosePrompt opens the form for the prompt of one seat.
func (m *Model) choosePrompt(seats []state.Seat, prompts map[state.Seat]protocol.Prompt) {
	if len(seats) == 1 {
		m.openPrompt(seats[0], prompts[seats[0]])
		return
	}
	m.push(newPicker("Edit which prompt?", func() []pick {
		var list []pick
		for _, s := range seats {
			list = append(list, pick{
				ID: string(s), Name: "to " + string(s), Detail: when(m.edited[s], "it is yours already", "as moot writes it"),
				Do: func(m *Model) tea.Cmd {
					m.openPrompt(s, prompts[s])
					return nil
				},
			})
		}
		return list
	}))
}

// openPrompt opens the form for a prompt, with what was typed before where the
// prompt is still the same.
func (m *Model) openPrompt(seat state.Seat, p protocol.Prompt) {
	name := "prompt " + string(seat)
	if f, ok := m.drafts[name].(*promptForm); ok && f.text == p.Text {
		m.push(f)
		return
	}
	f := newPromptForm(seat, p.Text)
	m.drafts[name] = f
	m.push(f)
}

// promptForm is a prompt that the person writes.
type promptForm struct {
	seat state.Seat
	// text is the prompt as it would go out.
	text string
	// given is the text that the editor began with, and shown how it is shown: tabs are
	// spaces, and characters that could act on the terminal are escaped. Unless the text
	// is changed here, given goes out byte for byte.
	given, shown string
	written      *form.LongText
}

func newPromptForm(seat state.Seat, text string) *promptForm {
	f := &promptForm{seat: seat, text: text}
	f.setEditedText(text)
	return f
}

func (f *promptForm) title() string { return "The next prompt to " + string(f.seat) }

func (f *promptForm) place() Place { return InForm }

func (f *promptForm) hint() string {
	return "sent, it is kept for the next call"
}

func (f *promptForm) size(_ *theme.Look, width, height int) (int, int) {
	return min(width, 100), height
}

func (f *promptForm) scroll(a Action, _ int) { f.written.Scroll(a == ActionUp) }

func (f *promptForm) key(msg tea.Msg) intent {
	f.written.Write(msg)
	return nil
}

// editedText is the prompt as it is written now.
func (f *promptForm) editedText() string {
	if value := f.written.Value(); value != f.shown {
		return value
	}
	return f.given
}

// setEditedText takes a prompt over.
func (f *promptForm) setEditedText(text string) {
	f.written = form.NewLongText(plain.Text(text), "empty: the prompt goes out as moot writes it")
	f.given, f.shown = text, f.written.Value()
}

func (f *promptForm) send() intent {
	seat, text, before := f.seat, f.editedText(), f.text
	return perform(func(m *Model) tea.Cmd {
		m.keepPrompt(seat, text, before)
		return nil
	})
}

// keepPrompt has a text go out next; an empty one is that of moot again.
func (m *Model) keepPrompt(seat state.Seat, text, before string) {
	name := "prompt " + string(seat)
	if text == before {
		delete(m.drafts, name)
		m.say("the prompt to "+string(seat)+" is as it was", false)
		return
	}
	m.edited[seat] = text != ""
	said := "the next prompt to " + string(seat) + " is yours; it goes out with " + m.keyOf(ActionNext)
	if text == "" {
		said = "the next prompt to " + string(seat) + " is as moot writes it"
	}
	m.orderAll(nil, name, said, func(ctx context.Context, s Session) error {
		s.EditPrompt(ctx, seat, text)
		return nil
	})
}

// yours says which prompts that go out next are the person's, or "".
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

func (f *promptForm) view(l *theme.Look, width, height int) []string {
	return f.written.View(l, width, max(height, 1))
}
