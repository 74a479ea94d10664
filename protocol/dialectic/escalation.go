package dialectic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

// QuestionInfo implements Format. An escalation is about an objection, or a field that fails a gate; a
// command may be about objections.
func (Format) QuestionInfo(s *state.State, q *state.Question) (protocol.QuestionInfo, bool) {
	if claims.IsRun(q) {
		a := claims.CommandInfo(s, q)
		for _, c := range s.Challenges.All() {
			o := ObjectionOf(c)
			if o != nil && slices.Contains(o.Evidence, strings.TrimPrefix(q.About, claims.AboutRun)) {
				a.Add("objection", fmt.Sprintf("%s %s: %s", c.ID, o.Severity, c.Objection))
			}
		}
		if r := s.RequestFor(strings.TrimPrefix(q.About, claims.AboutRun)); r != nil {
			if c := s.Challenge(r.About); c != nil && !a.Has("objection") {
				a.Add("objection", c.ID+": "+c.Objection)
			}
			a.Add("clears", r.About+", if what is expected is "+clearsWords(r.Clears))
		}
		return a, true
	}
	if q.Kind == state.QuestionEscalation && q.About == aboutChange {
		var a protocol.QuestionInfo
		for _, f := range uncovered(s) {
			a.Add(f.Path, cmp.Or(f.Withheld, "covered by no field"))
		}
		for _, option := range q.Options {
			a.Does = append(a.Does, answerEffects(s, q, option))
		}
		return a, true
	}
	if q.Kind != state.QuestionEscalation || Of(s).Last() == nil || s.Point(q.Point) == nil {
		return protocol.QuestionInfo{}, false
	}
	result := ResolveProposal(s, Of(s).Last().AsOf)
	p := s.Point(q.Point)
	f := FieldOf(p)
	var a protocol.QuestionInfo
	a.Add("field", f.Path+" = "+string(f.Value))
	c := s.Challenge(q.About)
	if o := ObjectionOf(c); o != nil {
		objection := fmt.Sprintf("%s %s, by %s", c.ID, o.Severity, c.By)
		if plain.Short(c.Objection) != c.Objection {
			// The question contains only its beginning.
			objection += ": " + c.Objection
		}
		a.Add("objection", objection)
		a.Add("must hold", o.Predicate)
		if kinds := clearedBy(s, o); len(kinds) > 0 {
			a.Add("only these sources clear it", strings.Join(enum.Words(kinds), ", "))
		}
		for _, r := range owed(s, c) {
			a.Add("owed", describe(s, r))
		}
		if c.Status == state.StandsConceded {
			// It was not weighed, so all of its evidence is listed.
			a.Add("conceded", "the proposer concedes it, but still proposes the field")
			for _, id := range o.Evidence {
				if item := s.Item(id); item != nil && item.Proven() {
					a.Add(claims.Bearing(item.Relation), claims.DescribeEvidence(s, id))
				}
			}
		} else if r := resolutionOf(&result, c.ID); r != nil {
			a.Add("best for", claims.DescribeEvidence(s, r.BestFor))
			a.Add("best against", claims.DescribeEvidence(s, r.BestAgainst))
		}
	} else {
		for _, failure := range failuresOf(&result, f.Path) {
			a.Add(gates.Name(failure.Gate)+" fails", strings.Join(failure.Reasons, "; "))
		}
		for _, id := range p.Evidence {
			if s.Item(id).Proven() {
				a.Add("rests on", claims.DescribeEvidence(s, id))
			}
		}
	}
	for _, option := range q.Options {
		a.Does = append(a.Does, answerEffects(s, q, option))
	}
	return a, true
}

// answerEffects describes what an answer to an escalation would do, and what would still block the
// proposal.
func answerEffects(s *state.State, q *state.Question, answer string) string {
	does := map[string]string{
		answerCleared:  q.About + " no longer holds the field, until its value changes",
		answerUpheld:   q.About + " blocks the field",
		answerAccept:   "the field is accepted as it is, whatever the gates say",
		answerWithdraw: "the field is no longer proposed",
	}[answer]
	if q.About == aboutChange {
		does = map[string]string{
			answerAccept: "the files are taken as they are, seen or not",
			answerHold:   "the files hold the proposal",
		}[answer]
	}
	u := &protocol.UserAdmitter{Draft: &protocol.Draft{State: s}}
	if err := (Format{}).AdmitUser(u, protocol.AnswerQuestion{Question: q.ID, Answer: answer}); err != nil {
		return does + "; it cannot be given now: " + err.Error()
	}
	if !AnyProposed(u.State) {
		return does + ", and nothing is left of the proposal"
	}
	result := ResolveProposal(u.State, Of(u.State).Last().AsOf)
	if result.Decision == gates.Advance {
		return does + "; the proposal advances"
	}
	holding := lists.Map(escalations(u.State, &result), func(m *state.QuestionSurfaced) string {
		if m.About == aboutChange {
			return "what was not examined"
		}
		return m.About
	})
	next := "the session ends after your answers"
	if s.Round < Configured(s).MaxRounds {
		next = fmt.Sprintf("round %d follows your answers", s.Round+1)
	}
	if len(holding) == 0 {
		return does + "; " + next
	}
	if q.About == aboutChange && answer == answerHold {
		return does + ", and " + next
	}
	verb := "hold"
	if len(holding) == 1 {
		verb = "holds"
	}
	return fmt.Sprintf("%s; %s still %s the proposal, and %s", does, strings.Join(holding, ", "), verb, next)
}

