package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/ledger"
	"moot/state"
	"moot/tui/pane"
	"moot/view"
)

// takeFamily takes things out of the screen: to the clipboard, to the editor, to
// a file.
func takeFamily() family {
	return family{
		title:   "What is taken out",
		actions: []Action{ActionCopy, ActionOpenFile, ActionExport},
		why:     (*Model).whyNotTaken,
		do:      (*Model).actTake,
	}
}

func (m *Model) whyNotTaken(a Action) string {
	switch {
	case m.atHome && m.dialog() == nil:
		return ""
	case a == ActionOpenFile && m.options.Services.OpenFile == nil:
		return "no file can be opened from here"
	case a == ActionOpenFile && m.cited() == "":
		return "nothing here cites a file"
	case a == ActionExport && m.options.Services.Export == nil:
		return "nothing can be written from here"
	}
	return ""
}

func (m *Model) actTake(a Action) tea.Cmd {
	switch {
	case m.atHome && m.dialog() == nil:
		return m.actOnSession(a)
	case a == ActionCopy:
		return m.copySelected()
	case a == ActionOpenFile:
		return m.openCited()
	case a == ActionExport:
		m.openExport(m.state.ID)
	}
	return nil
}

// cites is a pane or a dialog that shows a reference: "path:line", or "".
type cites interface{ citation() string }

// cited is the reference of what is read or selected, or "".
func (m *Model) cited() string {
	if d := m.dialog(); d != nil {
		r, reads := d.(*reader)
		if !reads {
			return ""
		}
		if id := r.text.CitedID(); id != "" {
			return m.referenceOf(id)
		}
		return m.referenceOf(r.about)
	}
	pane := m.paneOf(m.focus)
	if c, ok := pane.(cites); ok && c.citation() != "" {
		return c.citation()
	}
	return m.referenceOf(pane.Selected())
}

// referenceOf is the place that an evidence item or a fact cites, or the first
// one that is cited for a point or the point of a challenge; "" for none.
func (m *Model) referenceOf(id string) string {
	s := &m.state
	if e := s.Item(id); e != nil {
		return place(e)
	}
	if f := s.Fact(id); f != nil {
		return f.Reference
	}
	p := s.Point(m.pointOf(id))
	if p == nil {
		return ""
	}
	first := ""
	for _, id := range p.Evidence {
		e := s.Item(id)
		if e.Counts() {
			return place(e)
		}
		if first == "" {
			first = place(e)
		}
	}
	return first
}

// place is where an evidence item stands; what the user knows stands nowhere.
func place(e *ledger.Evidence) string {
	if e.Reference == "the "+string(state.User) {
		return ""
	}
	return e.Reference
}

// openCited opens the cited place in the person's editor. The session goes on
// meanwhile.
func (m *Model) openCited() tea.Cmd {
	reference, workspace, open := m.cited(), m.state.Settings.Workspace, m.options.Services.OpenFile
	return m.outside(func() answer {
		command, err := open(workspace, reference)
		if err != nil {
			return warning(err.Error())
		}
		return func(m *Model) tea.Cmd {
			return m.execute(command, func(err error) answer {
				if err != nil {
					return warning("the editor ended badly: " + err.Error())
				}
				return func(m *Model) tea.Cmd {
					m.say(openedAt(command.Args, reference), false)
					return nil
				}
			})
		}
	})
}

// openedAt says what was opened with a command. An editor that moot cannot tell a
// line begins where it likes.
func openedAt(arguments []string, reference string) string {
	path, lines, found := pane.CutLast(reference, ":")
	line, _, _ := strings.Cut(lines, "-")
	if !found || slices.ContainsFunc(arguments, func(a string) bool { return strings.HasSuffix(a, line) }) {
		return "opened " + reference + " in your editor"
	}
	return "opened " + path + " in your editor; it was not told the line, " + lines
}

// openExport asks for the form and the place of an export.
func (m *Model) openExport(id string) {
	help := map[string]string{
		FormMarkdown: "the result, to read", FormJSON: "the result, for programs",
		FormJSONEvents: "with every event of the record", FormMap: "the argument as a picture",
		FormConfidence: "over the rounds, as a picture",
	}
	fields := []view.Field{
		{Key: "form", Label: "Form", Kind: view.FieldSelect},
		{
			Key: "path", Label: "File or folder", Placeholder: "the current folder",
			Help: "Empty means a name of its own in the current folder. An existing file is kept.",
		},
	}
	for _, f := range Forms() {
		if f == FormConfidence && !m.atHome && m.number(pane.DecisionID) > 0 {
			// Nobody reports confidence in a proposal.
			continue
		}
		fields[0].Choices = append(fields[0].Choices, view.Choice{Value: f, Help: help[f]})
	}
	name := "export " + id
	var f *formDialog
	f = newForm("Export "+id, fields, func(v view.Values) perform {
		return func(m *Model) tea.Cmd { return m.export(f, name, Export{ID: id, Form: v["form"], Path: v["path"]}) }
	})
	m.openForm(name, f)
}

// copyName is what is copied, in a word or two.
func copyName(id, text string) string {
	if id != "" {
		return id
	}
	return when(strings.Contains(text, "\n"), "the text", "the line")
}

// export writes a session to a file in the background. If that fails, the form is shown again with the error.
func (m *Model) export(form *formDialog, name string, e Export) tea.Cmd {
	write := m.options.Services.Export
	m.say("writing the export", false)
	return m.outside(func() answer {
		path, err := write(context.Background(), e)
		return func(m *Model) tea.Cmd {
			if err != nil {
				m.flash = ""
				form.SetError("path", err.Error())
				m.push(form)
				return nil
			}
			delete(m.drafts, name)
			m.say("written to "+path, false)
			return nil
		}
	})
}
