package detect

import (
	"cmp"
	"slices"
	"strings"

	"moot/state"
)

// What speaks for a fact being the change that a hearing is about.
const (
	// namedUnderReview is that it has a name of what is said to be under review, made
	// that its field says that something is made, pairs that it has what was there before
	// beside what is there now, blamed that somebody names it, known that other facts do.
	namedUnderReview, made, pairs, blamed, known = 4.0, 2.0, 2.0, 1.5, 0.5
	// takenBack is that it takes something back, observed that it only tells how
	// something is, late that it is of the last part of the packet.
	takenBack, observed, late = -4.0, -2.0, -1.0
	mostKnown                 = 3
	leastBlame                = 1.5
	unspoken                  = -1.0
)

// blamedOf returns the facts that may be the change, the likeliest first. The names of
// what is under review are given.
func (c *Case) blamedOf(found *scanner, ids set) []*trace {
	type candidate struct {
		*trace
		score float64
	}
	var all []candidate
	for _, t := range c.spoken(found, state.RoleChange) {
		all = append(all, candidate{t, c.blame(t, ids)})
	}
	for i := range c.near() {
		t := c.tracer.of(int32(i))
		if !slices.ContainsFunc(all, func(one candidate) bool { return one.place == t.place }) {
			all = append(all, candidate{t, c.blame(t, ids) + unspoken})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var traces []*trace
	for _, one := range all {
		if one.score >= leastBlame || len(traces) == 0 {
			traces = append(traces, one.trace)
		}
	}
	return traces
}

// near is how many facts are held against each other one by one: none of a large packet.
func (c *Case) near() int {
	if c.packet.Len() > maxNear {
		return 0
	}
	return c.packet.Len()
}

// blame is how much speaks for a fact being the change.
func (c *Case) blame(t *trace, ids set) float64 {
	field := c.classesOf(nameWords(t.fact.Field))
	score := 0.0
	if slices.Contains(field, "made") {
		score += made
	}
	if slices.Contains(field, "observed") {
		score += observed
	}
	if c.isPair(t) {
		score += pairs
	}
	if slices.Contains(c.classes(t.fact), "undone") {
		score += takenBack
	}
	if len(ids) > 0 && meet(ids, t.names) {
		score += namedUnderReview
	}
	named, said := 0, false
	for i := range c.near() {
		other := c.tracer.of(int32(i))
		if other.place == t.place || !slices.ContainsFunc(t.names, func(name string) bool { return !t.own.has(name) && other.names.has(name) }) {
			continue
		}
		named++
		said = said || isStatement(other.fact)
	}
	score += known * float64(min(named, mostKnown))
	if said {
		score += blamed
	}
	if len(c.ranks) > 0 && c.ranks[t.place]*3 > c.packet.Len()*2 {
		score += late
	}
	return score
}

// isPair reports whether a fact has what was there before beside what is there now.
func (*Case) isPair(t *trace) bool {
	before, after := false, false
	for _, l := range leavesOf("", t.fact.Value) {
		before = before || hasWord(l.name(), "from", "old", "previous", "was", "before", "prior")
		after = after || hasWord(l.name(), "to", "new", "now", "after", "version", "value", "current")
		if s := l.text(); strings.Contains(s, "->") || strings.Contains(s, "=>") || strings.Contains(s, " (was ") || strings.Contains(s, "replaces") || strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") && len(s) > 2 {
			before, after = true, true
		}
	}
	return before && after
}

// returned finds when the change was taken back: the first fact after it that takes
// something back, and has enough in common with it.
func (k *courses) returned(c *Case, made *trace) {
	const goesBack, samePlace, sameField, sameName, isLike = 2.0, 1.5, 1.0, 1.0, 3.0
	for i := range min(c.packet.Len(), maxKnown) {
		t := c.tracer.of(int32(i))
		if k.changes[t.place] || !t.fact.At.After(k.change.Add(early)) || !k.end.IsZero() && !t.fact.At.Before(k.end) {
			continue
		}
		classes := c.classes(t.fact)
		if slices.Contains(classes, "not undone") {
			continue
		}
		score := 0.0
		if slices.Contains(classes, "undone") || slices.Contains(classes, "set") {
			score += goesBack
		}
		if meet(t.own, k.own) {
			score += samePlace
		}
		if t.fact.Field == made.fact.Field {
			score += sameField
		}
		if slices.ContainsFunc(t.names, func(name string) bool { return k.names.has(name) && !k.own.has(name) }) {
			score += sameName
		}
		if k.givesBack(t) {
			score += isLike
		}
		if score >= goesBack+sameName {
			k.end, k.ender = t.fact.At, t
		}
	}
}

// givesBack reports whether a fact sets what was there before the change.
func (k *courses) givesBack(t *trace) bool {
	return slices.ContainsFunc(leavesOf(t.fact.Field, t.fact.Value), func(l leaf) bool {
		s := strings.ToLower(l.text())
		if _, after, cut := strings.Cut(s, "->"); cut {
			s = strings.TrimSpace(after)
		}
		return hasWord(l.name(), "new", "to", "value", "active", "version", "current", "now", "package") && k.previous(s)
	})
}
