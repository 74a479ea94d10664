package resolver

import (
	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// byUser tries what the user may do at any time: answer what is asked, rule on
// objections, answer them, give evidence and facts, rule on the field.
func (f *fieldProspect) byUser() {
	for _, id := range f.asked {
		if q := f.s.QuestionByID(id); q.Point == f.p.ID {
			f.onAsked(q)
		}
	}
	f.onVerdicts()
	if Proposed(f.p) {
		f.onUserWord()
		f.onUserFacts()
	}
	f.onUserRuling()
}

// onAsked tries each answer to a question about the field that code understands.
func (f *fieldProspect) onAsked(q *state.Question) {
	for _, answer := range q.Options {
		c := f.user(f.p).then(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answer})
		switch objection := f.s.Challenge(q.About); {
		case answer == "withdraw":
			c.then(&state.FieldWithdrawn{Point: f.p.ID, By: state.User, Reason: "the user withdrew it"})
		case answer == "accept" && objection == nil && !f.p.Field.Withdrawn:
			c.accept("the answer to " + q.ID)
		case objection != nil && (answer == string(dialectic.RulingCleared) || answer == string(dialectic.RulingUpheld)):
			c.then(&state.ObjectionRuled{Challenge: q.About, Verdict: answer})
		default:
			continue
		}
		f.consider(MovedByUser, "you answer "+q.ID+" with "+answer, "", c)
	}
}

// onVerdicts tries the user's word on each objection (R0), and its end.
func (f *fieldProspect) onVerdicts() {
	if f.p.Field.Withdrawn || f.p.UserRuling != nil {
		return
	}
	for _, o := range f.objections(f.p) {
		for _, v := range []struct {
			verdict dialectic.Ruling
			clause  string
		}{
			{dialectic.RulingCleared, "you clear " + o.ID},
			{dialectic.RulingUpheld, "you uphold " + o.ID},
			{dialectic.RulingNone, "you take back your ruling on " + o.ID},
		} {
			if string(v.verdict) != o.Typed.Verdict {
				f.consider(MovedByUser, v.clause, "", f.user(f.p).then(&state.ObjectionRuled{Challenge: o.ID, Verdict: string(v.verdict)}))
			}
		}
	}
}

// onUserWord tries evidence of the user's for the field and against it, and an
// objection.
func (f *fieldProspect) onUserWord() {
	for _, o := range f.burdens(f.p) {
		f.consider(MovedByUser, "you answer "+o.ID, "",
			f.user(f.p).then(&state.ChallengeAnswered{Challenge: o.ID, By: state.User, Text: "an answer"}).
				byUserEvidence("an answer", ledger.Supports, o.ID))
	}
	said := saidOf(f.p.Field.Value)
	f.consider(MovedByUser, "you give evidence for it", "", f.user(f.p).byUserEvidence(said, ledger.Supports, f.p.Challenges...))
	if len(f.p.Challenges) > 0 {
		f.consider(MovedByUser, "you give evidence against it", "", f.user(f.p).byUserEvidence(said, ledger.Refutes, f.p.Challenges...))
	}
	f.consider(MovedByUser, "you object to it", "", f.user(f.p).object(state.User))
}

// onUserFacts tries that the user lays down something that the field contradicts,
// and that a fact which it contradicts is replaced (G6).
func (f *fieldProspect) onUserFacts() {
	fact := func(supersedes string, predicate *ledger.Predicate) *state.FactRecorded {
		return &state.FactRecorded{
			ID: state.NextID('F', f.s.Facts.Len()), Tag: ledger.TagUser, Seat: state.User, Text: "another fact",
			Supersedes: supersedes, Predicate: predicate,
		}
	}
	if !f.fails(f.p, "G6") {
		not := &ledger.Predicate{Path: f.p.Field.Path, Op: "≠", Value: f.p.Field.Value}
		f.consider(MovedByUser, "you record a fact that it contradicts", "", f.user(f.p).then(fact("", not)))
		return
	}
	c, replaced := f.user(f.p), []string{}
	for _, bound := range f.s.Facts.All() {
		if !Binds(bound, f.p) {
			continue
		}
		one := fact(bound.ID, nil)
		one.ID = state.NextID('F', c.s.Facts.Len())
		c.then(one)
		replaced = append(replaced, bound.ID)
	}
	f.consider(MovedByUser, "you replace "+listed(replaced), "", c)
}

func (f *fieldProspect) onUserRuling() {
	p := f.p
	if !p.Field.Withdrawn {
		f.consider(MovedByUser, "you agree to it", "", f.user(p).accept(""))
		f.consider(MovedByUser, "you withdraw it", "", f.user(p).then(&state.FieldWithdrawn{Point: p.ID, By: state.User, Reason: "the user withdrew it"}))
	}
	for _, r := range []struct {
		what state.OverrideKind
		word string
	}{
		{state.OverrideReopen, "reopen it"},
		{state.OverrideDismiss, "dismiss it"},
		{state.OverrideUnresolved, "leave it aside"},
	} {
		f.consider(MovedByUser, "you "+r.word, "", f.user(p).then(&state.OverrideMade{What: r.what, Point: p.ID}))
	}
}
