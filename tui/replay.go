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

// stepsAtOnce is how many events are folded while the screen waits. What takes
// more is done outside.
const stepsAtOnce = 2 * markEvery

// replay shows what stood after an earlier event. What happens meanwhile waits.
type replay struct {
	// present and rulings are what stands now.
	present state.State
	rulings []state.Ruling
	past    *past
	// at is the event that is wanted, counted from 1; what is shown follows it.
	at int
	// rounds are the events at which rounds began, as far as events were seen.
	rounds []int
	seen   int
	// walking says that a state is looked for outside.
	walking bool
	// dragged says that the slider is held.
	dragged bool
}

// replaying reports whether an earlier event is shown.
func (m *Model) replaying() bool { return m.replay != nil }

// replayFrom shows what stood after an event, counted from 1; beyond the last
// one it is the last one.
func (m *Model) replayFrom(at int) {
	if len(m.events) == 0 {
		return
	}
	m.replay = &replay{present: m.state, rulings: m.rulings, past: newPast()}
	m.replay.past.now = m.state
	m.seek(at)
}

// endReplay goes back to the present.
func (m *Model) endReplay() {
	r := m.replay
	m.replay = nil
	m.show(r.present, r.rulings)
	m.rearrange()
}

// seek wants the state after an event. A near one is shown at once, a far one
// when it was found.
func (m *Model) seek(at int) {
	r := m.replay
	r.at = min(max(at, 1), len(m.events))
	if r.past.far(r.at) > stepsAtOnce || r.heavy() {
		return
	}
	now, marks, err := walk(r.past.nearest(r.at), r.past.marks, m.events, r.at)
	m.showPast(foundPast{now, marks, nil, err})
}

// heavyFacts is from how many facts of a packet on a session is folded and ruled on
// outside: its packet is put together anew, and its rules look at every fact.
const heavyFacts = 2000

// heavy reports whether a step through the session takes more than a moment.
func (r *replay) heavy() bool {
	packet := r.present.Hearing.Packet
	return packet != nil && packet.Len() > heavyFacts
}

// foundPast is what a walk came to. Its rulings are nil where nothing was ruled outside.
type foundPast struct {
	now     state.State
	marks   []state.State
	rulings []state.Ruling
	err     error
}

// showPast shows a state that was found.
func (m *Model) showPast(f foundPast) {
	if f.err != nil {
		m.replay.at = max(f.now.Seq, 1)
		m.say(f.err.Error(), true)
	}
	m.show(f.now, m.replay.past.settle(f))
	m.refreshDialogs()
	m.rearrange()
}

// findPast looks for the wanted state outside; of those that were wanted
// meanwhile only the last one counts.
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
			// Nothing else rules on such a session, and there is one walk at a time.
			f.rulings = r.past.rules(f.now)
		}
		return func(m *Model) tea.Cmd {
			r.walking = false
			if m.replay == r {
				m.arrive(f)
			}
			return nil
		}
	})
}

// arrive takes what was found outside. Where another event is wanted by now it
// is shown only if that is near.
func (m *Model) arrive(f foundPast) {
	r := m.replay
	if f.err != nil || f.now.Seq == r.at {
		m.showPast(f)
		return
	}
	r.past.settle(f)
	m.seek(r.at)
}

// roundStarts are the events at which rounds began.
func (m *Model) roundStarts() []int {
	r := m.replay
	for ; r.seen < len(m.events); r.seen++ {
		if _, starts := m.events[r.seen].Data.(*state.RoundStarted); starts {
			r.rounds = append(r.rounds, r.seen+1)
		}
	}
	return r.rounds
}

// shownStage is the stage of the event that is shown.
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

// replayFamily steps through the events.
func replayFamily() family {
	return family{
		title: "The events",
		actions: []Action{
			ActionReplay, ActionEarlier, ActionLater, ActionEarlierRound, ActionLaterRound, ActionFirstEvent,
			ActionLastEvent, ActionFork,
		},
		why: (*Model).whyNoReplay,
		do:  (*Model).actReplay,
	}
}

