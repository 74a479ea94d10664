package resolver

import (
	"slices"

	"moot/state"
)

// panels is how sessions of the format panel are ruled on. Nothing is reused: what
// one panelist holds bears on what all others hold of the same.
func panels() system {
	return system{
		rule: func(s *state.State) []state.Ruling {
			t := newTable(s)
			rulings := make([]state.Ruling, 0, s.Points.Len())
			for _, p := range s.Points.All() {
				rulings = append(rulings, t.rule(p))
			}
			return rulings
		},
		ruleOne: func(s *state.State, p *state.Point) state.Ruling { return newTable(s).rule(p) },
		ruler: func() func(*state.State) []state.Ruling {
			return func(s *state.State) []state.Ruling { return systemOf(state.FormatPanel).rule(s) }
		},
		lastRound: func(*state.State) int { return state.MaxRounds },
		because:   becausePoint,
		explain:   explainPoint,
	}
}

// Table is where the answers of a panel lie side by side: which points say the
// same, who holds them, and which are contested. It is made from one state and
// does not follow it.
type Table struct {
	s *state.State
	// stance is the first of the points that say the same as a point, by id.
	stance map[string]string
	// claims are the stances in the order of their first points.
	claims []*Claim
	// live are the conflicts that stand between two stances, in order.
	live []*state.Conflict
}

// Claim is what one or several panelists assert, in one wording or more.
type Claim struct {
	// Points are the points that say it, the first one first; merged ones are not
	// among them.
	Points []string
	// Holders are the panelists whose answers say it, in the order of the seats.
	Holders []state.Seat
	// Conflicts are the ids of those that it is in.
	Conflicts []string
}

// NewTable lays the answers of a panel side by side.
func NewTable(s *state.State) *Table { return newTable(s) }

func newTable(s *state.State) *Table {
	t := &Table{s: s, stance: map[string]string{}}
	for _, p := range s.Points.All() {
		if p.MergedInto == "" && p.RevisedBy == "" {
			t.stance[p.ID] = p.ID
		}
	}
	for _, pair := range marks(s) {
		a, b := s.Current(pair.A), s.Current(pair.B)
		if a != nil && b != nil && pair.Same && pair.Alike && !pair.Opposed {
			t.join(a.ID, b.ID)
		}
	}
	t.lay()
	return t
}

// marks are the marked pairs, of each pair the last mark.
func marks(s *state.State) []state.Pair {
	var order [][2]string
	last := map[[2]string]state.Pair{}
	for _, pair := range s.Pairs.All() {
		key := [2]string{min(pair.A, pair.B), max(pair.A, pair.B)}
		if _, known := last[key]; !known {
			order = append(order, key)
		}
		last[key] = *pair
	}
	found := make([]state.Pair, len(order))
	for i, key := range order {
		found[i] = last[key]
	}
	return found
}

// join makes one stance of two: the one that came first leads.
func (t *Table) join(a, b string) {
	a, b = t.stance[a], t.stance[b]
	if a == b || a == "" || b == "" {
		return
	}
	if earlier(b, a) {
		a, b = b, a
	}
	for id, lead := range t.stance {
		if lead == b {
			t.stance[id] = a
		}
	}
}

// earlier reports whether one point was raised before another.
func earlier(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }

// lay makes the claims, and finds which conflicts stand.
func (t *Table) lay() {
	claims := map[string]*Claim{}
	for _, p := range t.s.Points.All() {
		lead := t.stance[p.ID]
		if lead == "" {
			continue
		}
		c := claims[lead]
		if c == nil {
			c = &Claim{}
			claims[lead] = c
			t.claims = append(t.claims, c)
		}
		c.Points = append(c.Points, p.ID)
	}
	for _, c := range t.claims {
		for _, seat := range t.s.Panelists() {
			if slices.ContainsFunc(c.Points, func(id string) bool { return t.s.Point(id).Holds(seat) }) {
				c.Holders = append(c.Holders, seat)
			}
		}
	}
	seen := map[[2]string]bool{}
	for _, c := range t.s.Panel.Conflicts.All() {
		a, b, ok := t.sides(c)
		if !ok || seen[[2]string{a, b}] {
			continue
		}
		seen[[2]string{a, b}], seen[[2]string{b, a}] = true, true
		t.live = append(t.live, c)
		claims[a].Conflicts = append(claims[a].Conflicts, c.ID)
		claims[b].Conflicts = append(claims[b].Conflicts, c.ID)
	}
}

// sides are the stances of a conflict; ok is false where it is none, or none any
// more: dropped, or both sides say the same now.
func (t *Table) sides(c *state.Conflict) (a, b string, ok bool) {
	p, q := t.s.Current(c.A), t.s.Current(c.B)
	if p == nil || q == nil || c.Dropped || !placed(p) || !placed(q) {
		return "", "", false
	}
	a, b = t.stance[p.ID], t.stance[q.ID]
	return a, b, a != "" && b != "" && a != b
}

