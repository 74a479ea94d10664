package panel

import (
	"slices"
	"strings"

	"moot/protocol"
	"moot/state"
)

// UserMove implements Format.
func (Format) UserMove(u *protocol.UserAdmitter, move protocol.UserMove) (handled bool, err error) {
	switch m := move.(type) {
	case protocol.MarkPair:
		return true, markPair(u, m)
	case protocol.ArgueConflict:
		return true, sendToArgue(u, m.Conflict)
	case protocol.AnswerQuestion:
		q := u.State.QuestionByID(m.Question)
		if q == nil || strings.TrimSpace(m.Answer) == "" {
			return false, nil
		}
		if seat, ok := strings.CutPrefix(q.About, state.AboutMissing); ok {
			return true, answerMissing(u, q, state.Seat(seat), m.Answer)
		}
		if id, ok := strings.CutPrefix(q.About, state.AboutConflict); ok && u.State.Conflict(id) != nil {
			return true, answerConflict(u, q, u.State.Conflict(id), m.Answer)
		}
	}
	return false, nil
}

func markPair(u *protocol.UserAdmitter, m protocol.MarkPair) error {
	p, q := u.State.Current(m.A), u.State.Current(m.B)
	if p == nil {
		return protocol.Refuse("unknown-point", "there is no point %q", m.A)
	}
	if q == nil {
		return protocol.Refuse("unknown-point", "there is no point %q", m.B)
	}
	mark := state.Pair{Same: m.Same || m.Opposed || m.Alike, Opposed: m.Opposed, Alike: m.Alike}
	if last := lastMark(&u.State, p, q); last != nil && last.Same == mark.Same && last.Opposed == mark.Opposed &&
		last.Alike == mark.Alike {
		return protocol.Refuse("repeated", "%s and %s are marked so already", p.ID, q.ID)
	}
	if err := compare(u.Draft, p, q.ID, mark, state.User); err != nil {
		return err
	}
	for _, c := range u.State.Panel.Conflicts.All() {
		a, b := u.State.Current(c.A), u.State.Current(c.B)
		if c.Dropped || !(a == p && b == q || b == p && a == q) {
			continue
		}
		// If the pair still conflicts under the user's mark, the conflict is found again.
		if err := u.Add(&state.ConflictDropped{
			ID: c.ID, By: state.User,
			Reason: "the user marked the pair anew",
		}); err != nil {
			return err
		}
	}
	return nil
}

// sendToArgue has a conflict argued. It also answers the question that offers this, so the
// user is asked again if the argument settles nothing.
func sendToArgue(u *protocol.UserAdmitter, id string) error {
	id = strings.ToUpper(strings.TrimSpace(id))
	if q := questionAbout(&u.State, state.AboutConflict+id); q != nil && !q.Answered &&
		slices.Contains(q.Options, answerArgue) {
		if err := u.Add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answerArgue}); err != nil {
			return err
		}
	}
	return argueConflict(u, id)
}

func argueConflict(u *protocol.UserAdmitter, id string) error {
	c := u.State.Conflict(id)
	switch {
	case c == nil:
		return protocol.Refuse("unknown-conflict", "there is no conflict %q", id)
	case u.State.Over() || u.State.Round >= protocol.LastRound(&u.State):
		return protocol.Refuse("closed", "no further round comes: rule on the points of %s instead", c.ID)
	case c.Argued:
		return protocol.Refuse("repeated", "%s is argued already", c.ID)
	case Settled(c):
		return protocol.Refuse("closed", "%s was settled: %s; mark the pair anew or rule on its points instead", c.ID,
			c.Settlement.Reasoning)
	case c.Dropped || !Arguable(&u.State, c):
		return protocol.Refuse("closed", "%s has no two sides that could argue it", c.ID)
	case atCapacity(&u.State, c):
		return protocol.Refuse("too-many", "more than %d points would be argued at once", protocol.MaxInScope)
	}
	return argue(u.Draft, c, state.User)
}

// lastMark returns the last mark of two points or their revisions, or nil.
func lastMark(s *state.State, p, q *state.Point) *state.Pair {
	for i := s.Pairs.Len() - 1; i >= 0; i-- {
		mark := s.Pairs.At(i)
		if a, b := s.Current(mark.A), s.Current(mark.B); a == p && b == q || a == q && b == p {
			return mark
		}
	}
	return nil
}

// answeredUser records the user's answer. An option may be given by its number.
func answeredUser(u *protocol.UserAdmitter, q *state.Question, answer string) (string, error) {
	answer = strings.TrimSpace(answer)
	if n := protocol.Numbered(answer, len(q.Options)); n >= 0 {
		answer = q.Options[n]
	}
	for _, option := range q.Options {
		if strings.EqualFold(option, answer) {
			return option, u.Add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: option})
		}
	}
	return "", protocol.Refuse("answer", "answer %s with one of: %s", q.ID, strings.Join(q.Options, ", "))
}

func answerMissing(u *protocol.UserAdmitter, q *state.Question, seat state.Seat, given string) error {
	answer, err := answeredUser(u, q, given)
	if err != nil || answer != answerAgain {
		return err
	}
	return u.Add(&state.SeatRecalled{Seat: seat, By: state.User})
}

func answerConflict(u *protocol.UserAdmitter, q *state.Question, c *state.Conflict, given string) error {
	answer, err := answeredUser(u, q, given)
	if err != nil {
		return err
	}
	switch answer {
	case answerOpen:
		return nil
	case answerArgue:
		return argueConflict(u, c.ID)
	}
	t := NewTable(&u.State)
	a, b := t.Sides(c)
	// The point may have been revised since: use its current wording.
	chosen := t.Claim(answer)
	if c.Dropped || a == nil || b == nil || a == b || answer != state.AnswerNeither && chosen != a && chosen != b {
		return protocol.Refuse("closed", "%s is no conflict between the two any more: rule on the points instead", c.ID)
	}
	for _, side := range []*Claim{a, b} {
		what := state.OverrideDismiss
		if side == chosen {
			what = state.OverrideAgree
		}
		for _, id := range side.Points {
			if err := u.Add(&state.OverrideMade{What: what, Point: id, Reason: state.DecidedReason(c.ID)}); err != nil {
				return err
			}
		}
	}
	return nil
}
