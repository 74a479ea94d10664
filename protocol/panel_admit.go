package protocol

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Admit implements Format. An answer, and what is argued, is admitted as in a
// consultation; marks and votes in ways of their own.
func (Panel) Admit(s state.State, ask Ask, moves []Move) Admission {
	if ask.Stage != state.StageTriage && ask.Stage != state.StageVote {
		return Consult{}.Admit(s, ask, moves)
	}
	d := &draft{s: s}
	a := &admission{draft: d, ask: ask, seat: ask.Seat, began: s.Seq}
	do := a.mark
	if ask.Stage == state.StageVote {
		do = a.vote
	}
	for i, m := range moves {
		d.try(i+1, func() error {
			if !slices.Contains(ask.Moves, m.Kind()) {
				return refuse("not-allowed", "%s is no move of this turn", m.Kind())
			}
			return do(m)
		})
	}
	return Admission{Events: d.events, Refused: d.refused}
}

// mark is what the orchestrator says of the answers: what is beside the question,
// what asserts the same, and which pairs are on one subject (RD1b).
func (a *admission) mark(m Move) error {
	switch m := m.(type) {
	case *FlagMove:
		// Nothing to mark, or something beside it: neither changes anything.
		return nil
	case *Merge:
		return a.merge(m)
	case *Triage:
		if m.Other == "" {
			return a.triage(m)
		}
		p, err := a.point(m.Point)
		if err != nil {
			return err
		}
		if err := a.compare(p, m.Other, state.Pair{Same: m.SameSubject, Opposed: m.Opposed, Alike: m.Alike}, a.seat); err != nil || m.Scope == "" {
			return err
		}
		scoped := *m
		scoped.Other = ""
		return a.triage(&scoped)
	}
	return refuse("unknown-move", "%s is no move of this turn", m.Kind())
}

// compare marks two points. Who marks a pair anew is the user: seats do it once.
func (d *draft) compare(p *state.Point, other string, mark state.Pair, by state.Seat) error {
	q := d.s.Live(other)
	switch {
	case q == nil:
		return refuse("unknown-point", "there is no point %q", other)
	case q.ID == p.ID:
		return refuse("pair", "%s cannot be compared with itself", p.ID)
	case sameAuthors(p, q):
		return refuse("pair", "%s and %s are of the same panelist", p.ID, q.ID)
	case by != state.User && paired(&d.s, p, q):
		return refuse("pair", "%s and %s are marked already", p.ID, q.ID)
	case mark.Opposed && mark.Alike:
		return refuse("pair", "%s and %s cannot both say the same and contradict each other", p.ID, q.ID)
	}
	same := mark.Same || mark.Opposed || mark.Alike
	return d.add(&state.PointsPaired{A: p.ID, B: q.ID, Same: same, Opposed: mark.Opposed, Alike: mark.Alike, By: by})
}

// vote is a panelist's side in a conflict of which its answer says nothing. It
// raises no challenge: it is counted.
func (a *admission) vote(m Move) error {
	switch m := m.(type) {
	case *FlagMove:
		return nil
	case *Cite:
		if err := a.contestedPoint(m.Point); err != nil {
			return err
		}
		return a.cite(m.Point, m.Citation, m.Label)
	case *Classify:
		if err := a.contestedPoint(m.Point); err != nil {
			return err
		}
		p := a.s.Live(m.Point)
		if err := a.add(&state.PointClassified{
			Point: p.ID, By: a.seat, Class: m.Class, Reason: strings.TrimSpace(first(m.Reason, m.Flaw)), Value: m.ValueJudgment,
		}); err != nil {
			return err
		}
		relation := ledger.Supports
		if m.Class == state.Skeptical || m.Class == state.Reject {
			relation = ledger.Refutes
		}
		return a.bring(p.ID, m.Citations, LabelNone, relation)
	}
	return refuse("unknown-move", "%s is no move of this turn", m.Kind())
}

// contestedPoint refuses a point that the seat was not asked about.
func (a *admission) contestedPoint(id string) error {
	p, err := a.point(id)
	if err != nil {
		return err
	}
	t := resolver.NewTable(&a.s)
	for _, c := range neutral(t, a.seat) {
		left, right := t.Sides(c)
		if slices.Contains(left.Points, p.ID) || slices.Contains(right.Points, p.ID) {
			return nil
		}
	}
	return refuse("closed-point", "%s is in no conflict that you were asked about", p.ID)
}

// MarkPair says how two points of a panel are to each other, over what was marked
// before: on one subject, in contradiction, or the same; none of these is that
// they have nothing to do with each other.
type MarkPair struct {
	A, B                 string
	Same, Opposed, Alike bool
}

// ArgueConflict has the two sides of a conflict argue it.
type ArgueConflict struct{ Conflict string }

func (MarkPair) userMove()      {}
func (ArgueConflict) userMove() {}

// userMove implements Format.
func (Panel) userMove(u *userAdmission, move UserMove) (handled bool, err error) {
	switch m := move.(type) {
	case MarkPair:
		return true, u.markPair(m)
	case ArgueConflict:
		return true, u.sendToArgue(m.Conflict)
	case AnswerQuestion:
		q := u.s.QuestionByID(m.Question)
		if q == nil || strings.TrimSpace(m.Answer) == "" {
			return false, nil
		}
		if seat, ok := strings.CutPrefix(q.About, state.AboutMissing); ok {
			return true, u.answerMissing(q, state.Seat(seat), m.Answer)
		}
		if id, ok := strings.CutPrefix(q.About, state.AboutConflict); ok && u.s.Conflict(id) != nil {
			return true, u.answerConflict(q, u.s.Conflict(id), m.Answer)
		}
	}
	return false, nil
}

