package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol/formats"
	"moot/search"
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
	// List reads the sessions. While it has to read many files, it reports how far it is.
	List func(ctx context.Context, report func(store.Progress)) ([]store.Summary, error)
	// Listed is called after each List, once the list is shown: it keeps what makes the next one faster.
	Listed func() error
	// Here is the folder whose sessions, and those of the rest of its repository, come first, or "". Repository returns the
	// repository of a folder; nil takes each folder for one.
	// UserHome is the user's home folder, which is shown as ~, or "".
	Here       string
	Repository func(folder string) string
	UserHome   string
	// Every is the time after which the list is read again while a session runs; 0 is never.
	Every time.Duration
	// Preview reads what a session answers and what it left open. Without it there is no preview.
	Preview func(ctx context.Context, id string) (view.Document, error)
	// Search finds words in everything that was argued. If it is nil, NoSearch says why, or is "".
	Search   func(ctx context.Context, words string) (search.Result, error)
	NoSearch string
	// ChangeTags changes the name and the tags of a session. change gets them as they are then, which may differ from
	// those of the list.
	ChangeTags func(ctx context.Context, id string, change func(*store.Tags)) error
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
		actions: []Action{ActionAsk, ActionDelete, ActionFilter, ActionTags, ActionRename, ActionMark},
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
			case oneOf(a, ActionTags, ActionRename) && source.ChangeTags == nil:
				return "naming sessions is disabled here"
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
			case a == ActionTags:
				m.openTags()
			case a == ActionRename:
				m.openRename()
			case a == ActionMark:
				m.home.Mark()
				m.moveIn(pane.HomeID, ActionDown)
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
	if m.home.Selected() != now.ID {
		m.home.Select(now.ID)
	}
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
	if m.options.Home == nil {
		return nil
	}
	return tea.Batch(m.listSessions(text), m.findCandidates(nil))
}

// listSessions reads the sessions in the background, and prepares what is drawn there, so that no key waits for it.
func (m *Model) listSessions(text string) tea.Cmd {
	source, released, now, inbox := m.options.Home, m.released, m.options.Now, m.inbox
	prepare := func(sessions []store.Summary, total int) *home.Data {
		return home.Prepare(&home.Source{
			Sessions: sessions, Here: source.Here, Repository: source.Repository, Home: source.UserHome,
			Now: now(), Total: total,
		})
	}
	return m.outside(func() answer {
		m.waitFor(released)
		sessions, err := source.List(context.Background(), func(p store.Progress) {
			some := prepare(p.Summaries, p.Total)
			inbox.push(answer(func(m *Model) tea.Cmd {
				m.home.SetData(some, nil)
				return nil
			}))
		})
		data := prepare(sessions, 0)
		return func(m *Model) tea.Cmd {
			m.home.SetData(data, err)
			if text != "" && m.atHome {
				m.say(text, false)
			}
			return tea.Batch(m.keepList(), m.listAgain())
		}
	})
}

// keepList keeps what makes the next listing faster.
func (m *Model) keepList() tea.Cmd {
	keep := m.options.Home.Listed
	if keep == nil {
		return nil
	}
	return m.outside(func() answer {
		err := keep()
		return func(m *Model) tea.Cmd {
			if err != nil && m.atHome && m.flash == "" {
				m.say(err.Error(), true)
			}
			return nil
		}
	})
}

// listAgain reads the list again after a while if a session runs, so that its row shows how far it is.
func (m *Model) listAgain() tea.Cmd {
	every := m.options.Home.Every
	if every <= 0 || m.refreshing || !m.atHome || !m.home.Runs() {
		return nil
	}
	m.refreshing = true
	return tea.Tick(every, func(time.Time) tea.Msg {
		return answer(func(m *Model) tea.Cmd {
			m.refreshing = false
			if !m.atHome {
				return nil
			}
			return m.listSessions("")
		})
	})
}

// restTime is how long the selection or the typing must rest before a file is read or a search begins.
const restTime = 120 * time.Millisecond

// after calls f after a while.
func (m *Model) after(wait time.Duration, f answer) tea.Cmd {
	return tea.Tick(wait, func(time.Time) tea.Msg { return f })
}

// showPreview shows the selected session beside the list. Once the selection rests, it reads it in the background.
func (m *Model) showPreview() tea.Cmd {
	if !m.atHome || m.options.Home == nil || m.layout.Panes[pane.PreviewID].Empty() {
		return nil
	}
	s := m.home.Summary()
	if s == nil {
		m.preview.Show("", "")
		return nil
	}
	key, id, read := home.PreviewKey(s), s.ID, m.options.Home.Preview
	if shown := m.preview.Shows(); m.preview.Show(key, s.Needs) || shown == key {
		return nil
	}
	return m.after(m.resting, func(m *Model) tea.Cmd {
		if m.preview.Shows() != key {
			return nil
		}
		return m.outside(func() answer {
			doc, err := read(context.Background(), id)
			return func(m *Model) tea.Cmd {
				m.preview.Put(key, &doc, err)
				return nil
			}
		})
	})
}

