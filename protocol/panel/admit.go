package panel

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// Admit implements Format. Answers and arguments follow the rules of a consultation. Marks
// and votes have their own rules.
func (Format) Admit(s state.State, ask protocol.Ask, moves []protocol.Move) protocol.Admission {
	if ask.Stage != state.StageTriage && ask.Stage != state.StageVote {
		return protocol.AdmitClaims(s, ask, moves)
	}
	d := &protocol.Draft{State: s}
	a := &protocol.Admitter{Draft: d, Ask: ask, Seat: ask.Seat, Began: s.Seq}
	do := mark
	if ask.Stage == state.StageVote {
		do = vote
	}
	for i, m := range moves {
		d.Try(i+1, func() error {
			if !slices.Contains(ask.Moves, m.Kind()) {
				return protocol.Refuse("not-allowed", "%s is not allowed in this turn", m.Kind())
			}
			return do(a, m)
		})
	}
	return protocol.Admission{Events: d.Events, Refused: d.Refused}
}

// mark admits a move of the orchestrator's comparison: which points are out of scope,
// which assert the same, and which pairs share a subject (RD1b).
func mark(a *protocol.Admitter, m protocol.Move) error {
	switch m := m.(type) {
	case *protocol.FlagMove:
		// No effect: there is nothing to mark.
		return nil
	case *protocol.Merge:
		return a.Merge(m)
	case *protocol.Triage:
		if m.Other == "" {
			return a.Triage(m)
		}
		p, err := a.Point(m.Point)
		if err != nil {
			return err
		}
		if err := compare(a.Draft, p, m.Other, state.Pair{Same: m.SameSubject, Opposed: m.Opposed, Alike: m.Alike},
			a.Seat); err != nil || m.Scope == "" {
			return err
		}
		scoped := *m
		scoped.Other = ""
		return a.Triage(&scoped)
	}
	return protocol.Refuse("unknown-move", "%s is not allowed in this turn", m.Kind())
}

// compare marks a pair of points. Seats mark a pair once; only the user may change it.
func compare(d *protocol.Draft, p *state.Point, other string, mark state.Pair, by state.Seat) error {
	q := d.State.Live(other)
	switch {
	case q == nil:
		return protocol.Refuse("unknown-point", "there is no point %q", other)
	case q.ID == p.ID:
		return protocol.Refuse("pair", "%s cannot be compared with itself", p.ID)
	case sameAuthors(p, q):
		return protocol.Refuse("pair", "%s and %s are of the same panelist", p.ID, q.ID)
	case by != state.User && protocol.IsPaired(&d.State, p, q):
		return protocol.Refuse("pair", "%s and %s are marked already", p.ID, q.ID)
	case mark.Opposed && mark.Alike:
		return protocol.Refuse("pair", "%s and %s cannot both say the same and contradict each other", p.ID, q.ID)
	}
	same := mark.Same || mark.Opposed || mark.Alike
	return d.Add(&state.PointsPaired{A: p.ID, B: q.ID, Same: same, Opposed: mark.Opposed, Alike: mark.Alike, By: by})
}

// vote records a panelist's side in a conflict that its own answer doesn't cover. It
// counts, but it raises no challenge.
func vote(a *protocol.Admitter, m protocol.Move) error {
	switch m := m.(type) {
	case *protocol.FlagMove:
		return nil
	case *protocol.Cite:
		if err := contestedPoint(a, m.Point); err != nil {
			return err
		}
		return a.Cite(m.Point, m.Citation, m.Label)
	case *protocol.Classify:
		if err := contestedPoint(a, m.Point); err != nil {
			return err
		}
		p := a.State.Live(m.Point)
		if err := a.Add(&state.PointClassified{
			Point: p.ID, By: a.Seat, Class: m.Class, Reason: strings.TrimSpace(protocol.FirstNonBlank(m.Reason, m.Flaw)),
			Value: m.ValueJudgment,
		}); err != nil {
			return err
		}
		relation := ledger.Supports
		if m.Class == state.Skeptical || m.Class == state.Reject {
			relation = ledger.Refutes
		}
		return a.Bring(p.ID, m.Citations, protocol.LabelNone, relation)
	}
	return protocol.Refuse("unknown-move", "%s is not allowed in this turn", m.Kind())
}

// contestedPoint returns a point that the seat was asked to vote on.
func contestedPoint(a *protocol.Admitter, id string) error {
	p, err := a.Point(id)
	if err != nil {
		return err
	}
	t := NewTable(&a.State)
	for _, c := range neutralOn(t, a.Seat) {
		left, right := t.Sides(c)
		if slices.Contains(left.Points, p.ID) || slices.Contains(right.Points, p.ID) {
			return nil
		}
	}
	return protocol.Refuse("closed-point", "%s is in no conflict that you were asked about", p.ID)
}

// sameAuthors reports whether the same seats brought two points.
func sameAuthors(p, q *state.Point) bool {
	return len(p.Authors) == len(q.Authors) &&
		!slices.ContainsFunc(p.Authors, func(seat state.Seat) bool { return !q.IsAuthor(seat) })
}

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
	case c.Dropped || !arguable(&u.State, c):
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
