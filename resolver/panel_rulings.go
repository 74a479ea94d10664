package resolver

import (
	"cmp"
	"fmt"
	"slices"

	"moot/ledger"
	"moot/state"
)

// panelRules is the table of a panel: that of acceptance, with what is said of
// points that several answers hold, or contradict, in its place among them.
func panelRules() []rule {
	own := []rule{
		{"PN1", (*bench).outvoted},
		{"PN2", (*bench).contested},
		{"PN3", (*bench).outweighed},
	}
	acceptance := rules()
	table := slices.Concat(acceptance[:9], own, acceptance[9:17])
	return slices.Concat(table, []rule{{"PN4", (*bench).alone}}, acceptance[17:])
}

// rule is the ruling on a point.
func (t *Table) rule(p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return mergedAway(p)
	}
	return t.bench(p).first(t.rules)
}

// bench is where a point of the panel is ruled on.
func (t *Table) bench(p *state.Point) *bench {
	b := t.plain(p)
	b.challenges = slices.DeleteFunc(b.challenges, t.idle)
	return b
}

// plain is the bench of a point with all challenges to it, idle ones too.
func (t *Table) plain(p *state.Point) *bench {
	value, known := t.values[p.ID]
	if !known {
		value = isValue(p, func() bool { return t.seconded(p) })
		t.values[p.ID] = value
	}
	b := benchOf(t.s, p, value)
	b.table = t
	return b
}

// claim is what the point of the bench says; nil for one that was revised.
func (b *bench) claim() *Claim { return b.table.stance[b.p.ID] }

// idle reports whether a challenge only says that there is a conflict, and nobody
// is asked to answer it: what becomes of the conflict decides. One that was lost
// in the argument is not idle: it ended the conflict.
func (t *Table) idle(c *state.Challenge) bool {
	k := t.raised[c.ID]
	return k != nil && (k.Dropped || !k.Argued || Settled(k) || t.Ended(k) && c.Status != state.StandsUndefended)
}

// outvoted is PN1: a conflict was decided against the point. Where the user agreed
// with the other side it falls. Where the strategy settled it for the other side,
// a value judgment falls by that; what is empirical falls only where the verified
// evidence of the other side outranks its own.
func (b *bench) outvoted() (state.Ruling, bool) {
	t, claim := b.table, b.claim()
	for _, c := range t.about[claim] {
		other := t.opposite(c, claim)
		if agreed := t.agreedByUser(other); agreed != "" && t.agreedByUser(claim) == "" {
			return dismissed(state.TagRejected, fmt.Sprintf("you agreed with %s, the other side of %s", agreed, c.ID),
				c.ID, agreed)
		}
	}
	for _, c := range t.about[claim] {
		winner := t.winner(c)
		if winner == nil || winner == claim || t.fallen(winner) {
			continue
		}
		how := fmt.Sprintf("%s was settled for %s: %s", c.ID, winner.Points[0], c.Settlement.Reasoning)
		if b.value {
			if circle := t.circle(claim, winner); len(circle) > 0 {
				return unresolved(state.StatusTradeoff,
					how+"; but its winner lost in turn, round to this point: "+listed(circle),
					"which of them weighs most for you?", append([]string{c.ID}, circle...)...)
			}
			return dismissed(state.TagRejected, how, c.ID)
		}
		mine, theirs := best(t.grounds(claim, winner)), best(firm(t.grounds(winner, claim)))
		if theirs != nil && (mine == nil || ledger.CompareRank(theirs, mine) < 0) {
			return dismissed(state.TagRejected, fmt.Sprintf("%s, and %s %s", how, theirs.ID, whence(theirs)), c.ID,
				theirs.ID)
		}
		return unresolved(state.StatusBlocked, how+"; but nothing empirical falls by that alone",
			fmt.Sprintf("evidence that anyone can check for %s or for %s", b.p.ID, winner.Points[0]), c.ID)
	}
	return no()
}

// circle are the settled conflicts by which one claim beats, over others, the one
// that beat it; nil where it does not. Votes on three stances may go round.
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

// grounds is the verified evidence on one side of a conflict: what supports a
// claim, and what refutes its opposite. A passage, or a command's output, counts
// once, however many cite it.
func (t *Table) grounds(claim, opposite *Claim) []*ledger.Evidence {
	var items []*ledger.Evidence
	count := func(points []*state.Point, relation ledger.Relation) {
		for _, p := range points {
			for _, id := range p.Evidence {
				item := t.s.Item(id)
				if item.Counts() && item.Relation == relation &&
					!slices.ContainsFunc(items, func(other *ledger.Evidence) bool { return sameSource(item, other) }) {
					items = append(items, item)
				}
			}
		}
	}
	count(t.points(claim), ledger.Supports)
	count(t.points(opposite), ledger.Refutes)
	return items
}