// searchSoon searches for the words of the filter in everything that was argued, once the typing rests. The search
// before it ends at once.
func (m *Model) searchSoon() tea.Cmd {
	if m.onBatch() || m.options.Home == nil || m.options.Home.Search == nil {
		return nil
	}
	m.findTurn++
	if m.stopFinding != nil {
		m.stopFinding()
		m.stopFinding = nil
	}
	words, turn := m.home.Words(), m.findTurn
	m.home.SetFound(nil, words != "")
	if words == "" {
		return nil
	}
	return m.after(m.resting, func(m *Model) tea.Cmd { return m.searchNow(words, turn, 0) })
}

// searchNow searches in the background, unless a later search has begun. Sessions that were not read in time are read by
// searching again, as long as they become fewer.
func (m *Model) searchNow(words string, turn, missing int) tea.Cmd {
	if m.findTurn != turn {
		return nil
	}
	find := m.options.Home.Search
	ctx, stop := context.WithCancel(context.Background())
	m.stopFinding = stop
	return m.outside(func() answer {
		result, err := find(ctx, words)
		return func(m *Model) tea.Cmd {
			stop()
			if m.findTurn != turn {
				return nil
			}
			m.stopFinding = nil
			m.home.SetFound(&home.Found{Words: words, Result: result, Err: err}, false)
			if err != nil || result.Missing == 0 || result.Missing == missing || !m.atHome {
				return nil
			}
			return m.after(m.resting, func(m *Model) tea.Cmd { return m.searchNow(words, turn, result.Missing) })
		}
	})
}

// openHome opens the selected session to continue it, to read it, or to replay it. If a place in it is selected, the
// session shows that.
func (m *Model) openHome(replay bool) tea.Cmd {
	// A place may be in a session that is not listed yet.
	id, s := m.home.Selected(), m.home.Summary()
	switch {
	case id == "":
		return nil
	case s != nil && s.Broken != "" && (!replay || s.Events == 0):
		m.say("the session file is broken and was left as it is: "+s.Broken, true)
		return nil
	}
	place, open := m.home.Place(), m.options.Home.Open
	return m.openWith("opening the session", func(ctx context.Context) (Opened, error) {
		o, err := open(ctx, id, replay)
		o.Place = place
		return o, err
	})
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
		return m.searchSoon(), true
	case "tab":
		if m.onBatch() || !m.home.JumpGroup() {
			return nil, true
		}
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
			return m.searchSoon(), true
		}
	}
	return nil, true
}

// maxNamed is the most sessions that a question names.
const maxNamed = 5

// openDelete asks whether to delete the marked sessions, or else the selected one.
func (m *Model) openDelete() {
	targets := m.home.Targets()
	ids := lists.Map(targets, func(s *store.Summary) string { return s.ID })
	title := "Delete " + ids[0] + "?"
	if len(ids) > 1 {
		title = "Delete " + plain.Counted(len(ids), "session") + "?"
	}
	var about []string
	for _, s := range targets[:min(len(targets), maxNamed)] {
		about = append(about, cmp.Or(s.Name, view.Title(s.Question), s.Broken, s.ID))
	}
	if more := len(targets) - maxNamed; more > 0 {
		about = append(about, fmt.Sprintf("and %d more", more))
	}
	f := newForm(title, []view.Field{{
		Key: "sure", Label: "Delete?", Kind: view.FieldConfirm, Default: view.No, Help: "This cannot be undone.",
	}}, func(v view.Values) perform {
		return func(m *Model) tea.Cmd {
			if v["sure"] != view.Yes {
				return nil
			}
			return m.deleteSessions(ids)
		}
	})
	f.Head = func(l *theme.Look, width int) []string {
		if len(about) == 1 {
			return l.Paragraph(width, nil, l.Text.Span(about[0]), nil, 3)
		}
		return lists.Map(about, func(text string) string {
			return l.Row(width, []theme.Span{l.Faint.Span(l.Glyphs.Bullet + " "), l.Text.Span(text)}, nil)
		})
	}
	m.push(f)
}

// deleteSessions deletes sessions in the background and reads the list again. One that cannot be deleted does not keep
// the others.
func (m *Model) deleteSessions(ids []string) tea.Cmd {
	remove, released := m.options.Home.Delete, m.released
	m.home.SetBusy("deleting " + plain.Counted(len(ids), "session"))
	return m.outside(func() answer {
		m.waitFor(released)
		var gone []string
		var failed error
		for _, id := range ids {
			if err := remove(context.Background(), id); err != nil {
				if failed == nil {
					failed = err
				}
				continue
			}
			gone = append(gone, id)
		}
		return func(m *Model) tea.Cmd {
			m.home.SetBusy("")
			done := "deleted " + plain.Counted(len(gone), "session")
			if len(ids) == 1 {
				done = "deleted " + ids[0]
			}
			switch {
			case failed != nil && len(ids) == 1:
				m.say(failed.Error(), true)
				return nil
			case failed != nil:
				m.say(fmt.Sprintf("%s; %d stay: %s", done, len(ids)-len(gone), failed), true)
			default:
				m.say(done, false)
			}
			if slices.Contains(gone, m.home.Selected()) {
				m.home.Select(m.home.Neighbor(gone))
			}
			return m.readHome("")
		}
	})
}

