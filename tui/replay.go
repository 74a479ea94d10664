package tui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// replay shows the session as it was after an earlier event. News of the session is kept meanwhile.
type replay struct {
	// present and rulings are the current state.
	present *state.State
	rulings []state.Ruling
	// marks[i] is the state after i*markEvery events, as far as it was needed. States share their data.
	marks []*state.State
	// at is the event that is shown, counted from 1.
	at int
}

// markEvery is the number of events between states that are kept, so that few events need to be folded.
const markEvery = 128

// replayFrom shows the session after an event, counted from 1, or after the last event if there are fewer.
func (m *Model) replayFrom(at int) {
	if len(m.events) == 0 {
		return
	}
	m.replay = &replay{present: m.state, rulings: m.rulings, marks: []*state.State{{}}}
	m.seek(at)
}

// seek shows the session after an event. It folds the events after the nearest known state.
func (m *Model) seek(at int) {
	r := m.replay
	r.at = min(max(at, 1), len(m.events))
	now := r.marks[min(r.at/markEvery, len(r.marks)-1)]
	if m.state.Seq <= r.at && m.state.Seq > now.Seq {
		now = m.state
	}
	for now.Seq < r.at {
		next, err := state.Apply(now, m.events[now.Seq])
		if err != nil {
			m.say(fmt.Sprintf("replay event %d: %s", now.Seq+1, err), true)
			r.at = max(now.Seq, 1)
			break
		}
		now = next
		if now.Seq == len(r.marks)*markEvery {
			r.marks = append(r.marks, now)
		}
	}
	m.show(now, resolver.Rule(now))
	m.refreshDialogs()
	m.rearrange()
}

// roundStarts returns the events at which rounds began.
func (m *Model) roundStarts() []int {
	var starts []int
	for i := range m.events {
		if _, begins := m.events[i].Data.(*state.RoundStarted); begins {
			starts = append(starts, i+1)
		}
	}
	return starts
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
			case m.onBatch():
				return "open a session first"
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
				r := m.replay
				m.replay = nil
				m.show(r.present, r.rulings)
				m.rearrange()
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

// sliderLine draws a bar with the events of the session, on which the rounds are marked.
func (m *Model) sliderLine(width int) string {
	l, g, count := m.look, &m.look.Glyphs, len(m.events)
	label := l.Padded(fmt.Sprintf("#%d of %d ", m.replay.at, count), 2*len(strconv.Itoa(count))+len("# of  "))
	about := "before the rounds"
	if m.state.Round > 0 {
		about = strings.TrimSpace(fmt.Sprintf("round %d %s", m.state.Round, m.shownStage()))
	}
	// The text keeps its width from event to event, so that the bar does not move.
	about = " " + l.Padded(about, len("before the rounds"))
	if width < wideWidth/2 {
		about = ""
	}
	bar := make([]string, max(width-6-l.Width(label)-l.Width(about), 1))
	cell := func(event int) int { return (event - 1) * (len(bar) - 1) / max(count-1, 1) }
	knob := cell(m.replay.at)
	for i := range bar {
		bar[i] = g.Passed
		if i > knob {
			bar[i] = g.Ahead
		}
	}
	for _, start := range m.roundStarts() {
		bar[cell(start)] = g.Mark
	}
	return l.Row(width, []theme.Span{
		l.Bold.Span(" " + g.Earlier + " "), l.Text.Span(label), l.Accent.Span(strings.Join(bar[:knob], "")),
		l.User.Span(g.Knob), l.Border.Span(strings.Join(bar[knob+1:], "")), l.Faint.Span(about),
		l.Bold.Span(" " + g.Later + " "),
	}, nil)
}