// sameSource reports whether two items are the same passage or the same run.
func sameSource(a, b *ledger.Evidence) bool {
	return a.ID == b.ID || a.Type == b.Type && a.SourceKind == b.SourceKind && a.Reference == b.Reference &&
		a.Excerpt == b.Excerpt
}

// firm are the items of type execution or textual.
func firm(items []*ledger.Evidence) []*ledger.Evidence {
	return slices.DeleteFunc(slices.Clone(items), func(item *ledger.Evidence) bool { return item.Type == ledger.Claim })
}

// contested is PN2: a conflict about the point is not settled. While it is argued
// the rules of a consultation say what stands, but never both sides of a
// contradiction.
func (b *bench) contested() (state.Ruling, bool) {
	t, claim := b.table, b.claim()
	for _, c := range t.about[claim] {
		other := t.opposite(c, claim)
		if Settled(c) || t.gone(other) || b.arguing(c) && !t.bothUpheld(c) {
			continue
		}
		if !b.s.Over() {
			return state.Ruling{
				Bucket: state.BucketOpen, Reason: c.ID + " with " + other.Points[0] + " is not settled",
				Receipt: state.Receipt{Reads: []string{c.ID}},
			}, true
		}
		status, crux := state.StatusBlocked, "evidence that decides between "+b.p.ID+" and "+other.Points[0]
		if b.value {
			status, crux = state.StatusTradeoff, weighs(b.p.ID, other.Points[0])
		}
		return unresolved(status, fmt.Sprintf("%s with %s is not settled: %s", c.ID, other.Points[0],
			cmp.Or(b.table.unclear(c), "nobody decided it")), crux, c.ID)
	}
	return no()
}

func weighs(one, other string) string {
	return "which of the two weighs more for you: " + one + " or " + other + "?"
}

// weighing is what would settle a challenge that is one side of a conflict about a
// value judgment, "" of any other challenge.
func (b *bench) weighing(c *state.Challenge) string {
	if b.table == nil || !b.value {
		return ""
	}
	k := b.table.raised[c.ID]
	if k == nil || b.claim() == nil || !b.table.stands(k) {
		return ""
	}
	return weighs(b.p.ID, b.table.opposite(k, b.claim()).Points[0])
}

// argued reports whether the point is argued about in a panel.
func (b *bench) argued() bool { return len(b.table.contests[b.p.ID]) > 0 }

// arguing reports whether a conflict is argued between the point and another.
func (b *bench) arguing(c *state.Conflict) bool {
	return slices.Contains(b.table.contests[b.p.ID], c) && Arguing(b.s, c)
}

// bothUpheld reports whether each side of an argued contradiction was accepted by
// the other, or rests on decisive evidence: they cannot both stand.
func (t *Table) bothUpheld(c *state.Conflict) bool {
	if c.Kind != state.Contradiction {
		return false
	}
	for _, id := range []string{c.A, c.B} {
		b := t.bench(t.s.Current(id))
		if _, upheld := b.upheld(); !upheld && !b.decided() {
			return false
		}
	}
	return true
}

// outweighed is PN3: verified evidence for the other side of a contradiction ranks
// as high as what speaks for the point: neither stands, whoever prevailed.
func (b *bench) outweighed() (state.Ruling, bool) {
	if b.value || b.firmSupport() == nil {
		return no()
	}
	t, claim := b.table, b.claim()
	for _, c := range t.about[claim] {
		other := t.opposite(c, claim)
		if c.Kind != state.Contradiction || t.dismissedByUser(other) {
			continue
		}
		mine, theirs := best(firm(t.grounds(claim, other))), best(firm(t.grounds(other, claim)))
		if theirs != nil && ledger.CompareRank(theirs, mine) <= 0 {
			ranks := "which ranks as high"
			if ledger.CompareRank(theirs, mine) < 0 {
				ranks = "which ranks higher"
			}
			return unresolved(state.StatusBlocked,
				fmt.Sprintf("conflicting evidence: %s speaks for it, and %s, %s, for the other side of %s", mine.ID,
					theirs.ID, ranks, c.ID),
				fmt.Sprintf("evidence that ranks above both %s and %s", mine.ID, theirs.ID), mine.ID, theirs.ID, c.ID)
		}
	}
	return no()
}

// seconded reports whether a panelist calls its point a value judgment that is on
// the other side of a conflict or says the same.
func (t *Table) seconded(p *state.Point) bool {
	return slices.ContainsFunc(t.peers[p.ID], func(id string) bool {
		q := t.s.Point(id)
		return slices.ContainsFunc(q.CalledValue,
			func(seat state.Seat) bool { return q.IsAuthor(seat) && !p.IsAuthor(seat) })
	})
}

