package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/run"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// Opened is a session to show: one to run, or one to read.
type Opened struct {
	// Start opens the session, whose watcher is watch. It is called after the
	// first frame, on its own goroutine. It is nil if the session is only read.
	Start func(watch func(protocol.Notice)) (Session, error)
	// State, Rulings and Events describe the session before it runs. Only State is required.
	State   *state.State
	Rulings []state.Ruling
	Events  []state.Event
	// Auto starts the session in auto mode.
	Auto bool
	// Joined says that another process runs the session, which continues when the user leaves; Watching that the user
	// can only watch it.
	Joined, Watching bool
	// At is the event at which a replay starts, counted from 1; 0 shows the
	// current state.
	At int
	// Place is the ID of the claim, challenge, evidence, fact, question or sentence to show first, or "".
	Place string
	// Person receives the requests to a seat that the user fills.
	Person *Person
	// Note is shown until the next key: what was cut, what was redacted.
	Note string
	// ResumeCommand and ShowCommand are the command lines for afterwards.
	ResumeCommand, ShowCommand string
	// ReportPath is the file for a crash report, "" for none.
	ReportPath string
	// Close releases the session's file once nothing runs anymore. It is called
	// once, and may be nil.
	Close func()
}

// session is the session on the screen: its last state, its running calls, and
// the panes that show it.
type session struct {
	opened Opened
	driver *driver
	// start runs the session once; cancel aborts it; over is closed when it has
	// ended and released its file.
	start  sync.Once
	over   chan struct{}
	cancel context.CancelFunc

	debate     *pane.Debate
	points     *pane.Points
	findings   *pane.Findings
	point      *pane.Point
	ledger     *pane.Ledger
	graph      *pane.Graph
	confidence *pane.Confidence
	record     *pane.Record
	outcome    *pane.Result
	buckets    *pane.Buckets
	challenges *pane.Challenges
	panes      [pane.HomeID]pane.Pane
	// main is the view in the largest place, before the one to go back to. With
	// zoom it fills the screen. topic is the point shown by the views of a point.
	main, before pane.ID
	zoom         bool
	topic        string
	// wanted is the point that was chosen last; a replay may not have it yet.
	wanted string
	search paneSearch
	// drafts are the forms that were closed or refused, by name, so that no input
	// is lost. edited are the seats whose next prompt the user edited.
	drafts map[string]dialog
	edited map[state.Seat]bool
	replay *replay

	// What the session reported last.
	state    *state.State
	rulings  []state.Ruling
	events   []state.Event
	argument *view.Argument
	calls    []*pane.Call
	// veiled holds the updates with other answers that the user may not see yet.
	veiled []protocol.Advanced
	stage  state.Stage
	ready  []protocol.Ask
	// reported says that the session has reported anything yet, idle that it waits for the user to run a turn, waiting
	// that it waits for an answer.
	reported, idle, waiting bool
	// waitsFor are the questions that must be answered to continue.
	waitsFor []string
	forecast *protocol.Forecast
	ended    bool
	err      error
	auto     bool
	// runningSince is when commands were first seen running; zero if none is.
	runningSince time.Time

	// requests are the calls to a seat that the user fills; known is how many
	// questions were asked so far.
	requests []*request
	known    int
}

// newSession returns a session for the screen, showing its state as it was opened.
func newSession(o Opened, l *theme.Look) *session {
	s := &session{
		opened: o, driver: &driver{mailbox[func(context.Context, Session)]{wake: make(chan struct{}, 1)}},
		over: make(chan struct{}), cancel: func() {}, auto: o.Auto,
		drafts: map[string]dialog{}, edited: map[state.Seat]bool{},
	}
	for _, r := range paneTable() {
		s.panes[r.id] = r.add(s, l)
	}
	now, rulings, events, veiled := seen(&o)
	s.veiled = veiled
	s.events = append(s.events, events...)
	s.debate.Transcript.Add(events)
	s.show(now, rulings)
	s.known = now.Questions.Len()
	switch {
	case now.Closed && o.At == 0:
		s.main, s.before = pane.ResultID, pane.DebateID
	case view.ListsFindings(now):
		s.main = pane.FindingsID
	}
	if o.Start == nil {
		s.ended, s.reported = true, true
	}
	return s
}

