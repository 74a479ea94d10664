package tui

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"moot/protocol/formats"
	"moot/state"
	"moot/state/store"
	"moot/tui/home"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// Home gives access to the other sessions. Its functions are called on their own goroutines and may take time. List and
// Open are required; the actions of other functions that are nil are disabled.
type Home struct {
	// List reads the sessions, the newest first.
	List func(ctx context.Context) ([]store.Summary, error)
	// Open opens a session by its ID: to continue it, or to read it if replay is set or it is finished.
	Open func(ctx context.Context, id string, replay bool) (Opened, error)
	// Delete deletes a session.
	Delete func(ctx context.Context, id string) error
}

// front is the list that sessions are opened from: that of home, or that of a batch.
type front interface {
	pane.Pane
	// Status says what the user waits for, what the filter finds, or how many there are.
	Status() (theme.Style, string)
	StartFilter()
	EndFilter()
	StopTyping()
	Typing() bool
	Type(msg tea.Msg)
	SetBusy(what string)
	IsBusy() bool
}

func (m *Model) front() front {
	if m.options.Batch != nil {
		return m.batch
	}
	return m.home
}

// frontID is the list that has the focus when no session is on the screen.
func (m *Model) frontID() pane.ID {
	if m.options.Batch != nil {
		return cmp.Or(m.batchFocus, pane.BatchID)
	}
	return pane.HomeID
}

func (m *Model) frontPlace() Place {
	if m.options.Batch != nil {
		return OnBatch
	}
	return OnHome
}

// homeFamily are the actions that exist only on the list of sessions.
func homeFamily() family {
	return family{
		title:   "Sessions",
		actions: []Action{ActionAsk, ActionDelete, ActionFilter},
		why: func(m *Model, a Action) string {
			source := m.options.Home
			switch {
			case m.onBatch() && a == ActionFilter && m.batch.Len() == 0:
				return "there are no items to filter"
			case m.onBatch() && a == ActionFilter:
				return ""
			case !m.atHome || source == nil:
				return "go to the list of sessions first"
			case a == ActionAsk && m.options.Services.New == nil:
				return "new sessions are disabled here"
			case a == ActionDelete && source.Delete == nil:
				return "deleting sessions is disabled here"
			case a == ActionFilter && m.home.Len() == 0:
				return "there are no sessions to filter"
			}
			return ""
		},
		do: func(m *Model, a Action) tea.Cmd {
			switch {
			case a == ActionFilter && m.onBatch():
				m.focusOn(pane.BatchID)
				m.batch.StartFilter()
			case a == ActionFilter:
				m.home.StartFilter()
			case a == ActionDelete:
				m.openDelete()
			case a == ActionAsk:
				return m.openQuestionForm()
			}
			return nil
		},
	}
}

// goHome shows the sessions. Once the session that was left can be opened again, it says how to continue it.
func (m *Model) goHome() tea.Cmd {
	m.atHome, m.focus, m.dialogs = true, m.frontID(), nil
	now, _ := m.present()
	if m.options.Batch != nil {
		return m.goToBatch()
	}
	m.home.Select(now.ID)
	left := ""
	if m.opened.Start != nil && !now.Closed {
		switch {
		case m.err != nil:
			m.say(m.err.Error(), true)
		case m.opened.Joined:
			left = "the session continues; press " + m.keyOf(ActionOpen) + " to join it again"
		case m.opened.ResumeCommand == "":
			left = "mode quick keeps no session file: nothing was saved"
		default:
			left = "saved; press " + m.keyOf(ActionOpen) + " to continue"
		}
	}
	m.rearrange()
	return m.readHome(left)
}

// readHome reads the sessions after the previous session has released its file, and looks for participants. Then it
// says a text, if there is one.
func (m *Model) readHome(text string) tea.Cmd {
	source, released, now := m.options.Home, m.released, m.options.Now
	if source == nil {
		return nil
	}
	read := m.outside(func() answer {
		m.waitFor(released)
		sessions, err := source.List(context.Background())
		return func(m *Model) tea.Cmd {
			m.home.SetSessions(sessions, now(), err)
			if text != "" && m.atHome {
				m.say(text, false)
			}
			return nil
		}
	})
	return tea.Batch(read, m.findCandidates(nil))
}

// openHome opens the selected session to continue it, to read it, or to replay it.
func (m *Model) openHome(replay bool) tea.Cmd {
	s := m.home.Summary()
	switch {
	case s == nil:
		return nil
	case s.Broken != "" && (!replay || s.Events == 0):
		m.say("the session file is broken and was left as it is: "+s.Broken, true)
		return nil
	}
	id, open := s.ID, m.options.Home.Open
	return m.openWith("opening the session", func(ctx context.Context) (Opened, error) { return open(ctx, id, replay) })
}

// openWith opens a session in the background and shows it. It does nothing while something else is under way.
func (m *Model) openWith(busy string, open func(ctx context.Context) (Opened, error)) tea.Cmd {
	list := m.front()
	if list.IsBusy() {
		return nil
	}
	list.SetBusy(busy)
	list.StopTyping()
	released := m.released
	return m.outside(func() answer {
		m.waitFor(released)
		o, err := open(context.Background())
		return func(m *Model) tea.Cmd {
			list.SetBusy("")
			if err != nil {
				m.say(err.Error(), true)
				return nil
			}
			m.showSession(o)
			return nil
		}
	})
}

