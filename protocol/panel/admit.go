package panel

import (
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/state"
)

// Admit implements Format. Answers and arguments follow the rules of a consultation. Marks
// and votes have their own rules.
func (Format) Admit(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	if ask.Stage == state.StageConclude {
		return claims.AdmitAnswer(s, ask, moves)
	}
	var do func(*claims.Admitter, move.Move) error
	switch {
	case ask.Stage == StageTriage:
		do = mark
	case ask.Stage == StageVote:
		do = vote
	case isHearing(s, ask):
		do = hear
	default:
		return claims.Admit(s, ask, moves)
	}
	a := claims.NewAdmitter(s, ask)
	a.Each(moves, func(m move.Move) error { return do(a, m) })
	a.Try(0, a.AcceptSupport)
	return a.Admission()
}

// mark admits a move of the orchestrator's comparison: which points are out of scope,
// which assert the same, and which pairs share a subject (RD1b).
func mark(a *claims.Admitter, m move.Move) error {
	switch m := m.(type) {
	case *move.Flag:
		// No effect: there is nothing to mark.
		return nil
	case *move.Merge:
		return a.Merge(m)
	case *move.Accept, *move.Contest:
		return a.Move(m)
	case *move.Classify:
		p, err := a.Point(m.Point)
		if err != nil {
			return err
		}
		return classify(a, p, m)
	case *move.Triage:
		if m.Other == "" {
			return a.Triage(m)
		}
		p, err := a.Point(m.Point)
		if err != nil {
			return err
		}
		if err := compare(a, p, m); err != nil || m.Scope == "" {
			return err
		}
		scoped := *m
		scoped.Other = ""
		return a.Triage(&scoped)
	}
	return protocol.Refuse("unknown-move", "%s is not allowed in this turn", move.KindOf(m))
}

// classify records a verdict that raises no challenge. AGREE accepts the evidence for the point
// too (RV2).
func classify(a *claims.Admitter, p *state.Point, m *move.Classify) error {
	switch {
	case m.Class != state.Agree:
		a.Object(p)
	case a.Objects(p):
		return protocol.Refuse("more-critical", "%s: what the same reply says against it holds, not its AGREE", p.ID)
	default:
		a.Agrees(p, m.Reason)
	}
	a.CallKind(p, m)
	return a.Add(&state.PointClassified{
		Point: p.ID, By: a.Seat, Class: m.Class, Reason: strings.TrimSpace(plain.FirstNonBlank(m.Reason, m.Flaw)),
	})
}

// compare marks a pair of points. A pair is marked once.
func compare(a *claims.Admitter, p *state.Point, m *move.Triage) error {
	q := a.State.Live(m.Other)
	switch {
	case q == nil:
		return protocol.Refuse("unknown-point", "there is no point %q", m.Other)
	case q.ID == p.ID:
		return protocol.Refuse("pair", "%s cannot be compared with itself", p.ID)
	case sameAuthors(p, q):
		return protocol.Refuse("pair", "%s and %s are of the same panelist", p.ID, q.ID)
	case claims.IsPaired(a.State, p, q):
		return protocol.Refuse("pair", "%s and %s are marked already", p.ID, q.ID)
	case m.Opposed && m.Alike:
		return protocol.Refuse("pair", "%s and %s cannot both say the same and contradict each other", p.ID, q.ID)
	}
	same := m.SameSubject || m.Opposed || m.Alike
	return a.Add(&state.PointsPaired{A: p.ID, B: q.ID, Same: same, Opposed: m.Opposed, Alike: m.Alike, By: a.Seat})
}

// vote records a panelist's side in a conflict that its own answer doesn't cover. It
// counts, but it raises no challenge.
func vote(a *claims.Admitter, m move.Move) error {
	switch m := m.(type) {
	case *move.Flag:
		return nil
	case *move.Cite:
		if _, err := contestedPoint(a, m.Point); err != nil {
			return err
		}
		return a.Cite(m.Point, m.Citation, m.Label, "")
	case *move.Classify:
		p, err := contestedPoint(a, m.Point)
		if err != nil {
			return err
		}
		if err := classify(a, p, m); err != nil {
			return err
		}
		relation := ledger.Supports
		if m.Class == state.Skeptical || m.Class == state.Reject {
			relation = ledger.Refutes
		}
		a.OfferAll(p.ID, m.Citations, move.LabelNone, relation, "")
		return nil
	}
	return protocol.Refuse("unknown-move", "%s is not allowed in this turn", move.KindOf(m))
}

// contestedPoint returns a point that the seat was asked to vote on.
func contestedPoint(a *claims.Admitter, id string) (*state.Point, error) {
	p, err := a.Point(id)
	if err != nil {
		return nil, err
	}
	t := NewTable(a.State)
	claim := t.stance[p.ID]
	about := func(c *Conflict) bool { return slices.Contains(t.about[claim], c) }
	if !slices.ContainsFunc(neutralOn(t, a.Seat), about) {
		return nil, protocol.Refuse("closed-point", "%s is in no conflict that you were asked about", p.ID)
	}
	return p, nil
}

// AdmitUser implements Format. The answer to the question about a conflict rules on both sides, in
// every wording. An option may be given by its number.
func (Format) AdmitUser(base *protocol.UserAdmitter, move protocol.UserMove) error {
	u := claims.NewUser(base)
	m, answers := move.(protocol.AnswerQuestion)
	if !answers {
		return u.Move(move)
	}
	q, given := u.State.QuestionByID(m.Question), strings.TrimSpace(m.Answer)
	if q == nil || given == "" {
		return u.Move(move)
	}
	id, about := strings.CutPrefix(q.About, aboutConflict)
	c := Of(u.State).Conflict(id)
	if !about || c == nil {
		return u.Move(move)
	}
	if n := protocol.OptionIndex(given, len(q.Options)); n >= 0 {
		given = q.Options[n]
	}
	i := slices.IndexFunc(q.Options, func(option string) bool { return strings.EqualFold(option, given) })
	if i < 0 {
		return protocol.Refuse("answer", "answer %s with one of: %s", q.ID, strings.Join(q.Options, ", "))
	}
	answer := q.Options[i]
	err := u.Add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answer})
	switch {
	case err != nil || answer == answerOpen:
		return err
	case answer == answerArgue && (u.State.Over() || !canArgue(u.State, c)):
		return protocol.Refuse("closed", "%s can no longer be argued: rule on its points instead", c.ID)
	case answer == answerArgue:
		return argue(u.Draft, c, state.User)
	}
	t := NewTable(u.State)
	a, b := t.Sides(c)
	// The point may have been revised since: use its current wording.
	chosen := t.Claim(answer)
	if c.Dropped || a == nil || b == nil || a == b || answer != answerNeither && chosen != a && chosen != b {
		return protocol.Refuse("closed", "%s is no longer a conflict between the two: rule on the points instead", c.ID)
	}
	for _, side := range []*Claim{a, b} {
		what := state.OverrideDismiss
		if side == chosen {
			what = state.OverrideAgree
		}
		for _, point := range side.Points {
			ruled := &state.OverrideMade{What: what, Point: point, Reason: decidedReason(c.ID)}
			if err := u.Add(ruled); err != nil {
				return err
			}
		}
	}
	return nil
}