// show gives all panes a state to show: the current one, or that of a replay.
func (s *session) show(now *state.State, rulings []state.Ruling) {
	s.state, s.rulings = now, rulings
	s.debate.SetShown(now.Seq)
	s.argument = view.NewArgument(s.state, rulings)
	s.points.SetState(now, rulings, s.argument)
	s.findings.SetState(now, rulings)
	s.point.SetState(now, s.argument)
	s.ledger.SetState(now)
	s.graph.SetState(now, rulings, s.argument)
	s.confidence.SetState(now)
	shown := min(now.Seq, len(s.events))
	s.record.SetEvents(s.state, s.events[:shown:shown])
	s.outcome.SetState(now, rulings)
	s.buckets.SetState(now, rulings, s.argument)
	s.challenges.SetState(now, s.argument)
	s.turnTo(s.wanted)
}

// setTopic selects the point for the views of one point.
func (s *session) setTopic(id string) {
	s.wanted = id
	s.turnTo(id)
}

// turnTo shows a point in the views of one point, or the first point if it
// doesn't exist.
func (s *session) turnTo(id string) {
	if s.state.Point(id) == nil {
		id = ""
		if s.state.Points.Len() > 0 {
			id = s.state.Points.At(0).ID
		}
	}
	s.topic = id
	s.point.SetPoint(id)
	s.graph.Choose(id)
	s.confidence.Choose(id)
	s.buckets.Choose(id)
	s.points.Choose(id)
	if view.ListsFindings(s.state) {
		s.findings.Choose(id)
	}
}

// startSession starts the session, unless it was started already.
func (m *Model) startSession() {
	s := m.session
	if s.opened.Start == nil {
		return
	}
	s.start.Do(func() {
		ctx, cancel := context.WithCancel(context.Background())
		s.cancel = cancel
		go m.runSession(ctx, s)
	})
}

// runSession opens the session, runs it to its end, releases its file and then
// reports the end. A panic in it ends the program; its events are on disk.
func (m *Model) runSession(ctx context.Context, s *session) {
	var err error
	defer func() { m.inbox.push(sessionOver{s, err}) }()
	defer close(s.over)
	defer m.closeFile(s)
	defer m.crash.catch(func() {})
	var session Session
	session, err = s.opened.Start(func(n protocol.Notice) {
		if advanced, ok := n.(protocol.Advanced); ok {
			advanced.Rulings() // They are computed here, not on the goroutine that draws.
		}
		m.inbox.push(notice{s, n})
	})
	if err != nil {
		return
	}
	driven, stop := context.WithCancel(ctx)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		defer m.crash.catch(func() { m.inbox.push(crashed{}) })
		s.driver.drive(driven, session)
	}()
	defer func() {
		stop()
		<-finished
	}()
	err = session.Run(ctx)
}

// closeFile releases the session's file.
func (m *Model) closeFile(s *session) {
	defer m.crash.catch(func() { m.inbox.push(crashed{}) })
	if s.opened.Close != nil {
		s.opened.Close()
	}
}

// end aborts a session and waits for a limited time until its file is released.
func (m *Model) end(s *session) {
	s.cancel()
	s.start.Do(func() {
		m.closeFile(s)
		close(s.over)
	})
	m.waitFor(s.over)
}

// present returns the current state, also during a replay.
func (m *Model) present() (*state.State, []state.Ruling) {
	if m.replay != nil {
		return m.replay.present, m.replay.rulings
	}
	return m.state, m.rulings
}

// leaveFor ends the session and then calls next; nil quits the program.
func (m *Model) leaveFor(next func() tea.Cmd) tea.Cmd {
	m.next = next
	if m.ended {
		return m.left()
	}
	if m.leaving {
		// The second time, don't wait: all events are on disk.
		m.cancel()
		if next == nil {
			return tea.Quit
		}
		return nil
	}
	m.leaving, m.dialogs, m.flash = true, nil, ""
	m.driver.push(func(ctx context.Context, s Session) { s.Leave(ctx) })
	inbox, s := m.inbox, m.session
	return m.command(func() tea.Msg {
		select {
		case <-time.After(m.patience):
			inbox.push(expired{s})
		case <-inbox.closed:
		}
		return nil
	})
}

