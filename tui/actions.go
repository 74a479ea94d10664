package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

func (m *Model) familyOf(a Action) *family {
	for i := range m.families {
		if oneOf(a, m.families[i].actions...) {
			return &m.families[i]
		}
	}
	return nil
}

// disabled says why an action is disabled now, or "".
func (m *Model) disabled(a Action) string {
	f := m.familyOf(a)
	switch {
	case f == nil:
		return "moot has no such action"
	case m.whyNotAtHome(a) != "":
		return m.whyNotAtHome(a)
	case f.why == nil:
		return ""
	}
	return f.why(m, a)
}

// act carries out an action, or says why it is disabled.
func (m *Model) act(a Action) tea.Cmd {
	if why := m.disabled(a); why != "" {
		m.say(why, true)
		return nil
	}
	return m.familyOf(a).do(m, a)
}

func turnFamily() family {
	return family{
		title: "Turns",
		actions: []Action{
			ActionNext,
			ActionRound,
			ActionAuto,
			ActionStop,
			ActionCancel,
			ActionPreview,
			ActionEditPrompt,
		},
		why: (*Model).whyNoTurn,
		do:  (*Model).actTurn,
	}
}

func (m *Model) whyNoTurn(a Action) string {
	r, reads := m.dialog().(*reader)
	next := oneOf(a, ActionNext, ActionRound)
	switch {
	case m.whyNotLive() != "":
		return m.whyNotLive()
	case next && len(m.calls) > 0:
		return "a seat is speaking"
	case next && m.waiting:
		return "the session waits for your answer"
	case next && m.auto && m.state.Paused == state.PauseNone:
		return "auto mode is on"
	case next && !m.idle:
		return "a turn is running"
	case a == ActionStop && !m.auto:
		return "it already stops after each turn"
	case a == ActionCancel && !m.busy():
		return "nothing is running"
	case a == ActionEditPrompt && reads && !r.prompt:
		return "this is not a prompt"
	case oneOf(a, ActionPreview, ActionEditPrompt) && len(m.ready) == 0:
		return "there is no next prompt yet"
	}
	return ""
}

// whyNotLive says why nothing can be done in the session now, and what to do about it, or "".
func (m *Model) whyNotLive() string {
	now, _ := m.present()
	switch {
	case m.ended && !now.Closed:
		return "the session is not running"
	case m.ended && m.disabled(ActionFork) != "":
		return "the session is closed"
	case m.ended:
		return "the session is closed; " + m.keyOf(ActionFork) + " forks it"
	case m.replaying():
		return "an earlier event is shown; " + m.keyOf(ActionReplay) + " goes back to the present"
	case m.opened.Watching:
		return "you only watch the session; join it without --watch to act"
	}
	return ""
}

func (m *Model) actTurn(a Action) tea.Cmd {
	switch {
	case oneOf(a, ActionNext, ActionRound):
		m.idle, m.ready = false, nil
		m.debate.FollowEnd()
		step := Session.Step
		if a == ActionRound {
			step = Session.StepRound
		}
		m.driver.push(func(ctx context.Context, s Session) { step(s, ctx) })
	case oneOf(a, ActionAuto, ActionStop):
		m.auto = a == ActionAuto && !m.auto
		on := m.auto
		if on {
			m.idle, m.ready = false, nil
		} else if m.speaking() {
			m.say("stops after this turn", false)
		}
		m.driver.push(func(ctx context.Context, s Session) { s.Auto(ctx, on) })
	case a == ActionCancel:
		m.auto = false
		if len(m.running()) > 0 {
			m.say("cancelled; the command's evidence is refused; "+m.keyOf(ActionNext)+" continues", false)
		} else {
			m.say("cancelled; its reply is dropped; "+m.keyOf(ActionNext)+" asks again", false)
		}
		m.driver.push(func(ctx context.Context, s Session) { s.CancelCall(ctx) })
	case oneOf(a, ActionPreview, ActionEditPrompt):
		var prompts map[state.Seat]protocol.Prompt
		m.send(func(ctx context.Context, s Session) error {
			prompts = s.Preview(ctx)
			return nil
		}, func(m *Model, _ error) {
			if !m.leaving && !m.atHome {
				m.openPreview(prompts, a == ActionEditPrompt)
			}
		})
	}
	return nil
}

