package detect

import (
	"slices"

	"moot/state"
)

// Sums are what is left of both sides.
type Sums struct {
	// Architect and Skeptic are the sums of both sides, 0 to 1; Gap is how much of the
	// record is missing, 0 to 1, which was taken from both.
	Architect, Skeptic, Gap float64
}

// Weigh sums up what stands of the facts that each side cites, with everything in the
// packet that speaks against it. Where a list is nil the side cites all that its rules
// speak of.
func (c *Case) Weigh(architect, skeptic []string) Sums {
	var s Sums
	acts, covers := []float64{}, []float64{}
	for _, act := range c.acts {
		if architect != nil && !slices.Contains(architect, act.fact.ID) {
			continue
		}
		acts = append(acts, act.serious()*act.left)
	}
	for _, cover := range c.covers {
		if skeptic == nil || slices.Contains(skeptic, cover.fact.ID) {
			covers = append(covers, cover.against()*cover.bound)
		}
	}
	gaps := []float64{}
	for _, gap := range c.gaps {
		gaps = append(gaps, gap.weight[state.RoleGap])
	}
	s.Gap = together(gaps...)
	s.Architect = together(acts...) * (1 - s.Gap)
	s.Skeptic = together(covers...) * (1 - s.Gap)
	return s
}
