package panel

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/protocol"
	"moot/resolver"
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
	if !c.Argued && arguable(s, c) && s.Round < protocol.LastRound(s) && s.Settings.Attended {
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
		Text: fmt.Sprintf("%s: %s%s. %s \"%s\" or %s \"%s\"?", c.ID, t.Describe(c), why, p.ID, protocol.Clip(p.Text),
			q.ID,
			protocol.Clip(q.Text)),
	}
}

// conflictDetails describes a conflict to the user: both sides, who holds them, the
// verified evidence, and why it wasn't settled. Attribution is fine here because all
// answers are in.
func conflictDetails(s *state.State, q *state.Question, c *state.Conflict) protocol.Asking {
	t := NewTable(s)
	left, right := t.Sides(c)
	if c.Dropped || left == nil || right == nil || left == right {
		return protocol.Asking{}
	}
	var a protocol.Asking
	positions := t.Positions(c)
	for _, side := range []*Claim{left, right} {
		for _, id := range side.Points {
			a.About = append(a.About, protocol.About{Label: id, Text: s.Point(id).Text})
		}
		a.About = append(a.About, protocol.About{Label: "held by", Text: supportersOf(side, positions)})
		for _, id := range side.Points {
			for _, e := range s.Point(id).Evidence {
				if item := s.Item(e); item.Counts() {
					a.About = append(a.About,
						protocol.About{Label: protocol.Bearing(item.Relation), Text: protocol.DescribeEvidence(s, e)})
				}
			}
		}
	}
	switch {
	case c.Argued:
		a.About = append(a.About, protocol.About{
			Label: "argued",
			Text:  fmt.Sprintf("to round %d, and neither side fell", s.Round),
		})
	case c.Settlement != nil:
		a.About = append(a.About, protocol.About{Label: "not settled", Text: c.Settlement.Reasoning})
	}
	for _, option := range q.Options {
		a.Does = append(a.Does, answerEffects(s, q, c, option))
	}
	return a
}

// supportersOf returns the seats that take a side, by their answer or by vote.
func supportersOf(side *Claim, positions []state.Position) string {
	var said, voted []string
	for _, seat := range side.Holders {
		said = append(said, string(seat))
	}
	for _, p := range positions {
		if !p.Answered && slices.Contains(side.Points, p.Point) {
			voted = append(voted, string(p.Seat))
		}
	}
	parts := []string{}
	if len(said) > 0 {
		parts = append(parts, strings.Join(said, ", "))
	}
	if len(voted) > 0 {
		parts = append(parts, strings.Join(voted, ", ")+" (asked for a side)")
	}
	if len(parts) == 0 {
		return "nobody any more"
	}
	return strings.Join(parts, "; ")
}

// answerEffects describes what an answer to the question on a conflict does.
func answerEffects(s *state.State, q *state.Question, c *state.Conflict, answer string) string {
	u := &protocol.UserAdmitter{Draft: &protocol.Draft{State: *s}}
	if err := u.Move(protocol.AnswerQuestion{Question: q.ID, Answer: answer}); err != nil {
		return "it cannot be given now: " + err.Error()
	}
	if answer == answerArgue {
		return fmt.Sprintf("both sides argue it, from round %d to round %d at most; "+
			"you are asked again if that settles nothing", s.Round+1, protocol.LastRound(s))
	}
	next := "the session ends then"
	if canMove(&u.State) {
		next = "what is argued goes on"
	}
	if waits := openQuestions(&u.State); len(waits) > 0 {
		next = resolver.Listed(waits) + " still wait" + protocol.ThirdPerson(waits)
	}
	return outcomeNow(&u.State, c) + "; " + next
}

// canArgueFurther reports whether another round of the argument can follow.
func canArgueFurther(s *state.State) bool {
	t := NewTable(s)
	return s.Round < protocol.LastRound(s) && slices.ContainsFunc(t.Conflicts(), func(c *state.Conflict) bool {
		return arguing(s, c) && !t.Ended(c)
	})
}

// openQuestions returns the unanswered questions on conflicts.
func openQuestions(s *state.State) []string {
	t := NewTable(s)
	var waits []string
	for _, c := range t.Conflicts() {
		if q := questionAbout(s, state.AboutConflict+c.ID); q != nil && !q.Answered && !Settled(c) &&
			!t.Ended(c) {
			waits = append(waits, q.ID)
		}
	}
	return waits
}

// outcomeNow returns the rulings of both sides if the session ended now.
func outcomeNow(s *state.State, c *state.Conflict) string {
	d := &protocol.Draft{State: *s}
	if !s.Over() {
		d.Try(0, func() error { return d.Add(&state.ExitReached{Exit: state.ExitDecided}) })
	}
	t := NewTable(&d.State)
	left, right := t.Sides(c)
	ends := map[state.Bucket][]string{}
	for _, r := range resolver.Rule(d.State) {
		for _, side := range []*Claim{left, right} {
			if side != nil && slices.Contains(side.Points, r.Point) && !slices.Contains(ends[r.Bucket], r.Point) {
				ends[r.Bucket] = append(ends[r.Bucket], r.Point)
			}
		}
	}
	var parts []string
	for _, bucket := range state.Buckets() {
		if ids := ends[bucket]; len(ids) > 0 {
			verb := "are"
			if len(ids) == 1 {
				verb = "is"
			}
			parts = append(parts, resolver.Listed(ids)+" "+verb+" "+strings.ReplaceAll(string(bucket), "_", " "))
		}
	}
	return strings.Join(parts, ", ")
}

// missingDetails describes a seat that gave no answer.
func missingDetails(s *state.State, q *state.Question, seat state.Seat) protocol.Asking {
	there := enum.Words(answered(s))
	a, again := protocol.Asking{}, string(seat)+" is asked once more"
	if s.Round == 1 {
		a.About = append(a.About, protocol.About{Label: "answered", Text: strings.Join(there, ", ")})
	}
	for _, m := range s.Panel.Missing {
		if m.Seat == seat {
			if m.Stage == state.StagePropose {
				again += "; it is shown no other's answer before it gives its own"
			}
			a.About = append(a.About, protocol.About{
				Label: "missing",
				Text: string(seat) + ", when it was to " + string(m.Stage) + ": " +
					m.Reason,
			})
		}
	}
	without := fmt.Sprintf("the answers of the %d others are compared", len(there))
	switch {
	case s.Round > 1:
		without = "the others go on; what it held and nobody else holds is not argued for"
	case seat == state.Orchestrator:
		without = "nobody compares the answers: code marks only what plainly says the opposite"
	case len(there) < leastAnswers:
		without = "the session ends: one answer cannot be compared"
	}
	for _, option := range q.Options {
		a.Does = append(a.Does, map[string]string{
			answerAgain: again, answerWithout: without,
		}[option])
	}
	return a
}

// Asking implements Format.
func (Format) Asking(s *state.State, q *state.Question) (protocol.Asking, bool) {
	if id, ok := strings.CutPrefix(q.About, state.AboutConflict); ok && s.Conflict(id) != nil {
		return conflictDetails(s, q, s.Conflict(id)), true
	}
	if seat, ok := strings.CutPrefix(q.About, state.AboutMissing); ok {
		return missingDetails(s, q, state.Seat(seat)), true
	}
	return protocol.Asking{}, false
}
