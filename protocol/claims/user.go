package claims

import (
	"cmp"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// afterTheEnd refuses the moves that a closed session cannot take in, because a seat or the format would have to act on
// them. The user may still answer questions, rule on points, record facts and rewrite the answer (AN3).
func afterTheEnd(s *state.State, move protocol.UserMove) error {
	switch m := move.(type) {
	case RewriteAnswer:
		return nil
	case RuleOn, protocol.RecordFact, protocol.AnswerQuestion:
		if !decidable(s) {
			return protocol.Refuse("closed", "the session is closed with its decision, which cannot change; fork it to continue "+
				"from an earlier event")
		}
		if r, rules := m.(RuleOn); rules && r.What == state.OverrideReopen {
			return protocol.Refuse("no-rounds", "no seat is left to look at %s again: the session is closed; rule on it "+
				"instead, or fork the session", r.Point)
		}
		a, answers := m.(protocol.AnswerQuestion)
		if q := s.QuestionByID(a.Question); answers && q != nil && !answerableAfterEnd(q) {
			return protocol.Refuse("closed", "the session is closed, and nothing would follow from an answer to %s; fork the "+
				"session to continue from an earlier event", q.ID)
		}
		return nil
	}
	return protocol.Refuse(
		"closed",
		"the session is closed: you can answer its questions, rule on points, record facts and "+
			"rewrite the answer; fork it to continue from an earlier event",
	)
}

// decidable reports whether the user can still decide points of a session that is closed. In a format that ends
// with a decision, that decision is final.
func decidable(s *state.State) bool { return Of(s).AnswerSeat(s) != "" }

// answerableAfterEnd reports whether an answer to a question can still change the rulings of a closed session. An
// approval or a choice of points cannot: no command runs and no seat is asked.
func answerableAfterEnd(q *state.Question) bool {
	switch q.Kind {
	case state.QuestionPriority:
		return false
	case state.QuestionApproval:
		return strings.HasPrefix(q.About, aboutConcede)
	case state.QuestionBlocked, state.QuestionTradeoff, state.QuestionDefinition, state.QuestionAnchorShift,
		state.QuestionEscalation, state.QuestionConstraint:
	}
	return true
}

// Move admits one move of the user.
func (u *UserAdmitter) Move(move protocol.UserMove) error {
	switch m := move.(type) {
	case RuleOn:
		return u.ruleOn(m)
	case ChallengePoint:
		return u.challenge(m)
	case AnswerChallenge:
		return u.answer(m)
	case SupplyEvidence:
		return u.Supply(m)
	case protocol.AnswerQuestion:
		return u.answerQuestion(m)
	case SetKind:
		p, err := u.Point(m.Point)
		switch {
		case err != nil:
			return err
		case m.Kind != "" && !slices.Contains(state.Kinds(), m.Kind):
			return protocol.Refuse("kind", "a point is empirical, a value judgment, a decision or a position, not %q",
				m.Kind)
		}
		return u.Add(&state.OverrideMade{What: state.OverrideKindSet, Point: p.ID, Set: m.Kind})
	case ConcedePoint:
		p, err := u.Point(m.Point)
		if err != nil {
			return err
		}
		if !p.IsAuthor(state.User) {
			return protocol.Refuse("not-author", "%s is not yours to concede; dismiss it instead", p.ID)
		}
		return u.Add(&state.PointConceded{Point: p.ID, By: state.User, Reason: m.Reason})
	case WeighEvidence:
		return u.weigh(m)
	case SetPriority:
		return u.prioritize(m.Points)
	case RewriteAnswer:
		return u.rewriteAnswer(m)
	case AskArbitration:
		if _, seated := u.State.Assignment(state.Arbiter); !seated {
			return protocol.Refuse("no-arbiter", "no arbiter is seated; seat one with --arbiter PARTICIPANT")
		}
		return u.Add(&state.OverrideMade{What: state.OverrideArbitrate})
	}
	return u.UserAdmitter.Move(move)
}

func (u *UserAdmitter) ruleOn(m RuleOn) error {
	p, err := u.Point(m.Point)
	if err != nil {
		return err
	}
	switch m.What { //nolint:exhaustive // the others are no rulings
	case state.OverrideReopen:
		if u.State.Round >= resolver.LastRound(u.State) {
			return protocol.Refuse(
				"no-rounds",
				"no round is left in which the seats could look at %s again; rule on it instead",
				p.ID,
			)
		}
	case state.OverrideAgree, state.OverrideDismiss, state.OverrideUnresolved:
	default:
		return protocol.Refuse("ruling", "a ruling is agree, dismiss, unresolved or reopen, not %q", m.What)
	}
	return u.Add(&state.OverrideMade{What: m.What, Point: p.ID, Reason: m.Reason})
}

func (u *UserAdmitter) challenge(m ChallengePoint) error {
	p, err := u.Point(m.Point)
	if err != nil {
		return err
	}
	class := m.Class
	if class != state.Reject {
		class = state.Skeptical
	}
	switch {
	case strings.TrimSpace(m.Objection) == "":
		return protocol.Refuse("empty", "a challenge needs its objection")
	case p.Deadlock != state.DeadlockNone && resolver.Held(p) && !u.State.Over():
		return protocol.Refuse(
			"deadlocked",
			"%s is deadlocked, and no seat would answer: reopen it with your objection, or rule on it",
			p.ID,
		)
	}
	return u.Add(&state.ChallengeRaised{
		ID: u.State.NextChallenge(), Point: p.ID, By: state.User, Kind: class, Objection: m.Objection,
		UpgradeIf: "an answer that the user accepts",
	})
}

func (u *UserAdmitter) answer(m AnswerChallenge) error {
	c := u.State.Challenge(m.Challenge)
	switch {
	case c == nil:
		return protocol.Refuse("unknown-challenge", "there is no challenge %q", m.Challenge)
	case strings.TrimSpace(m.Text) == "":
		return protocol.Refuse("empty", "an answer needs a text")
	}
	return u.Add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: m.Text})
}

