package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
	"moot/ledger"
	"moot/report"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// outputFamily copies to the clipboard, opens cited files in the editor, and exports sessions.
func outputFamily() family {
	return family{
		title:   "Output",
		actions: []Action{ActionCopy, ActionOpenFile, ActionExport},
		why: func(m *Model, a Action) string {
			switch {
			case m.atHome && m.dialog() == nil:
				return ""
			case a == ActionOpenFile && m.options.Services.OpenFile == nil:
				return "no editor is available here"
			case a == ActionOpenFile && m.cited() == "":
				return "nothing here cites a file"
			case a == ActionExport && m.options.Services.Export == nil:
				return "exports are disabled here"
			case a == ActionExport && m.unsaved():
				return "this session has no file to export"
			}
			return ""
		},
		do: func(m *Model, a Action) tea.Cmd {
			switch {
			case m.onBatch() && m.dialog() == nil:
				id := m.selectedItem().Item.ID()
				return m.copyOut(id, id)
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
		},
	}
}

// cited returns the reference of what is read or selected, or "".
func (m *Model) cited() string {
	if d := m.dialog(); d != nil {
		r, reads := d.(*reader)
		if !reads {
			return ""
		}
		return m.referenceOf(r.about)
	}
	return m.referenceOf(m.paneOf(m.focus).Selected())
}

// referenceOf returns the reference of an evidence item or a fact. For a point or a challenge, it is the reference of
// the point's first item that counts, or else of its first item.
func (m *Model) referenceOf(id string) string {
	s := m.state
	if f := m.finding(id); f != nil {
		return f.Place
	}
	reference := func(e *ledger.Evidence) string {
		if e.Reference == "the "+string(state.User) {
			// The user's knowledge is in no file.
			return ""
		}
		return e.Reference
	}
	if e := s.Item(id); e != nil {
		return reference(e)
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
		if e.Proven() {
			return reference(e)
		}
		if first == "" {
			first = reference(e)
		}
	}
	return first
}

// finding returns the finding with an ID, or nil if the session lists none.
func (m *Model) finding(id string) *view.Finding {
	if !m.reviews() {
		return nil
	}
	return m.findings.Finding(id)
}

// openCited opens the cited file in the user's editor. The session continues meanwhile.
func (m *Model) openCited() tea.Cmd {
	reference, workspace, open := m.cited(), m.state.Settings.Workspace, m.options.Services.OpenFile
	said := "opened " + reference + " in your editor"
	if f := m.finding(m.target()); f != nil && f.Place == reference && f.Caution != "" {
		said += "; " + f.Caution
	}
	return m.outside(func() answer {
		command, err := open(workspace, reference)
		if err != nil {
			return warning(err.Error())
		}
		return func(m *Model) tea.Cmd {
			return tea.Exec(&foreground{command, &m.away}, func(err error) tea.Msg {
				if err != nil {
					return warning("the editor failed: " + err.Error())
				}
				return answer(func(m *Model) tea.Cmd {
					m.say(said, false)
					return nil
				})
			})
		}
	})
}

// Limits of what is sent to the terminal's clipboard.
const (
	// maxOSC52 is the longest text, in bytes, that terminals commonly accept by OSC 52: a sequence of 100,000 bytes.
	maxOSC52 = 74_994
	// screenChunk is the longest string that GNU screen passes on.
	screenChunk = 760
)

// copySelected copies what is read or selected.
func (m *Model) copySelected() tea.Cmd {
	if d := m.dialog(); d != nil {
		r, reads := d.(*reader)
		switch {
		case !reads:
			m.say("there is nothing to copy here", true)
			return nil
		case m.finding(r.about) != nil:
			return m.copyOut(r.about, pane.Comment(m.finding(r.about)))
		case r.about == "":
			return m.copyOut("the text", r.copied(m.look))
		}
		return m.copyOut(r.about, r.copied(m.look))
	}
	p := m.paneOf(m.focus)
	text, name := p.Copied(), p.Selected()
	if f := m.finding(name); f != nil {
		text = pane.Comment(f)
	}
	switch {
	case text == "":
		m.say("nothing is selected", true)
		return nil
	case name == "" && strings.Contains(text, "\n"):
		name = "the text"
	case name == "":
		name = "the line"
	}
	return m.copyOut(name, text)
}

// copyOut copies a text to the clipboard of the terminal, which also works over ssh, and to that of the system. The
// terminal does not answer, so the message only says that the text was sent.
func (m *Model) copyOut(name, text string) tea.Cmd {
	shown := plain.Text(text)
	if shown != text && strings.ReplaceAll(text, "\t", "    ") != shown {
		name += ", with control characters escaped"
	}
	said := name + ": sent to the terminal's clipboard (OSC 52; it does not answer)"
	var send tea.Cmd
	if len(shown) > maxOSC52 {
		said = fmt.Sprintf("%s: not sent to the terminal, %s bytes are more than most accept by OSC 52 (%s)",
			name, pane.FormatCount(len(shown)), pane.FormatCount(maxOSC52))
	} else {
		send = m.sendOSC52(shown)
	}
	m.say(said, send == nil)
	system := m.options.Services.Copy
	if system == nil {
		return send
	}
	return tea.Batch(send, m.outside(func() answer {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		how, err := system(ctx, shown)
		return func(m *Model) tea.Cmd {
			if err != nil {
				m.say(said+"; "+err.Error(), send == nil)
				return nil
			}
			m.say(said+"; copied to "+how, false)
			return nil
		}
	}))
}

// sendOSC52 sends a text to the terminal's clipboard. In tmux it uses both ways that tmux may let through.
func (m *Model) sendOSC52(text string) tea.Cmd {
	sequence := ansi.SetSystemClipboard(text)
	switch {
	case environment(m.options.Environ, "TMUX") != "":
		return tea.Batch(tea.SetClipboard(text), tea.Raw(ansi.TmuxPassthrough(sequence)))
	case environment(m.options.Environ, "STY") != "":
		return tea.Raw(ansi.ScreenPassthrough(sequence, screenChunk))
	}
	return tea.SetClipboard(text)
}

// openExport asks for the form and the file of an export.
func (m *Model) openExport(id string) {
	fields := []view.Field{
		{Key: "form", Label: "Form", Kind: view.FieldSelect, Choices: report.Choices()},
		{
			Key: "path", Label: "File or folder", Placeholder: "the current folder",
			Help: "Empty means a new file in the current folder; a decision record goes to docs/adr or the like, if there is one. " +
				"An existing file is kept.",
		},
	}
	name := "export " + id
	var f *formDialog
	f = newForm("Export "+id, fields, func(v view.Values) perform {
		return func(m *Model) tea.Cmd {
			return m.export(f, name, Export{ID: id, Form: report.Form(v["form"]), Path: v["path"]})
		}
	})
	if about := m.exported(id); about != "" {
		f.Head = func(l *theme.Look, width int) []string { return l.Paragraph(width, nil, l.Text.Span(about), nil, 2) }
	}
	m.openForm(name, f)
}

// exported names the session that an export is of.
func (m *Model) exported(id string) string {
	if s := m.home.Summary(); m.atHome && s != nil && s.ID == id {
		return view.Title(s.Question)
	}
	if now, _ := m.present(); now.ID == id {
		return view.Title(now.Question)
	}
	return ""
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

func (m *Model) whyNoFork() string {
	switch {
	case m.options.Services.Fork == nil:
		return "forks are disabled here"
	case m.unsaved():
		return "this session has no file to fork"
	case m.leaving:
		return "the session is closing"
	case m.speaking():
		return "a seat is speaking; wait, or cancel it with " + m.keyOf(ActionCancel)
	}
	return ""
}

// forkHere forks the session at the event that is shown, or as late as possible, and shows the fork. This session is
// saved and left.
func (m *Model) forkHere() tea.Cmd {
	at := 0
	if m.replaying() {
		at = m.state.Seq
	}
	id, fork, of := m.state.ID, m.options.Services.Fork, m.session
	m.say("forking the session", false)
	return m.outside(func() answer {
		o, err := fork(context.Background(), id, at)
		return func(m *Model) tea.Cmd {
			switch {
			case err != nil:
				m.say(err.Error(), true)
				return nil
			case m.session != of || m.leaving:
				// The user has left meanwhile; the fork is in the list of sessions.
				if o.Close != nil {
					o.Close()
				}
				return nil
			}
			from := o.State.Fork.Seq
			said := fmt.Sprintf("forked from %s at event %d; this is %s", id, from, o.State.ID)
			if at > 0 && at != from {
				said += fmt.Sprintf("; event %d is in the middle of a step, and steps are not split", at)
			}
			return m.leaveFor(func() tea.Cmd {
				m.showSession(o)
				m.say(said, false)
				return nil
			})
		}
	})
}
