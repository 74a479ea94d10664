package panel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/resolver/conflict"
	"moot/state"
	"moot/view"
)

// Answers to the panel's questions that code understands, in addition to answerNeither.
const (
	answerOpen  = "leave it open"
	answerArgue = "argue it out"
	// answerMoot is the protocol's answer once a question is obsolete.
	answerMoot = "no longer needs an answer"
)

// retractQuestions closes questions on conflicts that were settled, ended, or dropped in
// the meantime.
func retractQuestions(s *state.State) (protocol.Turn, bool) {
	t := NewTable(s)
	open := map[string]bool{}
	for _, c := range t.Conflicts {
		open[aboutConflict+c.ID] = !Settled(c) && !t.Ended(c)
	}
	return protocol.WithdrawQuestions(s, answerMoot, func(q *state.Question) bool {
		return strings.HasPrefix(q.About, aboutConflict) && !open[q.About]
	})
}

// askUser asks the user about each conflict that neither the strategy nor the argument
// settled.
func askUser(s *state.State) (protocol.Turn, bool) {
	t := NewTable(s)
	var fresh []*state.QuestionSurfaced
	for _, c := range t.Conflicts {
		q := questionAbout(s, c)
		again := q == nil || q.Answer == answerMoot || q.Answer == answerArgue && c.Argued
		if again && !Settled(c) && !t.Ended(c) {
			fresh = append(fresh, conflictQuestion(s, t, c))
		}
	}
	if turn, due := protocol.Surface(s, fresh...); due {
		return turn, due
	}
	turn, due := protocol.Await(s, func(q *state.Question) bool { return strings.HasPrefix(q.About, aboutConflict) })
	return turn, due && s.Settings.Waits()
}

// conflictQuestion is the question about a conflict.
func conflictQuestion(s *state.State, t *Table, c *Conflict) *state.QuestionSurfaced {
	p, q := t.sidePoints(c)
	options := []string{p.ID, q.ID, answerNeither, answerOpen}
	if s.Settings.Waits() && canArgue(s, c) {
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
		Point: p.ID, What: state.QuestionEscalation, About: aboutConflict + c.ID, Options: options,
		// Quotes stay as they are: the renderer escapes the text.
		Text: fmt.Sprintf("%s: %s%s. %s \"%s\" or %s \"%s\"?", c.ID, t.Describe(c), why, p.ID, plain.Short(p.Text),
			q.ID, plain.Short(q.Text)),
	}
}

// QuestionInfo implements Format. It shows both sides of a conflict, who holds them, and the verified
// evidence. Attribution is fine here because all answers are in.
func (Format) QuestionInfo(s *state.State, q *state.Question) (a protocol.QuestionInfo, ok bool) {
	id, about := strings.CutPrefix(q.About, aboutConflict)
	c := Of(s).Conflict(id)
	if !about || c == nil {
		return claims.Base{}.QuestionInfo(s, q)
	}
	a.Subject, a.Action = "open conflict", "decide the conflict"
	t := NewTable(s)
	if !t.isLive(c) {
		return a, true
	}
	add := func(label, text string) { a.About = append(a.About, protocol.About{Label: label, Text: text}) }
	positions := t.Positions(c)
	for _, side := range t.between[c.ID] {
		for _, p := range t.points(side) {
			add(p.ID, p.Text)
		}
		held := view.Seats(side.Holders)
		for _, p := range positions {
			if !p.Answered && slices.Contains(side.Points, p.Point) {
				held = view.Join("; ", held, string(p.Seat)+" (asked for a side)")
			}
		}
		add("held by", cmp.Or(held, "nobody"))
		for _, p := range t.points(side) {
			for _, e := range p.Evidence {
				if item := s.Item(e); item.Proven() {
					add(claims.Bearing(item.Relation), claims.DescribeEvidence(s, e))
				}
			}
		}
	}
	if why := t.unclear(c); why != "" {
		add("not settled", why)
	}
	for _, option := range q.Options {
		does := map[string]string{
			answerNeither: "both sides are Dismissed", answerOpen: "both sides stay Unresolved",
			answerArgue: "both sides argue it, and you are asked again if that settles nothing",
		}[option]
		a.Does = append(a.Does, cmp.Or(does, "it is Agreed, and the other side Dismissed"))
	}
	return a, true
}
