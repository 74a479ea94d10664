package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// typeFilter gives a key to the filter's line. It reports whether the key was
// taken.
func (m *Model) typeFilter(key tea.KeyPressMsg) (tea.Cmd, bool) {
	p := m.home
	moves := map[string]Action{"up": ActionUp, "down": ActionDown, "pgup": ActionPageUp, "pgdown": ActionPageDown}
	switch name := key.String(); name {
	case "esc":
		p.endFilter()
	case "enter":
		p.typing = false
		if p.Selected() == "" {
			return nil, true
		}
		return m.act(ActionOpen), true
	case "up", "down", "pgup", "pgdown":
		m.moveIn(pane.HomeID, moves[name])
	default:
		if _, everywhere := m.keys.find([]Place{Everywhere}, m.holds, name); everywhere {
			return nil, false
		}
		if plain.Line(key.Text) == key.Text {
			p.typeInFilter(key)
		}
	}
	return nil, true
}

// takeHome does with the selected session what is done with an open one
// elsewhere.
func (m *Model) takeHome(a Action) tea.Cmd {
	id, services := m.home.Selected(), &m.options.Services
	switch {
	case a == ActionReplay:
		return m.openHome(true)
	case a == ActionCopy:
		return m.copyOut(id, id)
	case a == ActionExport && services.Export == nil, a == ActionFork && services.Fork == nil:
		m.say("that cannot be done from here", true)
	case a == ActionExport:
		m.openExport(id, m.home.summary().Format)
	case a == ActionFork:
		return m.openWith("forking the session", func(ctx context.Context) (Opened, error) { return services.Fork(ctx, id, 0) })
	}
	return nil
}

// export writes a session to a file outside, and says where. Where it cannot be
// written the form is shown again.
func (m *Model) export(form *formDialog, name string, e Export) tea.Cmd {
	write := m.options.Services.Export
	m.say("writing the export", false)
	return m.outside(func() answer {
		path, err := write(context.Background(), e)
		return func(m *Model) tea.Cmd {
			if err != nil {
				m.flash = ""
				form.setError("path", err.Error())
				m.push(form)
				return nil
			}
			delete(m.drafts, name)
			m.say("written to "+path, false)
			return nil
		}
	})
}

// openDelete asks whether the selected session is to be deleted.
func (m *Model) openDelete() {
	s := m.home.summary()
	id, about := s.ID, s.Question
	if about == "" {
		about = s.Broken
	}
	f := newForm("Delete "+id+"?", []view.Field{{
		Key: "sure", Label: "Delete it?", Kind: view.FieldConfirm, Default: view.No, Help: "This cannot be undone.",
	}}, func(v view.Values) perform {
		return func(m *Model) tea.Cmd {
			if v["sure"] != view.Yes {
				return nil
			}
			return m.deleteSession(id)
		}
	})
	f.Head = func(l *theme.Look, width int) []string { return l.Paragraph(width, nil, l.Text.Span(about), nil, 3) }
	m.push(f)
}

// deleteSession deletes a session in the background and reads the list again.
func (m *Model) deleteSession(id string) tea.Cmd {
	remove, gone := m.options.Home.Delete, m.released
	m.home.busy = "deleting the session"
	return m.outside(func() answer {
		m.waitFor(gone)
		err := remove(context.Background(), id)
		return func(m *Model) tea.Cmd {
			m.home.busy = ""
			if err != nil {
				m.say(err.Error(), true)
				return nil
			}
			m.say("deleted "+id, false)
			if m.home.Selected() == id {
				m.home.wanted = m.home.beside()
			}
			return m.readHome()
		}
	})
}
