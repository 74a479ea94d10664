package protocol

import (
	"fmt"
	"strings"

	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// The answers to an escalation that code understands; settled is what code says
// where the matter was settled otherwise.
const (
	answerCleared  = "cleared"
	answerUpheld   = "upheld"
	answerAccept   = "accept"
	answerWithdraw = "withdraw"
	settled        = "settled otherwise"
)

// matter is one thing that keeps the proposal from advancing, and that the user
// can decide: an objection, or a field that fails a gate.
type matter struct {
	// about is the id of the challenge or point, point that of the field.
	about, point, text string
	options            []string
}

// matters are what keeps the proposal from advancing, in the order of the
// objections and then of the fields.
func matters(s *state.State, result *dialectic.Result) []matter {
	var found []matter
	asked := map[string]bool{}
	add := func(m matter) {
		if !asked[m.about] {
			asked[m.about] = true
			found = append(found, m)
		}
	}
	objection := func(id, why string) {
		c := s.Challenge(id)
		p := s.Point(c.Point)
		add(matter{
			about: id, point: p.ID, options: []string{answerCleared, answerUpheld, answerWithdraw},
			// Quotes in it are left as they are: who draws the text escapes it.
			text: fmt.Sprintf("%s (%s) against %s, \"%s\": %s. Does the objection stand?", id, c.Typed.Severity,
				p.Field.Path, clip(c.Objection), why),
		})
	}
	for _, r := range resolver.Standing(result) {
		objection(r.Objection, string(r.Outcome)+" by "+r.Rule)
	}
	for _, r := range s.Requests.All() {
		if owed(s, result, r) {
			objection(r.About, "the evidence that was asked for did not come")
		}
	}
	for _, p := range s.Points.All() {
		if !resolver.Proposed(p) {
			continue
		}
		var reasons []string
		for _, failure := range resolver.FailuresOf(result, p.Field.Path) {
			reasons = append(reasons, failure.Gate+" fails: "+strings.Join(failure.Reasons, "; "))
		}
		if len(reasons) > 0 {
			add(matter{
				about: p.ID, point: p.ID, options: []string{answerAccept, answerWithdraw},
				text: fmt.Sprintf("%s = %s: %s. Do you accept the field as it is?", p.Field.Path,
					clip(string(p.Field.Value)), clip(strings.Join(reasons, "; "))),
			})
		}
	}
	return found
}

// owed reports whether G7 fails for a request.
func owed(s *state.State, result *dialectic.Result, r *state.Request) bool {
	c := s.Challenge(r.About)
	if c == nil || c.Typed == nil || !r.Open() {
		return false
	}
	return resolver.Outstanding(result, c.ID) != ""
}

// escalation puts to the user what keeps the proposal from advancing, one
// question for each matter. Once all were answered it goes on.
func escalation(s *state.State) (Turn, bool) {
	result := resolver.ResolveProposal(s, s.Dialectic.Last().AsOf)
	d := &draft{s: *s}
	for _, m := range matters(s, &result) {
		if askedAbout(s, m.about) || upheldByUser(s, s.Challenge(m.about)) {
			continue
		}
		d.try(0, func() error {
			return d.add(&state.QuestionSurfaced{
				ID: d.nextQuestion(), Point: m.point, What: state.QuestionEscalation, About: m.about,
				Options: m.options, Text: m.text,
			})
		})
	}
	if len(d.events) > 0 {
		return Turn{Events: d.events}, true
	}
	return another(s)
}

// escalated waits for the user's answers: nothing goes on before all are given.
func escalated(s *state.State) (Turn, bool) {
	open := resolver.Escalations(s)
	switch {
	case len(open) == 0:
		return notDue()
	case s.Settings.Attended:
		return Turn{Await: open}, true
	}
	return events(&state.SessionPaused{
		Why:    state.PauseUser,
		Reason: fmt.Sprintf("the proposal is escalated, and nobody is there to answer %s; resume the session with somebody at it", strings.Join(open, ", ")),
	})
}

// askedAbout reports whether the user was asked about a matter, in this round or
// still.
func askedAbout(s *state.State, about string) bool {
	for _, q := range s.Questions.All() {
		if q.Kind == state.QuestionEscalation && q.About == about && (q.Round == s.Round || !q.Answered) {
			return true
		}
	}
	return false
}

// upheldByUser reports whether the user ruled that an objection stands against
// its field as it is: there is nothing to ask about it.
func upheldByUser(s *state.State, c *state.Challenge) bool {
	if c == nil || c.Typed == nil || c.Typed.Verdict != string(dialectic.RulingUpheld) {
		return false
	}
	p := s.Point(c.Point)
	return c.Typed.RuledSeq > max(p.Field.Seq, p.Reopened)
}

// relieving takes back the questions whose matter the user has settled otherwise:
// by evidence, by a ruling on the field, or because the proposal advances now.
func relieving(s *state.State) (Turn, bool) {
	if len(resolver.Escalations(s)) == 0 {
		return notDue()
	}
	result := resolver.ResolveProposal(s, s.Dialectic.Last().AsOf)
	stands := map[string]bool{}
	if result.Decision != dialectic.Advance {
		for _, m := range matters(s, &result) {
			stands[m.about] = true
		}
	}
	var taken []state.Payload
	for _, q := range s.Questions.All() {
		if q.Kind == state.QuestionEscalation && !q.Answered && !stands[q.About] {
			taken = append(taken, &state.QuestionAnswered{ID: q.ID, By: state.Protocol, Answer: settled})
		}
	}
	return Turn{Events: taken}, len(taken) > 0
}
