package protocol

import (
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
)

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
	if last := lastMark(&u.s, p, q); last != nil && last.Same == mark.Same && last.Opposed == mark.Opposed &&
		last.Alike == mark.Alike {
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
		if err := u.add(&state.ConflictDropped{
			ID: c.ID, By: state.User,
			Reason: "the user marked the pair anew",
		}); err != nil {
			return err
		}
	}
	return nil
}

// sendToArgue has a conflict argued. It answers the question that offers that: what
// is argued anew is asked about again where it ends in vain.
func (u *userAdmission) sendToArgue(id string) error {
	id = strings.ToUpper(strings.TrimSpace(id))
	if q := questionAbout(&u.s, state.AboutConflict+id); q != nil && !q.Answered &&
		slices.Contains(q.Options, answerArgue) {
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
		return refuse("closed", "%s was settled: %s; mark the pair anew or rule on its points instead", c.ID,
			c.Settlement.Reasoning)
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