// placed reports whether a point was not put aside: it is in scope, or nobody
// said otherwise yet.
func placed(p *state.Point) bool {
	return p.Scope == state.InScope || p.Scope == state.Untriaged
}

// Claims are what the panel asserts, in the order in which it was first said.
func (t *Table) Claims() []*Claim { return t.claims }

// Conflicts are those that stand, in the order in which they were found: not the
// dropped ones, nor those between sides that say the same by now.
func (t *Table) Conflicts() []*state.Conflict { return t.live }

// Claim returns the claim that a point says, or nil. Ids of merged and revised
// points lead to what they became.
func (t *Table) Claim(point string) *Claim {
	p := t.s.Current(point)
	if p == nil {
		return nil
	}
	lead := t.stance[p.ID]
	for _, c := range t.claims {
		if c.Points[0] == lead {
			return c
		}
	}
	return nil
}

// Sides are the two claims of a conflict that stands.
func (t *Table) Sides(c *state.Conflict) (a, b *Claim) { return t.Claim(c.A), t.Claim(c.B) }

// of are the conflicts that stand which a point is in.
func (t *Table) of(p *state.Point) []*state.Conflict {
	var found []*state.Conflict
	for _, c := range t.live {
		if a, b, _ := t.sides(c); t.stance[p.ID] == a || t.stance[p.ID] == b {
			found = append(found, c)
		}
	}
	return found
}

// opposite is the claim on the other side of a conflict that a point is in.
func (t *Table) opposite(c *state.Conflict, p *state.Point) *Claim {
	a, b := t.Sides(c)
	if t.stance[p.ID] == a.Points[0] {
		return b
	}
	return a
}

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

// contests are the conflicts in which a point is argued: once a side is given up
// or lost there is nothing to argue.
func contests(s *state.State, p *state.Point) []*state.Conflict {
	var found []*state.Conflict
	for _, c := range s.Panel.Conflicts.All() {
		a, b := s.Current(c.A), s.Current(c.B)
		if c.Argued && !c.Dropped && !Settled(c) && (a == p || b == p) && a != b && stands(s, a) && stands(s, b) {
			found = append(found, c)
		}
	}
	return found
}

// stands reports whether somebody still stands for a point.
func stands(s *state.State, p *state.Point) bool { return p != nil && Held(p) && !Lost(s, p) }

// opponents are the panelists on the other side of what a point is argued in.
func opponents(s *state.State, p *state.Point) []state.Seat {
	var seats []state.Seat
	for _, c := range contests(s, p) {
		other := s.Current(c.A)
		if other == p {
			other = s.Current(c.B)
		}
		if other == nil {
			continue
		}
		for _, seat := range other.Authors {
			if seat.IsPanelist() && !p.IsAuthor(seat) && !s.Panel.Misses(seat) && !slices.Contains(seats, seat) {
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
	known := map[[2]string]bool{}
	for _, c := range t.live {
		a, b, _ := t.sides(c)
		known[[2]string{a, b}], known[[2]string{b, a}] = true, true
	}
	for _, pair := range marks(s) {
		p, q := s.Current(pair.A), s.Current(pair.B)
		if !pair.Same || pair.Alike || p == nil || q == nil || !Held(p) || !Held(q) {
			continue
		}
		a, b := t.stance[p.ID], t.stance[q.ID]
		if a == "" || b == "" || a == b || known[[2]string{a, b}] {
			continue
		}
		known[[2]string{a, b}], known[[2]string{b, a}] = true, true
		kind := state.Disagreement
		if pair.Opposed {
			kind = state.Contradiction
		}
		found = append(found, Apart{A: p.ID, B: q.ID, Kind: kind, By: pair.By})
	}
	return found
}

// Ended reports whether a conflict came to an end beside its strategy: one side is
// given up or lost, or the user ruled on both.
func (t *Table) Ended(c *state.Conflict) bool {
	a, b := t.Sides(c)
	if a == nil || b == nil || t.gone(a) || t.gone(b) {
		return true
	}
	ruled := func(id string) bool { return t.s.Point(id).UserRuling != nil }
	return !slices.ContainsFunc(slices.Concat(a.Points, b.Points), func(id string) bool { return !ruled(id) })
}

// SameSettlement reports whether two settlements are the same.
func SameSettlement(a, b *state.Settlement) bool {
	return a.Method == b.Method && a.Measure == b.Measure && a.Winner == b.Winner && a.Confidence == b.Confidence &&
		a.Reasoning == b.Reasoning && a.Settled == b.Settled && slices.Equal(a.Positions, b.Positions)
}
