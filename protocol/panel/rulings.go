package panel

import (
	"cmp"
	"fmt"
	"slices"

	"moot/internal/lists"
	"moot/ledger"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// Table compares the answers of a panel: which points say the same, who holds them, and which
// are contested. It describes one state and isn't updated.
type Table struct {
	s     *state.State
	seats []state.Seat
	rules resolver.Rules
	// stance has the claim of each point that was neither merged nor revised.
	stance map[string]*Claim
	// Claims are the stances in the order of their first points.
	Claims []*Claim
	// Conflicts are the live conflicts in the order in which they were found: not dropped, and not
	// between sides that say the same by now. between has their sides by id, and about the
	// conflicts of each claim.
	Conflicts []*Conflict
	between   map[string][2]*Claim
	about     map[*Claim][]*Conflict
	// raised has the conflict that a challenge was raised for, contests the conflicts in which
	// a point is argued.
	raised   map[string]*Conflict
	contests map[string][]*Conflict
	// peers are the points that a point says the same as, or the opposite of.
	peers map[string][]string
	// kinds, fell and went cache results of wholeBasis, fallen and gone.
	kinds      map[string]state.Kind
	fell, went map[*Claim]bool
}

// sidePoints returns the two points that represent a conflict: the first of each claim while it is
// live, afterwards the current forms of its points.
func (t *Table) sidePoints(c *Conflict) (a, b *state.Point) {
	if sides := t.between[c.ID]; t.isLive(c) {
		return t.s.Point(sides[0].Points[0]), t.s.Point(sides[1].Points[0])
	}
	return t.s.Current(c.A), t.s.Current(c.B)
}

// first returns the result of a conflict that evidence decides before any vote, and whether it does. It is not settled
// while the other side had no turn.
func (t *Table) first(c *Conflict) (r Settlement, applies bool) {
	ahead, behind, items := t.evidenced(c)
	if ahead == nil {
		return r, false
	}
	r = Settlement{Positions: t.Positions(c)}
	for _, item := range items {
		if t.heard(c, behind, item) {
			r.Method, r.Measure, r.Settled = string(conflict.EvidenceWeight), MeasureEvidence, true
			r.Winner, r.Confidence = ahead.Points[0], 1
			r.Reasoning = fmt.Sprintf(
				"%s (%s) speaks for %s, and no evidence that counts speaks for %s; evidence decides "+
					"before any vote",
				item.ID,
				item.Reference,
				ahead.Points[0],
				behind.Points[0],
			)
			return r, true
		}
	}
	r.Method = string(conflict.Escalate)
	r.Reasoning = fmt.Sprintf("%s (%s) speaks for %s, but the other side had no turn to contest it", items[0].ID,
		items[0].Reference, ahead.Points[0])
	return r, true
}

// rules rules on the points of a panel by the shared acceptance with PN1 to PN4 added.
type rules struct{ resolver.Base }

func (*rules) Rule(s *state.State) []state.Ruling {
	t := NewTable(s)
	return resolver.RuleEach(s, func(_ *state.State, p *state.Point) state.Ruling { return t.rule(p) })
}

func (*rules) RuleOne(s *state.State, p *state.Point) state.Ruling { return NewTable(s).rule(p) }

func (*rules) Basis(s *state.State, p *state.Point) *resolver.Basis { return NewTable(s).basis(p) }

func (*rules) LastRound(*state.State) int { return state.MaxRounds }

// Inconclusive counts a conflict that the strategy settled as a result, although its points keep their status.
func (*rules) Inconclusive(s *state.State, rulings []state.Ruling) bool {
	return resolver.Inconclusive(s, rulings) &&
		(s.Exit == state.ExitQuality || !slices.ContainsFunc(NewTable(s).Conflicts, Settled))
}

// Evaluators returns the panelists on the other side of the conflicts that a point is argued
// in, or else the orchestrator.
func (*rules) Evaluators(s *state.State, p *state.Point) []state.Seat {
	var seats []state.Seat
	for _, c := range contests(s, p) {
		other := s.Current(c.A)
		if other == p {
			other = s.Current(c.B)
		}
		for _, seat := range other.Authors {
			if IsPanelist(seat) && other.Holds(seat) && !p.IsAuthor(seat) && !s.Misses(seat) &&
				!slices.Contains(seats, seat) {
				seats = append(seats, seat)
			}
		}
	}
	if len(seats) > 0 {
		return seats
	}
	return []state.Seat{state.Orchestrator}
}

// Debated reports whether a point is debated: after round 1, only argued points are.
func (*rules) Debated(s *state.State, p *state.Point) bool { return s.Round <= 1 || Argued(s, p) }

func (*rules) CalledValue(s *state.State, p *state.Point) bool { return NewTable(s).seconded(p) }

// NewTable compares the answers of a panel.
func NewTable(s *state.State) *Table {
	t := &Table{
		s: s, seats: panelists(s), stance: make(map[string]*Claim, s.Points.Len()),
		between: map[string][2]*Claim{}, about: map[*Claim][]*Conflict{}, raised: map[string]*Conflict{},
		contests: map[string][]*Conflict{}, peers: map[string][]string{}, kinds: map[string]state.Kind{},
		fell: map[*Claim]bool{}, went: map[*Claim]bool{},
	}
	t.join()
	t.hold()
	t.contest()
	return t
}

// marks returns the last mark of each marked pair.
func marks(s *state.State) []state.PointsPaired {
	at := make(map[[2]string]int, s.Pairs.Len())
	var found []state.PointsPaired
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

// join finds points that say the same. Each starts as a separate claim, and marks join claims.
// Two claims with points that are marked as different are never joined: that would be a false
// consensus (ST6).
func (t *Table) join() {
	for _, p := range t.s.Points.All() {
		if p.MergedInto == "" && p.RevisedBy == "" {
			t.stance[p.ID] = &Claim{Points: []string{p.ID}}
		}
	}
	apart := map[string][]string{}
	var alike [][2]*state.Point
	for _, pair := range marks(t.s) {
		// A revision differs from what was compared, so only its author holds it.
		a, b := t.s.Live(pair.A), t.s.Live(pair.B)
		switch {
		case !joins(a) || !joins(b):
		case pair.Alike:
			alike = append(alike, [2]*state.Point{a, b})
			t.peer(a, b)
		default:
			apart[a.ID], apart[b.ID] = append(apart[a.ID], b.ID), append(apart[b.ID], a.ID)
		}
	}
	for _, pair := range alike {
		a, b := t.stance[pair[0].ID], t.stance[pair[1].ID]
		differs := func(id string) bool {
			return slices.ContainsFunc(apart[id], func(other string) bool { return t.stance[other] == b })
		}
		if a == b || slices.ContainsFunc(a.Points, differs) {
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
			// Points are added again in order.
			c.Points = c.Points[:0]
			t.Claims = append(t.Claims, c)
		}
		c.Points = append(c.Points, p.ID)
	}
	for _, c := range t.Claims {
		for _, seat := range t.seats {
			if slices.ContainsFunc(c.Points, func(id string) bool { return t.s.Point(id).Holds(seat) }) {
				c.Holders = append(c.Holders, seat)
			}
		}
	}
}

// contest finds the live conflicts: of several between the same two claims, the first.
func (t *Table) contest() {
	seen := map[[2]*Claim]bool{}
	for _, c := range Of(t.s).Conflicts.All() {
		for _, id := range c.Challenges {
			t.raised[id] = c
		}
		p, q := t.s.Current(c.A), t.s.Current(c.B)
		if c.Dropped {
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
		t.Conflicts = append(t.Conflicts, c)
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

// placed reports whether a point is in scope or not triaged yet.
func placed(p *state.Point) bool { return p.Scope == state.InScope || p.Scope == state.Untriaged }

// Claim returns the claim that a point says, or nil. Ids of merged and revised
// points lead to what they became.
func (t *Table) Claim(point string) *Claim {
	if p := t.s.Current(point); p != nil {
		return t.stance[p.ID]
	}
	return nil
}

// Sides returns the two claims of a conflict, the claim of its point A first. If the conflict is
// not among Conflicts, one may be nil, or both the same.
func (t *Table) Sides(c *Conflict) (a, b *Claim) { return t.Claim(c.A), t.Claim(c.B) }

// isLive reports whether a conflict is one of Conflicts.
func (t *Table) isLive(c *Conflict) bool { return t.between[c.ID] != [2]*Claim{} }

// opposite returns the claim on the other side of a conflict.
func (t *Table) opposite(c *Conflict, claim *Claim) *Claim {
	sides := t.between[c.ID]
	if sides[0] == claim {
		return sides[1]
	}
	return sides[0]
}

// winner returns the claim that a strategy settled a conflict for, or nil.
func (t *Table) winner(c *Conflict) *Claim {
	if !Settled(c) {
		return nil
	}
	return t.Claim(c.Settlement.Winner)
}

// points returns the points of a claim.
func (t *Table) points(c *Claim) []*state.Point { return lists.Map(c.Points, t.s.Point) }

// compared reports whether the answers were compared, so that contradictions are known: the
// orchestrator replied or can't, or the session is over.
func compared(s *state.State) bool {
	asked := s.AskedOf(state.Orchestrator, StageTriage)
	return s.Round > 1 || s.Over() || asked.Replies > 0 || asked.Failed > 1 || s.Misses(state.Orchestrator)
}

// Idle reports whether a challenge only records a conflict: it needs no answer unless the
// conflict is argued.
func (*rules) Idle(s *state.State, c *state.Challenge) bool {
	for _, k := range Of(s).Conflicts.All() {
		if slices.Contains(k.Challenges, c.ID) {
			return !contest(s, k)
		}
	}
	return false
}

// table is the shared acceptance with rules on points that several answers hold or contradict.
func (t *Table) table() resolver.Rules {
	shared := resolver.Acceptance()
	return slices.Concat(shared.Through("AC9"), resolver.Rules{
		{
			Rule: "PN1",
			Says: "A point that loses a conflict is dismissed if you chose the other side, if it is a value judgment, " +
				"or if the other side's evidence outranks its own.",
			Sentence: "%s", Crux: "%s", When: t.outvoted,
		},
		{
			Rule: "PN2", Says: "A point in an unsettled conflict is not decided.",
			Sentence: "%s with %s is not settled%s", Crux: "%s", When: t.contested,
		},
		{
			Rule: "PN3", Says: "If verified evidence for the other side of a contradiction ranks as high, neither " +
				"side is agreed.",
			Bucket: state.BucketUnresolved, Status: state.StatusDisputed,
			Sentence: "conflicting evidence: %s speaks for it, and %s, %s, for the other side of %s",
			Crux:     "evidence that ranks above both %s and %s", When: t.outweighed,
		},
	}, shared.After("AC9").Through("AC17"), resolver.Rules{{
		Rule: "PN4", Says: "A point that only one panelist makes and nobody else supports is unresolved at the end.",
		Bucket: state.BucketUnresolved, Status: state.StatusOpen, Sentence: "only %s says it: %s",
		Crux: "the judgment of another participant, with evidence", When: t.alone,
	}}, shared.After("AC17"))
}

func (t *Table) rule(p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return resolver.MergedAway(p)
	}
	if t.rules == nil {
		t.rules = t.table()
	}
	ruling, _ := t.rules.Rule(t.basis(p))
	return ruling
}

// basis is the input of the rules for a point, without challenges that need no answer.
func (t *Table) basis(p *state.Point) *resolver.Basis {
	b := t.wholeBasis(p)
	b.Challenges = slices.DeleteFunc(b.Challenges, t.idle)
	return b
}

// wholeBasis is the basis of a point with all challenges to it.
func (t *Table) wholeBasis(p *state.Point) *resolver.Basis {
	kind, known := t.kinds[p.ID]
	if !known {
		kind = resolver.KindBy(p, func() bool { return t.seconded(p) })
		t.kinds[p.ID] = kind
	}
	b := resolver.NewBasis(t.s, p, kind)
	b.Answers = t
	return b
}

// idle reports whether a challenge only records a conflict and needs no answer: the outcome of
// the conflict decides. A challenge that was lost in the argument is not idle: it ended the
// conflict.
func (t *Table) idle(c *state.Challenge) bool {
	k := t.raised[c.ID]
	return k != nil && (k.Dropped || !k.Argued || t.Ended(k) && c.Status != state.StandsUndefended)
}

// outvoted is PN1: a conflict was decided against the point. If the user agreed with the other
// side, the point is dismissed. If the strategy settled the conflict for the other side, a value
// judgment is dismissed; an empirical point only if the other side's verified evidence outranks
// its evidence.
func (t *Table) outvoted(b *resolver.Basis) *resolver.Match {
	claim := t.stance[b.Point.ID]
	falls := func(reason string, reads ...string) *resolver.Match {
		return &resolver.Match{
			Bucket: state.BucketDismissed, Tag: state.TagRejected, Words: []any{reason}, Reads: reads,
		}
	}
	for _, c := range t.about[claim] {
		other := t.opposite(c, claim)
		if agreed := t.agreedByUser(other); agreed != "" && t.agreedByUser(claim) == "" {
			return falls(fmt.Sprintf("you agreed with %s, the other side of %s", agreed, c.ID), c.ID, agreed)
		}
	}
	for _, c := range t.about[claim] {
		winner := t.winner(c)
		if winner == nil || winner == claim || t.fallen(winner) {
			continue
		}
		if item := t.refuted(c); item != nil {
			m := falls(
				fmt.Sprintf(
					"%s (%s, %s) refutes it: it supports %s, the other side of %s, and no evidence that counts "+
						"supports this one",
					item.ID,
					item.Type,
					item.Reference,
					winner.Points[0],
					c.ID,
				),
				item.ID,
				c.ID,
			)
			// As by any counting refutation.
			m.Rule = "AC8"
			return m
		}
		how := fmt.Sprintf("%s was settled for %s: %s", c.ID, winner.Points[0], c.Settlement.Reasoning)
		if !b.Empirical() {
			circle := t.circle(claim, winner)
			if len(circle) == 0 {
				return falls(how, c.ID)
			}
			how += "; but its winner lost in turn, round to this point: " + resolver.Listed(circle)
			return &resolver.Match{
				Bucket: state.BucketUnresolved, Status: state.StatusTradeoff, Words: []any{how},
				Crux: []any{"which of them weighs most for you?"}, Reads: append([]string{c.ID}, circle...),
			}
		}
		mine, theirs := resolver.Best(t.grounds(claim, winner)), resolver.Best(firm(t.grounds(winner, claim)))
		if theirs != nil && (mine == nil || ledger.CompareRank(theirs, mine) < 0) {
			return falls(fmt.Sprintf("%s, and %s %s", how, theirs.ID, resolver.Origin(theirs)), c.ID, theirs.ID)
		}
		return &resolver.Match{
			Bucket: state.BucketUnresolved, Status: state.StatusBlocked,
			Words: []any{how + "; but nothing empirical falls by that alone"},
			Crux: []any{fmt.Sprintf("evidence that anyone can check for %s or for %s", b.Point.ID,
				winner.Points[0])}, Reads: []string{c.ID},
		}
	}
	return nil
}

// circle returns the settled conflicts by which a claim indirectly beats the claim that beat it,
// or nil. Votes on three claims may be circular.
func (t *Table) circle(from, to *Claim) []string {
	type step struct {
		claim *Claim
		path  []string
	}
	seen := map[*Claim]bool{from: true}
	for queue := []step{{claim: from}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, c := range t.about[at.claim] {
			beaten := t.opposite(c, at.claim)
			if t.winner(c) != at.claim || seen[beaten] {
				continue
			}
			path := append(slices.Clone(at.path), c.ID)
			if beaten == to {
				return path
			}
			seen[beaten] = true
			queue = append(queue, step{beaten, path})
		}
	}
	return nil
}

// grounds returns the verified evidence on one side of a conflict: what supports the claim, and
// what refutes its opposite. A passage or a command's output counts once, however many cite it.
func (t *Table) grounds(claim, opposite *Claim) []*ledger.Evidence {
	var items []*ledger.Evidence
	count := func(points []*state.Point, relation ledger.Relation) {
		for _, p := range points {
			for _, id := range p.Evidence {
				item := t.s.Item(id)
				known := slices.ContainsFunc(items, func(e *ledger.Evidence) bool {
					return e.SourceKind == item.SourceKind && e.Reference == item.Reference && e.Excerpt == item.Excerpt
				})
				if !known && resolver.Counts(t.s, p, item) && item.Relation == relation {
					items = append(items, item)
				}
			}
		}
	}
	count(t.points(claim), ledger.Supports)
	count(t.points(opposite), ledger.Refutes)
	return items
}

// firm are the items of type execution or textual.
func firm(items []*ledger.Evidence) []*ledger.Evidence {
	return slices.DeleteFunc(slices.Clone(items), func(item *ledger.Evidence) bool { return item.Type == ledger.Claim })
}

// contested is PN2: a conflict about the point is not settled. While it is argued, the shared
// rules decide, but never for both sides of a contradiction.
func (t *Table) contested(b *resolver.Basis) *resolver.Match {
	claim := t.stance[b.Point.ID]
	for _, c := range t.about[claim] {
		other := t.opposite(c, claim)
		if Settled(c) || t.gone(other) || slices.Contains(t.contests[b.Point.ID], c) && arguing(b.State, c) &&
			!t.bothUpheld(c) {
			continue
		}
		if !b.State.Over() {
			return &resolver.Match{
				Bucket: state.BucketOpen, Words: []any{c.ID, other.Points[0], ""},
				Reads: []string{c.ID},
			}
		}
		m := &resolver.Match{
			Bucket: state.BucketUnresolved, Status: state.StatusBlocked, Reads: []string{c.ID},
			Words: []any{c.ID, other.Points[0], ": " + cmp.Or(t.unclear(c), "nobody decided it")},
			Crux:  []any{"evidence that decides between " + b.Point.ID + " and " + other.Points[0]},
		}
		if !b.Empirical() {
			m.Status, m.Crux = state.StatusTradeoff, []any{weighs(b.Point.ID, other.Points[0])}
		}
		return m
	}
	return nil
}

func weighs(one, other string) string {
	return "which of the two weighs more for you: " + one + " or " + other + "?"
}

// Crux says what would settle a challenge that records a conflict about a value judgment. It
// returns "" for other challenges.
func (t *Table) Crux(b *resolver.Basis, c *state.Challenge) string {
	k, claim := t.raised[c.ID], t.stance[b.Point.ID]
	if b.Empirical() || k == nil || !t.isLive(k) {
		return ""
	}
	return weighs(b.Point.ID, t.opposite(k, claim).Points[0])
}

// argued reports whether the point is argued.
func (t *Table) argued(b *resolver.Basis) bool { return len(t.contests[b.Point.ID]) > 0 }

// bothUpheld reports whether each side of an argued contradiction was accepted by the other.
// They can't both be agreed.
func (t *Table) bothUpheld(c *Conflict) bool {
	if c.Kind != conflict.Contradiction {
		return false
	}
	for _, id := range []string{c.A, c.B} {
		b := t.basis(t.s.Current(id))
		if _, upheld := b.Upheld(); !upheld {
			return false
		}
	}
	return true
}

// outweighed is PN3: verified evidence for the other side of a contradiction ranks as
// high as the evidence for the point. Then neither side is agreed, even if one won the
// argument.
func (t *Table) outweighed(b *resolver.Basis) *resolver.Match {
	if !b.Empirical() || b.FirmSupport() == nil {
		return nil
	}
	claim := t.stance[b.Point.ID]
	for _, c := range t.about[claim] {
		other := t.opposite(c, claim)
		dismissed := t.every(other, func(p *state.Point) bool { return userRuled(p, state.BucketDismissed) })
		if c.Kind != conflict.Contradiction || dismissed {
			continue
		}
		mine, theirs := resolver.Best(firm(t.grounds(claim, other))), resolver.Best(firm(t.grounds(other, claim)))
		if theirs != nil && ledger.CompareRank(theirs, mine) <= 0 {
			ranks := "which ranks as high"
			if ledger.CompareRank(theirs, mine) < 0 {
				ranks = "which ranks higher"
			}
			return resolver.Read(mine.ID, theirs.ID, c.ID).Saying(mine.ID, theirs.ID, ranks, c.ID).
				ResolvedBy(mine.ID, theirs.ID)
		}
	}
	return nil
}

// seconded reports whether another panelist calls its point, which says the same or is on the
// other side of a conflict, a value judgment.
func (t *Table) seconded(p *state.Point) bool {
	return slices.ContainsFunc(t.peers[p.ID], func(id string) bool {
		q := t.s.Point(id)
		return slices.ContainsFunc(q.Proposals(),
			func(part state.KindProposal) bool { return part.Kind == state.Value && !p.IsAuthor(part.By) })
	})
}

// backing is the support of the answers for a point that is not argued.
type backing struct {
	// several is set if several seats hold the point or agree with it.
	several bool
	// settled is set if a conflict was settled for it. evidence is the first that verified evidence
	// settled, or "". yielded are the concessions of the other side.
	// decided is set if evidence decided a conflict for it before any vote.
	settled, decided bool
	evidence         string
	// against says how the first conflict was settled for it of which a panelist still holds the other side, or is "".
	against string
	yielded []state.Concession
	reads   []string
}

// Upheld reports whether the answers uphold a point that is not argued, with no conflict, doubt
// or refutation left. It returns the ids that it read.
func (t *Table) Upheld(b *resolver.Basis) (reads []string, upheld, applies bool) {
	if t.argued(b) {
		return nil, false, false
	}
	f := t.backing(b)
	// Like another seat's judgment (INV1). Citing alone wins nothing (JU4).
	if f == nil || !f.several && !f.decided && len(f.yielded) == 0 {
		return nil, false, true
	}
	return f.reads, true, true
}

// Accord describes in a clause why the point is upheld.
func (t *Table) Accord(b *resolver.Basis) string {
	agree := "the seats agree"
	if t.argued(b) {
		return agree
	}
	if b.LastVerdict(state.Skeptical, state.Reject, state.IllFormed) != nil {
		agree = "several seats hold it" // A seat that lost the vote on it still objects.
	}
	switch f := t.backing(b); {
	case f == nil:
	case f.evidence != "":
		return f.evidence + " was settled for it by evidence"
	case f.against != "":
		return f.against
	case !f.several:
		return "who held the other side gave it up"
	}
	return agree
}

// backing returns the support of the answers for a point. It is nil if a challenge, refutation
// or conflict is open, or a seat still doubts the point that neither lost a vote nor gave up the
// other side.
func (t *Table) backing(b *resolver.Basis) *backing {
	claim := t.stance[b.Point.ID]
	if claim == nil || b.Waiting() != nil || !compared(b.State) {
		return nil
	}
	// Evidence against the point that ranks above all that supports it.
	against, support := resolver.Best(b.Refutes), resolver.Best(b.Supports)
	if against != nil && (support == nil || ledger.CompareRank(against, support) < 0) {
		return nil
	}
	agreeing := t.agreeing(claim)
	f := &backing{several: len(claim.Holders)+len(agreeing) > 1, reads: slices.Clone(claim.Points)}
	for _, c := range t.about[claim] {
		other := t.opposite(c, claim)
		switch {
		case t.winner(c) == claim:
			f.settled = true
			f.decided = f.decided || t.refuted(c) != nil
			switch {
			case c.Settlement.Measure == MeasureEvidence:
				f.evidence = cmp.Or(f.evidence, c.ID)
			case len(other.Holders) > 0:
				f.against = cmp.Or(
					f.against,
					c.ID+" was settled for it by "+cmp.Or(c.Settlement.Measure, c.Settlement.Method),
				)
			}
		case t.gone(other):
			f.yielded = append(f.yielded, t.concededBy(other)...)
		default:
			return nil
		}
		f.reads = append(f.reads, c.ID)
	}
	// A point that a seat rejects is never agreed (INV8), even if it won the vote.
	if b.LastVerdict(state.Reject) != nil || !f.settled && doubtedBesides(b, f.yielded) != nil {
		return nil
	}
	for _, c := range agreeing {
		f.reads = append(f.reads, resolver.Event(c.Seq))
	}
	return f
}

// agreeing returns the last verdict of each seat that agrees with a claim without holding it.
func (t *Table) agreeing(claim *Claim) []*state.Classification {
	var found []*state.Classification
	for _, p := range t.points(claim) {
		for i := range p.Classes {
			c := &p.Classes[i]
			if c.Class == state.Agree && p.Latest(c.Seat) == c && !slices.Contains(claim.Holders, c.Seat) &&
				!p.IsAuthor(c.Seat) &&
				!slices.ContainsFunc(found, func(other *state.Classification) bool { return other.Seat == c.Seat }) {
				found = append(found, c)
			}
		}
	}
	return found
}

// doubtedBesides returns the last verdict of a seat that calls the point flawed and has not given
// up the other side since, or nil.
func doubtedBesides(b *resolver.Basis, yielded []state.Concession) *state.Classification {
	for i := range b.Point.Classes {
		c := &b.Point.Classes[i]
		flaw := (c.Class == state.Skeptical || c.Class == state.Reject) && b.Point.Latest(c.Seat) == c
		if flaw && !slices.ContainsFunc(yielded,
			func(given state.Concession) bool { return given.Seat == c.Seat && given.Seq > c.Seq }) {
			return c
		}
	}
	return nil
}

// alone is PN4: only one panelist supports the point.
func (t *Table) alone(b *resolver.Basis) *resolver.Match {
	claim := t.stance[b.Point.ID]
	if !b.State.Over() || len(claim.Holders) != 1 || len(b.Challenges) > 0 || t.argued(b) ||
		doubtedBesides(b, nil) != nil {
		return nil
	}
	how := "no other answer was marked as the same or as a contradiction"
	if f := t.backing(b); f != nil && f.evidence != "" {
		how = f.evidence + " was settled for it by evidence, and nobody else holds it"
	} else if len(claim.Conflicts) > 0 {
		how = "nothing is left of the other side of " + resolver.Listed(claim.Conflicts) +
			", and nobody else holds this one"
	}
	return resolver.Read(append([]string{b.Point.ID}, claim.Conflicts...)...).Saying(claim.Holders[0], how)
}
