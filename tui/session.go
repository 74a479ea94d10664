package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// Opened is a session to show: one that runs, or one that is only looked at.
type Opened struct {
	// Start opens the session, whose watcher is watch. It is called after the
	// first frame, on a goroutine of its own. nil where nothing is to run: the
	// session is looked at.
	Start func(watch func(protocol.Notice)) (Session, error)
	// State and Rulings are those before the session runs, Events what led to
	// them; all may be empty.
	State   state.State
	Rulings []state.Ruling
	Events  []state.Event
	// Auto says that the session was started to go on by itself.
	Auto bool
	// At is the event at which a replay begins, counted from 1; 0 shows the
	// present.
	At int
	// Person is who is asked for the replies of a seat that the person fills.
	Person *Person
	// Note is said when it is shown, until the next key: what was cut, what was
	// redacted.
	Note string
	// ResumeCommand and ShowCommand are the lines to type afterwards.
	ResumeCommand, ShowCommand string
	// ReportPath is the file that a crash is told in, "" for none.
	ReportPath string
	// Close lets go of the session's file once nothing runs any more; nil where
	// there is nothing to let go of. It is called once.
	Close func()
}

// session is one session on the screen: what it told last, what of it is under
// way, and the panes that show it.
type session struct {
	opened Opened
	driver *driver
	// start runs the session, once; over is closed when it has ended and let go
	// of its file. cancel cuts it off.
	start  sync.Once
	over   chan struct{}
	cancel context.CancelFunc

	debate     *pane.Debate
	points     *pane.Points
	point      *pane.Point
	ledger     *pane.Ledger
	graph      *pane.Graph
	confidence *pane.Confidence
	decision   *pane.Decision
	matrix     *pane.Matrix
	council    *pane.Council
	hearing    *pane.Hearing
	record     *pane.Record
	metrics    *pane.Metrics
	buckets    *pane.Buckets
	challenges *pane.Challenges
	// resolved are what the resolutions of a proposal say.
	resolved *pane.Decisions
	// main is the view in the largest place, before the one to go back to; zoom
	// says that it has all the room. topic is the point that is looked at.
	main, before pane.ID
	zoom         bool
	topic        string
	// wanted is the point that was chosen last; an earlier moment may not have it.
	wanted string
	search search
	// drafts are the forms that were hidden or refused, by their names: what was
	// typed is not lost. edited are the seats whose next prompt is the person's.
	drafts map[string]dialog
	edited map[state.Seat]bool
	replay *replay

	// What the session told last.
	state   state.State
	rulings []state.Ruling
	events  []state.Event
	// outcome is how the proposal of what is shown came out, nil where no round
	// was resolved; unread says why the record's cannot be read. telling is how
	// the format tells of it.
	outcome *resolver.Outcome
	unread  error
	telling pane.Telling
	calls   []*pane.Call
	// veiled is what came of the other answers while the person is blind.
	veiled []protocol.Advanced
	stage  state.Stage
	ready  []protocol.Ask
	// told says that the session has told anything yet; idle that it waits for
	// the person.
	told    bool
	idle    bool
	waiting bool
	// waitsFor are the questions without whose answers nothing goes on.
	waitsFor []string
	forecast *protocol.Forecast
	ended    bool
	err      error
	auto     bool
	// runningSince is when the commands that run were first seen to, the zero time
	// where none runs.
	runningSince time.Time

	// requests are what the person is asked in a seat's place, known how many
	// questions came so far.
	requests []*request
	known    int
}

// newSession makes the session of a session that was opened. Its panes hold
// what the session was opened with.
func newSession(o Opened, l *theme.Look) *session {
	s := &session{
		opened: o, driver: newDriver(), over: make(chan struct{}), cancel: func() {}, auto: o.Auto,
		drafts: map[string]dialog{}, edited: map[state.Seat]bool{},
		debate: pane.NewDebate(l), points: pane.NewPoints(l), point: pane.NewPoint(l), ledger: pane.NewLedger(l),
		graph: pane.NewGraph(l), confidence: pane.NewConfidence(l), matrix: pane.NewMatrix(l), council: pane.NewCouncil(l), hearing: pane.NewHearing(l), record: pane.NewRecord(l),
		metrics: pane.NewMetrics(l), buckets: pane.NewBuckets(l), challenges: pane.NewChallenges(l), resolved: pane.NewDecisions(),
	}
	s.decision = pane.NewDecision(l, s.resolved)
	now, rulings, events, veiled := seen(&o)
	s.veiled = veiled
	s.events = append(s.events, events...)
	s.debate.Transcript.Add(events)
	s.show(now, rulings)
	s.known = now.Questions.Len()
	if o.Start == nil {
		s.ended, s.told = true, true
	}
	return s
}