func rulingFamily() family {
	return family{
		title: "Your decisions",
		actions: []Action{
			ActionAgree, ActionDismiss, ActionIntended, ActionMerge, ActionSplit, ActionReopen, ActionFact, ActionOverride,
			ActionAnswer,
		},
		why: func(m *Model, a Action) string {
			onFinding := oneOf(a, ActionIntended, ActionMerge, ActionSplit)
			switch {
			case onFinding && !m.reviews():
				return "only a review has findings"
			case a == ActionOverride && m.mayDecide():
				return ""
			case (onFinding || oneOf(a, ActionAgree, ActionDismiss, ActionFact)) && m.mayDecide() && protocol.AfterEnd(m.state, protocol.RecordFact{}) == nil:
				return ""
			case a != ActionAnswer:
				return m.whyNotLive()
			case len(m.asking()) == 0 && !m.mayFollowUp() && len(m.leftOpen()) == 0:
				return "there are no questions"
			case m.opened.Watching:
				return m.whyNotLive()
			}
			return ""
		},
		do: func(m *Model, a Action) tea.Cmd {
			switch {
			case a == ActionOverride:
				m.openOverride()
			case a == ActionAnswer && len(m.asking()) == 0 && len(m.leftOpen()) > 0:
				m.push(newPicker("Open questions", m.leftOpenPicks))
			case a == ActionAnswer && len(m.asking()) == 0:
				return m.openQuestionForm()
			case a == ActionAnswer:
				m.openAnswer()
			default:
				m.overrideByKey(a)
			}
			return nil
		},
	}
}

// mayDecide reports whether the session is closed, and the user may still decide something.
func (m *Model) mayDecide() bool {
	now, _ := m.present()
	return m.ended && now.Closed && !m.atHome && !m.replaying() && m.options.Services.Decide != nil
}

// leftOpen returns the questions that a closed session left open, and that the user can still answer.
func (m *Model) leftOpen() []*state.Question {
	if !m.mayDecide() {
		return nil
	}
	now, _ := m.present()
	return protocol.OpenToUser(now)
}

// leftOpenPicks lists the questions that a closed session left open, and the question that follows up on it.
func (m *Model) leftOpenPicks() []pick {
	list := lists.Map(m.leftOpen(), func(q *state.Question) pick {
		return m.overridePick(protocol.AnswerOverride(m.state, q))
	})
	if m.mayFollowUp() {
		list = append(list, pick{
			ID: "follow up", Name: "follow up", Detail: "ask a question that follows up on this session",
			Do: (*Model).openQuestionForm,
		})
	}
	return list
}

// mayFollowUp reports whether a question can follow up on the session.
func (m *Model) mayFollowUp() bool {
	now, _ := m.present()
	return now.Closed && !m.unsaved() && !m.atHome && !m.replaying() && m.options.Services.New != nil
}

func dialogFamily() family {
	return family{
		title: "Dialogs",
		actions: []Action{
			ActionOpen, ActionWhy, ActionHelp, ActionPalette, ActionClose, ActionSend, ActionChoose, ActionParticipants,
		},
		why: (*Model).whyNoDialog,
		do:  (*Model).actDialog,
	}
}

