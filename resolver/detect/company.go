package detect

import (
	"math"
	"slices"
)

// company reads each fact once more, by what it is among: how likely the others are what
// they are, and how a cover fits the acts. It adds to what the words of the fact come to;
// where facts go by rules alone there is nothing to add to.
func (c *Case) company() {
	if c.courses != nil || c.detector.company == nil || c.detector.lexicon == nil || c.packet.Len() > maxNear {
		return
	}
	c.meet()
	w, all := newWording(c.detector.company), c.crowd()
	again := make([]readings, len(c.all))
	for i, one := range c.all {
		w.begin()
		c.among(w, one, all)
		again[i] = one.logits
		for k, n := range w.sum {
			again[i][k] += n
		}
	}
	items := c.all
	c.all, c.acts, c.covers = nil, nil, nil
	for i, one := range items {
		one.reads = again[i].likely()
		c.sort(one)
	}
	c.order()
}

// probable is from which likelihood a fact is taken for something by others.
const probable = 0.5

// crowd is what the facts of a case are, as their words have it.
type crowd struct {
	// acts are the probable ones, probable how many facts probably do each thing.
	acts     []*item
	probable [len(readings{})]int
}

func (c *Case) crowd() *crowd {
	var all crowd
	for _, one := range c.all {
		for k, p := range one.reads {
			if p >= probable {
				all.probable[k]++
			}
		}
		if one.reads[readAct] >= probable {
			all.acts = append(all.acts, one)
		}
	}
	return &all
}

// among takes the terms of what a fact is among.
func (c *Case) among(w *wording, one *item, all *crowd) {
	counts := &c.detector.counts
	named, same := 0, 0
	for _, act := range all.acts {
		if act == one {
			continue
		}
		if act.fact.Entity == one.fact.Entity {
			same++
		}
		if slices.ContainsFunc(one.names, func(name string) bool { return c.names[name] <= c.packet.Len()/2 && act.names.has(name) }) {
			named++
		}
	}
	const quarters = 4
	for k, p := range one.reads {
		others := all.probable[k]
		if p >= probable {
			others--
		}
		w.count(&counts.others[k], others)
		w.count(&counts.first[k], int(math.Round(p*quarters)))
	}
	w.count(&counts.named, named)
	w.count(&counts.same, same)
	if one.reads[readCover]+one.reads[readMisfit]+one.reads[readDenial] >= least {
		c.fits(w, one, all.acts)
	}
}

// fits takes the terms of how a cover fits the acts: ties with some of them, and with all.
func (c *Case) fits(w *wording, cover *item, acts []*item) {
	var some [tieCount]int
	best := 0.0
	others := 0
	for _, act := range acts {
		if act == cover {
			continue
		}
		others++
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
		if n > 0 && n == others {
			w.write("all ", c.detector.ties.name(cover, k))
			w.add()
		}
	}
	const quarters = 4
	w.count(&c.detector.counts.fits, int(math.Round(best*quarters)))
}

// CompanyTerms are the terms of what a fact is among, as its words alone have the others,
// and what its own words come to; nil of packets that are read without company.
func (c *Case) CompanyTerms(id string) (terms []string, logits []float64) {
	if c.packet.Len() > maxNear {
		return nil, nil
	}
	w := newWording(nil)
	w.list = func(term string) { terms = append(terms, term) }
	for _, one := range c.all {
		if one.fact.ID == id {
			if c.courses == nil {
				w.begin()
				c.among(w, one, c.crowd())
			}
			return terms, one.logits[:]
		}
	}
	return nil, nil
}
