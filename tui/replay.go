package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// maxStepsInUpdate is the number of events up to which Update computes a state itself.
const maxStepsInUpdate = 2 * markEvery

// replay shows the session as it was after an earlier event. News of the session is kept meanwhile.
type replay struct {
	// present and rulings are the current state.
	present state.State
	rulings []state.Ruling
	past    *past
	// at is the event to show, counted from 1. The state on the screen follows it.
	at int
	// rounds are the events at which rounds began, among the first seen events.
	rounds []int
	seen   int
	// walking says that a state is computed in the background.
	walking bool
	// dragged says that the mouse holds the slider.
	dragged bool
}

// replaying reports whether an earlier event is shown.
func (m *Model) replaying() bool { return m.replay != nil }

// replayFrom shows the session after an event, counted from 1, or after the last event if there are fewer.
func (m *Model) replayFrom(at int) {
	if len(m.events) == 0 {
		return
	}
	m.replay = &replay{present: m.state, rulings: m.rulings, past: newPast()}
	m.replay.past.now = m.state
	m.seek(at)
}

// endReplay shows the current state again.
func (m *Model) endReplay() {
	r := m.replay
	m.replay = nil
	m.show(r.present, r.rulings)
	m.rearrange()
}

// seek moves to an event. A near one is shown at once, a far one when its state is computed.
func (m *Model) seek(at int) {
	r := m.replay
	r.at = min(max(at, 1), len(m.events))
	if r.at-r.past.nearest(r.at).Seq > maxStepsInUpdate || r.heavy() {
		return
	}
	now, marks, err := walk(r.past.nearest(r.at), r.past.marks, m.events, r.at)
	m.showPast(foundPast{now, marks, nil, err})
}

// heavyFacts is the number of facts in a packet from which a session is folded and ruled in the background: the packet
// is assembled again, and the rules read every fact.
const heavyFacts = 2000

func (r *replay) heavy() bool {
	packet := r.present.Hearing.Packet
	return packet != nil && packet.Len() > heavyFacts
}

// foundPast is a computed state. Its rulings are nil if it was not ruled in the background.
type foundPast struct {
	now     state.State
	marks   []state.State
	rulings []state.Ruling
	err     error
}

// showPast shows a computed state.
func (m *Model) showPast(f foundPast) {
	if f.err != nil {
		m.replay.at = max(f.now.Seq, 1)
		m.say(f.err.Error(), true)
	}
	m.show(f.now, m.replay.past.keep(f))
	m.refreshDialogs()
	m.rearrange()
}

// findPast computes the state of the event to show in the background, one at a time.
func (m *Model) findPast() tea.Cmd {
	r := m.replay
	if r == nil || r.walking || m.state.Seq == r.at {
		return nil
	}
	r.walking = true
	n, from, marks, events := r.at, r.past.nearest(r.at), r.past.marks, m.events
	return m.outside(func() answer {
		var f foundPast
		if f.now, f.marks, f.err = walk(from, marks, events, n); r.heavy() {
			// Only this goroutine rules on such a session, so it can use the ruler.
			f.rulings = r.past.rules(f.now)
		}
		return func(m *Model) tea.Cmd {
			r.walking = false
			switch {
			case m.replay != r:
			case f.err != nil || f.now.Seq == r.at:
				m.showPast(f)
			default:
				// The user has moved on to another event meanwhile.
				r.past.keep(f)
				m.seek(r.at)
			}
			return nil
		}
	})
}

// roundStarts returns the events at which rounds began.
func (m *Model) roundStarts() []int {
	r := m.replay
	for ; r.seen < len(m.events); r.seen++ {
		if _, starts := m.events[r.seen].Data.(*state.RoundStarted); starts {
			r.rounds = append(r.rounds, r.seen+1)
		}
	}
	return r.rounds
}

// shownStage returns the stage of the event that is shown.
func (m *Model) shownStage() state.Stage {
	if !m.replaying() {
		return m.stage
	}
	for i := min(m.state.Seq, len(m.events)) - 1; i >= 0; i-- {
		switch p := m.events[i].Data.(type) {
		case *state.ReplyReceived:
			return p.Stage
		case *state.PromptSent:
			return p.Stage
		case *state.RoundStarted, *state.SessionClosed:
			return ""
		}
	}
	return ""
}

