package panel

import (
	"fmt"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// The answers to the questions of a panel that code understands, beside
// state.AnswerNeither.
const (
	answerAgain   = "ask again"
	answerWithout = "go on without it"
	answerOpen    = "leave it open"
	answerArgue   = "argue it out"
	// answerMoot is what the protocol answers where no answer is needed any more.
	answerMoot = "needs no answer any more"
)

// missed asks a user who is there whether to go on without a seat that could not
// be asked.
func missed(s *state.State) (protocol.Turn, bool) {
	if !s.Settings.Attended || s.Over() || len(answered(s)) == 0 {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: *s}
	var open []string
	for _, m := range s.Panel.Missing {
		q := questionAbout(s, state.AboutMissing+string(m.Seat))
		switch {
		case q == nil, q.Answered && q.Answer == answerAgain:
			// Who was asked again, and gave no answer again, is asked about again.
			// The reason stands beside the question, see AskingOf.
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

// questionAbout is the last question about a thing, or nil.
func questionAbout(s *state.State, about string) *state.Question {
	for i := s.Questions.Len() - 1; i >= 0; i-- {
		if q := s.Questions.At(i); q.About == about {
			return q
		}
	}
	return nil
}

// retracting takes back the questions on conflicts that need no answer any more:
// they were settled or ended meanwhile, or are none after all.
func retracting(s *state.State) (protocol.Turn, bool) {
	t := resolver.NewTable(s)
	open := map[string]bool{}
	for _, c := range t.Conflicts() {
		open[state.AboutConflict+c.ID] = !resolver.Settled(c) && !t.Ended(c)
	}
	var back []state.Payload
	for _, q := range s.Questions.All() {
		if strings.HasPrefix(q.About, state.AboutConflict) && !q.Answered && !open[q.About] {
			back = append(back, &state.QuestionAnswered{ID: q.ID, By: state.Protocol, Answer: answerMoot})
		}
	}
	return protocol.Turn{Events: back}, len(back) > 0
}

// appealing puts each conflict to the user that neither the strategy nor the
// argument settled.
func appealing(s *state.State) (protocol.Turn, bool) {
	d := &protocol.Draft{State: *s}
	t := resolver.NewTable(s)
	var open []string
	for _, c := range t.Conflicts() {
		q := questionAbout(s, state.AboutConflict+c.ID)
		switch {
		case resolver.Settled(c) || t.Ended(c):
		case q == nil || q.Answer == answerMoot || q.Answer == answerArgue && c.Argued:
			d.Try(0, func() error { return d.Add(appeal(d.NextQuestion(), s, t, c)) })
		case !q.Answered:
			open = append(open, q.ID)
		}
	}
	if len(d.Events) > 0 {
		return protocol.Turn{Events: d.Events}, true
	}
	return protocol.Turn{Await: open}, len(open) > 0 && s.Settings.Attended
}

// appeal is the question about a conflict.
func appeal(id string, s *state.State, t *resolver.Table, c *state.Conflict) *state.QuestionSurfaced {
	a, b := t.Sides(c)
	p, q := s.Point(a.Points[0]), s.Point(b.Points[0])
	options := []string{p.ID, q.ID, state.AnswerNeither, answerOpen}
	if !c.Argued && resolver.Arguable(s, c) && s.Round < protocol.LastRound(s) && s.Settings.Attended {
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
		// Quotes in it are left as they are: who draws the text escapes it.
		Text: fmt.Sprintf("%s: %s%s. %s \"%s\" or %s \"%s\"?", c.ID, t.Describe(c), why, p.ID, protocol.Clip(p.Text), q.ID,
			protocol.Clip(q.Text)),
	}
}
