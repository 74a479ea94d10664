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
}

// Weigh sums up what stands of the facts that each side cites, with everything in the
// packet that speaks against it. Where a list is nil the side cites all that its rules
// speak of.
func (c *Case) Weigh(architect, skeptic []string) Sums {
	var s Sums
	weights, denials, covers, gaps := []float64{}, []float64{}, []float64{}, []float64{}
	all, left := 0.0, 0.0
	for _, act := range c.acts {
		if architect != nil && !slices.Contains(architect, act.fact.ID) {
			continue
		}
		if act.isDenial() {
			denials = append(denials, act.serious())
			continue
		}
		weights = append(weights, act.serious())
		all += act.serious()
		left += act.serious() * act.left
	}
	for _, cover := range c.covers {
		if skeptic == nil || slices.Contains(skeptic, cover.fact.ID) {
			covers = append(covers, cover.against()*cover.bound)
		}
	}
	for _, gap := range c.gaps {
		gaps = append(gaps, gap.weight[state.RoleGap])
	}
	denied := together(denials...)
	s.Gap = together(gaps...)
	unexplained := 1.0
	if all > 0 {
		unexplained = left / all
	}
	s.Architect = together(together(weights...)*unexplained*math.Sqrt(unexplained), denied*denialShare) * (1 - s.Gap) * (1 - s.Gap)
	s.Skeptic = together(covers...) * (1 - unexplained*unexplained*unexplained) * (1 - denied*denialTakes) * (1 - s.Gap) * (1 - s.Gap)
	return s
}

// isDenial reports whether a fact is a denial and nothing else.
func (i *item) isDenial() bool { return i.serious() == i.weight[state.RoleDenial] }

// denialShare is what a denial adds to the architect, denialTakes what it takes from
// the skeptic.
const denialShare, denialTakes = 0.6, 0.5