// left continues after the session has ended.
func (m *Model) left() tea.Cmd {
	if m.next == nil {
		return tea.Quit
	}
	next, s := m.next, m.session
	m.next, m.leaving, m.released = nil, false, s.over
	go m.end(s)
	return next()
}

// Session is a running session as the screen drives it; *run.Session is
// one. Its methods may be called while Run is under way.
type Session interface {
	// Run drives the session until it ends; it tells its watcher Ended.
	Run(ctx context.Context) error
	Step(ctx context.Context)
	StepRound(ctx context.Context)
	Auto(ctx context.Context, on bool)
	CancelCall(ctx context.Context)
	Leave(ctx context.Context)
	Override(ctx context.Context, move protocol.UserMove) error
	Preview(ctx context.Context) map[state.Seat]protocol.Prompt
	EditPrompt(ctx context.Context, seat state.Seat, text string)
	Replace(ctx context.Context, seat state.Seat, p protocol.Participant) error
}

// driver passes the user's commands to the session in order, without blocking the
// screen.
type driver struct {
	mailbox[func(context.Context, Session)]
}

// send passes a command to the session behind those that wait, without blocking. Unless another session is on the
// screen by then, result receives its error.
func (m *Model) send(command func(context.Context, Session) error, result func(m *Model, err error)) {
	inbox, of := m.inbox, m.session
	m.driver.push(func(ctx context.Context, s Session) {
		err := command(ctx, s)
		inbox.push(answer(func(m *Model) tea.Cmd {
			if m.session == of {
				result(m, err)
			}
			return nil
		}))
	})
}

// drive runs the queued commands until ctx ends.
func (d *driver) drive(ctx context.Context, s Session) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		}
		for _, f := range d.take() {
			f(ctx, s)
		}
	}
}

// running returns the shell commands that are running: those that were approved and
// haven't ended, while the session neither waits nor asks a seat.
func (m *Model) running() []string {
	if m.ended || m.idle || !m.reported || len(m.calls) > 0 {
		return nil
	}
	now, _ := m.present()
	var commands []string
	for _, id := range now.Commands {
		if e := now.Item(id); e != nil && e.Approval.Allows() && !e.Checked {
			commands = append(commands, e.Reference)
		}
	}
	return commands
}

// commandStatus names the running commands and their duration.
func (m *Model) commandStatus() string {
	text := "running " + strings.Join(m.running(), ", ")
	if seconds := int(m.options.Now().Sub(m.runningSince).Seconds()); seconds > 0 && !m.runningSince.IsZero() {
		text += fmt.Sprintf("  %d s", seconds)
	}
	return text
}

// answeredAll reports whether all the questions are answered.
func answeredAll(s *state.State, questions []string) bool {
	for _, q := range s.Questions.All() {
		if !q.Answered && slices.Contains(questions, q.ID) {
			return false
		}
	}
	return true
}

// mine is the participant name of the user.
const mine = "me"

// blind reports whether the user still owes the first answer of a panelist, or the
// argument of a side in this turn of a hearing. Until then the other answers are
// hidden, even if the session is paused.
func (s *session) blind() bool {
	if n := len(s.veiled); n > 0 {
		return protocol.Owes(s.veiled[n-1].State, mine)
	}
	return protocol.Owes(s.state, mine)
}

// seen returns what the user may see of a session that is resumed. If the user owes
// an answer, that is the state before the first of the other answers; the rest is
// held back. In a hearing only the current round counts.
func seen(o *Opened) (*state.State, []state.Ruling, []state.Event, []protocol.Advanced) {
	if o.Start == nil || !protocol.Unseen(o.State, mine) {
		return o.State, o.Rulings, o.Events, nil
	}
	before, shown := &state.State{}, &state.State{}
	first, hidden := 0, false
	for i, e := range o.Events {
		next, err := state.Apply(before, e)
		if err != nil {
			return o.State, o.Rulings, o.Events, nil
		}
		now := protocol.Unseen(next, mine)
		if now && !hidden {
			shown, first = before, i
		}
		before, hidden = next, now
	}
	held := run.Advanced(o.Events[first:], o.State)
	return shown, nil, o.Events[:first:first], []protocol.Advanced{held}
}

