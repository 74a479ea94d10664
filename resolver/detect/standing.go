package detect

import (
	"cmp"
	"slices"

	"moot/state"
)

// Speaks reports whether one of the facts does something for the side.
func (c *Case) Speaks(seat state.Seat, facts []string) bool {
	return slices.ContainsFunc(c.all, func(one *item) bool {
		return slices.Contains(facts, one.fact.ID) && one.speaks(seat) >= least
	})
}

// speaks is how likely a fact does something for a side.
func (i *item) speaks(seat state.Seat) float64 {
	total := 0.0
	for k, role := range state.Readings() {
		if role.Seat() == seat {
			total += i.reads[k]
		}
	}
	return total
}

// Standing is what facts that a side cites come to alone, 0 to 1: acts less what accounts
// for them, covers as far as they account for an act, and what is missing by itself.
func (c *Case) Standing(seat state.Seat, facts []string) float64 {
	var weights []float64
	for _, one := range c.all {
		if slices.Contains(facts, one.fact.ID) {
			weights = append(weights, c.comesTo(one, seat))
		}
	}
	return together(weights...)
}

// comesTo is what one fact comes to for a side.
func (*Case) comesTo(one *item, seat state.Seat) float64 {
	r := &one.reads
	if seat == state.Architect {
		return together(r[readAct]*one.left, r[readDenial], r[readMisfit])
	}
	bound := one.bound
	if one.whole {
		bound = 1
	}
	return together(r[readCover]*bound, r[readFailed], r[readGap])
}

// ordinaryWeight is what it comes to that nothing is out of the ordinary.
const ordinaryWeight = 0.5

// ordinaryClaim is the skeptic's where it finds nothing else to say, and the case comes to
// little: it cites the first facts.
func (c *Case) ordinaryClaim() (Claim, bool) {
	if len(c.acts) > 0 && c.Weigh(nil, nil).Architect >= ordinaryWeight {
		return Claim{}, false
	}
	claim := Claim{
		Rule: "ordinary", Name: "nothing out of the ordinary", Role: state.RoleClear, Confidence: ordinaryWeight,
		Reading: "Nothing in these facts is out of the ordinary, as far as any rule tells.",
	}
	if len(c.acts) > 0 {
		claim.Name, claim.Confidence = "little out of the ordinary", ordinaryWeight/2
		claim.Reading = "What is out of the ordinary in these facts shows little, as far as any rule tells."
	}
	for i := range min(c.packet.Len(), maxFacts) {
		claim.Facts = append(claim.Facts, c.packet.At(i).ID)
	}
	return claim, true
}

// Missing returns the ids of facts that say what the record lacks, the likeliest first, 4
// at most.
func (c *Case) Missing() []string {
	const most = 4
	gaps := slices.DeleteFunc(slices.Clone(c.all), func(one *item) bool { return one.reads[readGap] < likelyGap })
	slices.SortStableFunc(gaps, func(a, b *item) int { return cmp.Compare(b.reads[readGap], a.reads[readGap]) })
	ids := []string{}
	for _, gap := range gaps[:min(len(gaps), most)] {
		ids = append(ids, gap.fact.ID)
	}
	return ids
}

// likelyGap is from which likelihood a fact says what the record lacks.
const likelyGap = 0.25
