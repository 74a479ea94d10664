package detect

import (
	"cmp"
	"slices"
	"time"

	"moot/state"
)

// How far a cover accounts for an act, by what the two have in common.
const (
	// bothShare is where they name the same thing and are of the same kind; nameShare
	// where they name the same thing beside the place; kindShare where they are of the
	// same kind; placeShare where only the place is the same.
	bothShare, nameShare, kindShare, placeShare = 1.0, 0.75, 0.5, 0.2
	// elsewhere is what is left of a cover that names another place.
	elsewhere = 0.3
)

// bind holds each cover against each act.
func (c *Case) bind() {
	for _, cover := range c.covers {
		for _, act := range c.acts {
			if cover.place == act.place {
				continue
			}
			share := c.share(cover, act)
			if share <= 0 {
				continue
			}
			cover.bound = max(cover.bound, share)
			act.by = append(act.by, binding{cover, share})
		}
	}
	for _, act := range c.acts {
		slices.SortStableFunc(act.by, func(a, b binding) int {
			return cmp.Compare(b.share*b.cover.against(), a.share*a.cover.against())
		})
		for _, b := range act.by {
			act.left *= 1 - b.share*b.cover.against()
		}
	}
}

// share is how far a cover accounts for an act, 0 to 1.
func (c *Case) share(cover, act *item) float64 {
	if cover.dated && cover.is(state.RoleCover) && !cover.window.includes(act.fact.At) {
		return 0
	}
	const apart = 48 * time.Hour
	if !cover.dated && act.fact.At.Sub(cover.fact.At).Abs() > apart && !cover.is(state.RoleCover, state.RoleNature) {
		return 0
	}
	place := meet(cover.own, act.names) || meet(act.own, cover.names)
	named := 0
	for name := range cover.names {
		if act.names[name] && !(cover.own[name] && act.own[name]) {
			named++
		}
	}
	kind := cover.acts&act.acts != 0
	if !kind {
		for stem := range cover.stems {
			if act.stems[stem] {
				kind = true
				break
			}
		}
	}
	switch {
	case named > 0 && kind:
		return bothShare
	case named > 0:
		return nameShare
	case place && kind:
		return nameShare
	case kind:
		return kindShare
	case place:
		return placeShare
	}
	return 0
}

func meet(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}

// cancel reckons how strong each finding is, and what cancels it.
func (c *Case) cancel(items map[int32]*item) {
	for i := range c.findings {
		f := &c.findings[i]
		f.Strength = f.Rule.Weight
		switch f.Rule.Role.Seat() {
		case state.Architect:
			left := 0.0
			for _, place := range f.places {
				left = max(left, items[place].left)
				for _, b := range items[place].by {
					f.addCancelled(c, b)
				}
			}
			f.Strength *= left
		default:
			bound := 0.0
			for _, place := range f.places {
				bound = max(bound, items[place].bound)
			}
			if f.Rule.Role != state.RoleGap {
				f.Strength *= bound
			}
		}
		f.Strength = finite(f.Strength)
	}
}

// addCancelled notes what a cover takes away from the finding.
func (f *Finding) addCancelled(c *Case, b binding) {
	for _, number := range b.cover.rules {
		rule := c.detector.rules[number]
		if rule.Role.Seat() != state.Skeptic || rule.Role == state.RoleGap {
			continue
		}
		id, share := b.cover.fact.ID, b.share*rule.Weight
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