// show gives all panes a state to show: what stands now, or what stood.
func (s *session) show(now state.State, rulings []state.Ruling) {
	s.state, s.rulings = now, rulings
	s.debate.SetShown(now.Seq)
	s.outcome, s.unread = s.resolved.Last(&s.state)
	s.telling = pane.NewTelling(&s.state, s.outcome)
	s.points.SetState(now, rulings, s.telling)
	s.point.SetState(now, rulings, s.telling, s.shownEvents())
	s.ledger.SetState(now, s.telling)
	s.graph.SetState(now, rulings)
	s.confidence.SetState(now, rulings)
	s.decision.SetState(now, s.outcome, s.unread)
	s.matrix.SetState(now, rulings, s.telling)
	s.council.SetState(now, rulings)
	s.hearing.SetState(now)
	s.record.SetEvents(s.shownEvents())
	s.metrics.SetState(now, rulings)
	s.buckets.SetState(now, rulings, s.telling)
	s.challenges.SetState(now, s.telling)
	s.turnTo(s.wanted)
}

// shownEvents are the events that led to what is shown.
func (s *session) shownEvents() []state.Event {
	n := min(s.state.Seq, len(s.events))
	return s.events[:n:n]
}

// setTopic turns the views of one point to it. Without one they show the first.
func (s *session) setTopic(id string) {
	s.wanted = id
	s.turnTo(id)
}

// turnTo turns the views of one point to it, or to the first while there is none
// such.
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
	s.matrix.Choose(id)
	s.council.Choose(id)
	s.hearing.Choose(id)
}

// sessionOver says that a session's session does not run any more.
type sessionOver struct {
	of  *session
	err error
}

// told is a notice of the session of a session.
type told struct {
	by     *session
	notice protocol.Notice
}

// startSession runs the session, unless it was started already.
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

