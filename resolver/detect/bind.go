package detect

import (
	"cmp"
	"slices"
	"time"

	"moot/ledger"
	"moot/state"
)

// How far a cover accounts for an act, by what the two have in common.
const (
	// For what people and tickets say: they name the same thing and speak of the same
	// kind; they name two things; one thing; the same kind alone; the place alone.
	recordBoth, recordNames, recordDated, recordName, recordKind, recordPlace = 1.0, 0.9, 0.85, 0.6, 0.6, 0.2
	// For what machines observe, which have to be about the same thing.
	seenBoth, seenName, seenSoon, seenKind = 0.7, 0.5, 0.5, 0.2
	// A try that failed, as the act itself says, or another fact of the same thing.
	failedSelf, failedBeside, soonFailed = 0.95, 0.75, time.Hour
	// soon is how close two things are in time that belong together.
	soon = 15 * time.Minute
	// undated is what is left of a record that names no time; elsewhere of one that
	// names other places or another target.
	undated, elsewhere = 0.9, 0.15
	// spillOddity and spillAct are how far an act is accounted for by what accounts
	// for others of the same thing; spillAll is that for what is unusual elsewhere.
	spillOddity, spillAct, spillAll = 0.8, 0.4, 0.7
)

// bind holds each cover against each act.
func (c *Case) bind() {
	c.count()
	c.records()
	c.neighbours()
	for _, cover := range c.covers {
		if cover.whole > 0 {
			continue
		}
		for _, act := range c.acts {
			if act.isDenial() || !c.cancels(cover, act) {
				continue
			}
			share := c.share(cover, act)
			switch {
			case cover.place != act.place:
			case cover.is(state.RoleFailed):
				share = failedSelf
			default:
				continue
			}
			if share <= 0 {
				continue
			}
			weight := cover.against()
			if cover.isRecord() && share >= recordNames && c.isExact(cover, act) {
				weight = max(weight, exactWeight)
			}
			cover.bound = max(cover.bound, share)
			cover.standing = max(cover.standing, share*weight)
			act.by = append(act.by, binding{cover, share, weight})
		}
	}
	for _, act := range c.acts {
		slices.SortStableFunc(act.by, func(a, b binding) int {
			return cmp.Compare(b.share*b.weight, a.share*a.weight)
		})
		for _, b := range act.by {
			act.left *= 1 - b.share*b.weight
		}
		act.left = max(act.left, leastLeft)
	}
	c.spill()
}

// leastLeft is what is left of an act at least: it did happen.
const leastLeft = 0.1

// exactWeight is that of a record that names the time and the very thing.
const exactWeight = 0.85

// isExact reports whether a record gives times that include the act, and names what it
// is about.
func (c *Case) isExact(cover, act *item) bool {
	for _, t := range append([]*trace{cover.trace}, cover.joined...) {
		if t.dated && t.reckoned() && t.window.includes(act.fact.At) {
			return true
		}
	}
	return false
}

// cancels reports whether a rule that speaks of the act is cancelled by one of the cover.
func (c *Case) cancels(cover, act *item) bool {
	return slices.ContainsFunc(act.rules, func(a int32) bool {
		return slices.ContainsFunc(cover.rules, func(b int32) bool { return c.detector.rules[a].cancel[b] })
	})
}

// count counts in how many kept facts a name or a stem stands: what stands in many
// tells nothing.
func (c *Case) count() {
	seen := map[int32]bool{}
	c.names, c.stems = map[string]int{}, map[string]int{}
	for _, list := range [][]*item{c.acts, c.covers, c.gaps} {
		for _, one := range list {
			if seen[one.place] {
				continue
			}
			seen[one.place] = true
			for _, name := range one.names {
				c.names[name]++
			}
			for _, stem := range one.stems {
				c.stems[stem]++
			}
		}
	}
}

// isRecord reports whether a fact is what a person or a ticket system says.
func (i *item) isRecord() bool {
	return i.fact.SourceType == ledger.SourceManual || i.is(state.RoleCover)
}

// records joins what is said of one record: facts whose entity is a ticket that another
// names, and those of people about the same thing.
func (c *Case) records() {
	for _, one := range c.covers {
		if !one.isRecord() {
			continue
		}
		for i := range c.packet.Len() {
			if c.packet.Len() > maxRecords {
				break
			}
			f := c.packet.At(i)
			other := c.tracer.of(int32(i))
			if other.place == one.place || f.SourceType != ledger.SourceManual {
				continue
			}
			ticket := c.isTicket(other)
			if !(ticket && meet(other.own, one.names)) && !(ticket && f.Entity == one.fact.Entity) {
				continue
			}
			one.joined = append(one.joined, other)
		}
	}
}

// maxRecords is up to how many facts records of the packet are joined.
const maxRecords = 2000

// isTicket reports whether a fact is about a record: nothing that a machine observes
// has its name.
func (c *Case) isTicket(t *trace) bool {
	for _, name := range t.own {
		if c.tracer.seen[name] || c.tracer.actors[name] {
			return false
		}
	}
	return true
}

