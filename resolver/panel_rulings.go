package resolver

import (
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

// PanelRuleNames returns the names of the rules of a panel in their order.
func PanelRuleNames() []string {
	var names []string
	for _, r := range panelRules() {
		names = append(names, r.name)
	}
	return names
}

// rule is the ruling on a point.
func (t *Table) rule(p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return mergedAway(p)
	}
	b := newBench(t.s, p)
	b.table = t
	b.challenges = slices.DeleteFunc(b.challenges, t.idle)
	return b.first(panelRules())
}

// idle reports whether a challenge only says that there is a conflict, and nobody
// is asked to answer it: what becomes of the conflict decides. One that was lost
// in the argument is not idle: it ended the conflict.
func (t *Table) idle(c *state.Challenge) bool {
	for _, k := range t.s.Panel.Conflicts.All() {
		if slices.Contains(k.Challenges, c.ID) {
			return k.Dropped || !k.Argued || Settled(k) || t.Ended(k) && c.Status != state.StandsUndefended
		}
	}
	return false
}

// outvoted is PN1: the strategy settled a conflict against the point. A value
// judgment falls by that; what is empirical only where verified evidence of the
// other side outranks its own.
func (b *bench) outvoted() (state.Ruling, bool) {
	for _, c := range b.table.of(b.p) {
		if !Settled(c) || b.table.Claim(c.Settlement.Winner) == b.table.Claim(b.p.ID) {
			continue
		}
		winner := b.table.Claim(c.Settlement.Winner)
		if winner == nil {
			continue
		}
		how := fmt.Sprintf("%s was settled for %s: %s", c.ID, winner.Points[0], c.Settlement.Reasoning)
		if b.value {
			return dismissed(state.TagRejected, how, c.ID)
		}
		mine, theirs := best(b.supports), b.table.firm(winner)
		if theirs != nil && (mine == nil || ledger.CompareRank(theirs, mine) < 0) {
			return dismissed(state.TagRejected, fmt.Sprintf("%s, and %s %s", how, theirs.ID, whence(theirs)), c.ID, theirs.ID)
		}
		return unresolved(state.StatusBlocked, how+"; but nothing empirical falls by that alone",
			fmt.Sprintf("evidence that anyone can check for %s or for %s", b.p.ID, winner.Points[0]), c.ID)
	}
	return no()
}

// firm is the strongest verified support of a claim of type execution or textual,
// or nil.
func (t *Table) firm(c *Claim) *ledger.Evidence {
	var items []*ledger.Evidence
	for _, id := range c.Points {
		for _, e := range t.s.Point(id).Evidence {
			if item := t.s.Item(e); item.Counts() && item.Relation == ledger.Supports && item.Type != ledger.Claim {
				items = append(items, item)
			}
		}
	}
	return best(items)
}

// contested is PN2: a conflict about the point is not settled. While it is argued
// the rules of a consultation say what stands.
func (b *bench) contested() (state.Ruling, bool) {
	for _, c := range b.table.of(b.p) {
		other := b.table.opposite(c, b.p)
		if Settled(c) || b.table.gone(other) || Argued(b.s, b.p) && Arguing(b.s, c) {
			continue
		}
		if !b.s.Over() {
			return state.Ruling{Bucket: state.BucketOpen, Reason: c.ID + " with " + other.Points[0] + " is not settled", Receipt: state.Receipt{Reads: []string{c.ID}}}, true
		}
		status, crux := state.StatusBlocked, "evidence that decides between "+b.p.ID+" and "+other.Points[0]
		if b.value {
			status, crux = state.StatusTradeoff, "which of the two weighs more for you: "+b.p.ID+" or "+other.Points[0]+"?"
		}
		why := "nobody settled it"
		if c.Settlement != nil {
			why = c.Settlement.Reasoning
		}
		return unresolved(status, fmt.Sprintf("%s with %s is not settled: %s", c.ID, other.Points[0], why), crux, c.ID)
	}
	return no()
}

// gone reports whether nobody stands for a claim any more: the user dismissed
// every point of it, or its authors gave it up or lost it.
func (t *Table) gone(c *Claim) bool {
	return !slices.ContainsFunc(c.Points, func(id string) bool {
		p := t.s.Point(id)
		_, conceded := p.Conceded()
		lost := newBench(t.s, p).finallyRejected() != nil
		return !(conceded || lost || Lost(t.s, p) || p.UserRuling != nil && p.UserRuling.Bucket == state.BucketDismissed || Violates(t.s, p))
	})
}

// outweighed is PN3: the point prevailed in a conflict, but verified evidence for
// the other side ranks as high as its own.
func (b *bench) outweighed() (state.Ruling, bool) {
	firm := b.firmSupport()
	if b.value || firm == nil || Argued(b.s, b.p) {
		return no()
	}
	for _, c := range b.table.of(b.p) {
		theirs := b.table.firm(b.table.opposite(c, b.p))
		if c.Kind == state.Contradiction && theirs != nil && ledger.CompareRank(theirs, firm) <= 0 {
			return unresolved(state.StatusBlocked, fmt.Sprintf("conflicting evidence: %s speaks for it, and %s, which ranks as high, for the other side of %s", firm.ID, theirs.ID, c.ID),
				fmt.Sprintf("evidence that ranks above both %s and %s", firm.ID, theirs.ID), firm.ID, theirs.ID, c.ID)
		}
	}
	return no()
}

// shared reports whether the answers uphold a point that nobody argues about:
// several panelists say it unasked, or it prevailed in every conflict. It returns
// what it read.
func (b *bench) shared() ([]string, bool) {
	if b.waiting() != nil {
		return nil, false
	}
	claim := b.table.Claim(b.p.ID)
	if claim == nil {
		return nil, false
	}
	reads := slices.Clone(claim.Points)
	for _, c := range b.table.of(b.p) {
		other := b.table.opposite(c, b.p)
		switch {
		case Settled(c) && b.table.Claim(c.Settlement.Winner) == claim, b.table.gone(other):
			reads = append(reads, c.ID)
		default:
			return nil, false
		}
	}
	return reads, len(claim.Holders) > 1 || len(reads) > len(claim.Points)
}

// alone is PN4: one panelist says it, and no other took a side.
func (b *bench) alone() (state.Ruling, bool) {
	claim := b.table.Claim(b.p.ID)
	if !b.s.Over() || claim == nil || len(claim.Holders) != 1 || len(b.challenges) > 0 || len(claim.Conflicts) > 0 {
		return no()
	}
	return unresolved(state.StatusOpen, fmt.Sprintf("only %s says it: no other answer does, and none contradicts it", claim.Holders[0]),
		"the judgment of another participant, with evidence", b.p.ID)
}