// escalations returns a question for each thing that blocks the proposal and that the user can
// decide: objections first, then fields that fail a gate. The About of a question is the id of the
// objection or field.
func escalations(s *state.State, result *gates.Result) []*state.QuestionSurfaced {
	var found []*state.QuestionSurfaced
	asked := map[string]bool{}
	add := func(m *state.QuestionSurfaced) {
		if !asked[m.About] {
			asked[m.About], m.What = true, state.QuestionEscalation
			found = append(found, m)
		}
	}
	objection := func(id, why string) {
		c := s.Challenge(id)
		p := s.Point(c.Point)
		add(&state.QuestionSurfaced{
			About: id, Point: p.ID, Options: []string{answerCleared, answerUpheld, answerWithdraw},
			// Quotes stay as they are: the renderer escapes the text.
			Text: fmt.Sprintf("%s (%s) against %s, \"%s\": %s. Does the objection stand?", id, ObjectionOf(c).Severity,
				FieldOf(p).Path, plain.Short(c.Objection), why),
		})
	}
	for _, r := range Blocking(result) {
		objection(r.Objection, strings.ToLower(string(r.Outcome)))
	}
	for _, r := range s.Requests.All() {
		c := s.Challenge(r.About)
		if ObjectionOf(c) != nil && !requestAnswered(s, r, c) && outstanding(result, c.ID) != "" {
			objection(r.About, "what was asked for is owed: "+plain.Short(describe(s, r)))
		}
	}
	if q := changeQuestion(s); q != nil {
		add(q)
	}
	for _, p := range proposedFields(s) {
		var reasons []string
		for _, failure := range failuresOf(result, FieldOf(p).Path) {
			reasons = append(reasons, gates.Name(failure.Gate)+" fails: "+strings.Join(failure.Reasons, "; "))
		}
		if len(reasons) > 0 {
			add(&state.QuestionSurfaced{
				About: p.ID, Point: p.ID, Options: []string{answerAccept, answerWithdraw},
				Text: fmt.Sprintf("%s = %s: %s. Do you accept the field as it is?", FieldOf(p).Path,
					plain.Short(string(FieldOf(p).Value)), plain.Short(strings.Join(reasons, "; "))),
			})
		}
	}
	return found
}

// escalate asks the user one question for each thing that blocks the proposal. The session
// continues once all are answered.
func escalate(s *state.State) (protocol.Turn, bool) {
	result := ResolveProposal(s, Of(s).Last().AsOf)
	fresh := lists.Filter(escalations(s, &result), func(m *state.QuestionSurfaced) bool {
		return !askedAbout(s, m.About) && !upheldByUser(s, s.Challenge(m.About))
	})
	if turn, due := protocol.Surface(s, fresh...); due {
		return turn, due
	}
	return nextRound(s)
}

// awaitAnswers waits until the user has answered every question.
func awaitAnswers(s *state.State) (protocol.Turn, bool) {
	open := escalated(s)
	switch {
	case len(open) == 0:
		return protocol.NotDue()
	case s.Settings.Attended:
		return protocol.Turn{Await: open}, true
	}
	return protocol.Emit(&state.SessionPaused{
		Why: state.PauseUser,
		Reason: fmt.Sprintf("the proposal is escalated, and nobody is there to answer %s; "+
			"resume the session with somebody at it", strings.Join(open, ", ")),
	})
}

// askedAbout reports whether the user was asked about a matter in this round, or still is.
func askedAbout(s *state.State, about string) bool {
	return s.Questions.Any(func(q *state.Question) bool {
		return isEscalation(q) && q.About == about && (q.Round == s.Round || !q.Answered)
	})
}

// upheldByUser reports whether the user upheld an objection against the current value of
// its field, so that there is nothing to ask.
func upheldByUser(s *state.State, c *state.Challenge) bool {
	o := ObjectionOf(c)
	if o == nil || o.Verdict != gates.RulingUpheld {
		return false
	}
	p := s.Point(c.Point)
	return o.RuledSeq > max(FieldOf(p).Seq, p.Reopened)
}

// retractSettled closes questions whose matter was settled another way: by evidence, by a
// ruling on the field, or because the proposal now advances.
func retractSettled(s *state.State) (protocol.Turn, bool) {
	if len(escalated(s)) == 0 {
		return protocol.NotDue()
	}
	result := ResolveProposal(s, Of(s).Last().AsOf)
	stands := map[string]bool{}
	if result.Decision != gates.Advance {
		for _, m := range escalations(s, &result) {
			stands[m.About] = true
		}
	}
	return protocol.WithdrawQuestions(
		s,
		settled,
		func(q *state.Question) bool { return isEscalation(q) && !stands[q.About] },
	)
}

// escalated returns the ids of the open questions about the proposal.
func escalated(s *state.State) []string { return protocol.OpenQuestions(s, isEscalation) }

func isEscalation(q *state.Question) bool { return q.Kind == state.QuestionEscalation }
