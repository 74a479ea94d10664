package detect

import (
	"math"
	"slices"

	"moot/state"
)

// company reads each fact once more, by what it is among: how likely the others are what
// they are, and how a cover fits the acts. It adds to what the words of the fact come to.
func (c *Case) company() {
	if c.detector.company == nil || c.packet.Len() > maxNear {
		return
	}
	c.meet()
	w := newWording(c.detector.company)
	again := make([]readings, len(c.all))
	for i, one := range c.all {
		w.begin()
		c.among(w, one)
		again[i] = one.logits
		for k, n := range w.sum {
			again[i][k] += n
		}
	}
	all := c.all
	c.all, c.acts, c.covers = nil, nil, nil
	for i, one := range all {
		one.reads = again[i].likely()
		c.sort(one)
	}
	c.order()
}

// amongTerms begin the terms of how many others do a thing, and of how likely a fact does it
// by its words.
type amongTerms struct{ others, first string }

func newAmong() []amongTerms {
	var all []amongTerms
	for _, role := range state.Readings() {
		all = append(all, amongTerms{"others " + string(role) + ":", "first " + string(role) + ":"})
	}
	return all
}

// probable is from which likelihood a fact is taken for something by others.
const probable = 0.5

// among takes the terms of what a fact is among.
func (c *Case) among(w *wording, one *item) {
	var acts []*item
	var others [6]int
	named, same := 0, 0
	for _, other := range c.all {
		if other == one {
			continue
		}
		for k, p := range other.reads {
			if p >= probable {
				others[k]++
			}
		}
		if other.reads[readAct] < probable {
			continue
		}
		acts = append(acts, other)
		if other.fact.Entity == one.fact.Entity {
			same++
		}
		if slices.ContainsFunc(one.names, func(name string) bool { return c.names[name] <= c.packet.Len()/2 && other.names.has(name) }) {
			named++
		}
	}
	for k := range others {
		w.count(c.detector.among[k].others, others[k])
		w.count(c.detector.among[k].first, int(math.Round(one.reads[k]*4))) //nolint:mnd // a quarter each
	}
	w.count("acts with its names:", named)
	w.count("acts of its entity:", same)
	if one.reads[readCover]+one.reads[readMisfit]+one.reads[readDenial] >= least {
		c.fits(w, one, acts)
	}
}

// fits takes the terms of how a cover fits the acts: ties with some of them, and with all.
func (c *Case) fits(w *wording, cover *item, acts []*item) {
	var some [tieCount]int
	best := 0.0
	for _, act := range acts {
		has := c.ties(cover, act)
		best = max(best, c.detector.ties.share(cover, has))
		for k, is := range has {
			if is {
				some[k]++
			}
		}
	}
	for k, n := range some {
		if n > 0 {
			w.write("some ", c.detector.ties.name(cover, k))
			w.add()
		}
		if n > 0 && n == len(acts) {
			w.write("all ", c.detector.ties.name(cover, k))
			w.add()
		}
	}
	w.count("fits:", int(math.Round(best*4))) //nolint:mnd // a quarter each
}

// CompanyTerms are the terms of what a fact is among, as its words alone have the others.
func (c *Case) CompanyTerms(id string) (terms []string, logits []float64) {
	w := newWording(nil)
	w.list = func(term string) { terms = append(terms, term) }
	for _, one := range c.all {
		if one.fact.ID == id {
			w.begin()
			c.among(w, one)
			return terms, one.logits[:]
		}
	}
	return nil, nil
}
