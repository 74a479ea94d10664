package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// asked is one thing that the person is asked: a question of the session, or
// to speak for a seat.
type asked struct {
	question *state.Question
	request  *request
}

func (a asked) text() string {
	if a.request != nil {
		ask := a.request.call.Ask
		return fmt.Sprintf("you speak as %s: %s", ask.Seat, pane.StageName(ask.Stage))
	}
	return a.question.ID + " " + questionSubject(a.question) + ": " + a.question.Text
}

// questionSubject says in a few words what a question asks for.
func questionSubject(q *state.Question) string {
	subject, _ := protocol.QuestionSubject(q)
	return subject
}

// asking returns what waits for the person, in order.
func (m *Model) asking() []asked {
	if m.replaying() {
		return nil
	}
	return m.allAsked()
}

// allAsked is what waits for the person now, whatever is shown.
func (m *Model) allAsked() []asked {
	now, _ := m.present()
	var list []asked
	for _, r := range m.requests {
		list = append(list, asked{request: r})
	}
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

// askedNext says how to answer what is asked beside a question, or "".
func (m *Model) askedNext(id string) string {
	for _, a := range m.asking() {
		if a.question != nil && a.question.ID != id {
			return "; " + m.keyOf(ActionAnswer) + " answers " + a.question.ID
		}
	}
	return ""
}

// openAnswer opens the first thing that is asked, after a quiet moment.
func (m *Model) openAnswer() {
	if !m.armed {
		m.say("a question came in: press again to answer", false)
		return
	}
	first := m.asking()[0]
	if first.request != nil {
		m.push(first.request.form)
		return
	}
	m.openQuestion(first.question)
}

// openQuestion opens the form that answers a question of the session.
func (m *Model) openQuestion(q *state.Question) {
	m.startOverride(protocol.AnswerOverride(&m.state, q))
}

// openSelected opens what is selected: a point in its view, anything else in a
// dialog.
func (m *Model) openSelected() tea.Cmd {
	id := m.paneOf(m.focus).Selected()
	switch {
	case id == "":
		m.openAnswer()
		return nil
	case m.openDecided(id, false), m.openPacketFact(id):
		return nil
	case m.focus == pane.CouncilID && m.state.Point(id) != nil:
		m.openWhy(id)
		return nil
	case m.state.Point(id) != nil && m.focus != pane.PointID:
		m.setTopic(id)
		return m.focusOn(pane.PointID)
	case m.state.Point(id) != nil:
		m.openWhy(id)
		return nil
	}
	r := &reader{heading: id, about: id}
	switch id[0] {
	case 'C':
		if c := m.state.Challenge(id); c != nil {
			r.point, r.heading = c.Point, id+" on "+c.Point
		}
		r.blocks = func(l *theme.Look) []pane.Block { return m.details().ChallengeBlocks(l, id) }
	case '#':
		i := m.record.Place(id)
		if i < 0 {
			return nil
		}
		e := m.record.Events[i]
		r.heading = "Event " + id
		r.blocks = func(l *theme.Look) []pane.Block { return m.details().EventBlocks(l, &e, m.record.Rounds.Of(e.Seq)) }
	default:
		r.point = m.pointOf(id)
		r.blocks = func(l *theme.Look) []pane.Block { return m.details().KnownBlocks(l, id) }
	}
	m.push(r)
	return nil
}
