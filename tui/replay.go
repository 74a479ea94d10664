package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

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
		return m.takeHome(a)
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
