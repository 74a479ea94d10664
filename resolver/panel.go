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
		lastRound:  func(*state.State) int { return state.MaxRounds },
		because:    becausePoint,
		explain:    explainPoint,
		bench:      func(s *state.State, p *state.Point) *bench { return newTable(s).bench(p) },
		evaluators: evaluatorsOfPanel,
		// Nothing is debated but what is argued, once the answers were compared.
		debated:  func(s *state.State, p *state.Point) bool { return s.Round <= 1 || Argued(s, p) },
		seconded: func(s *state.State, p *state.Point) bool { return newTable(s).seconded(p) },
	}
}

// Table is where the answers of a panel lie side by side: which points say the
// same, who holds them, and which are contested. It is made from one state and
// does not follow it.
type Table struct {
	s     *state.State
	seats []state.Seat
	rules []rule
	// stance is the claim that a point says, by the id of a point that was neither
	// merged nor revised.
	stance map[string]*Claim
	// claims are the stances in the order of their first points.
	claims []*Claim
	// live are the conflicts that stand between two claims, in order; between are
	// their sides by their ids, and about those that a claim is in.
	live    []*state.Conflict
	between map[string][2]*Claim
	about   map[*Claim][]*state.Conflict
	// raised are the conflicts by the challenges that say so, contests those in
	// which a point is argued, by its id.
	raised   map[string]*state.Conflict
	contests map[string][]*state.Conflict
	// values keeps which points are value judgments.
	values map[string]bool
	// peers are the points that a point says the same as, or the opposite of.
	peers map[string][]string
	// fell and went keep what fallen and gone found.
	fell, went map[*Claim]bool
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
	t := &Table{
		s: s, seats: s.Panelists(), rules: panelRules(), stance: make(map[string]*Claim, s.Points.Len()),
		between: map[string][2]*Claim{},
		about:   map[*Claim][]*state.Conflict{}, raised: map[string]*state.Conflict{},
		contests: map[string][]*state.Conflict{}, peers: map[string][]string{}, values: map[string]bool{},
		fell: map[*Claim]bool{}, went: map[*Claim]bool{},
	}
	t.join()
	t.hold()
	t.contest()
	return t
}

// marks are the marked pairs, of each pair the last mark.
func marks(s *state.State) []state.Pair {
	at := make(map[[2]string]int, s.Pairs.Len())
	var found []state.Pair
	for _, pair := range s.Pairs.All() {
		key := [2]string{min(pair.A, pair.B), max(pair.A, pair.B)}
		if i, known := at[key]; known {
			found[i] = *pair
			continue
		}
		at[key] = len(found)
		found = append(found, *pair)
	}
	return found
}

// join finds which points say the same: each is a claim of its own, and marks put
// claims together. Two that hold points marked as apart stay two, whatever else
// is said of them: to join them would be a false consensus (ST6).
func (t *Table) join() {
	for _, p := range t.s.Points.All() {
		if p.MergedInto == "" && p.RevisedBy == "" {
			t.stance[p.ID] = &Claim{Points: []string{p.ID}}
		}
	}
	apart := map[string][]string{}
	var alike [][2]*state.Point
	for _, pair := range marks(t.s) {
		// A revision says something else than what was compared: nobody but its
		// author holds it.
		a, b := t.s.Live(pair.A), t.s.Live(pair.B)
		switch {
		case a == nil || b == nil || !pair.Same || !joins(a) || !joins(b):
		case pair.Alike && !pair.Opposed:
			alike = append(alike, [2]*state.Point{a, b})
			t.peer(a, b)
		default:
			apart[a.ID], apart[b.ID] = append(apart[a.ID], b.ID), append(apart[b.ID], a.ID)
		}
	}
	for _, pair := range alike {
		a, b := t.stance[pair[0].ID], t.stance[pair[1].ID]
		if a == b || slices.ContainsFunc(a.Points, func(id string) bool {
			return slices.ContainsFunc(apart[id], func(other string) bool { return t.stance[other] == b })
		}) {
			continue
		}
		if len(a.Points) < len(b.Points) {
			a, b = b, a
		}
		a.Points = append(a.Points, b.Points...)
		for _, id := range b.Points {
			t.stance[id] = a
		}
	}
}

