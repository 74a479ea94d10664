package resolver

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// bySession tries the end of the session: what is open then stays so.
func (w *whatIf) bySession() {
	if w.running() {
		w.consider(MovedBySession, "the session ends now", "", w.supposeUser().add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user closed the session"}))
	}
}

// byUser tries what the user may do at any time: answer what is asked, answer a
// challenge, give evidence and facts, say what kind of point it is, rule.
func (w *whatIf) byUser() {
	for _, q := range w.s.Questions.All() {
		if q.Answered || q.Point == "" {
			continue
		}
		if p := w.s.Live(q.Point); p == nil || p.ID != w.p.ID {
			continue
		}
		w.onQuestion(q)
	}
	w.onKind()
	if w.s.Closed {
		return
	}
	w.onUserAnswer()
	w.onUserEvidence()
	w.onUserFacts()
	w.onUserRuling()
}

// onQuestion tries each answer that moves something.
func (w *whatIf) onQuestion(q *state.Question) {
	try := func(answer string, events ...state.Payload) {
		x := w.supposeUser().add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answer}).add(events...)
		shown := quote(answer)
		w.consider(MovedByUser, "you answer "+q.ID+" with "+shown, "you answered "+q.ID+" with "+shown, x)
	}
	p := w.p
	switch q.Kind {
	case state.QuestionAnchorShift:
		try("consent", &state.AnchorShiftConsented{Point: p.ID, Consented: true, Reading: p.Text})
		try("refuse", &state.AnchorShiftConsented{Point: p.ID})
	case state.QuestionTradeoff:
		for i, what := range []state.OverrideKind{state.OverrideAgree, state.OverrideDismiss} {
			// Of two options that read the same the first is taken.
			if i < len(q.Options) && slices.Index(q.Options, q.Options[i]) == i {
				try(q.Options[i], &state.OverrideMade{What: what, Point: p.ID, Reason: "chose a side of the tradeoff: " + q.Options[i]})
			}
		}
	case state.QuestionBlocked:
		for _, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
			answer := string(relation) + ": …"
			try(answer, slices.Concat([]state.Payload{w.userFact(answer)}, w.userEvidence(relation))...)
		}
	case state.QuestionApproval:
		if id, ok := strings.CutPrefix(q.About, "concede "); ok {
			try("concede", &state.ChallengeConceded{Challenge: id, By: state.User, Reason: "the user gave it up"})
		} else if w.s.Fact(q.About) != nil {
			try("yes", &state.ViolationNamed{Point: p.ID, Fact: q.About, By: state.User, Confirmed: true})
		}
	case state.QuestionDefinition, state.QuestionEscalation, state.QuestionPriority:
		// The answer becomes a fact, which moves nothing by itself.
	}
}

func (w *whatIf) userFact(text string) *state.FactRecorded {
	return &state.FactRecorded{ID: state.NextID('F', w.s.Facts.Len()), Tag: ledger.TagUser, Seat: state.User, Text: text}
}

// userEvidence is what the user gives: it counts as verified, textual and
// decisive.
func (w *whatIf) userEvidence(relation ledger.Relation) []state.Payload {
	id := state.NextID('E', w.s.Evidence.Len())
	return []state.Payload{
		&state.EvidenceOffered{ID: id, Point: w.p.ID, Relation: relation, Reference: "the user", Quote: "what you say", Direct: true, By: state.User},
		&state.EvidenceVerified{
			ID: id, Type: ledger.Textual, SourceKind: ledger.UserOverride, Confidence: ledger.ConfidenceUser,
			Reference: "the user", Excerpt: "what you say", Admitted: true, Reason: "the user gave it",
		},
	}
}

func (w *whatIf) onKind() {
	kind, word := state.Value, "a value judgment"
	if w.value {
		kind, word = state.Empirical, "an empirical point"
	}
	w.consider(MovedByUser, "you make it "+word, "you made it "+word,
		w.supposeUser().add(&state.OverrideMade{What: state.OverrideKindSet, Point: w.p.ID, Set: kind}))
}

