package resolver

import (
	"slices"

	"moot/state"
)

// Settled reports whether the strategy ended a conflict.
func Settled(c *state.Conflict) bool { return c.Settlement != nil && c.Settlement.Settled }

// Arguing reports whether the two sides of a conflict still argue it: that was
// decided, and on either side a panelist is left that holds its point.
func Arguing(s *state.State, c *state.Conflict) bool {
	return c.Argued && !c.Dropped && !Settled(c) && Arguable(s, c)
}

// Arguable reports whether each side of a conflict has a panelist that can argue
// for it.
func Arguable(s *state.State, c *state.Conflict) bool {
	for _, id := range []string{c.A, c.B} {
		p := s.Current(id)
		if p == nil || !Held(p) || !slices.ContainsFunc(s.Panelists(), func(seat state.Seat) bool {
			return p.Holds(seat) && !s.Panel.Misses(seat)
		}) {
			return false
		}
	}
	return s.Current(c.A) != s.Current(c.B)
}

// Argued reports whether a point is one of the two that a conflict is argued
// about.
func Argued(s *state.State, p *state.Point) bool { return len(contests(s, p)) > 0 }

// contests are the conflicts in which a point is argued.
func contests(s *state.State, p *state.Point) []*state.Conflict {
	var found []*state.Conflict
	for _, c := range s.Panel.Conflicts.All() {
		if c.Argued && (s.Current(c.A) == p || s.Current(c.B) == p) && contest(s, c) {
			found = append(found, c)
		}
	}
	return found
}

// contest reports whether a conflict is argued: once a side is given up or lost
// there is nothing to argue. Where one was lost the other still has the window that
// it was reminded of: sides that are silent alike fall alike, whichever reply came
// first (CH2).
func contest(s *state.State, c *state.Conflict) bool {
	if !c.Argued || c.Dropped || Settled(c) {
		return false
	}
	a, b := s.Current(c.A), s.Current(c.B)
	if a == b || a == nil || b == nil || !Held(a) || !Held(b) {
		return false
	}
	return !Lost(s, a) && !Lost(s, b) || slices.ContainsFunc(c.Challenges, func(id string) bool {
		k := s.Challenge(id)
		return k != nil && k.Status == state.StandsReminded
	})
}

// Idle reports whether a challenge only says that there is a conflict that nobody
// argues, or not any more: it is owed no answer.
func Idle(s *state.State, c *state.Challenge) bool {
	for _, k := range s.Panel.Conflicts.All() {
		if slices.Contains(k.Challenges, c.ID) {
			return !contest(s, k)
		}
	}
	return false
}

// evaluatorsOfPanel are who holds the other side of what a point is argued in; of
// all else it is the orchestrator.
func evaluatorsOfPanel(s *state.State, p *state.Point) []state.Seat {
	if seats := opponents(s, p); len(seats) > 0 {
		return seats
	}
	return []state.Seat{state.Orchestrator}
}

// opponents are the panelists on the other side of what a point is argued in.
func opponents(s *state.State, p *state.Point) []state.Seat {
	var seats []state.Seat
	for _, c := range contests(s, p) {
		other := s.Current(c.A)
		if other == p {
			other = s.Current(c.B)
		}
		for _, seat := range other.Authors {
			if seat.IsPanelist() && other.Holds(seat) && !p.IsAuthor(seat) && !s.Panel.Misses(seat) &&
				!slices.Contains(seats, seat) {
				seats = append(seats, seat)
			}
		}
	}
	return seats
}

// Apart is a marked pair that is a conflict and was not recorded as one yet.
type Apart struct {
	A, B string
	Kind state.ConflictKind
	By   state.Seat
}

// Contradictory are the marked pairs on one subject whose points do not say the
// same and that no conflict stands for yet, in the order in which they were
// marked.
func Contradictory(s *state.State) []Apart {
	t := newTable(s)
	var found []Apart
	known := map[[2]*Claim]bool{}
	for _, sides := range t.between {
		known[sides], known[[2]*Claim{sides[1], sides[0]}] = true, true
	}
	for _, pair := range t.carried(marks(s)) {
		p, q := s.Current(pair.A), s.Current(pair.B)
		if !pair.Same || pair.Alike || p == nil || q == nil || !Held(p) || !Held(q) {
			continue
		}
		a, b := t.stance[p.ID], t.stance[q.ID]
		if a == nil || b == nil || a == b || known[[2]*Claim{a, b}] {
			continue
		}
		known[[2]*Claim{a, b}], known[[2]*Claim{b, a}] = true, true
		kind := state.Disagreement
		if pair.Opposed {
			kind = state.Contradiction
		}
		found = append(found, Apart{A: p.ID, B: q.ID, Kind: kind, By: pair.By})
	}
	return found
}

