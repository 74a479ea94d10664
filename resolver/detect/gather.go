package detect

import (
	"cmp"
	"slices"

	"moot/state"
)

// raised is a finding on its way to a claim: the facts that no stronger one cites.
type raised struct {
	*Finding
	// also are names of findings that cite the same.
	also []string
}

// gather lets each fact stand under one claim, that of the strongest finding that cites
// it, and names the others that cite the same there. The facts cited remain the same, and
// so do the shares of the sides.
func (c *Case) gather(findings []Finding) []raised {
	left := make([]*Finding, len(findings))
	for i := range findings {
		left[i] = &findings[i]
	}
	if told := c.told(left); len(told) <= maxClaims {
		left = told
	}
	var all []raised
	for len(left) > 0 {
		slices.SortStableFunc(left, strongest)
		one := raised{Finding: left[0]}
		rest := []*Finding{}
		for _, f := range left[1:] {
			trimmed, same := c.without(f, one.Finding)
			if same {
				one.also = append(one.also, f.Rule.Name)
			}
			if trimmed != nil {
				rest = append(rest, trimmed)
			}
		}
		all, left = append(all, one), rest
	}
	return all
}

// strongest orders findings: of two that are as strong the one whose rule weighs more
// comes first.
func strongest(a, b *Finding) int {
	return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(b.Rule.Weight, a.Rule.Weight))
}

// without is a finding less the facts of another one, nil where none is left; same says
// that both cite the same.
func (c *Case) without(f, other *Finding) (rest *Finding, same bool) {
	kept := slices.DeleteFunc(slices.Clone(f.items), func(i *item) bool { return slices.Contains(other.items, i) })
	switch len(kept) {
	case 0:
		return nil, len(f.items) == len(other.items)
	case len(f.items):
		return f, false
	}
	return c.part(f, kept), false
}

// told takes what people state out of the findings of acts: it is out of the ordinary, and
// no act that a machine saw. A domain that has no rule for that keeps them as they are.
func (c *Case) told(findings []*Finding) []*Finding {
	number := slices.IndexFunc(c.detector.rules, func(r rule) bool { return r.Reads && r.reading == readAct })
	if number < 0 {
		return findings
	}
	stated := &Finding{Rule: c.detector.rules[number].FactRule, number: int32(number)} //nolint:gosec // a domain has no more rules
	var list []*Finding
	for _, f := range findings {
		if c.detector.rules[f.number].reading != readAct {
			list = append(list, f)
			continue
		}
		acts := []*item{}
		strength := 0.0
		for _, one := range f.items {
			switch {
			case f.Rule.Reads || isStatement(one.fact):
				strength = max(strength, c.does(f, one))
				if !slices.Contains(stated.items, one) {
					stated.items = append(stated.items, one)
				}
			default:
				acts = append(acts, one)
			}
		}
		stated.Strength = max(stated.Strength, min(strength, f.Strength))
		switch len(acts) {
		case 0:
		case len(f.items):
			list = append(list, f)
		default:
			list = append(list, c.part(f, acts))
		}
	}
	switch n := len(stated.items); {
	case n > maxFacts:
		return findings
	case n > 0:
		slices.SortStableFunc(stated.items, func(a, b *item) int { return cmp.Compare(a.place, b.place) })
		for _, one := range stated.items {
			stated.Facts = append(stated.Facts, one.fact.ID)
		}
		stated.Count = n
		list = append(list, stated)
	}
	return list
}

// part is a finding of some of its facts, as strong as they are in it.
func (c *Case) part(f *Finding, kept []*item) *Finding {
	part := *f
	part.items, part.Facts, part.Count = kept, nil, len(kept)
	of, all := 0.0, 0.0
	for _, one := range kept {
		part.Facts = append(part.Facts, one.fact.ID)
		of = max(of, c.does(f, one))
	}
	for _, one := range f.items {
		all = max(all, c.does(f, one))
	}
	if all > 0 {
		part.Strength = finite(f.Strength * of / all)
	}
	return &part
}

// does is how far a fact does what a finding says of it.
func (c *Case) does(f *Finding, one *item) float64 {
	k := c.detector.rules[f.number].reading
	switch {
	case k < 0:
		return 0
	case k == readAct:
		return one.reads[k] * one.left
	case k == readCover && !f.Rule.Whole:
		return one.reads[k] * one.bound
	}
	return one.reads[k]
}

// claim says what a finding says.
func (c *Case) claim(one *raised) Claim {
	return Claim{
		Rule: one.Rule.ID, Name: one.Rule.Name, Role: one.Rule.Role, Technique: one.Rule.Technique, Facts: one.Facts,
		Reading: c.reading(one), Confidence: one.Strength,
	}
}

// isSkeptics reports whether a finding is one of the skeptic.
func (f *Finding) isSkeptics() bool { return f.Rule.Role.Seat() == state.Skeptic }