func (m *Model) whyNoDialog(a Action) string {
	switch {
	case a == ActionParticipants:
		if f, ok := m.dialog().(*formDialog); ok {
			if _, ok = f.Participant(); ok {
				return ""
			}
		}
		return "go to the field of a participant first"
	case a == ActionOpen && m.atHome:
		return ""
	case a == ActionOpen && m.dialog() == nil && m.paneOf(m.focus).Selected() == "" && len(m.asking()) == 0:
		return "nothing is selected"
	case a == ActionWhy:
		_, why := m.explained()
		return why
	}
	return ""
}

func (m *Model) actDialog(a Action) tea.Cmd {
	switch {
	case a == ActionClose:
		if f, ok := m.dialog().(*formDialog); !ok || !f.Escape() {
			m.pop()
		}
	case a == ActionSend, a == ActionChoose:
		if d := m.dialog(); d != nil && m.open(d) {
			return m.carryOut(d.send())
		}
	case a == ActionParticipants:
		m.openParticipants()
	case a == ActionHelp:
		m.push(&reader{heading: "Keys, " + m.focus.String(), parts: m.helpText})
	case a == ActionPalette:
		m.push(newPicker("Commands", func() []pick { return withoutDialogs(m, m.commands) }))
	case a == ActionWhy:
		id, _ := m.explained()
		m.openWhy(id)
	case a == ActionOpen && m.onBatch():
		return m.openItem()
	case a == ActionOpen && m.atHome:
		return m.openHome(false)
	case a == ActionOpen:
		return m.openSelected()
	}
	return nil
}

// explained returns the id of what the key w explains: what is selected in the pane with the focus, or what a text is about.
// If nothing can be explained, it is "", and why says so.
func (m *Model) explained() (id, why string) {
	if m.atHome {
		return "", "open a session first"
	}
	id = m.paneOf(m.focus).Selected()
	if r, ok := m.dialog().(*reader); ok {
		if id = r.about; id == "" {
			return "", "this text is about no item of the session"
		}
	}
	switch {
	case id != "" && view.Explains(m.state, m.rulings, id):
		return id, ""
	case id != "":
		return "", id + " has no ruling to explain: select a claim, a challenge, evidence, a fact or a sentence"
	case m.focus == pane.DebateID:
		return "", "no entry is selected: left and right select one"
	}
	return "", "nothing is selected in " + m.focus.String()
}

// target returns the point that overrides are about, or "".
func (m *Model) target() string {
	if r, ok := m.dialog().(*reader); ok {
		return r.point
	}
	if m.atHome {
		return ""
	}
	return m.pointOf(m.paneOf(m.focus).Selected())
}

// openSelected opens the selected item: a point in its view, anything else in a dialog.
func (m *Model) openSelected() tea.Cmd {
	id := m.paneOf(m.focus).Selected()
	switch {
	case id == "":
		m.openAnswer()
		return nil
	case m.finding(id) != nil && m.focus == pane.FindingsID:
		m.push(&reader{heading: id, about: id, point: id, parts: func(l *theme.Look) []pane.Part {
			f := m.finding(id)
			if f == nil {
				return nil
			}
			return pane.FindingParts(l, f)
		}})
		return nil
	case m.focus == pane.ResultID:
		return m.openInResult(id)
	case m.state.Point(id) != nil && m.focus != pane.PointID:
		return m.openPoint(id)
	case m.state.Point(id) != nil:
		m.openWhy(id)
		return nil
	}
	r := &reader{heading: id, about: id, point: m.pointOf(id)}
	r.parts = func(l *theme.Look) []pane.Part {
		d, _ := m.argument.Document(id)
		return pane.DocumentParts(l, &d)
	}
	if i := m.record.Place(id); i >= 0 {
		e := m.record.Events[i]
		r.heading = "Event " + id
		r.parts = func(l *theme.Look) []pane.Part { return m.record.EventParts(l, &e) }
	}
	m.push(r)
	return nil
}