func (m *Model) whyNoReplay(a Action) string {
	switch {
	case m.atHome:
		return when(m.home.Selected() == "", "there is no session to look at", "")
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
}

func (m *Model) actReplay(a Action) tea.Cmd {
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
}

// step is the event that an action goes to.
func (m *Model) step(a Action) int {
	at := m.replay.at
	switch a { //nolint:exhaustive // the others do not step
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

// markEvery is after how many events the state is kept: to find the state after
// any event no more than so many are folded.
const markEvery = 128

// past finds what stood after any of the events of a session. States share
// what they have in common, so that a mark costs little.
type past struct {
	// marks[i] is the state after i*markEvery events, as far as it was needed.
	marks []state.State
	// now is the state that was found last.
	now   state.State
	rules func(state.State) []state.Ruling
}

func newPast() *past {
	return &past{marks: []state.State{{}}, rules: resolver.NewRuler()}
}

// nearest is the known state after the most events, at most n.
func (p *past) nearest(n int) state.State {
	known := p.marks[min(n/markEvery, len(p.marks)-1)]
	if p.now.Seq <= n && p.now.Seq > known.Seq {
		return p.now
	}
	return known
}

// far says how many events lie between a known state and the one after n.
func (p *past) far(n int) int { return n - p.nearest(n).Seq }

// walk folds the events after a known state up to the one after n. It returns
// the marks that are known then; those of the past stay as they are. The
// events are only read, so that it may run outside. The error says which event
// does not follow; the state is the one before it.
func walk(from state.State, marks []state.State, events []state.Event, n int) (state.State, []state.State, error) {
	marks = slices.Clip(marks)
	now := from
	for now.Seq < n {
		next, err := state.Apply(now, events[now.Seq])
		if err != nil {
			return now, marks, fmt.Errorf("show what stood after event %d: %w", n, err)
		}
		now = next
		if now.Seq == len(marks)*markEvery {
			marks = append(marks, now)
		}
	}
	return now, marks, nil
}

// settle takes over what a walk found.
func (p *past) settle(f foundPast) []state.Ruling {
	if len(f.marks) > len(p.marks) {
		p.marks = f.marks
	}
	p.now = f.now
	if f.rulings != nil {
		return f.rulings
	}
	return p.rules(f.now)
}

// barWidth is how many cells the bar has at least before words beside it are
// left out.
const barWidth = 8

// slider is where one stands in the events, to be drawn and to be clicked.
type slider struct {
	at, count int
	rounds    []int
	// label stands before the bar, about behind it.
	label, about string
	// x is where the bar begins, width how many cells it has.
	x, width int
}

// sliderOf lays the slider out on a row: what there is no room for is said
// shorter, or not at all.
func (m *Model) sliderOf(width int) slider {
	s := slider{at: m.replay.at, count: len(m.events), rounds: m.roundStarts()}
	for _, words := range m.sliderWords() {
		s.label, s.about = words[0], words[1]
		s.x = 3 + m.look.Width(s.label)
		s.width = width - s.x - 3
		if s.about != "" {
			s.width -= 1 + m.look.Width(s.about)
		}
		if s.width >= barWidth {
			break
		}
	}
	s.width = max(s.width, 1)
	return s
}

// sliderWords are what stands beside the bar, from the longest to the shortest.
// They keep their width from event to event, so that the bar stays where it is.
func (m *Model) sliderWords() [][2]string {
	at, count := m.replay.at, len(m.events)
	padded := func(text, widest string) string { return text + theme.Blank(m.look.Width(widest)-m.look.Width(text)) }
	long := padded(fmt.Sprintf("#%d of %d ", at, count), fmt.Sprintf("#%d of %d ", count, count))
	short := padded(fmt.Sprintf("#%d ", at), fmt.Sprintf("#%d ", count))
	round, separator, stage := "before the rounds", m.look.Glyphs.Separator, string(m.shownStage())
	if m.state.Round > 0 {
		round = strings.TrimSpace(fmt.Sprintf("round %d %s", m.state.Round, stage))
	}
	widest := "before the rounds"
	clock := m.events[at-1].At.In(m.options.Now().Location()).Format("15:04:05")
	return [][2]string{
		{long, padded(round+separator+clock, widest+separator+clock)}, {long, padded(round, widest)}, {long, ""}, {short, ""}, {"", ""},
	}
}

// cell is the cell of the bar at which an event stands.
func (s *slider) cell(event int) int {
	if s.count <= 1 || s.width <= 1 {
		return 0
	}
	return ((event-1)*(s.width-1) + (s.count-1)/2) / (s.count - 1)
}

// event is the event that a cell of the bar stands for. Of many it is the one
// that is shown, then the beginning of a round.
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

// bar draws the bar: what lies before, the knob, what lies ahead, and the
// rounds.
func (s *slider) bar(l *theme.Look) []theme.Span {
	g := &l.Glyphs
	knob := s.cell(s.at)
	cells := func(from, to int, sign string) string {
		parts := make([]string, max(to-from, 0))
		for i := range parts {
			parts[i] = sign
		}
		for _, start := range s.rounds {
			if c := s.cell(start); c >= from && c < to {
				parts[c-from] = g.Mark
			}
		}
		return strings.Join(parts, "")
	}
	return []theme.Span{
		l.Accent.Span(cells(0, knob, g.Passed)), l.User.Span(g.Knob), l.Border.Span(cells(knob+1, s.width, g.Ahead)),
	}
}

// sliderLine draws the slider over the events.
func (m *Model) sliderLine(width int) string {
	s, l := m.sliderOf(width), m.look
	spans := append([]theme.Span{l.Bold.Span(" " + l.Glyphs.Earlier + " "), l.Text.Span(s.label)}, s.bar(l)...)
	if s.about != "" {
		spans = append(spans, l.Faint.Span(" "+s.about))
	}
	return l.Row(width, append(spans, l.Bold.Span(" "+l.Glyphs.Later+" ")), nil)
}

// slide takes what the mouse does to the slider, and reports whether it was
// meant for it: a click goes to an event, and so does what follows while the
// button is held.
func (m *Model) slide(msg tea.MouseMsg) bool {
	if !m.replaying() {
		return false
	}
	at, r := msg.Mouse(), m.layout.Slider
	s := m.sliderOf(r.W)
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
