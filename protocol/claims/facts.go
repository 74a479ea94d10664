package claims

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// bothHold answers a question about two facts that exclude each other: the user sees no conflict.
const bothHold = "both hold"

// factHolds answers a question about a fact that a line contradicts: the fact stays as it is.
const factHolds = "the fact holds"

// mostFactQuestions is how many questions about facts of the user are open at once. The others follow the answers.
const mostFactQuestions = 8

// AskAboutFacts asks the user about facts of theirs that exclude each other, and about those that a verified line
// contradicts. It withdraws such a question once its fact is no longer live.
func AskAboutFacts(s *state.State) (protocol.Turn, bool) {
	over := func(q *state.Question) bool {
		return q.Kind == state.QuestionConstraint && slices.ContainsFunc(strings.Fields(q.About), func(id string) bool {
			fact := s.Fact(id)
			return fact != nil && !fact.Live
		})
	}
	if !s.WasClosed() {
		if turn, due := protocol.WithdrawQuestions(s, "a newer fact of yours applies", over); due {
			return turn, due
		}
	}
	isOpen := func(q *state.Question) bool { return q.Kind == state.QuestionConstraint && q.Point == "" && !over(q) }
	room := mostFactQuestions - len(protocol.OpenQuestions(s, isOpen))
	var asked []*state.QuestionSurfaced
	for _, pair := range resolver.ExcludingFacts(s) {
		about := pair.A.ID + " " + pair.B.ID
		if protocol.WasAsked(s, about) || len(asked) >= room {
			continue
		}
		asked = append(asked, &state.QuestionSurfaced{
			What: state.QuestionConstraint, About: about, Options: []string{pair.A.ID, pair.B.ID, bothHold},
			Text: fmt.Sprintf("Your facts %s (%q) and %s (%q) exclude each other, so neither binds. Which one holds? "+
				"An answer in other words replaces both.", pair.A.ID, plain.Short(pair.A.Text), pair.B.ID, plain.Short(pair.B.Text)),
		})
	}
	for _, a := range resolver.LinesAgainst(s) {
		about := a.Fact + " " + a.Item
		if protocol.WasAsked(s, about) || len(asked) >= room {
			continue
		}
		asked = append(asked, &state.QuestionSurfaced{
			What: state.QuestionConstraint, About: about, Options: []string{factHolds},
			Text: fmt.Sprintf("%s says %q, %s. The fact binds until you replace it: answer with the new fact, or that "+
				"it holds.", a.Fact, plain.Short(s.Fact(a.Fact).Text), resolver.LineSays(s, a)),
		})
	}
	return protocol.Surface(s, asked...)
}

// AskAboutPoints asks the user whether a point contradicts a fact of theirs if code cannot tell: only the last elements
// of the paths are equal, or the units or kinds of the values differ (AC5b).
func AskAboutPoints(s *state.State) (protocol.Turn, bool) {
	if s.WasClosed() {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: s}
	for _, p := range LivePoints(s) {
		stated := p.Predicates()
		if len(stated) == 0 {
			continue
		}
		for _, fact := range s.Facts.All() {
			if !fact.Binds() ||
				slices.ContainsFunc(p.Violates, func(v state.Violation) bool { return v.Fact == fact.ID }) {
				continue
			}
			found, one, other := ledger.Conflicts(stated, fact.Predicates)
			if found != ledger.PossibleConflict {
				continue
			}
			words := one.String() + ", " + other.String()
			d.Attempt(
				&state.ViolationNamed{Point: p.ID, Fact: fact.ID, By: state.Protocol, Words: plain.Short(words)},
				&state.QuestionSurfaced{
					ID: d.State.NextQuestion(), Point: p.ID, What: state.QuestionConstraint, Options: []string{"yes", "no"},
					About: fact.ID, Text: fmt.Sprintf("%s (%q) may contradict your fact %s (%q). Does it?", p.ID,
						plain.Short(p.Text), fact.ID, plain.Short(fact.Text)),
				})
		}
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// answerConstraint records what follows from an answer about a fact: whether a point contradicts it, which of two facts
// holds, or the fact that replaces it.
func (u *UserAdmitter) answerConstraint(q *state.Question, answer string) error {
	if p := u.State.Live(q.Point); p != nil {
		return u.Add(&state.ViolationNamed{Point: p.ID, Fact: q.About, By: state.User, Confirmed: yes(answer)})
	}
	facts := lists.Filter(lists.Map(strings.Fields(q.About), u.State.Fact), func(fact *ledger.Fact) bool {
		return fact != nil
	})
	keeps := func(kept *ledger.Fact) bool { return strings.EqualFold(answer, kept.ID) }
	switch {
	case strings.EqualFold(answer, bothHold), strings.EqualFold(answer, factHolds):
		for _, fact := range facts {
			if err := u.restore(fact); err != nil {
				return err
			}
		}
		return nil
	case slices.ContainsFunc(facts, keeps):
		kept := facts[slices.IndexFunc(facts, keeps)]
		for _, other := range facts {
			if other == kept || !other.Live {
				continue
			}
			if kept.Live {
				u.Record(&state.FactSuperseded{Fact: other.ID, By: kept.ID})
				continue
			}
			return u.UserAdmitter.Move(protocol.RecordFact{Text: kept.Text, Supersedes: other.ID})
		}
		return u.restore(kept)
	case yes(answer), strings.EqualFold(answer, "no"), strings.EqualFold(answer, "n"):
		return protocol.Refuse(
			"answer",
			"answer with one of %s, or with the fact that holds instead",
			strings.Join(q.Options, ", "),
		)
	}
	newer := u.State.NextFact()
	if err := u.AddFact(answer); err != nil {
		return err
	}
	for _, fact := range facts {
		if u.State.Fact(fact.ID).Live {
			u.Record(&state.FactSuperseded{Fact: fact.ID, By: newer})
		}
	}
	return u.Failed
}

// restore records a fact again that an earlier answer took out of the live set.
func (u *UserAdmitter) restore(fact *ledger.Fact) error {
	if u.State.Fact(fact.ID).Live ||
		u.State.Facts.Any(func(f *ledger.Fact) bool { return f.Binds() && f.Text == fact.Text }) {
		return nil
	}
	return u.UserAdmitter.Move(protocol.RecordFact{Text: fact.Text})
}
