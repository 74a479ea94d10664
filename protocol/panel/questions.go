package panel

import (
	"fmt"
	"strings"

	"moot/protocol"
	"moot/resolver/conflict"
	"moot/state"
)

// Answers to the panel's questions that code understands, besides state.AnswerNeither.
const (
	answerAgain   = "ask again"
	answerWithout = "go on without it"
	answerOpen    = "leave it open"
	answerArgue   = "argue it out"
	// answerMoot is the protocol's answer once a question is obsolete.
	answerMoot = "needs no answer any more"
)

// askAboutMissing asks an attending user whether to continue without a seat that couldn't
// be reached.
func askAboutMissing(s *state.State) (protocol.Turn, bool) {
	if !s.Settings.Attended || s.Over() || len(answered(s)) == 0 {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: *s}
	var open []string
	for _, m := range s.Panel.Missing {
		q := questionAbout(s, state.AboutMissing+string(m.Seat))
		switch {
		case q == nil, q.Answered && q.Answer == answerAgain:
			// If a second attempt failed too, ask again. Asking adds the reason to the
			// question.
			d.Try(0, func() error {
				return d.Add(&state.QuestionSurfaced{
					ID: d.NextQuestion(), What: state.QuestionApproval, About: state.AboutMissing + string(m.Seat),
					Options: []string{answerAgain, answerWithout},
					Text:    string(m.Seat) + " gave no answer. Ask it again, or go on without it?",
				})
			})
		case !q.Answered:
			open = append(open, q.ID)
		}
	}
	if len(d.Events) > 0 {
		return protocol.Turn{Events: d.Events}, true
	}
	return protocol.Turn{Await: open}, len(open) > 0
}

// questionAbout returns the last question about a conflict or seat, or nil.
func questionAbout(s *state.State, about string) *state.Question {
	for i := s.Questions.Len() - 1; i >= 0; i-- {
		if q := s.Questions.At(i); q.About == about {
			return q
		}
	}
	return nil
}

// retractQuestions closes questions on conflicts that were settled, ended, or dropped in
// the meantime.
func retractQuestions(s *state.State) (protocol.Turn, bool) {
	t := NewTable(s)
	open := map[string]bool{}
	for _, c := range t.Conflicts() {
		open[state.AboutConflict+c.ID] = !Settled(c) && !t.Ended(c)
	}
	var back []state.Payload
	for _, q := range s.Questions.All() {
		if strings.HasPrefix(q.About, state.AboutConflict) && !q.Answered && !open[q.About] {
			back = append(back, &state.QuestionAnswered{ID: q.ID, By: state.Protocol, Answer: answerMoot})
		}
	}
	return protocol.Turn{Events: back}, len(back) > 0
}

// askUser asks the user about each conflict that neither the strategy nor the argument
// settled.
func askUser(s *state.State) (protocol.Turn, bool) {
	d := &protocol.Draft{State: *s}
	t := NewTable(s)
	var open []string
	for _, c := range t.Conflicts() {
		q := questionAbout(s, state.AboutConflict+c.ID)
		switch {
		case Settled(c) || t.Ended(c):
		case q == nil || q.Answer == answerMoot || q.Answer == answerArgue && c.Argued:
			d.Try(0, func() error { return d.Add(conflictQuestion(d.NextQuestion(), s, t, c)) })
		case !q.Answered:
			open = append(open, q.ID)
		}
	}
	if len(d.Events) > 0 {
		return protocol.Turn{Events: d.Events}, true
	}
	return protocol.Turn{Await: open}, len(open) > 0 && s.Settings.Attended
}

// conflictQuestion is the question about a conflict.
func conflictQuestion(id string, s *state.State, t *Table, c *state.Conflict) *state.QuestionSurfaced {
	a, b := t.Sides(c)
	p, q := s.Point(a.Points[0]), s.Point(b.Points[0])
	options := []string{p.ID, q.ID, state.AnswerNeither, answerOpen}
	if !c.Argued && Arguable(s, c) && s.Round < protocol.LastRound(s) && s.Settings.Attended {
		options = append(options, answerArgue)
	}
	why := ""
	switch {
	case c.Argued:
		why = "; arguing did not settle it"
	case c.Settlement != nil && c.Settlement.Method != string(conflict.Escalate):
		why = "; " + c.Settlement.Reasoning
	}
	return &state.QuestionSurfaced{
		ID: id, Point: p.ID, What: state.QuestionEscalation, About: state.AboutConflict + c.ID, Options: options,
		// Quotes stay as they are: the renderer escapes the text.
		Text: fmt.Sprintf("%s: %s%s. %s \"%s\" or %s \"%s\"?", c.ID, t.Describe(c), why, p.ID, protocol.Clip(p.Text), q.ID,
			protocol.Clip(q.Text)),
	}
}
