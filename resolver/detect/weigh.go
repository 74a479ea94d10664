package detect

import (
	"math"
	"slices"

	"moot/state"
)

// Sums are what is left of both sides.
type Sums struct {
	// Architect and Skeptic are the sums of both sides, 0 to 1; Gap is how much of the
	// record is missing, 0 to 1, which was taken from both.
	Architect, Skeptic, Gap float64
	// Denied is how far people say that something was not theirs, 0 to 1.
	Denied float64
}

// Weigh sums up what stands of the facts that each side cites, with everything in the
// packet that speaks against it. Where a list is nil the side cites all that its rules
// speak of.
func (c *Case) Weigh(architect, skeptic []string) Sums {
	var s Sums
	weights, denials, covers, gaps := []float64{}, []float64{}, []float64{}, []float64{}
	all, left, core := 0.0, 0.0, 0
	found, open := 0.0, 0.0
	for _, act := range c.acts {
		if !act.isDenial() {
			found += act.serious()
			open += act.serious() * act.left
		}
		if architect != nil && !slices.Contains(architect, act.fact.ID) {
			continue
		}
		if act.isDenial() {
			denials = append(denials, act.serious())
			continue
		}
		weights = append(weights, act.serious())
		if !act.onlyOdd() {
			core++
		}
		all += act.serious()
		left += act.serious() * act.left
	}
	for _, cover := range c.covers {
		if skeptic == nil || slices.Contains(skeptic, cover.fact.ID) {
			covers = append(covers, cover.standing)
		}
	}
	denied := together(denials...)
	whole := c.wholeOf(architect, skeptic, denied)
	for _, gap := range c.gaps {
		gaps = append(gaps, gap.weight[state.RoleGap])
	}
	s.Gap, s.Denied = together(gaps...), denied
	unexplained := 1.0
	if all > 0 {
		unexplained = left / all
	}
	// What the skeptic accounts for is there whether the architect cites it or not.
	unaccounted := 1.0
	if found > 0 {
		unaccounted = open / found
	}
	s.Architect = together(corroborated(core)*together(weights...)*unexplained*math.Sqrt(unexplained), denied*denialShare) * (1 - s.Gap) * (1 - s.Gap)
	s.Skeptic = together(together(covers...)*(1-unaccounted*unaccounted*unaccounted), together(whole...)) * (1 - denied*denialTakes) * (1 - s.Gap) * (1 - s.Gap)
	return s
}

// wholeOf are the weights of what speaks for the skeptic in the whole case.
func (c *Case) wholeOf(architect, skeptic []string, denied float64) []float64 {
	var whole []float64
	for i := range c.findings {
		if f := &c.findings[i]; f.Rule.Whole && (skeptic == nil || slices.ContainsFunc(f.Facts, func(id string) bool { return slices.Contains(skeptic, id) })) {
			whole = append(whole, f.Rule.Weight)
		}
	}
	if c.isOrdinary() && len(c.gaps) < 2 && denied == 0 && len(architect) == 0 && (skeptic == nil || len(skeptic) > 0) {
		whole = append(whole, ordinaryWeight)
	}
	return whole
}

// corroborated is what is left of acts by their number: what is but unusual shows
// nothing, and one act alone little.
func corroborated(acts int) float64 {
	const none, one = 0.3, 0.7
	switch acts {
	case 0:
		return none
	case 1:
		return one
	}
	return 1
}

// isDenial reports whether a fact is a denial and nothing else.
func (i *item) isDenial() bool { return i.serious() == i.weight[state.RoleDenial] }

// denialShare is what a denial adds to the architect, denialTakes what it takes from
// the skeptic.
const denialShare, denialTakes = 0.6, 0.5