// onUserAnswer tries an answer of the user's to a challenge whose windows have
// passed, and its acceptance.
func (w *whatIf) onUserAnswer() {
	if !w.running() || !Held(w.p) || w.p.Deadlock != state.DeadlockNone {
		return
	}
	for i, c := range w.challenges {
		last := c.Last()
		final := c.Status == state.StandsUndefended || c.Status == state.StandsDefended && last != nil && last.Judgment == state.Rejected
		if !final || i >= mostTried {
			continue
		}
		x := w.supposeUser().add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: "an answer"})
		if x.impossible || !Debated(&x.s, x.here()) {
			continue
		}
		judge := seatName(JudgeOf(w.s, c))
		accepted := w.supposeUser().add(x.events...).accept(c.ID)
		w.consider(MovedByUser, "you answer "+c.ID, "", x)
		if !accepted.impossible && !sameEnd(x.ends(), accepted.ends()) {
			w.consider(MovedByUser, "you answer "+c.ID+" and "+judge+" accepts that", "", accepted)
		}
	}
}

func (w *whatIf) onUserEvidence() {
	for _, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
		word := "for it"
		if relation == ledger.Refutes {
			word = "against it"
			if w.base.Bucket == state.BucketDismissed {
				continue
			}
		}
		x := w.supposeUser().add(w.userEvidence(relation)...).heard()
		w.consider(MovedByUser, "you give evidence "+word, "", x)
	}
}

// onUserFacts tries a fact of the user's against the point, and the end of one
// that is.
func (w *whatIf) onUserFacts() {
	w.onViolation()
	for _, id := range w.base.Reads {
		if f := w.s.Fact(id); f != nil && f.Live && f.Tag == ledger.TagUser {
			newer := w.userFact("another fact")
			newer.Supersedes = id
			w.consider(MovedByUser, "you replace your fact "+id, "", w.supposeUser().add(newer))
		}
	}
}

// onViolation tries that a seat says what the point contradicts, and the user
// confirms it (AC5).
func (w *whatIf) onViolation() {
	if !w.running() || !w.citable() || w.base.Bucket == state.BucketDismissed {
		return
	}
	x, fact := w.supposeUser(), w.liveUserFact()
	clause := "a seat says that it contradicts your fact " + fact + " and you confirm that"
	if fact == "" {
		fact, clause = state.NextID('F', w.s.Facts.Len()), "you record a fact, a seat says that it contradicts that, and you confirm it"
		x.add(w.userFact("a fact"))
	}
	if slices.ContainsFunc(w.p.Violates, func(v state.Violation) bool { return v.Fact == fact }) {
		// It was said already: the question about it stands for itself.
		return
	}
	id := state.NextID('Q', w.s.Questions.Len())
	w.consider(MovedByUser, clause, "", x.add(
		&state.ViolationNamed{Point: w.p.ID, Fact: fact, By: w.examiner()},
		&state.QuestionSurfaced{ID: id, Point: w.p.ID, What: state.QuestionApproval, Text: "Does it contradict the fact?", Options: []string{"yes", "no"}, About: fact},
		&state.QuestionAnswered{ID: id, By: state.User, Answer: "yes"},
		&state.ViolationNamed{Point: w.p.ID, Fact: fact, By: state.User, Confirmed: true},
	))
}

// liveUserFact returns the user's last live fact, or "".
func (w *whatIf) liveUserFact() string {
	for i := w.s.Facts.Len() - 1; i >= 0; i-- {
		if f := w.s.Facts.At(i); f.Live && f.Tag == ledger.TagUser {
			return f.ID
		}
	}
	return ""
}

func (w *whatIf) onUserRuling() {
	for _, r := range []struct {
		what state.OverrideKind
		word string
	}{
		{state.OverrideReopen, "reopen it"},
		{state.OverrideAgree, "agree with it"},
		{state.OverrideDismiss, "dismiss it"},
		{state.OverrideUnresolved, "leave it unresolved"},
	} {
		w.consider(MovedByUser, "you "+r.word, "", w.supposeUser().add(&state.OverrideMade{What: r.what, Point: w.p.ID}))
	}
	if w.p.Holds(state.User) && len(w.p.Authors) == 1 {
		w.consider(MovedByUser, "you give it up", "", w.supposeUser().add(&state.PointConceded{Point: w.p.ID, By: state.User, Reason: "given up"}))
	}
}
