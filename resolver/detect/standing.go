package detect

import (
	"slices"

	"moot/state"
)

// Speaks reports whether a rule for the side speaks of one of the facts.
func (c *Case) Speaks(seat state.Seat, facts []string) bool {
	return slices.ContainsFunc(c.findings, func(f Finding) bool {
		return f.Rule.Role.Seat() == seat && slices.ContainsFunc(f.Facts, func(id string) bool { return slices.Contains(facts, id) })
	})
}

// Standing is what facts that a side cites come to alone, 0 to 1: acts less what accounts
// for them, covers as far as they account for an act, and what is missing by itself.
func (c *Case) Standing(seat state.Seat, facts []string) float64 {
	var weights []float64
	if seat == state.Architect {
		for _, act := range c.acts {
			if slices.Contains(facts, act.fact.ID) {
				weights = append(weights, act.serious()*act.left)
			}
		}
		return together(weights...)
	}
	for _, cover := range c.covers {
		if slices.Contains(facts, cover.fact.ID) {
			weights = append(weights, max(cover.standing, cover.whole))
		}
	}
	for _, gap := range c.gaps {
		if slices.Contains(facts, gap.fact.ID) {
			weights = append(weights, gap.weight[state.RoleGap])
		}
	}
	return together(weights...)
}

// ordinaryWeight is what it comes to that no rule speaks of anything out of the
// ordinary.
const ordinaryWeight = 0.5

// isOrdinary reports whether no rule finds anything for the architect.
func (c *Case) isOrdinary() bool { return len(c.acts) == 0 }

// isLittle reports whether nothing is missing, and what there is for the architect would
// be little even together.
func (c *Case) isLittle() bool {
	const little = 0.35
	sums := c.Weigh(nil, nil)
	return len(c.acts) > 0 && sums.Gap == 0 && sums.Architect < little
}

// ordinaryClaim is the skeptic's where nothing, or little, is out of the ordinary: it cites the
// first facts.
func (c *Case) ordinaryClaim() Claim {
	claim := Claim{
		Rule: "ordinary", Name: "nothing out of the ordinary", Role: state.RoleClear, Confidence: ordinaryWeight,
		Reading: "Nothing in these facts is out of the ordinary, as far as any rule tells.",
	}
	if !c.isOrdinary() {
		claim.Name, claim.Confidence = "little out of the ordinary", ordinaryWeight/2
		claim.Reading = "What is out of the ordinary in these facts shows little, as far as any rule tells."
	}
	for i := range min(c.packet.Len(), maxFacts) {
		claim.Facts = append(claim.Facts, c.packet.At(i).ID)
	}
	return claim
}

// Missing returns the ids of facts that say what the record lacks, 4 at most.
func (c *Case) Missing() []string {
	const most = 4
	ids := []string{}
	for _, gap := range c.gaps[:min(len(c.gaps), most)] {
		ids = append(ids, gap.fact.ID)
	}
	return ids
}
