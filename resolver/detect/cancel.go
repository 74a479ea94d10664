package detect

import (
	"slices"

	"moot/state"
)

// takes is how much a finding of the other side that is about the same thing takes from
// one that is no act.
const takes = 0.5

// mostlyLeft is from which share an effect that is not accounted for cancels what says
// that nothing came of it.
const mostlyLeft = 0.6

// cancel reckons how strong each finding is, and what cancels it.
func (c *Case) cancel(items map[int32]*item) {
	for i := range c.findings {
		f := &c.findings[i]
		f.Strength = f.Rule.Weight
		switch f.Rule.Role {
		case state.RoleAct, state.RoleEffect, state.RoleOddity, state.RoleAlert:
			c.cancelAct(f, items)
		case state.RoleCover, state.RoleNature, state.RoleFailed, state.RoleClear:
			if !f.Rule.Whole {
				bound := 0.0
				for _, place := range f.places {
					bound = max(bound, items[place].bound)
				}
				f.Strength *= bound
			}
			c.oppose(f, items)
		case state.RoleDenial, state.RoleGap:
			c.oppose(f, items)
		case state.RoleChange, state.RoleReturn:
			f.Strength = 0
		}
		f.Strength = finite(f.Strength)
	}
}

// cancelAct takes from an act what covers account for.
func (c *Case) cancelAct(f *Finding, items map[int32]*item) {
	left := 0.0
	for _, place := range f.places {
		one := items[place]
		if one.serious() == 0 {
			// A record, or an alert, is no act, whatever it speaks of.
			continue
		}
		left = max(left, one.left)
		for _, b := range one.by {
			f.addCancelled(c, b.cover, b.share)
		}
	}
	f.Strength *= left
	c.oppose(f, items)
}

// oppose takes from a finding that is no act what others that cancel it say of the same
// thing, or of the whole case.
func (c *Case) oppose(f *Finding, items map[int32]*item) {
	var weights []float64
	for i := range c.findings {
		other := &c.findings[i]
		if !c.detector.rules[f.number].cancel[other.number] || f.Rule.Role.Seat() == state.Architect && f.Rule.Role != state.RoleDenial && !other.Rule.Whole {
			continue
		}
		for _, place := range other.places {
			one := items[place]
			if slices.Contains(f.places, place) || !one.is(other.Rule.Role) || other.Rule.Role == state.RoleEffect && one.left < mostlyLeft {
				continue
			}
			if f.Rule.Whole || other.Rule.Whole || slices.ContainsFunc(f.places, func(p int32) bool { return meet(items[p].names, one.names) }) {
				weights = append(weights, other.Rule.Weight)
				f.addCancelled(c, one, takes)
				break
			}
		}
	}
	f.Strength *= 1 - takes*together(weights...)
}

// addCancelled notes what a fact takes away from the finding.
func (f *Finding) addCancelled(c *Case, by *item, share float64) {
	for _, number := range by.rules {
		if !c.detector.rules[f.number].cancel[number] {
			continue
		}
		rule := c.detector.rules[number]
		id, share := by.fact.ID, share*rule.Weight
		at := slices.IndexFunc(f.Cancelled, func(one Cancelled) bool { return one.Rule == rule.ID })
		if at < 0 {
			f.Cancelled = append(f.Cancelled, Cancelled{Rule: rule.ID, Facts: []string{id}, Share: share})
			continue
		}
		one := &f.Cancelled[at]
		one.Share = max(one.Share, share)
		if !slices.Contains(one.Facts, id) && len(one.Facts) < maxFacts {
			one.Facts = append(one.Facts, id)
		}
	}
}
