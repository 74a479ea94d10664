package detect

import "slices"

// What follows is what weights are learnt from (package lab/learn).

// Terms are the terms of a fact, each once, in their order.
func (c *Case) Terms(place int) []string {
	var all []string
	w := newWording(nil)
	w.list = func(term string) {
		if !slices.Contains(all, term) {
			all = append(all, term)
		}
	}
	at := int32(place) //nolint:gosec // a packet has no more facts
	c.terms(w, at, c.speakers[at])
	return all
}

// Likely tells how likely a fact does each of state.Readings, 0 to 1.
func (c *Case) Likely(id string) []float64 {
	for _, one := range c.all {
		if one.fact.ID == id {
			return one.reads[:]
		}
	}
	return make([]float64, len(readings{}))
}

// Pair is a cover and an act that it may account for.
type Pair struct {
	// Cover and Act are ids of facts.
	Cover, Act string
	// Ties are names of what they have in common.
	Ties []string
}

// Pairs are those of the case.
func (c *Case) Pairs() []Pair {
	var all []Pair
	for _, cover := range c.covers {
		for _, act := range c.acts {
			if cover.place == act.place {
				continue
			}
			pair := Pair{Cover: cover.fact.ID, Act: act.fact.ID}
			for k, has := range c.ties(cover, act) {
				if has {
					pair.Ties = append(pair.Ties, c.detector.ties.name(cover, k))
				}
			}
			all = append(all, pair)
		}
	}
	return all
}

// Evidence is what all facts come to, in the order of SumNames.
func (c *Case) Evidence() []float64 {
	e := c.evidence()
	return e[:]
}
