package tui

import (
	"context"
	"sync"
	"time"

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

// sitting is one session on the screen: what it told last, what of it is under
// way, and the panes that show it.
type sitting struct {
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

// newSitting makes the sitting of a session that was opened. Its panes hold
// what the session was opened with.
func newSitting(o Opened, l *theme.Look) *sitting {
	s := &sitting{
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
func (s *sitting) show(now state.State, rulings []state.Ruling) {
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
func (s *sitting) shownEvents() []state.Event {
	n := min(s.state.Seq, len(s.events))
	return s.events[:n:n]
}

// setTopic turns the views of one point to it. Without one they show the first.
func (s *sitting) setTopic(id string) {
	s.wanted = id
	s.turnTo(id)
}

// turnTo turns the views of one point to it, or to the first while there is none
// such.
func (s *sitting) turnTo(id string) {
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