// joins reports whether a point may be one claim with others: it was not revised,
// put aside or dismissed by the user.
func joins(p *state.Point) bool {
	return p.RevisedBy == "" && placed(p) && (p.UserRuling == nil || p.UserRuling.Bucket != state.BucketDismissed)
}

// hold orders the claims and finds who holds them.
func (t *Table) hold() {
	seen := make(map[*Claim]bool, len(t.stance))
	for _, p := range t.s.Points.All() {
		c := t.stance[p.ID]
		if c == nil {
			continue
		}
		if !seen[c] {
			seen[c] = true
			// They come again in their order.
			c.Points = c.Points[:0]
			t.claims = append(t.claims, c)
		}
		c.Points = append(c.Points, p.ID)
	}
	for _, c := range t.claims {
		for _, seat := range t.seats {
			if slices.ContainsFunc(c.Points, func(id string) bool { return t.s.Point(id).Holds(seat) }) {
				c.Holders = append(c.Holders, seat)
			}
		}
	}
}

// contest finds which conflicts stand: of several between the same two claims the
// first.
func (t *Table) contest() {
	seen := map[[2]*Claim]bool{}
	for _, c := range t.s.Panel.Conflicts.All() {
		for _, id := range c.Challenges {
			t.raised[id] = c
		}
		p, q := t.s.Current(c.A), t.s.Current(c.B)
		if p == nil || q == nil || p == q || c.Dropped {
			continue
		}
		t.peer(p, q)
		if contest(t.s, c) {
			t.contests[p.ID], t.contests[q.ID] = append(t.contests[p.ID], c), append(t.contests[q.ID], c)
		}
		if !placed(p) || !placed(q) {
			continue
		}
		a, b := t.stance[p.ID], t.stance[q.ID]
		if a == nil || b == nil || a == b || seen[[2]*Claim{a, b}] {
			continue
		}
		seen[[2]*Claim{a, b}], seen[[2]*Claim{b, a}] = true, true
		t.live = append(t.live, c)
		t.between[c.ID] = [2]*Claim{a, b}
		for _, side := range []*Claim{a, b} {
			side.Conflicts = append(side.Conflicts, c.ID)
			t.about[side] = append(t.about[side], c)
		}
	}
}

func (t *Table) peer(p, q *state.Point) {
	t.peers[p.ID], t.peers[q.ID] = append(t.peers[p.ID], q.ID), append(t.peers[q.ID], p.ID)
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
	if p := t.s.Current(point); p != nil {
		return t.stance[p.ID]
	}
	return nil
}

// Sides are the two claims of a conflict, that of its point A first. Both are
// there where the conflict stands; else one may be nil, or both the same.
func (t *Table) Sides(c *state.Conflict) (a, b *Claim) { return t.Claim(c.A), t.Claim(c.B) }

// stands reports whether a conflict is one of Conflicts.
func (t *Table) stands(c *state.Conflict) bool { return t.between[c.ID] != [2]*Claim{} }

// opposite is the claim on the other side of a conflict that a claim is in.
func (t *Table) opposite(c *state.Conflict, claim *Claim) *Claim {
	sides := t.between[c.ID]
	if sides[0] == claim {
		return sides[1]
	}
	return sides[0]
}

// winner is the claim that a strategy settled a conflict for, or nil.
func (t *Table) winner(c *state.Conflict) *Claim {
	if !Settled(c) {
		return nil
	}
	return t.Claim(c.Settlement.Winner)
}

// points are those of a claim.
func (t *Table) points(c *Claim) []*state.Point {
	points := make([]*state.Point, len(c.Points))
	for i, id := range c.Points {
		points[i] = t.s.Point(id)
	}
	return points
}

// Compared reports whether the answers were compared, so that what contradicts a
// claim is known: the orchestrator looked at them, or cannot, or the session is
// over.
func Compared(s *state.State) bool {
	asked := s.AskedOf(state.Orchestrator, state.StageTriage)
	return s.Round > 1 || s.Over() || asked.Replies > 0 || asked.Failed > 1 || s.Panel.Misses(state.Orchestrator)
}
