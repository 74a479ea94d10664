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
const mostlyLeft = 0.3

// cancel reckons how strong each finding is, and what cancels it.
func (c *Case) cancel() {
	for i := range c.findings {
		f := &c.findings[i]
		k := c.detector.rules[f.number].reading
		if k < 0 {
			continue
		}
		for _, one := range f.items {
			strength := one.reads[k]
			switch {
			case k == readAct:
				strength *= one.left
				for _, b := range one.by {
					f.addCancelled(c, b.cover, b.share)
				}
			case k == readCover && !f.Rule.Whole:
				strength *= one.bound
			}
			f.Strength = max(f.Strength, strength)
		}
		c.oppose(f)
		f.Strength = finite(f.Strength)
	}
}

// oppose takes from a finding what others that cancel it say of the same thing, or of the
// whole case. What accounts for an act took from it before.
func (c *Case) oppose(f *Finding) {
	var weights []float64
	isAct := f.Rule.Role.Reading() == state.RoleAct
	for i := range c.findings {
		other := &c.findings[i]
		if !c.detector.rules[f.number].cancel[other.number] || isAct && !other.Rule.Whole {
			continue
		}
		if by := f.opposedBy(other); by != nil {
			weights = append(weights, by.reads[c.detector.rules[other.number].reading])
			f.addCancelled(c, by, takes)
		}
	}
	f.Strength *= 1 - takes*together(weights...)
}

// opposedBy is the fact of another finding that speaks against one, or nil.
func (f *Finding) opposedBy(other *Finding) *item {
	for _, one := range other.items {
		if slices.Contains(f.items, one) || other.Rule.Role == state.RoleEffect && one.left < mostlyLeft {
			continue
		}
		if f.Rule.Whole || other.Rule.Whole || slices.ContainsFunc(f.items, func(i *item) bool { return meet(i.names, one.names) }) {
			return one
		}
	}
	return nil
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