func (u *userAdmission) markPair(m MarkPair) error {
	p, q := u.s.Current(m.A), u.s.Current(m.B)
	if p == nil {
		return refuse("unknown-point", "there is no point %q", m.A)
	}
	if q == nil {
		return refuse("unknown-point", "there is no point %q", m.B)
	}
	mark := state.Pair{Same: m.Same || m.Opposed || m.Alike, Opposed: m.Opposed, Alike: m.Alike}
	if last := lastMark(&u.s, p, q); last != nil && last.Same == mark.Same && last.Opposed == mark.Opposed && last.Alike == mark.Alike {
		return refuse("repeated", "%s and %s are marked so already", p.ID, q.ID)
	}
	if err := u.compare(p, q.ID, mark, state.User); err != nil {
		return err
	}
	for _, c := range u.s.Panel.Conflicts.All() {
		a, b := u.s.Current(c.A), u.s.Current(c.B)
		if c.Dropped || !(a == p && b == q || b == p && a == q) {
			continue
		}
		// What the user says now is found anew where it still is a conflict.
		if err := u.add(&state.ConflictDropped{ID: c.ID, By: state.User, Reason: "the user marked the pair anew"}); err != nil {
			return err
		}
	}
	return nil
}

// sendToArgue has a conflict argued. It answers the question that offers that: what
// is argued anew is asked about again where it ends in vain.
func (u *userAdmission) sendToArgue(id string) error {
	id = strings.ToUpper(strings.TrimSpace(id))
	if q := questionAbout(&u.s, state.AboutConflict+id); q != nil && !q.Answered && slices.Contains(q.Options, answerArgue) {
		if err := u.add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answerArgue}); err != nil {
			return err
		}
	}
	return u.argueConflict(id)
}

func (u *userAdmission) argueConflict(id string) error {
	c := u.s.Conflict(id)
	switch {
	case c == nil:
		return refuse("unknown-conflict", "there is no conflict %q", id)
	case u.s.Over() || u.s.Round >= lastRound(&u.s):
		return refuse("closed", "no further round comes: rule on the points of %s instead", c.ID)
	case c.Argued:
		return refuse("repeated", "%s is argued already", c.ID)
	case resolver.Settled(c):
		return refuse("closed", "%s was settled: %s; mark the pair anew or rule on its points instead", c.ID, c.Settlement.Reasoning)
	case c.Dropped || !resolver.Arguable(&u.s, c):
		return refuse("closed", "%s has no two sides that could argue it", c.ID)
	case crowded(&u.s, c):
		return refuse("too-many", "more than %d points would be argued at once", MaxInScope)
	}
	return u.argue(c, state.User)
}

// lastMark is how two points, or what they became, were last marked; nil where
// nobody did.
func lastMark(s *state.State, p, q *state.Point) *state.Pair {
	for i := s.Pairs.Len() - 1; i >= 0; i-- {
		mark := s.Pairs.At(i)
		if a, b := s.Current(mark.A), s.Current(mark.B); a == p && b == q || a == q && b == p {
			return mark
		}
	}
	return nil
}

// sameAuthors reports whether the same seats brought two points.
func sameAuthors(p, q *state.Point) bool {
	return len(p.Authors) == len(q.Authors) && !slices.ContainsFunc(p.Authors, func(seat state.Seat) bool { return !q.IsAuthor(seat) })
}

// answered records the user's answer, an option also by its number.
func (u *userAdmission) answered(q *state.Question, answer string) (string, error) {
	answer = strings.TrimSpace(answer)
	if n := numbered(answer, len(q.Options)); n >= 0 {
		answer = q.Options[n]
	}
	for _, option := range q.Options {
		if strings.EqualFold(option, answer) {
			return option, u.add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: option})
		}
	}
	return "", refuse("answer", "answer %s with one of: %s", q.ID, strings.Join(q.Options, ", "))
}

func (u *userAdmission) answerMissing(q *state.Question, seat state.Seat, given string) error {
	answer, err := u.answered(q, given)
	if err != nil || answer != answerAgain {
		return err
	}
	return u.add(&state.SeatRecalled{Seat: seat, By: state.User})
}

func (u *userAdmission) answerConflict(q *state.Question, c *state.Conflict, given string) error {
	answer, err := u.answered(q, given)
	if err != nil {
		return err
	}
	switch answer {
	case answerOpen:
		return nil
	case answerArgue:
		return u.argueConflict(c.ID)
	}
	t := resolver.NewTable(&u.s)
	a, b := t.Sides(c)
	// The point that was offered may have been revised since: what it says now is
	// the side that was chosen.
	chosen := t.Claim(answer)
	if c.Dropped || a == nil || b == nil || a == b || answer != state.AnswerNeither && chosen != a && chosen != b {
		return refuse("closed", "%s is no conflict between the two any more: rule on the points instead", c.ID)
	}
	for _, side := range []*resolver.Claim{a, b} {
		what := state.OverrideDismiss
		if side == chosen {
			what = state.OverrideAgree
		}
		for _, id := range side.Points {
			if err := u.add(&state.OverrideMade{What: what, Point: id, Reason: state.DecidedReason(c.ID)}); err != nil {
				return err
			}
		}
	}
	return nil
}