// openInResult unfolds or folds the selected item of the result. A sentence leads to its points, a question to its answer.
func (m *Model) openInResult(id string) tea.Cmd {
	r := m.layout.Panes[pane.ResultID]
	if m.outcome.Toggle(r.W, r.H) {
		return nil
	}
	if one := m.state.Sentence(id); one != nil {
		return m.openBasis(one)
	}
	if q := m.state.QuestionByID(id); q != nil && !q.Answered && (len(m.asking()) > 0 || slices.ContainsFunc(m.leftOpen(), func(open *state.Question) bool { return open.ID == id })) {
		m.startOverride(protocol.AnswerOverride(m.state, q))
		return nil
	}
	if m.state.Point(id) != nil {
		return m.openPoint(id)
	}
	if view.Explains(m.state, m.rulings, id) {
		m.openWhy(id)
	}
	return nil
}

// openPoint shows a point: unfolded in the result if that has the focus, else in its view.
func (m *Model) openPoint(id string) tea.Cmd {
	m.setTopic(id)
	if r := m.layout.Panes[pane.ResultID]; m.focus == pane.ResultID && m.outcome.Show(id, r.W, r.H) {
		return nil
	}
	return m.focusOn(pane.PointID)
}

// openBasis goes to the point that a sentence of the answer rests on, or lists its points.
func (m *Model) openBasis(one *state.Sentence) tea.Cmd {
	points := slices.Concat(one.Points, one.Denies)
	switch len(points) {
	case 0:
		m.say(one.ID+" rests on your word", false)
		return nil
	case 1:
		return m.openPoint(points[0])
	}
	m.push(newPicker(one.ID+" rests on", func() []pick {
		var list []pick
		for _, id := range points {
			list = append(list, pick{
				ID: id, Name: id, Detail: m.state.Point(id).Text,
				Do: func(m *Model) tea.Cmd { return m.openPoint(id) },
			})
		}
		return list
	}))
	return nil
}

func programFamily() family {
	return family{
		title:   "Program",
		actions: []Action{ActionQuit, ActionInterrupt, ActionSuspend, ActionTheme, ActionProblems},
		why: func(m *Model, a Action) string {
			if a == ActionProblems && len(m.options.Problems) == 0 {
				return "the configuration has no problems"
			}
			return ""
		},
		do: (*Model).actProgram,
	}
}

// isTyping reports whether the topmost dialog is a form of the user with text in it.
func (m *Model) isTyping() bool {
	f, ok := m.dialog().(*formDialog)
	return ok && f.request == nil && f.Edited()
}

func (m *Model) actProgram(a Action) tea.Cmd {
	switch {
	case a == ActionInterrupt && m.isTyping():
		m.pop()
		m.say("closed; the draft is kept until you leave: "+m.keyOf(ActionInterrupt)+" again leaves", true)
	case a == ActionInterrupt:
		m.exitCode = exitInterrupted
		return m.leaveFor(nil)
	case a == ActionQuit && !m.atHome && (m.options.Home != nil || m.options.Batch != nil):
		return m.leaveFor(m.goHome)
	case a == ActionQuit:
		return m.leaveFor(nil)
	case a == ActionSuspend && orphaned():
		m.say("nothing could bring moot back from the background: no shell with job control started it", true)
	case a == ActionSuspend:
		return tea.Suspend
	case a == ActionTheme:
		m.useTheme(m.options.Themes.Next(m.appearance.Theme))
	case a == ActionProblems:
		m.push(&reader{heading: "Configuration", parts: m.problemText})
	}
	return nil
}

// useTheme changes the theme and says which one it is.
func (m *Model) useTheme(t *theme.Theme) {
	m.appear(func(a *theme.Appearance) { a.Theme = t })
	text := "theme: " + t.Name
	if m.appearance.Mono {
		text += "; NO_COLOR is set, so mono is shown"
	}
	m.say(text, false)
}

