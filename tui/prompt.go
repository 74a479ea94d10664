package tui

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// openPreview shows the next prompts, or lets the user edit one of them.
func (m *Model) openPreview(prompts map[state.Seat]protocol.Prompt, edit bool) {
	seats := slices.Sorted(maps.Keys(prompts))
	switch {
	case len(seats) == 0:
		m.say("there is no next prompt yet", true)
		return
	case !edit:
		m.push(m.promptReader(seats, prompts))
		return
	}
	if r, ok := m.dialog().(*reader); ok && r.prompt {
		// It would show the old prompt.
		m.pop()
	}
	if len(seats) == 1 {
		m.openPrompt(seats[0], prompts[seats[0]])
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
					m.openPrompt(s, prompts[s])
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
		parts: func(l *theme.Look) []pane.Part {
			var parts []pane.Part
			for _, s := range seats {
				p := prompts[s]
				size := "about " + pane.FormatCount((len(p.System)+len(p.Text))/4) + " tokens"
				list := []pane.Block{{Section: "to " + string(s), Right: l.Faint.Span(size)}}
				if m.edited[s] {
					list = append(list, pane.Block{
						Lead: l.User.Span(l.Glyphs.User + " "),
						Body: l.User.Span("edited by you; the record will say so"),
					})
				}
				list = append(list, pane.Block{Body: l.Text.Span(p.System)}, pane.Block{},
					pane.Block{Body: l.Text.Span(p.Text)}, pane.Block{})
				parts = append(parts, pane.Part{Blocks: list})
			}
			return parts
		},
		copies: func() string {
			parts := lists.Map(seats, func(s state.Seat) string {
				return prompts[s].System + "\n\n" + prompts[s].Text
			})
			return strings.Join(parts, "\n\n")
		},
	}
}

// openPrompt opens the form for a prompt, with its draft.
func (m *Model) openPrompt(seat state.Seat, p protocol.Prompt) {
	name, original := fmt.Sprintf("prompt %s after event %d", seat, m.state.Seq), strings.TrimSpace(plain.Text(p.Text))
	m.openForm(name, newForm("The next prompt to "+string(seat), []view.Field{{
		Key: "prompt", Kind: view.FieldText, Default: p.Text, Placeholder: "empty: moot writes the prompt",
	}}, func(v view.Values) perform {
		return func(m *Model) tea.Cmd {
			text := v["prompt"]
			if text == original {
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
	}))
}