// openRename asks for the name of the selected session.
func (m *Model) openRename() {
	s := m.home.Summary()
	f := newForm("Name of "+s.ID, []view.Field{{
		Key: "name", Label: "Name", Kind: view.FieldLine, Default: s.Name, Placeholder: "none: the question alone is shown",
		Help: "Shown before the question in lists. The session file and exports do not change.",
	}}, nil)
	m.openTagForm(f, s.ID, "name", func(v view.Values) (func(*store.Tags), string) {
		name := strings.TrimSpace(v["name"])
		change := func(tags *store.Tags) { tags.Name = name }
		if name == "" {
			return change, "the name is removed"
		}
		return change, "named " + name
	})
}

// openTags asks for the tags of the selected session, or for those to add to and remove from the marked ones.
func (m *Model) openTags() {
	if targets := m.home.Targets(); len(targets) > 1 {
		m.openTagsOfSeveral(targets)
		return
	}
	s := m.home.Targets()[0]
	shown := slices.Clone(s.Tags)
	f := newForm("Tags of "+s.ID, []view.Field{{
		Key: "tags", Label: "Tags", Kind: view.FieldLine, Default: strings.Join(s.Tags, " "), Placeholder: "words, with spaces between them",
		Help: "Find them with " + m.keyOf(ActionFilter) + ", or moot list --tag. The session file and exports do not change.",
	}}, nil)
	m.openTagForm(f, s.ID, "tags", func(v view.Values) (func(*store.Tags), string) {
		words := tagWords(v["tags"])
		// Tags that the form did not show stay.
		change := func(tags *store.Tags) {
			tags.Tags = append(slices.DeleteFunc(tags.Tags, func(tag string) bool { return slices.Contains(shown, tag) }), words...)
		}
		if len(words) == 0 {
			return change, "no tags"
		}
		return change, "tagged " + strings.Join(words, " ")
	})
}

// tagWords are the tags in a text, with spaces or commas between them.
func tagWords(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	return lists.Map(words, func(word string) string { return strings.TrimPrefix(word, "#") })
}

// openTagsOfSeveral asks for the tags to add to sessions and to remove from them.
func (m *Model) openTagsOfSeveral(targets []*store.Summary) {
	change, what := m.options.Home.ChangeTags, plain.Counted(len(targets), "session")
	f := newForm("Tags of "+what, []view.Field{{
		Key: "tags", Label: "Tags", Kind: view.FieldLine, Placeholder: "redis decided -later",
		Help: "Added to each session; one with - before it is removed.",
	}}, nil)
	f.submit = func(v view.Values) perform {
		var add, remove []string
		for _, word := range tagWords(v["tags"]) {
			if tag, gone := strings.CutPrefix(word, "-"); gone {
				remove = append(remove, tag)
			} else {
				add = append(add, word)
			}
		}
		return func(m *Model) tea.Cmd {
			return m.outside(func() answer {
				var failed error
				done := 0
				for _, s := range targets {
					err := change(context.Background(), s.ID, func(tags *store.Tags) {
						tags.Tags = slices.DeleteFunc(append(tags.Tags, add...), func(tag string) bool { return slices.Contains(remove, tag) })
					})
					if err == nil {
						done++
					} else if failed == nil {
						failed = err
					}
				}
				return func(m *Model) tea.Cmd {
					if failed != nil {
						f.SetError("tags", fmt.Sprintf("%d of %s changed: %s", done, what, failed))
						m.push(f)
					} else {
						m.say("changed the tags of "+what, false)
					}
					return m.listSessions("")
				}
			})
		}
	}
	m.push(f)
}

// openTagForm opens a form for what the user calls a session. If it is refused, the form is shown again.
func (m *Model) openTagForm(
	f *formDialog, id, key string, read func(v view.Values) (change func(*store.Tags), done string),
) {
	set := m.options.Home.ChangeTags
	f.submit = func(v view.Values) perform {
		change, done := read(v)
		return func(m *Model) tea.Cmd {
			return m.outside(func() answer {
				err := set(context.Background(), id, change)
				return func(m *Model) tea.Cmd {
					if err != nil {
						f.SetError(key, err.Error())
						m.push(f)
						return nil
					}
					m.say(done, false)
					return m.listSessions("")
				}
			})
		}
	}
	m.push(f)
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
