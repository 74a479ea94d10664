package detect

import (
	"cmp"
	"math"
	"slices"

	"moot/ledger"
	"moot/state"
)

// Case is what a Detector finds in a packet. It does not change.
type Case struct {
	detector *Detector
	packet   *ledger.Packet
	tracer   *tracer
	findings []Finding
	// acts and covers are the facts that the findings of either kind keep, each once.
	acts, covers, gaps []*item
	// names and stems count in how many kept facts one stands.
	names, stems map[string]int
}

// Finding is a rule that speaks of facts of the packet.
type Finding struct {
	// Rule is not to be changed.
	Rule *state.FactRule
	// Facts are ids of what it speaks of, the earliest first, 12 at most; Count is how
	// many there are.
	Facts []string
	Count int
	// Strength is the rule's weight less what cancels it, 0 to 1.
	Strength float64
	// Cancelled is what cancels it, the strongest first.
	Cancelled []Cancelled
	places    []int32
	number    int32
}

// Cancelled is a finding that speaks against another one, by the same thing and time.
type Cancelled struct {
	// Rule is the id of the rule that speaks against it.
	Rule string
	// Facts are the ids of its facts that do so.
	Facts []string
	// Share is how much of the finding it takes away, 0 to 1.
	Share float64
}

// item is a fact that findings keep.
type item struct {
	*trace
	// weight is the greatest of the rules that speak of it, by their roles.
	weight map[state.FactRole]float64
	rules  []int32
	// left is how much of an act no cover accounts for, 0 to 1; bound how far a cover
	// accounts for any act.
	left, bound float64
	// standing is the greatest weight with which a cover accounts for an act, times how
	// far it does so.
	standing float64
	// by are the covers that account for an act, the strongest first.
	by []binding
	// joined are facts that belong to the same record.
	joined []*trace
	// whole is the greatest weight of rules that speak of the whole case.
	whole float64
	// near are facts that belong to an act.
	near []*trace
	// far are facts that belong to those.
	far []*trace
}

// binding is how far a cover accounts for an act.
type binding struct {
	cover *item
	share float64
	// weight is that of the cover, or more where it names the very thing and time.
	weight float64
}

// Find reads a packet once and returns what the rules find. It takes time in the
// number of facts, and memory in the number of rules.
func (d *Detector) Find(p *ledger.Packet) *Case {
	c := &Case{detector: d, packet: p, tracer: newTracer(d, p)}
	scanned := d.scan(p, nil)
	if d.reckonsCourses {
		scanned = d.scan(p, c.courses(scanned))
	}
	items := map[int32]*item{}
	for number := range d.rules {
		places := scanned.hits[number]
		if len(places) == 0 {
			continue
		}
		f := Finding{Rule: d.rules[number].FactRule, Count: scanned.count[number], places: places, number: int32(number)}
		for _, place := range places {
			f.Facts = append(f.Facts, p.At(int(place)).ID)
			one := items[place]
			if one == nil {
				one = &item{trace: c.tracer.of(place), weight: map[state.FactRole]float64{}, left: 1}
				items[place] = one
			}
			role := d.rules[number].Role
			if d.rules[number].Whole {
				one.whole = max(one.whole, d.rules[number].Weight)
			}
			one.weight[role] = max(one.weight[role], d.rules[number].Weight)
			one.rules = append(one.rules, int32(number))
		}
		c.findings = append(c.findings, f)
	}
	c.sort(items)
	c.bind()
	c.cancel(items)
	return c
}

// maxItems is how many facts of a kind are held against each other.
const maxItems = 96

// sort parts the facts into acts and what speaks against them, in the order of time.
func (c *Case) sort(items map[int32]*item) {
	for _, one := range items {
		// What a sensor concludes, and what a record allows, repeats what machines
		// observe; and of what there is none, nothing was done.
		if one.is(state.RoleAlert, state.RoleCover) || one.isNothing() || slices.Contains(c.detector.domain.Statements, one.fact.SourceType) {
			delete(one.weight, state.RoleAct)
			delete(one.weight, state.RoleEffect)
		}
		if one.is(state.RoleCover) {
			delete(one.weight, state.RoleOddity)
		}
		if one.is(state.RoleAct, state.RoleEffect) {
			delete(one.weight, state.RoleGap)
		}
		if one.is(state.RoleDenial) {
			// Who says that it was not theirs accounts for nothing.
			for _, role := range []state.FactRole{state.RoleCover, state.RoleNature, state.RoleClear, state.RoleGap} {
				delete(one.weight, role)
			}
		}
		if one.is(state.RoleCover, state.RoleNature, state.RoleFailed, state.RoleClear) {
			c.covers = append(c.covers, one)
		}
		if one.is(state.RoleAct, state.RoleEffect, state.RoleOddity, state.RoleAlert, state.RoleDenial) {
			c.acts = append(c.acts, one)
		}
		if one.is(state.RoleGap) {
			c.gaps = append(c.gaps, one)
		}
	}
	for _, list := range []*[]*item{&c.acts, &c.covers, &c.gaps} {
		slices.SortFunc(*list, func(a, b *item) int {
			return cmp.Or(a.fact.At.Compare(b.fact.At), cmp.Compare(a.fact.ID, b.fact.ID))
		})
		*list = (*list)[:min(len(*list), maxItems)]
	}
}

// is reports whether rules of one of the roles speak of a fact.
func (i *item) is(roles ...state.FactRole) bool {
	return slices.ContainsFunc(roles, func(r state.FactRole) bool { return i.weight[r] > 0 })
}

// isNothing reports whether a value says that there is none of what its field counts.
func (i *item) isNothing() bool {
	switch i.fact.Value {
	case "0", "[]", "{}", "false", "null", `""`, `"none"`, `"None"`, `"no"`:
		return true
	}
	return false
}

// against is the greatest weight with which a fact speaks for the skeptic.
func (i *item) against() float64 {
	return max(i.weight[state.RoleCover], i.weight[state.RoleNature], i.weight[state.RoleFailed], i.weight[state.RoleClear])
}

// serious is the weight with which a fact speaks for the architect.
func (i *item) serious() float64 {
	return max(i.weight[state.RoleAct], i.weight[state.RoleEffect], i.weight[state.RoleOddity], i.weight[state.RoleAlert], i.weight[state.RoleDenial])
}

// Packet is what was looked through, Domain whose rules did so. Neither is to be
// changed.
func (c *Case) Packet() *ledger.Packet { return c.packet }

// Domain is as Packet says.
func (c *Case) Domain() *state.Domain { return c.detector.domain }

// Findings returns all findings, in the order of the domain's rules. They are not to
// be changed.
func (c *Case) Findings() []Finding { return c.findings }

// together adds weights of which each leaves less to the next: 1 - (1-a)(1-b)….
func together(weights ...float64) float64 {
	rest := 1.0
	for _, w := range weights {
		rest *= 1 - min(max(w, 0), 1)
	}
	return 1 - rest
}

// finite keeps a number within 0 and 1.
func finite(n float64) float64 {
	if math.IsNaN(n) {
		return 0
	}
	return min(max(n, 0), 1)
}