// backing is what the answers say for a point that nobody argues about.
type backing struct {
	// holders say it unasked; agreeing said so when they were asked.
	holders  []state.Seat
	agreeing []*state.Classification
	// settled are the conflicts that were settled for it, evidence those of them
	// that verified evidence settled; yielded is who gave up the other side.
	settled, evidence []*state.Conflict
	yielded           []state.Concession
	reads             []string
}

// backs reports whether that upholds the point as another seat's judgment would
// (INV1): several seats stand for it, or who held the other side gave that up.
// Decisive evidence that settled a conflict does, too: who cites does not win by
// citing (JU4), and who wrote most judges nothing.
func (f *backing) backs(b *bench) bool {
	return len(f.holders)+len(f.agreeing) > 1 || len(f.yielded) > 0 ||
		!b.value && len(f.evidence) > 0 && b.decisiveSupport() != nil
}

// shared reports whether the answers uphold a point that nobody argues about, with
// no conflict, doubt or refutation left. It returns what it read.
func (b *bench) shared() ([]string, bool) {
	f := b.backing()
	if f == nil || !f.backs(b) {
		return nil, false
	}
	return f.reads, true
}

// accord says in a clause what upholds the point.
func (b *bench) accord() string {
	const agree = "the seats agree"
	if b.table == nil || b.argued() {
		return agree
	}
	switch f := b.backing(); {
	case f == nil || len(f.holders)+len(f.agreeing) > 1:
	case len(f.yielded) > 0:
		return "who held the other side gave it up"
	case len(f.evidence) > 0:
		return f.evidence[0].ID + " was settled for it"
	}
	return agree
}

// backing looks for what the answers say for a point; nil where something about
// it is left: a challenge, a refutation, a conflict, or a doubt of a seat that
// neither lost a vote nor gave up the other side.
func (b *bench) backing() *backing {
	t, claim := b.table, b.claim()
	if claim == nil || b.waiting() != nil || b.underRefuted() || !Compared(b.s) {
		return nil
	}
	f := &backing{holders: claim.Holders, agreeing: b.agreeing(claim), reads: slices.Clone(claim.Points)}
	for _, c := range t.about[claim] {
		other := t.opposite(c, claim)
		switch {
		case t.winner(c) == claim:
			f.settled = append(f.settled, c)
			if c.Settlement.Measure == MeasureEvidence {
				f.evidence = append(f.evidence, c)
			}
		case t.gone(other):
			f.yielded = append(f.yielded, t.concededBy(other)...)
		default:
			return nil
		}
		f.reads = append(f.reads, c.ID)
	}
	if len(f.settled) == 0 && b.doubtedBesides(f.yielded) != nil {
		return nil
	}
	for _, c := range f.agreeing {
		f.reads = append(f.reads, event(c.Seq))
	}
	return f
}

// underRefuted reports whether verified evidence against the point outranks what
// supports it: AC8 dismisses it once its author was heard or the session is over.
func (b *bench) underRefuted() bool {
	against, support := best(b.refutes), best(b.supports)
	return against != nil && (support == nil || ledger.CompareRank(against, support) < 0)
}

// agreeing is the last word of each seat that agrees with a claim and is not one
// of those that hold it.
func (b *bench) agreeing(claim *Claim) []*state.Classification {
	var found []*state.Classification
	for _, p := range b.table.points(claim) {
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

// doubtedBesides is the last word of a seat that calls the point flawed, but for
// seats that gave up the other side since; or nil.
func (b *bench) doubtedBesides(yielded []state.Concession) *state.Classification {
	for i := range b.p.Classes {
		c := &b.p.Classes[i]
		flaw := (c.Class == state.Skeptical || c.Class == state.Reject) && b.p.Latest(c.Seat) == c
		if flaw && !slices.ContainsFunc(yielded,
			func(given state.Concession) bool { return given.Seat == c.Seat && given.Seq > c.Seq }) {
			return c
		}
	}
	return nil
}

// alone is PN4: one panelist says it, and no other stands behind it.
func (b *bench) alone() (state.Ruling, bool) {
	claim := b.claim()
	if !b.s.Over() || claim == nil || len(claim.Holders) != 1 || len(b.challenges) > 0 || b.argued() ||
		b.doubtedBesides(nil) != nil {
		return no()
	}
	how := "no other answer does, and none contradicts it"
	if f := b.backing(); f != nil && len(f.evidence) > 0 {
		how = f.evidence[0].ID + " was settled for it by evidence that is not decisive, and nobody else stands for it"
	} else if len(claim.Conflicts) > 0 {
		how = "nothing is left of the other side of " + listed(claim.Conflicts) +
			", and nobody else stands for this one"
	}
	return unresolved(state.StatusOpen, fmt.Sprintf("only %s says it: %s", claim.Holders[0], how),
		"the judgment of another participant, with evidence", append([]string{b.p.ID}, claim.Conflicts...)...)
}