// sayProblems says how many problems the configuration has and how to see them, after the message that is shown.
func (m *Model) sayProblems() {
	if len(m.options.Problems) == 0 {
		return
	}
	text := fmt.Sprintf("the configuration has %s; the command %s shows them",
		plain.Counted(len(m.options.Problems), "problem"), ActionProblems.words())
	if m.flash != "" {
		text = m.flash + "; " + text
	}
	m.say(text, true)
}

func (m *Model) problemText(l *theme.Look) []pane.Part {
	list := lists.Map(m.options.Problems, func(p string) pane.Block {
		return pane.Block{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Text.Span(p)}
	})
	note := pane.Block{Body: l.Faint.Span("Wrong entries are ignored; their defaults apply.")}
	return []pane.Part{{Blocks: append(list, pane.Block{}, note)}}
}

// overrideFrom passes moves of the user to the session and shows the result. If a move is refused, the form is shown
// again with what was typed; otherwise its draft is dropped. The form may be nil.
func (m *Model) overrideFrom(form *formDialog, name string, moves []protocol.UserMove, done string) tea.Cmd {
	if len(m.veiled) > 0 {
		// The screen does not change until the user has answered.
		done += "; it shows here once you have answered"
	}
	if m.mayDecide() {
		return m.decide(form, name, moves, done)
	}
	m.order(form, name, done, func(ctx context.Context, s Session) error {
		for _, move := range moves {
			if err := s.Override(ctx, move); err != nil {
				return err
			}
		}
		return nil
	})
	return nil
}

// decide records moves of the user in a closed session, and shows its result, or its findings if they were shown.
func (m *Model) decide(form *formDialog, name string, moves []protocol.UserMove, done string) tea.Cmd {
	record, id := m.options.Services.Decide, m.state.ID
	return m.outside(func() answer {
		o, err := record(context.Background(), id, moves)
		return func(m *Model) tea.Cmd {
			if err != nil {
				m.refuse(form, err.Error())
				return nil
			}
			delete(m.drafts, name)
			before, findings, outcome := m.main, m.findings, m.outcome
			m.showSession(o)
			m.say(done, false)
			if before == pane.FindingsID && m.reviews() {
				// The user may continue with the next finding.
				m.findings.Adopt(findings)
				m.setTopic(m.findings.Selected())
				return m.focusOn(pane.FindingsID)
			}
			m.outcome.Adopt(outcome)
			return m.focusOn(pane.ResultID)
		}
	})
}

// order passes a command to the session and shows the result.
func (m *Model) order(form *formDialog, name, done string, command func(context.Context, Session) error) {
	if m.ended {
		m.refuse(form, "the session is not running; what you typed is kept")
		return
	}
	m.send(command, func(m *Model, err error) {
		if err != nil {
			m.refuse(form, err.Error())
			return
		}
		delete(m.drafts, name)
		if !m.ended {
			m.say(done, false)
		}
	})
}

// refuse shows an error at a form, or as a message if the form is nil.
func (m *Model) refuse(form *formDialog, why string) {
	if form == nil {
		m.say(why, true)
		return
	}
	form.SetError("", why)
	m.push(form)
}

// whyNotAtHome says why an action can't be done on the list of sessions, or "".
func (m *Model) whyNotAtHome(a Action) string {
	onSession := oneOf(a, ActionOpen, ActionReplay, ActionFork, ActionExport, ActionDelete, ActionCopy, ActionTags, ActionRename,
		ActionMark)
	switch {
	case !m.atHome || m.dialog() != nil || !onSession:
		return ""
	case m.options.Batch != nil:
		return m.whyNoItem()
	case m.home.Selecting():
		// The action is meant for the session that will be selected then.
		return "your sessions are still being read"
	case m.home.Summary() == nil && m.home.Selected() != "" && oneOf(a, ActionDelete, ActionTags, ActionRename, ActionMark):
		return "this session is not in the list yet"
	case m.home.Selected() != "":
		return ""
	case m.home.Len() == 0:
		return "there are no sessions yet"
	}
	return "no session matches the filter"
}