// Supply adds evidence from the user: verified and textual, with the source kind that outranks all
// others.
func (u *UserAdmitter) Supply(m SupplyEvidence) error {
	p, err := u.Point(m.Point)
	if err != nil {
		return err
	}
	if strings.TrimSpace(m.Text) == "" {
		return protocol.Refuse("empty", "evidence needs a text")
	}
	relation := cmp.Or(m.Relation, ledger.Supports)
	if !slices.Contains(ledger.Relations(), relation) {
		return protocol.Refuse("relation", "evidence supports or refutes a point or is neutral, not %q", relation)
	}
	id := u.State.NextEvidence()
	reference := plain.FirstNonBlank(m.Reference, "the user")
	offer := &state.EvidenceOffered{
		ID: id, Point: p.ID, Relation: relation, Reference: reference, Quote: m.Text, By: state.User,
	}
	return u.Add(offer, Supplied(offer))
}

// weigh accepts an item of evidence, which ends contests of it, or refuses it (RV2, RV3).
func (u *UserAdmitter) weigh(m WeighEvidence) error {
	item := u.State.Item(m.Evidence)
	switch {
	case item == nil:
		return protocol.Refuse("unknown-evidence", "there is no evidence %q", m.Evidence)
	case m.Accept:
		return u.Add(&state.EvidenceAccepted{ID: item.ID, By: state.User, Reason: m.Reason})
	}
	return u.Add(&state.EvidenceContested{
		ID: item.ID, By: state.User, Reason: plain.FirstNonBlank(m.Reason, "it does not bear on the point"),
	})
}

func (u *UserAdmitter) prioritize(points []string) error {
	var keep []string
	for _, id := range points {
		p, err := u.Point(id)
		if err != nil {
			return err
		}
		if !slices.Contains(keep, p.ID) {
			keep = append(keep, p.ID)
		}
	}
	if len(keep) == 0 || len(keep) > MaxInScope {
		return protocol.Refuse("priority", "name 1 to %d points to keep", MaxInScope)
	}
	return u.Add(&state.OverrideMade{What: state.OverridePriority, Points: keep})
}

// The answers that code understands.
const (
	AboutReexam  = "re-examine"
	AnswerReopen = "re-examine"

	aboutConcede  = "concede "
	answerConcede = "concede"

	aboutClose  = "close"
	answerClose = "close"
)

