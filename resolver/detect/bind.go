package detect

import (
	"cmp"
	"slices"

	"moot/state"
)

// bind holds each cover against each act. Where a hearing is about a change, what speaks
// against it accounts for no act of its own: both are weighed as they are.
func (c *Case) bind() {
	c.meet()
	for _, cover := range c.covers {
		for _, act := range c.acts {
			if cover.place != act.place && c.cancels(cover, act) {
				c.hold(cover, act)
			}
		}
	}
	for _, act := range c.acts {
		slices.SortStableFunc(act.by, func(a, b binding) int { return cmp.Compare(b.share, a.share) })
		if c.courses != nil {
			continue
		}
		for _, b := range act.by {
			act.left *= 1 - b.share
		}
		act.left = max(act.left, leastLeft)
	}
}

// hold notes how far a cover accounts for an act. What looks as a cover and is of
// something else still is one in part.
func (c *Case) hold(cover, act *item) {
	const ofMisfit = 0.3
	fits := c.detector.ties.share(cover, c.ties(cover, act))
	share := (cover.reads[readCover] + ofMisfit*cover.reads[readMisfit]) * fits
	if share < leastShare {
		return
	}
	cover.bound = max(cover.bound, fits*act.reads[readAct])
	act.by = append(act.by, binding{cover, share})
}

// leastLeft is what is left of an act at least: it did happen. leastShare is under which
// share a cover does not account for an act.
const leastLeft, leastShare = 0.05, 0.01

// cancels reports whether a rule that speaks of the act is cancelled by one of the cover;
// where no rule takes either for what it is, it may be.
func (c *Case) cancels(cover, act *item) bool {
	acts, covers := c.rulesOf(act, state.RoleAct), c.rulesOf(cover, state.RoleCover)
	if len(acts) == 0 || len(covers) == 0 {
		return true
	}
	return slices.ContainsFunc(acts, func(a int32) bool {
		return slices.ContainsFunc(covers, func(b int32) bool { return c.detector.rules[a].cancel[b] })
	})
}

// rulesOf are the rules of a reading that speak of a fact.
func (c *Case) rulesOf(i *item, reading state.FactRole) []int32 {
	return slices.DeleteFunc(slices.Clone(i.rules), func(n int32) bool { return c.detector.rules[n].Role.Reading() != reading })
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

// isSibling reports whether a record names a machine of the kind of the act's: the ticket
// of plc-12 is none of plc-07. The act's own is of its kind as well; who asks for another
// one looks for it before.
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