// runSession opens the session, runs it to its end, and lets go of it before it
// says so. A panic in it ends the program; what it had told is on disk.
func (m *Model) runSession(ctx context.Context, s *session) {
	var err error
	defer func() { m.inbox.push(sessionOver{s, err}) }()
	defer close(s.over)
	defer m.letGo(s)
	defer m.crash.catch(func() {})
	var session Session
	session, err = s.opened.Start(func(n protocol.Notice) { m.inbox.push(told{s, n}) })
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

// letGo lets go of the session's file.
func (m *Model) letGo(s *session) {
	defer m.crash.catch(func() { m.inbox.push(crashed{}) })
	if s.opened.Close != nil {
		s.opened.Close()
	}
}

// end cuts a session off and waits, not for ever, until it has let go.
func (m *Model) end(s *session) {
	s.cancel()
	s.start.Do(func() {
		m.letGo(s)
		close(s.over)
	})
	m.waitFor(s.over)
}

// present is what stands now, whatever is looked at.
func (m *Model) present() (state.State, []state.Ruling) {
	if m.replay != nil {
		return m.replay.present, m.replay.rulings
	}
	return m.state, m.rulings
}

// leaveFor ends the session, and then does what comes next: nil leaves the
// program.
func (m *Model) leaveFor(next func() tea.Cmd) tea.Cmd {
	m.next = next
	if m.ended {
		return m.left()
	}
	if m.leaving {
		// The second time nothing is waited for: all events are on disk.
		m.cancel()
		return when(next == nil, tea.Quit, nil)
	}
	m.leaving, m.dialogs, m.flash = true, nil, ""
	m.driver.order(func(ctx context.Context, s Session) { s.Leave(ctx) })
	inbox, s := m.inbox, m.session
	return m.command(func() tea.Msg {
		select {
		case <-time.After(m.patience):
			inbox.push(hurried{s})
		case <-inbox.closed:
		}
		return nil
	})
}

// left does what comes after the session.
func (m *Model) left() tea.Cmd {
	if m.next == nil {
		return tea.Quit
	}
	next, s := m.next, m.session
	m.next, m.leaving, m.gone = nil, false, s.over
	go m.end(s)
	return next()
}

// Session is a running session as the screen drives it; *protocol.Runner is
// one. Its methods may be called while Run is under way.
type Session interface {
	// Run drives the session until it ends; it tells its watcher Ended.
	Run(ctx context.Context) error
	Step(ctx context.Context)
	Auto(ctx context.Context, on bool)
	CancelCall(ctx context.Context)
	Leave(ctx context.Context)
	Override(ctx context.Context, move protocol.UserMove) error
	Preview(ctx context.Context) map[state.Seat]protocol.Prompt
	EditPrompt(ctx context.Context, seat state.Seat, text string)
	Replace(ctx context.Context, seat state.Seat, p protocol.Participant) error
}

// driver passes the person's orders to the session in their order, without
// the screen waiting for them.
type driver struct {
	mutex  sync.Mutex
	orders []func(context.Context, Session)
	wake   chan struct{}
}

func newDriver() *driver { return &driver{wake: make(chan struct{}, 1)} }

// order takes what is to be done; it never blocks.
func (d *driver) order(f func(context.Context, Session)) {
	d.mutex.Lock()
	d.orders = append(d.orders, f)
	d.mutex.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

func (d *driver) take() []func(context.Context, Session) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	orders := d.orders
	d.orders = nil
	return orders
}

// drive does what is ordered until ctx ends.
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

// running are the commands that run now: those that may run and did not end,
// while the session neither waits nor asks a seat.
func (m *Model) running() []string {
	if m.ended || m.idle || !m.told || len(m.calls) > 0 {
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

// watchCommands notes since when commands run.
func (m *Model) watchCommands() {
	switch {
	case len(m.running()) == 0:
		m.runningSince = time.Time{}
	case m.runningSince.IsZero():
		m.runningSince = m.options.Now()
	}
}

// commandStatus says which commands run, and for how long.
func (m *Model) commandStatus() string {
	text := "running " + strings.Join(m.running(), ", ")
	if seconds := int(m.options.Now().Sub(m.runningSince).Seconds()); seconds > 0 && !m.runningSince.IsZero() {
		text += fmt.Sprintf("  %d s", seconds)
	}
	return text
}

// answeredAll reports whether questions have their answers.
func answeredAll(s *state.State, questions []string) bool {
	for _, q := range s.Questions.All() {
		if !q.Answered && slices.Contains(questions, q.ID) {
			return false
		}
	}
	return true
}

// mine is what the person is called in a seat.
const mine = "me"

// blind reports whether the person still owes the first answer of a panelist, or the
// argument of a side in this turn of a hearing: until it is given nothing of the other
// answers is shown, also where the session is paused meanwhile.
func (s *session) blind() bool {
	if n := len(s.veiled); n > 0 {
		return protocol.Owes(&s.veiled[n-1].State, mine)
	}
	return protocol.Owes(&s.state, mine)
}

// veil keeps back what came of other answers while the person is blind.
func (m *Model) veil(n protocol.Advanced) tea.Cmd {
	if protocol.Unseen(&n.State, mine) {
		m.veiled = append(m.veiled, n)
		return nil
	}
	return tea.Batch(m.unveil(), m.advanced(n))
}

// unveil shows what was kept back.
func (m *Model) unveil() tea.Cmd {
	var cmds []tea.Cmd
	for _, n := range m.veiled {
		cmds = append(cmds, m.advanced(n))
	}
	m.veiled = nil
	return tea.Batch(cmds...)
}

// seen is what the person may see of a session that goes on: where it owes an
// answer all before the first one that came, and what is kept back. In a hearing it
// owed one in earlier rounds as well: only the last time counts.
func seen(o *Opened) (state.State, []state.Ruling, []state.Event, []protocol.Advanced) {
	if o.Start == nil || !protocol.Unseen(&o.State, mine) {
		return o.State, o.Rulings, o.Events, nil
	}
	var before, shown state.State
	first, hidden := 0, false
	for i, e := range o.Events {
		next, err := state.Apply(before, e)
		if err != nil {
			return o.State, o.Rulings, o.Events, nil
		}
		now := protocol.Unseen(&next, mine)
		if now && !hidden {
			shown, first = before, i
		}
		before, hidden = next, now
	}
	return shown, nil, o.Events[:first:first], []protocol.Advanced{{Events: o.Events[first:], State: o.State, Rulings: o.Rulings}}
}
