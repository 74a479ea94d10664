package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// Asking is what the user should know of a question before it is answered.
type Asking struct {
	// About are the things that it is about, in the order to read them. What seats
	// and files say stands in them as it is.
	About []About
	// Does says of each option of the question, in their order, what it would do;
	// it is empty where the options speak for themselves.
	Does []string
}

// About is one thing that a question is about: what it is, and what it says.
type About struct{ Label, Text string }

// AskingOf says what the user should know of a question that waits: of what keeps
// a proposal from advancing, of a conflict, of a seat that gave no answer, and of a
// command. Of others it knows nothing to add.
func AskingOf(s state.State, q *state.Question) Asking {
	if id, ok := strings.CutPrefix(q.About, state.AboutConflict); ok && s.Conflict(id) != nil {
		return askingConflict(&s, q, s.Conflict(id))
	}
	if seat, ok := strings.CutPrefix(q.About, state.AboutMissing); ok {
		return askingMissing(&s, q, state.Seat(seat))
	}
	switch {
	case q.Kind == state.QuestionEscalation && s.Dialectic.Last() != nil && s.Point(q.Point) != nil:
		return askingMatter(&s, q)
	case q.Kind == state.QuestionApproval && strings.HasPrefix(q.About, aboutRun):
		return askingRun(&s, q)
	}
	return Asking{}
}

// askingMatter is about an objection, or about a field that fails a gate.
func askingMatter(s *state.State, q *state.Question) Asking {
	result := resolver.ResolveProposal(s, s.Dialectic.Last().AsOf)
	p := s.Point(q.Point)
	a := Asking{About: []About{{"field", p.Field.Path + " = " + string(p.Field.Value)}}}
	if c := s.Challenge(q.About); c != nil && c.Typed != nil {
		objection := fmt.Sprintf("%s %s, by %s", c.ID, c.Typed.Severity, c.By)
		if clip(c.Objection) != c.Objection {
			// The question has the beginning of it only.
			objection += ": " + c.Objection
		}
		a.About = append(
			a.About,
			About{"objection", objection},
			About{"must hold", c.Typed.Predicate},
		)
		a.About = append(a.About, sidesOf(s, &result, c)...)
	} else {
		for _, failure := range resolver.FailuresOf(&result, p.Field.Path) {
			a.About = append(a.About, About{failure.Gate + " fails", strings.Join(failure.Reasons, "; ")})
		}
		for _, id := range p.Evidence {
			if s.Item(id).Counts() {
				a.About = append(a.About, About{"rests on", evidenceInWords(s, id)})
			}
		}
	}
	for _, option := range q.Options {
		a.Does = append(a.Does, answerDoes(s, q, option))
	}
	return a
}

// sidesOf is what stands for and against an objection. One that was conceded was
// not weighed: then it is all that was brought.
func sidesOf(s *state.State, result *dialectic.Result, c *state.Challenge) []About {
	if c.Status == state.StandsConceded {
		sides := []About{{"conceded", "the proposer grants it, and proposes the field all the same"}}
		for _, id := range c.Typed.Evidence {
			if item := s.Item(id); item != nil && item.Counts() {
				sides = append(sides, About{bearing(item.Relation), evidenceInWords(s, id)})
			}
		}
		return sides
	}
	for i := range result.Artifact.Resolutions {
		if r := &result.Artifact.Resolutions[i]; r.Objection == c.ID {
			return []About{
				{"best for", evidenceInWords(s, r.BestFor)},
				{"best against", evidenceInWords(s, r.BestAgainst)},
			}
		}
	}
	return nil
}

// evidenceInWords is an item in a line; "" is none.
func evidenceInWords(s *state.State, id string) string {
	item := s.Item(id)
	if item == nil {
		return "nothing that may decide it"
	}
	return fmt.Sprintf("%s %s, %s: %s", item.ID, item.SourceKind, item.Reference, oneLine(item.Excerpt))
}

// answerDoes says what an answer to an escalation would do, and what would hold
// the proposal then.
func answerDoes(s *state.State, q *state.Question, answer string) string {
	does := map[string]string{
		answerCleared:  q.About + " no longer holds the field, until its value changes",
		answerUpheld:   q.About + " stands against the field",
		answerAccept:   "the field stands as it is, whatever the gates say",
		answerWithdraw: "the field is no longer proposed",
	}[answer]
	u := &userAdmission{draft: &draft{s: *s}}
	if err := u.move(AnswerQuestion{Question: q.ID, Answer: answer}); err != nil {
		return does + "; it cannot be given now: " + err.Error()
	}
	if !resolver.AnyProposed(&u.s) {
		return does + ", and nothing is left of the proposal"
	}
	result := resolver.ResolveProposal(&u.s, u.s.Dialectic.Last().AsOf)
	if result.Decision == dialectic.Advance {
		return does + "; the proposal advances"
	}
	var holding []string
	for _, m := range matters(&u.s, &result) {
		holding = append(holding, m.about)
	}
	next := "the session ends after your answers"
	if s.Round < resolver.Configured(s).MaxRounds {
		next = fmt.Sprintf("round %d follows your answers", s.Round+1)
	}
	if len(holding) == 0 {
		return does + "; " + next
	}
	return fmt.Sprintf("%s; %s still hold%s the proposal, and %s", does, strings.Join(holding, ", "),
		thirdPerson(holding), next)
}

func thirdPerson(of []string) string {
	if len(of) == 1 {
		return "s"
	}
	return ""
}

// askingRun is about a command: the whole line, where it would run, and why.
func askingRun(s *state.State, q *state.Question) Asking {
	item := s.Item(strings.TrimPrefix(q.About, aboutRun))
	if item == nil {
		return Asking{}
	}
	a := Asking{
		About: []About{
			{"command", item.Reference},
			{"in", s.Settings.Workspace},
			{"expected", item.Expect},
			{"asked by", item.OfferedBy},
		},
	}
	for _, option := range q.Options {
		a.Does = append(a.Does, map[string]string{
			answerOnce:   "it runs now, and you are asked again the next time",
			answerAlways: "it runs now, and unasked from now on in this session",
			answerNever:  "it does not run, now or later in this session",
		}[option])
	}
	return withReason(s, item, a)
}

// withReason says what a command is to show: an objection that it bears on, else
// the point.
func withReason(s *state.State, item *ledger.Evidence, a Asking) Asking {
	why := About{"why", "evidence " + bearing(item.Relation) + " " + item.Point}
	if p := s.Point(item.Point); p != nil {
		why.Text += ": " + p.Text
	}
	a.About = append(a.About, why)
	for _, c := range s.Challenges.All() {
		if c.Typed != nil && slices.Contains(c.Typed.Evidence, item.ID) {
			a.About = append(a.About, About{"on", fmt.Sprintf("%s %s: %s", c.ID, c.Typed.Severity, c.Objection)})
		}
	}
	return a
}