func (m *Model) replayStatus() (theme.Style, string) {
	text := fmt.Sprintf("event %d of %d: an earlier moment", m.replay.at, len(m.events))
	if m.replay.at == len(m.events) {
		text = fmt.Sprintf("event %d of %d: the last one", m.replay.at, len(m.events))
	}
	if m.state.Seq != m.replay.at {
		return m.look.Faint, text
	}
	if key := m.keyOf(ActionReplay); key != "" {
		text += "; " + key + " goes back"
	}
	return m.look.User, text
}

func replayFamily() family {
	return family{
		title: "Replay",
		actions: []Action{
			ActionReplay, ActionEarlier, ActionLater, ActionEarlierRound, ActionLaterRound, ActionFirstEvent,
			ActionLastEvent, ActionFork,
		},
		why: func(m *Model, a Action) string {
			switch {
			case m.atHome && m.home.Selected() == "":
				return "there is no session to replay"
			case m.atHome:
				return ""
			case len(m.events) == 0:
				return "nothing is recorded yet"
			case a == ActionFork:
				return m.whyNoFork()
			case a == ActionReplay:
				return ""
			case !m.replaying():
				return "the present is shown; " + m.keyOf(ActionReplay) + " steps through the events"
			case m.replay.at == 1 && oneOf(a, ActionEarlier, ActionEarlierRound, ActionFirstEvent):
				return "this is the first event"
			case m.replay.at == len(m.events) && oneOf(a, ActionLater, ActionLaterRound, ActionLastEvent):
				return "this is the last event"
			}
			return ""
		},
		do: func(m *Model, a Action) tea.Cmd {
			switch {
			case m.atHome:
				return m.actOnSession(a)
			case a == ActionFork:
				return m.forkHere()
			case a == ActionReplay && m.replaying():
				m.endReplay()
			case a == ActionReplay:
				m.replayFrom(len(m.events))
			default:
				m.seek(m.step(a))
			}
			return nil
		},
	}
}

// step returns the event that an action moves to.
func (m *Model) step(a Action) int {
	at := m.replay.at
	switch a { //nolint:exhaustive // the others do not move
	case ActionEarlier:
		return at - 1
	case ActionLater:
		return at + 1
	case ActionLastEvent:
		return len(m.events)
	case ActionEarlierRound:
		before := 1
		for _, start := range m.roundStarts() {
			if start < at {
				before = start
			}
		}
		return before
	case ActionLaterRound:
		for _, start := range m.roundStarts() {
			if start > at {
				return start
			}
		}
		return len(m.events)
	}
	return 1
}

// markEvery is the number of events between states that are kept, so that few events need to be folded.
const markEvery = 128

// past finds the state after any event of a session. States share their data, so keeping some is cheap.
type past struct {
	// marks[i] is the state after i*markEvery events, as far as it was needed.
	marks []state.State
	// now is the state that was found last.
	now   state.State
	rules func(state.State) []state.Ruling
}

func newPast() *past { return &past{marks: []state.State{{}}, rules: resolver.NewRuler()} }

// nearest returns the latest known state with at most n events.
func (p *past) nearest(n int) state.State {
	known := p.marks[min(n/markEvery, len(p.marks)-1)]
	if p.now.Seq <= n && p.now.Seq > known.Seq {
		return p.now
	}
	return known
}

// walk folds events from a known state up to event n, and returns the state with the marks that are known then. It does
// not change its arguments, so it can run in the background. After an error, the state is that before the wrong event.
func walk(from state.State, marks []state.State, events []state.Event, n int) (state.State, []state.State, error) {
	marks = slices.Clip(marks)
	now := from
	for now.Seq < n {
		next, err := state.Apply(now, events[now.Seq])
		if err != nil {
			return now, marks, fmt.Errorf("replay event %d: %w", now.Seq+1, err)
		}
		now = next
		if now.Seq == len(marks)*markEvery {
			marks = append(marks, now)
		}
	}
	return now, marks, nil
}

// keep remembers a computed state and returns its rulings.
func (p *past) keep(f foundPast) []state.Ruling {
	if len(f.marks) > len(p.marks) {
		p.marks = f.marks
	}
	p.now = f.now
	if f.rulings != nil {
		return f.rulings
	}
	return p.rules(f.now)
}

// minBarWidth is the width below which the texts beside the bar are left out.
const minBarWidth = 8

// slider is the bar with the events of a session, for drawing and clicking.
type slider struct {
	at, count int
	rounds    []int
	// label is before the bar, about behind it.
	label, about string
	// x and width locate the bar in its row.
	x, width int
}