// share is how far a cover accounts for an act, 0 to 1.
func (c *Case) share(cover, act *item) float64 {
	if !cover.isRecord() {
		return c.seenShare(cover, act)
	}
	all := append([]*trace{cover.trace}, cover.joined...)
	for _, t := range all {
		c.tracer.bounds(t)
		if t.dated && t.reckoned() && !t.window.includes(act.fact.At) {
			return 0
		}
	}
	share := c.recordShare(all, act.trace)
	for _, near := range act.near {
		share = max(share, nearShare*c.recordShare(all, near))
	}
	for _, far := range act.far {
		share = max(share, farShare*c.recordShare(all, far))
	}
	if c.isElsewhere(all, act) {
		share *= elsewhere
	}
	return share
}

// nearShare is what is left of a cover for what is close to an act.
const nearShare, farShare = 0.85, 0.65

// recordShare is how far a record speaks of a fact.
func (c *Case) recordShare(record []*trace, of *trace) float64 {
	names, places, kind, dated := 0, false, false, false
	for _, t := range record {
		dated = dated || t.dated
		names += c.shared(t, of)
		places = places || meet(t.own, of.own) || t.reaches(of.own)
		kind = kind || c.sameKind(t, of)
	}
	share := 0.0
	switch {
	case (names > 0 || places) && kind:
		share = recordBoth
	case names > 1:
		share = recordNames
	case names == 1 && dated:
		share = recordDated
	case names == 1:
		share = recordName
	case kind:
		share = recordKind
	case places:
		share = recordPlace
	}
	if !dated {
		share *= undated
	}
	return share
}

// reckoned reports whether the times of a trace bound what it is about.
func (t *trace) reckoned() bool { return !t.window.from.IsZero() || !t.window.to.IsZero() }

// seenShare is that of what machines observe.
func (c *Case) seenShare(cover, act *item) float64 {
	const apart = 24 * time.Hour
	if act.fact.At.Sub(cover.fact.At).Abs() > apart {
		return 0
	}
	if cover.is(state.RoleFailed) && !act.is(state.RoleEffect) && meet(cover.own, act.own) && act.fact.At.Sub(cover.fact.At).Abs() <= soonFailed {
		return failedBeside
	}
	names, kind := c.sharedFew(cover.trace, act.trace), c.sameKind(cover.trace, act.trace)
	place := meet(cover.own, act.names) || meet(act.own, cover.names)
	switch {
	case names > 0 && kind:
		return seenBoth
	case names > 0:
		return seenName
	case kind && place && act.fact.At.Sub(cover.fact.At).Abs() <= soon:
		return seenSoon
	case kind && place:
		return seenKind
	}
	return 0
}

// shared counts the names that both have, beside those that most facts have.
func (c *Case) shared(a, b *trace) int {
	n := 0
	for _, name := range a.names {
		if b.names.has(name) && !(a.own.has(name) && b.own.has(name)) {
			n++
		}
	}
	return n
}

// sharedFew counts the names that both have and few others.
func (c *Case) sharedFew(a, b *trace) int {
	const few = 4
	n := 0
	for _, name := range a.names {
		if b.names.has(name) && !(a.own.has(name) && b.own.has(name)) && c.names[name] <= few {
			n++
		}
	}
	return n
}

// sameKind reports whether two facts speak of the same kind of thing done, or have a
// longer word in common that few have.
func (c *Case) sameKind(a, b *trace) bool {
	if a.acts&b.acts != 0 {
		return true
	}
	const few = 5
	for _, stem := range a.stems {
		if b.stems.has(stem) && c.stems[stem] <= few {
			return true
		}
	}
	return false
}

// isElsewhere reports whether a record names the machines that it is about, and the act
// is at none of them; or where it has something go, and the act goes elsewhere.
func (c *Case) isElsewhere(record []*trace, act *item) bool {
	scoped, aimed, hit, named := false, false, false, 0
	names := 0
	for _, t := range record {
		names += c.shared(t, act.trace)
	}
	from, to := ends(act.fact.Entity)
	goes := to != "" && outside(to, from)
	for _, t := range record {
		if meet(act.own, t.names) || t.reaches(act.own) {
			return false
		}
		named += c.shared(t, act.trace)
		aimed = aimed || len(t.targets) > 0
		hit = hit || meet(t.targets, act.names) || slices.ContainsFunc(act.near, func(near *trace) bool { return meet(t.targets, near.names) })
		for _, name := range t.scope {
			scoped = scoped || c.tracer.isMachine(name)
			if act.names.has(name) {
				return false
			}
		}
		scoped = scoped || len(t.wild) > 0 && names == 0 || c.isSibling(t, act)
		scoped = scoped || slices.ContainsFunc(t.own, c.tracer.isMachine)
	}
	const sure = 2
	return scoped && named < sure || goes && aimed && !hit
}

// isSibling reports whether a record names a machine of the kind of the act's, and not
// the act's: the ticket of plc-12 is none of plc-07.
func (c *Case) isSibling(t *trace, act *item) bool {
	for _, own := range act.own {
		head := headOf(own)
		if head == "" || !c.tracer.heads[head] {
			continue
		}
		if slices.ContainsFunc(t.names, func(name string) bool { return headOf(name) == head }) {
			return true
		}
	}
	return false
}

// onlyOdd reports whether a fact is unusual, and no more.
func (i *item) onlyOdd() bool {
	return !i.is(state.RoleAct, state.RoleEffect)
}

func meet(a, b set) bool {
	return slices.ContainsFunc(a, b.has)
}
