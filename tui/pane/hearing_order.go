package pane

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"moot/ledger"
	"moot/state"
)

// whose says which facts of a packet are listed: by who cites them.
type whose int

const (
	whoseAll whose = iota
	whoseArchitect
	whoseSkeptic
	whoseBoth
	whoseNobody
	whoseCount
)

// words name it; "" for all.
func (w whose) words() string {
	return [whoseCount]string{"", "cited by the architect", "cited by the skeptic", "cited by both", "cited by nobody"}[w]
}

// takes reports whether a cited fact is listed.
func (w whose) takes(uses []factUse) bool {
	switch w {
	case whoseAll:
		return true
	case whoseArchitect:
		return citedBy(uses, state.Architect)
	case whoseSkeptic:
		return citedBy(uses, state.Skeptic)
	case whoseBoth:
		return citedBy(uses, state.Architect) && citedBy(uses, state.Skeptic)
	case whoseNobody, whoseCount:
	}
	return false
}

// factOrder is the order in which the facts of a packet are listed. What is cited is
// few, and the rest may be a million: their order is only reckoned with, and kept
// nowhere but by time.
type factOrder struct {
	// n is the number of facts in the packet.
	n int
	// byTime are the places in the order of time, inTime the place of each in that
	// order; nil where the packet has that order, or where it is not known yet.
	byTime, inTime []int32
	// hits are what a search left over, as places in the order of time, ascending;
	// nil where nothing is searched. An empty list is none.
	hits []int32
	// cited are the cited facts among those that are left, listed those that are
	// shown, in their order; marks are all cited ones that are left, ascending. Each
	// is a place among what is left.
	listed, marks []int
	// rest says that what nobody cites stands below what is listed.
	rest bool
	// turned says that the order is turned around.
	turned bool
}

// arrange puts the facts into order: by time, or by use, where those that are cited
// most stand first.
func (o *factOrder) arrange(uses map[int][]factUse, who whose, byUse bool) {
	o.marks, o.listed, o.rest = o.marks[:0], o.listed[:0], who == whoseAll || who == whoseNobody
	count := map[int]int{}
	for place, u := range uses {
		at := o.left(place)
		if at < 0 {
			continue
		}
		o.marks = append(o.marks, at)
		count[at] = len(u)
		if who.takes(u) {
			o.listed = append(o.listed, at)
		}
	}
	slices.Sort(o.marks)
	slices.SortFunc(o.listed, func(a, b int) int {
		if byUse {
			return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
		}
		return cmp.Compare(a, b)
	})
	if who == whoseAll && !byUse {
		// All stand in the order of time, whoever cites them.
		o.marks, o.listed = o.marks[:0], o.listed[:0]
	}
}

// size is how many facts a search left over.
func (o *factOrder) size() int {
	if o.hits != nil {
		return len(o.hits)
	}
	return o.n
}

// Count is how many facts are listed.
func (o *factOrder) Count() int {
	if !o.rest {
		return len(o.listed)
	}
	return len(o.listed) + o.size() - len(o.marks)
}

// Place is the place in the packet of the fact that is listed at i.
func (o *factOrder) Place(i int) int {
	if o.turned {
		i = o.Count() - 1 - i
	}
	var at int
	if i < len(o.listed) {
		at = o.listed[i]
	} else {
		at = o.uncited(i - len(o.listed))
	}
	if o.hits != nil {
		at = int(o.hits[at])
	}
	if o.byTime != nil {
		at = int(o.byTime[at])
	}
	return at
}

// uncited is the place among what is left of the fact that comes i-th of those that
// nobody cites.
func (o *factOrder) uncited(i int) int {
	// Before the k-th cited one stand marks[k]-k that are not.
	return i + sort.Search(len(o.marks), func(k int) bool { return o.marks[k]-k > i })
}

// left is where the fact at a place of the packet stands among what is left, or -1.
func (o *factOrder) left(place int) int {
	if o.inTime != nil {
		place = int(o.inTime[place])
	}
	if o.hits == nil {
		return place
	}
	at, found := slices.BinarySearch(o.hits, int32(place)) //nolint:gosec // a packet has fewer facts
	if !found {
		return -1
	}
	return at
}

// Find is where the fact at a place of the packet is listed, or -1.
func (o *factOrder) Find(place int) int {
	if place < 0 || place >= o.n {
		return -1
	}
	at := o.left(place)
	if at < 0 {
		return -1
	}
	i := slices.Index(o.listed, at)
	if i < 0 {
		k, cited := slices.BinarySearch(o.marks, at)
		if cited || !o.rest {
			return -1
		}
		i = len(o.listed) + at - k
	}
	if o.turned {
		return o.Count() - 1 - i
	}
	return i
}

// timeOrder is the order of a packet's facts by time, those of one moment as in the
// packet; nil where it has that order. The second list is its inverse.
func timeOrder(p *ledger.Packet) (byTime, inTime []int32) {
	moments, sorted := make([]time.Time, p.Len()), true
	for i, f := range p.All() {
		moments[i] = f.At
		sorted = sorted && (i == 0 || !f.At.Before(moments[i-1]))
	}
	if sorted {
		return nil, nil
	}
	byTime, inTime = make([]int32, len(moments)), make([]int32, len(moments))
	for i := range byTime {
		byTime[i] = int32(i)
	}
	slices.SortFunc(byTime, func(a, b int32) int { return cmp.Or(moments[a].Compare(moments[b]), cmp.Compare(a, b)) })
	for i, place := range byTime {
		inTime[place] = int32(i)
	}
	return byTime, inTime
}
