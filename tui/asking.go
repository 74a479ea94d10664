package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"moot/state"
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
		return fmt.Sprintf("you speak as %s: %s", ask.Seat, ask.Stage)
	}
	return a.question.ID + " " + string(a.question.Kind) + ": " + a.question.Text
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
	about := ""
	if p := m.state.Point(first.question.Point); p != nil {
		about = p.ID + "  " + p.Text
	}
	m.push(newQuestionForm(*first.question, about))
}

// openSelected opens what is selected: a point in its view, anything else in a
// dialog.
func (m *Model) openSelected() tea.Cmd {
	id := m.paneOf(m.focus).selected()
	switch {
	case id == "":
		m.openAnswer()
		return nil
	case m.state.Point(id) != nil && m.focus != PanePoint:
		m.setTopic(id)
		return m.focusOn(PanePoint)
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
		r.blocks = func(l *look) []block { return m.details().challengeBlocks(l, id) }
	case '#':
		i := m.record.place(id)
		if i < 0 {
			return nil
		}
		e := m.record.events[i]
		r.heading = "Event " + id
		r.blocks = func(l *look) []block { return m.details().eventBlocks(l, &e, m.record.rounds.of(e.Seq)) }
	default:
		r.point = m.pointOf(id)
		r.blocks = func(l *look) []block { return m.details().knownBlocks(l, id) }
	}
	m.push(r)
	return nil
}

// openPreview shows the prompts that go out next.
func (m *Model) openPreview(p previewed) {
	var seats []state.Seat
	for s := range p.prompts {
		seats = append(seats, s)
	}
	slices.Sort(seats)
	if len(seats) == 0 {
		m.say("no prompt waits to go out", true)
		return
	}
	m.push(&reader{heading: "What goes out next", blocks: func(l *look) []block {
		var list []block
		for _, s := range seats {
			prompt := p.prompts[s]
			list = append(list,
				block{body: span{l.seatStyle(s), "to " + string(s) + ", about " + count((len(prompt.System)+len(prompt.Text))/4) + " tokens"}}, block{},
				block{body: span{l.faint, prompt.System}}, block{}, block{body: span{l.text, prompt.Text}}, block{})
		}
		return list
	}})
}