// carried adds to the marks those that a revised point leaves to what was marked
// to say the same: that was not revised, and the conflict is its own now.
func (t *Table) carried(marked []state.Pair) []state.Pair {
	left := map[string][]string{}
	for _, pair := range marked {
		a, b := t.s.Live(pair.A), t.s.Live(pair.B)
		if pair.Alike && a != nil && b != nil {
			left[a.ID], left[b.ID] = append(left[a.ID], b.ID), append(left[b.ID], a.ID)
		}
	}
	all := marked
	for _, pair := range marked {
		for i, id := range [2]string{pair.A, pair.B} {
			p := t.s.Live(id)
			if pair.Alike || p == nil || p.RevisedBy == "" {
				continue
			}
			for _, same := range left[p.ID] {
				heir := pair
				if heir.A = same; i == 1 {
					heir.A, heir.B = pair.A, same
				}
				all = append(all, heir)
			}
		}
	}
	return all
}

// Ended reports whether a conflict came to an end beside its strategy: one side
// fell, or the user ruled on all of both.
func (t *Table) Ended(c *state.Conflict) bool {
	a, b := t.Sides(c)
	if a == nil || b == nil || t.gone(a) || t.gone(b) {
		return true
	}
	return t.ruled(a) && t.ruled(b)
}

// fallen reports whether a claim fell for reasons of its own: each of its points
// is dismissed by AC1 to AC8 or AC10. The other side of a conflict is no such
// reason.
func (t *Table) fallen(c *Claim) bool {
	fell, known := t.fell[c]
	if !known {
		acceptance := rules()
		fell = !slices.ContainsFunc(t.points(c), func(p *state.Point) bool {
			r := t.plain(p).first(acceptance[:10])
			return r.Bucket != state.BucketDismissed
		})
		t.fell[c] = fell
	}
	return fell
}

// gone reports whether nothing is left of a claim: it fell, or lost a conflict
// (PN1).
func (t *Table) gone(c *Claim) bool {
	went, known := t.went[c]
	if !known {
		went = t.fallen(c) || !slices.ContainsFunc(t.points(c), func(p *state.Point) bool {
			r, lost := t.plain(p).outvoted()
			return !lost || r.Bucket != state.BucketDismissed
		})
		t.went[c] = went
	}
	return went
}

// ruled reports whether the user ruled on every point of a claim.
func (t *Table) ruled(c *Claim) bool {
	return !slices.ContainsFunc(t.points(c), func(p *state.Point) bool { return p.UserRuling == nil })
}

// agreedByUser is the first point of a claim that the user agreed with, or "".
func (t *Table) agreedByUser(c *Claim) string {
	for _, p := range t.points(c) {
		if p.UserRuling != nil && p.UserRuling.Bucket == state.BucketAgreed {
			return p.ID
		}
	}
	return ""
}

// dismissedByUser reports whether the user dismissed a claim in all its points.
func (t *Table) dismissedByUser(c *Claim) bool {
	return !slices.ContainsFunc(t.points(c), func(p *state.Point) bool {
		return p.UserRuling == nil || p.UserRuling.Bucket != state.BucketDismissed
	})
}

// concededBy are the panelists that gave up a point of a claim that is conceded as
// a whole.
func (t *Table) concededBy(c *Claim) []state.Concession {
	var given []state.Concession
	for _, p := range t.points(c) {
		if _, conceded := p.Conceded(); !conceded {
			return nil
		}
		given = append(given, p.Concessions...)
	}
	return given
}

// SameSettlement reports whether two settlements are the same.
func SameSettlement(a, b *state.Settlement) bool {
	return a.Method == b.Method && a.Measure == b.Measure && a.Winner == b.Winner && a.Confidence == b.Confidence &&
		a.Reasoning == b.Reasoning && a.Settled == b.Settled && slices.Equal(a.Positions, b.Positions)
}