// answerQuestion records the user's answer and what follows from it.
func (u *UserAdmitter) answerQuestion(m protocol.AnswerQuestion) error {
	q, answer, err := u.Answer(m)
	if err != nil {
		return err
	}
	switch q.Kind {
	case state.QuestionAnchorShift:
		return u.answerShift(q, answer)
	case state.QuestionPriority:
		return u.prioritize(namedPoints(answer))
	case state.QuestionApproval:
		return u.answerApproval(q, answer)
	case state.QuestionConstraint:
		return u.answerConstraint(q, answer)
	case state.QuestionTradeoff:
		return u.answerTradeoff(q, answer)
	case state.QuestionBlocked:
		return u.answerBlocked(q, answer)
	case state.QuestionDefinition, state.QuestionEscalation:
		return u.AddFact(plain.Short(q.Text) + " - " + answer)
	}
	return nil
}

// namedPoints returns the ids of points in a text, in order.
func namedPoints(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return strings.ContainsRune(" ,;\n", r) })
}

func (u *UserAdmitter) answerShift(q *state.Question, answer string) error {
	p := u.State.Live(q.Point)
	if p == nil {
		return nil
	}
	reading := ""
	if yes(answer) {
		reading = p.Text
	}
	u.Record(&state.AnchorShiftConsented{Point: p.ID, Consented: yes(answer), Reading: reading})
	for _, other := range u.State.Points.All() {
		waits := other.Scope == state.AnchorShift || other.Placed && other.Scope == state.InScope
		if waits && other.MergedInto == "" && sameReading(other, p) {
			u.Record(&state.AnchorShiftConsented{Point: other.ID, Consented: yes(answer), Reading: reading})
		}
	}
	return nil
}

func (u *UserAdmitter) answerApproval(q *state.Question, answer string) error {
	switch {
	case strings.HasPrefix(q.About, AboutRun):
		return u.answerRun(q, answer)
	case q.About == protocol.AboutStop:
		if strings.EqualFold(answer, protocol.AnswerStop) && !u.State.Over() {
			return u.Add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user took the offer to stop"})
		}
	case q.About == AboutReexam:
		if !strings.EqualFold(answer, AnswerReopen) {
			return nil
		}
		for _, f := range u.State.Flags {
			u.Record(&state.OverrideMade{
				What: state.OverrideReopen, Point: f.Point,
				Reason: "re-examined: the arbiter flagged it",
			})
		}
	case strings.HasPrefix(q.About, aboutConcede):
		c := u.State.Challenge(strings.TrimPrefix(q.About, aboutConcede))
		switch {
		case c == nil || c.Settled():
		case strings.EqualFold(answer, answerConcede), yes(answer):
			return u.Add(&state.ChallengeConceded{Challenge: c.ID, By: state.User, Reason: "the user gave it up"})
		case c.Status == state.StandsGranted && !u.State.Over() && Of(u.State).Answerable(u.State) &&
			u.State.Live(c.Point).Deadlock == state.DeadlockNone:
			// A defender can still be asked to answer it (CH3b).
			return u.Add(&state.ChallengeReopened{Challenge: c.ID, By: state.User})
		}
	}
	return nil
}

// answerTradeoff records the choice of a side: the point, or what is against it.
func (u *UserAdmitter) answerTradeoff(q *state.Question, answer string) error {
	p := u.State.Live(q.Point)
	if p == nil {
		return nil
	}
	var what state.OverrideKind
	switch {
	case len(q.Options) > 0 && answer == q.Options[0]:
		what = state.OverrideAgree
	case len(q.Options) > 1 && answer == q.Options[1]:
		what = state.OverrideDismiss
	default:
		return u.AddFact("on " + p.ID + ": " + answer)
	}
	return u.Add(
		&state.OverrideMade{What: what, Point: p.ID, Reason: "chose a side of the tradeoff: " + plain.Short(answer)},
	)
}

// answerBlocked records the missing data as a user fact, and also as evidence if the answer says
// which way it points: "supports: …" or "refutes: …".
func (u *UserAdmitter) answerBlocked(q *state.Question, answer string) error {
	if err := u.AddFact(answer); err != nil {
		return err
	}
	for _, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
		text, ok := strings.CutPrefix(answer, string(relation)+":")
		if ok && u.State.Live(q.Point) != nil {
			return u.Supply(SupplyEvidence{Point: q.Point, Text: strings.TrimSpace(text), Relation: relation})
		}
	}
	return nil
}