// actOnSession does to the selected session what the same key does to an open one.
func (m *Model) actOnSession(a Action) tea.Cmd {
	id, services := m.home.Selected(), &m.options.Services
	switch {
	case a == ActionReplay:
		return m.openHome(true)
	case a == ActionCopy:
		return m.copyOut(id, id)
	case a == ActionExport && services.Export == nil, a == ActionFork && services.Fork == nil:
		m.say("this is disabled here", true)
	case a == ActionExport:
		m.openExport(id)
	case a == ActionFork:
		return m.openWith("forking the session", func(ctx context.Context) (Opened, error) {
			return services.Fork(ctx, id, 0)
		})
	}
	return nil
}

// typeFilter passes a key to the filter. It reports whether the key was used.
func (m *Model) typeFilter(key tea.KeyPressMsg) (tea.Cmd, bool) {
	moves := map[string]Action{"up": ActionUp, "down": ActionDown, "pgup": ActionPageUp, "pgdown": ActionPageDown}
	switch name := key.String(); name {
	case "esc":
		m.front().EndFilter()
	case "enter":
		m.front().StopTyping()
		if m.front().Selected() == "" {
			return nil, true
		}
		return m.act(ActionOpen), true
	case "up", "down", "pgup", "pgdown":
		m.moveIn(m.frontID(), moves[name])
	default:
		if _, everywhere := m.keys.find([]Place{Everywhere}, m.focus, name); everywhere {
			return nil, false
		}
		if typeable(key.Text) {
			m.front().Type(key)
		}
	}
	return nil, true
}

// openDelete asks whether to delete the selected session.
func (m *Model) openDelete() {
	s := m.home.Summary()
	id, about := s.ID, view.Title(s.Question)
	about = cmp.Or(about, s.Broken)
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
	remove, released := m.options.Home.Delete, m.released
	m.home.SetBusy("deleting the session")
	return m.outside(func() answer {
		m.waitFor(released)
		err := remove(context.Background(), id)
		return func(m *Model) tea.Cmd {
			m.home.SetBusy("")
			if err != nil {
				m.say(err.Error(), true)
				return nil
			}
			m.say("deleted "+id, false)
			if m.home.Selected() == id {
				m.home.Select(m.home.Neighbor())
			}
			return m.readHome("")
		}
	})
}

// askForm is the dialog for a new question.
type askForm struct {
	*formDialog
	ask *home.AskForm
}

// openQuestionForm opens the form for a new question, or in a session for a follow-up, with its
// draft.
func (m *Model) openQuestionForm() tea.Cmd {
	var earlier *state.State
	follows := ""
	if !m.atHome {
		now, _ := m.present()
		earlier, follows = now, now.ID
	}
	if m.question == nil || m.question.ask.Follows() != follows {
		known := m.options.Services.Formats
		if known == nil {
			known = formats.All()
		}
		ask := home.NewForm(known, m.home.Candidates, earlier)
		f := &formDialog{Form: ask.Form, changed: ask.Update}
		f.submit = func(v view.Values) perform {
			return func(m *Model) tea.Cmd { return m.askNew(f, ask.Question(v)) }
		}
		m.question = &askForm{formDialog: f, ask: ask}
	}
	m.push(m.question.formDialog)
	return m.findCandidates(nil)
}

// findCandidates looks for participants, and then calls known unless it is nil.
func (m *Model) findCandidates(known func()) tea.Cmd {
	find := m.options.Services.Found
	if find == nil {
		return nil
	}
	return m.outside(func() answer {
		found := find(context.Background())
		return func(m *Model) tea.Cmd {
			m.home.Candidates = &found
			if m.question != nil {
				m.question.ask.SetCandidates(&found)
			}
			if known != nil {
				known()
			}
			return nil
		}
	})
}

// askNew offers what earlier sessions agreed on, and opens a session on a question.
func (m *Model) askNew(f *formDialog, q home.Question) tea.Cmd {
	find := m.options.Services.Earlier
	if find == nil {
		return m.openNew(f, q)
	}
	m.push(f)
	f.Busy = "looking for earlier decisions"
	return m.outside(func() answer {
		holds, changed := find(context.Background(), q)
		return func(m *Model) tea.Cmd {
			f.Busy = ""
			if len(holds) == 0 || m.dialog() != f {
				return m.openNew(f, q)
			}
			offer := newForm("Earlier sessions agreed on these", []view.Field{{
				Key: "earlier", Label: "Take in", Kind: view.FieldMultiSelect, Choices: holds,
				Help: "As facts that bind nobody. Their evidence was checked again and holds.",
			}}, func(v view.Values) perform {
				return func(m *Model) tea.Cmd {
					q.Earlier = v.Lines("earlier")
					return m.openNew(f, q)
				}
			})
			offer.Head = func(l *theme.Look, width int) (rows []string) {
				for _, text := range changed {
					rows = append(rows, l.Paragraph(width, nil, l.Warn.Span(text), nil, 3)...)
				}
				return rows
			}
			m.push(offer)
			return nil
		}
	})
}

// openNew opens a session on a question. The form stays until the session is open; an error is shown at its field.
func (m *Model) openNew(f *formDialog, q home.Question) tea.Cmd {
	m.push(f)
	f.Busy = "opening the session"
	open := m.options.Services.New
	return m.outside(func() answer {
		o, err := open(context.Background(), q)
		return func(m *Model) tea.Cmd {
			f.Busy = ""
			if err == nil {
				m.question = nil
				m.showSession(o)
				return nil
			}
			if m.dialog() != f {
				m.say(err.Error(), true)
			}
			key := "question"
			if wrong, ok := errors.AsType[*view.FieldError](err); ok {
				key = wrong.Key
			}
			f.SetError(key, err.Error())
			return nil
		}
	})
}