// replaying reports whether an earlier event is shown.
func (m *Model) replaying() bool { return m.replay != nil }

// asked is something that waits for the user: a question of the session, or a request to a seat.
type asked struct {
	question *state.Question
	request  *request
}

func (a asked) text(s *state.State) string {
	if a.request != nil {
		ask := a.request.call.Ask
		return fmt.Sprintf("you speak as %s: %s", ask.Seat, view.StageName(ask.Stage))
	}
	subject, _ := protocol.QuestionSubject(s, a.question)
	return a.question.ID + " " + subject + ": " + a.question.Text
}

// asking returns what waits for the user, in order. A replay asks nothing.
func (m *Model) asking() []asked {
	if m.replaying() {
		return nil
	}
	return m.allAsked()
}

// allAsked returns what waits for the user now, also during a replay.
func (m *Model) allAsked() []asked {
	now, _ := m.present()
	list := lists.Map(m.requests, func(r *request) asked { return asked{request: r} })
	if m.ended {
		return list
	}
	for _, q := range now.Questions.All() {
		if !q.Answered {
			list = append(list, asked{question: q})
		}
	}
	return list
}

// unsaved reports whether the session has no file, as in mode quick and in demos.
func (m *Model) unsaved() bool { return m.opened.Start != nil && m.opened.ResumeCommand == "" }

// waitFor waits until a session has released its file, for a limited time.
func (m *Model) waitFor(released <-chan struct{}) {
	if released == nil {
		return
	}
	select {
	case <-released:
	case <-time.After(m.patience):
	}
}

// busy reports whether a call or a command is running.
func (m *Model) busy() bool { return m.speaking() || len(m.running()) > 0 }

func (m *Model) speaking() bool {
	return slices.ContainsFunc(m.calls, func(c *pane.Call) bool { return !c.Done })
}

// patience is how long moot waits for a session to end. It is longer than a program of a participant gets to end, so
// that none is left behind.
const patience = 5 * time.Second

// showSession shows a session.
func (m *Model) showSession(o Opened) {
	m.session = newSession(o, m.look)
	m.atHome, m.leaving, m.next, m.dialogs = false, false, nil, nil
	m.focus = m.main
	if o.Person != nil {
		o.Person.attach(m.inbox)
	}
	if o.At > 0 {
		m.replayFrom(o.At)
	}
	if o.Note != "" {
		m.say(o.Note, false)
	}
	if o.Place != "" {
		m.goTo(o.Place)
	}
	m.rearrange()
}

// goTo shows the view that has an ID, with it selected: a claim, challenge or evidence in the view of its claim, a fact
// in the ledger, a question or a sentence in the result.
func (m *Model) goTo(id string) {
	view := pane.ResultID
	point := m.pointOf(id)
	switch {
	case point != "" && m.state.Sentence(id) == nil && m.state.Questions.Find(func(q *state.Question) bool { return q.ID == id }) == nil:
		m.setTopic(point)
		view = pane.PointID
	case strings.HasPrefix(id, "E") || strings.HasPrefix(id, "F"):
		view = pane.LedgerID
	}
	m.focusOn(view)
	m.rearrange()
	if r := m.layout.Panes[view]; !r.Empty() {
		m.paneOf(view).View(r.W, r.H) // Its items are made when it is drawn.
	}
	if list, chooses := m.paneOf(view).(interface{ Choose(id string) }); chooses {
		list.Choose(id)
	}
	if selected := m.paneOf(view).Selected(); selected != id && point != id {
		m.say(id+" is not in this view now; / searches the pane", false)
	}
}

// pointOf returns the point that an ID belongs to, or "". For a conflict it is the point of the first side.
func (m *Model) pointOf(id string) string {
	if p := m.state.Point(id); p != nil {
		return p.ID
	}
	if c := m.state.Challenge(id); c != nil {
		return c.Point
	}
	if e := m.state.Item(id); e != nil {
		return e.Point
	}
	d, _ := view.FormatOf(m.state).Explain(m.state, id)
	for _, section := range d.Sections {
		for _, it := range section.Items {
			if m.state.Point(it.ID) != nil {
				return it.ID
			}
		}
	}
	return ""
}
