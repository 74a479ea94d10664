package detect

import (
	"slices"
	"time"

	"moot/ledger"
)

// neighbours notes for each act what belongs to it: what happened at the same place at
// the same minutes, and what has a name in common with it that few facts have.
func (c *Case) neighbours() {
	const apart = 3 * time.Minute
	if c.packet.Len() > maxNear || len(c.acts) == 0 || !slices.ContainsFunc(c.covers, (*item).isRecord) {
		return
	}
	all, counts := []*trace{}, map[string]int{}
	for i := range c.packet.Len() {
		t := c.tracer.of(int32(i))
		for _, name := range t.names {
			counts[name]++
		}
		if t.fact.SourceType != ledger.SourceManual {
			all = append(all, t)
		}
	}
	for _, act := range c.acts {
		for _, t := range all {
			soon := meet(t.own, act.own) && t.fact.At.Sub(act.fact.At).Abs() <= apart
			if t.place != act.place && (soon || meetFew(act.names, t.names, counts)) {
				act.near = append(act.near, t)
			}
		}
		for _, near := range act.near {
			for _, t := range all {
				if t.place != act.place && meetFew(near.names, t.names, counts) && !slices.Contains(act.near, t) && !slices.Contains(act.far, t) {
					act.far = append(act.far, t)
				}
			}
		}
	}
}

// meetFew reports whether both have a name that few facts have.
func meetFew(a, b set, counts map[string]int) bool {
	const few = 4
	return slices.ContainsFunc(a, func(name string) bool { return counts[name] <= few && b.has(name) })
}

// maxNear is up to how many facts the neighbours of acts are looked for.
const maxNear = 200

// spill lets what accounts for an act account in part for others of the same thing, and
// for what is but unusual, or a sensor's word for it.
func (c *Case) spill() {
	core, left := 0.0, 0.0
	for _, act := range c.acts {
		if !act.onlyOdd() {
			core += act.serious()
			left += act.serious() * act.left
		}
	}
	if core == 0 {
		return
	}
	spilt := make([]float64, len(c.acts))
	for i, act := range c.acts {
		spilt[i] = act.left
		if act.isDenial() {
			continue
		}
		share := spillAct
		if act.onlyOdd() {
			share = spillOddity
			spilt[i] = min(spilt[i], 1-spillAll*(1-left/core))
		}
		for _, other := range c.acts {
			if other != act && !other.onlyOdd() && meet(other.own, act.own) {
				spilt[i] = min(spilt[i], 1-share*(1-other.left))
			}
		}
	}
	for i, act := range c.acts {
		act.left = spilt[i]
	}
}