// newSlider lays out the slider with the longest texts that fit. They keep their width from event to event, so that the
// bar does not move.
func (m *Model) newSlider(width int) slider {
	s := slider{at: m.replay.at, count: len(m.events), rounds: m.roundStarts()}
	padded := func(text, widest string) string { return m.look.Padded(text, m.look.Width(widest)) }
	long := padded(fmt.Sprintf("#%d of %d ", s.at, s.count), fmt.Sprintf("#%d of %d ", s.count, s.count))
	short := padded(fmt.Sprintf("#%d ", s.at), fmt.Sprintf("#%d ", s.count))
	const beforeRounds = "before the rounds"
	round, separator := beforeRounds, m.look.Glyphs.Separator
	if m.state.Round > 0 {
		round = strings.TrimSpace(fmt.Sprintf("round %d %s", m.state.Round, m.shownStage()))
	}
	clock := m.events[s.at-1].At.In(m.options.Now().Location()).Format("15:04:05")
	for _, texts := range [][2]string{
		{long, padded(round+separator+clock, beforeRounds+separator+clock)},
		{long, padded(round, beforeRounds)},
		{long, ""},
		{short, ""},
		{"", ""},
	} {
		s.label, s.about = texts[0], texts[1]
		s.x = 3 + m.look.Width(s.label)
		s.width = width - s.x - 3
		if s.about != "" {
			s.width -= 1 + m.look.Width(s.about)
		}
		if s.width >= minBarWidth {
			break
		}
	}
	s.width = max(s.width, 1)
	return s
}

// cell returns the cell of the bar for an event.
func (s *slider) cell(event int) int {
	if s.count <= 1 || s.width <= 1 {
		return 0
	}
	return ((event-1)*(s.width-1) + (s.count-1)/2) / (s.count - 1)
}

// event returns the event for a cell of the bar: preferably the one that is shown, or the start of a round.
func (s *slider) event(cell int) int {
	cell = min(max(cell, 0), s.width-1)
	if s.cell(s.at) == cell {
		return s.at
	}
	if i := slices.IndexFunc(s.rounds, func(start int) bool { return s.cell(start) == cell }); i >= 0 {
		return s.rounds[i]
	}
	if s.width <= 1 {
		return s.at
	}
	return 1 + (cell*(s.count-1)+(s.width-1)/2)/(s.width-1)
}

// sliderLine draws the slider.
func (m *Model) sliderLine(width int) string {
	s, l, g := m.newSlider(width), m.look, &m.look.Glyphs
	knob := s.cell(s.at)
	bar := make([]string, s.width)
	for i := range bar {
		bar[i] = g.Passed
		if i > knob {
			bar[i] = g.Ahead
		}
	}
	for _, start := range s.rounds {
		bar[s.cell(start)] = g.Mark
	}
	spans := []theme.Span{
		l.Bold.Span(" " + g.Earlier + " "), l.Text.Span(s.label), l.Accent.Span(strings.Join(bar[:knob], "")),
		l.User.Span(g.Knob), l.Border.Span(strings.Join(bar[knob+1:], "")),
	}
	if s.about != "" {
		spans = append(spans, l.Faint.Span(" "+s.about))
	}
	return l.Row(width, append(spans, l.Bold.Span(" "+g.Later+" ")), nil)
}

// slide handles the mouse on the slider and reports whether it was meant for it. A click moves to an event, and so does
// dragging.
func (m *Model) slide(msg tea.MouseMsg) bool {
	if !m.replaying() {
		return false
	}
	at, r := msg.Mouse(), m.layout.Slider
	s := m.newSlider(r.W)
	switch msg.(type) {
	case tea.MouseReleaseMsg:
		held := m.replay.dragged
		m.replay.dragged = false
		return held
	case tea.MouseMotionMsg:
		if m.replay.dragged && at.Button == tea.MouseLeft {
			m.seek(s.event(at.X - r.X - s.x))
		}
		return true
	}
	if m.dialog() != nil || !r.Contains(at.X, at.Y) {
		return false
	}
	switch x := at.X - r.X; {
	case at.Button == tea.MouseWheelUp:
		m.seek(s.at - 1)
	case at.Button == tea.MouseWheelDown:
		m.seek(s.at + 1)
	case at.Button != tea.MouseLeft:
	case x < 3:
		m.seek(s.at - 1)
	case x >= r.W-3:
		m.seek(s.at + 1)
	case x >= s.x && x < s.x+s.width:
		m.replay.dragged = true
		m.seek(s.event(x - s.x))
	}
	return true
}
