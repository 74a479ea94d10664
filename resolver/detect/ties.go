package detect

import (
	"fmt"
	"math"
	"slices"
	"time"

	"moot/ledger"
	"moot/state"
)

// tie is something that a cover and an act may have in common, or not. Of a record, with
// what belongs to it, ties are others than of what machines observe.
type tie uint8

// The ties, in the order of their names.
const (
	tieAlways tie = iota
	tieOneName
	tieMoreNames
	tiePlace
	tieEntity
	tieKind
	tieNothing
	tieNameAndKind
	tieNameAndPlace
	tieJoined
	tieWithin
	tieWithinName
	tieWithinKind
	tieWithout
	tieUndated
	tieUndatedName
	tieUndatedKind
	tieLater
	tieSoon
	tieHour
	tieElsewhere
	tieElsewhereWithin
	tieSibling
	tieOthers
	tieNobody
	tieNearName
	tieNearNames
	tieNearKind
	tieNearBoth
	tieNearWithin
	tieWhole
	tieCount
)

// tieNames are the names of ties, behind that of whose they are.
func tieNames() [tieCount]string {
	return [tieCount]string{
		"always", "one name", "more names", "place", "same entity", "kind", "nothing", "name and kind", "name and place", "joined",
		"within its time", "name within its time", "kind within its time", "without its time", "no time", "name and no time", "kind and no time",
		"later", "within minutes", "within the hour", "elsewhere", "elsewhere within its time", "sibling", "names others", "names nobody",
		"near: name", "near: names", "near: kind", "near: name and kind", "near: within its time", "whole",
	}
}

// Whose ties are.
const (
	ofRecord = "record: "
	ofSeen   = "seen: "
)

// ties are the weights of both.
type ties struct {
	record, seen [tieCount]float64
	// names are TieNames.
	names []string
}

// TieNames are the names that ties have in the weights of a domain.
func TieNames() []string {
	var all []string
	for _, of := range []string{ofRecord, ofSeen} {
		for _, name := range tieNames() {
			all = append(all, of+name)
		}
	}
	return all
}

func newTies(w *state.Weights) (ties, error) {
	names := TieNames()
	t := ties{names: names}
	for _, one := range w.Ties {
		at := slices.Index(names, one.Name)
		switch {
		case at < 0:
			return t, fmt.Errorf("no tie is named %q", one.Name)
		case at < int(tieCount):
			t.record[at] = one.Weight
		default:
			t.seen[at-int(tieCount)] = one.Weight
		}
	}
	return t, nil
}

// of is the weights for a cover.
func (t *ties) of(isRecord bool) *[tieCount]float64 {
	if isRecord {
		return &t.record
	}
	return &t.seen
}

// name is that of a tie of a cover.
func (t *ties) name(cover *item, k int) string {
	if cover.isRecord() {
		return t.names[k]
	}
	return t.names[int(tieCount)+k]
}

// share is how far a cover with these ties accounts for an act, 0 to 1.
func (t *ties) share(cover *item, has *[tieCount]bool) float64 {
	z, weights := 0.0, t.of(cover.isRecord())
	for k, there := range has {
		if there {
			z += weights[k]
		}
	}
	return finite(1 / (1 + math.Exp(-z)))
}

// isRecord reports whether a fact is what a person or a ticket system says.
func (i *item) isRecord() bool { return isStatement(i.fact) }

// ties tells what a cover has in common with an act. Both were looked at by records and
// neighbours before.
func (c *Case) ties(cover, act *item) *[tieCount]bool {
	if known := cover.tied[act.place]; known != nil {
		return known
	}
	if cover.tied == nil {
		cover.tied = map[int32]*[tieCount]bool{}
	}
	has := c.tie(cover, act)
	cover.tied[act.place] = has
	return has
}

func (c *Case) tie(cover, act *item) *[tieCount]bool {
	var has [tieCount]bool
	record := append([]*trace{cover.trace}, cover.joined...)
	names, place, kind, dated, within, without := 0, false, false, false, false, false
	for _, t := range record {
		c.tracer.bounds(t)
		names += c.shared(t, act.trace)
		place = place || meet(t.own, act.own) || t.reaches(act.own)
		kind = kind || c.sameKind(t, act.trace)
		if t.dated && t.reckoned() {
			dated = true
			within = within || t.window.includes(act.fact.At)
			without = without || !t.window.includes(act.fact.At)
		}
	}
	named, elsewhere, apart := names > 0 || place, c.isElsewhere(record, act), act.fact.At.Sub(cover.fact.At)
	has[tieAlways] = true
	has[tieOneName], has[tieMoreNames] = names == 1, names > 1
	has[tiePlace], has[tieEntity], has[tieKind] = place, cover.fact.Entity == act.fact.Entity, kind
	has[tieNothing] = !named && !kind
	has[tieNameAndKind], has[tieNameAndPlace], has[tieJoined] = names > 0 && kind, names > 0 && place, len(record) > 1
	has[tieWithin], has[tieWithinName], has[tieWithinKind] = within, named && within, kind && within
	has[tieWithout] = without && !within
	has[tieUndated], has[tieUndatedName], has[tieUndatedKind] = !dated, named && !dated, kind && !dated
	has[tieLater], has[tieSoon], has[tieHour] = apart < 0, apart.Abs() < soon, apart.Abs() < time.Hour
	has[tieElsewhere], has[tieElsewhereWithin] = elsewhere, elsewhere && within
	has[tieSibling] = slices.ContainsFunc(record, func(t *trace) bool { return c.isSibling(t, act) })
	others, anybody := c.namesOthers(record, act)
	has[tieOthers], has[tieNobody] = others && !named, !anybody
	c.nearTies(&has, record, act, within)
	has[tieWhole] = cover.whole
	return &has
}

// soon is how close two things are in time that belong together.
const soon = 15 * time.Minute

// namesOthers reports whether a record names something that machines observe and the act
// does not name, or anything at all.
func (c *Case) namesOthers(record []*trace, act *item) (others, anybody bool) {
	for _, t := range record {
		for _, name := range t.names {
			if c.tracer.seen[name] {
				anybody = true
				others = others || !act.names.has(name)
			}
		}
	}
	return others, anybody
}

// nearTies tells what a record has in common with what is near an act.
func (c *Case) nearTies(has *[tieCount]bool, record []*trace, act *item, within bool) {
	for _, near := range act.near {
		for _, t := range record {
			if t.place == near.place {
				continue
			}
			names := c.shared(t, near)
			has[tieNearName] = has[tieNearName] || names > 0 || meet(t.own, near.own)
			has[tieNearNames] = has[tieNearNames] || names > 1
			has[tieNearKind] = has[tieNearKind] || c.sameKind(t, near)
		}
	}
	has[tieNearBoth] = has[tieNearName] && has[tieNearKind]
	has[tieNearWithin] = (has[tieNearName] || has[tieNearKind]) && within
}

// meet finds what belongs to records and to acts, where that was not done before.
func (c *Case) meet() {
	c.anew = false
	c.records()
	c.neighbours()
	if c.anew {
		for _, one := range c.all {
			one.tied = nil
		}
	}
}

// neighbours notes for each act what belongs to it: what happened at the same place at
// the same minutes, and what has a name in common with it that few facts have.
func (c *Case) neighbours() {
	const apart = 10 * time.Minute
	if c.packet.Len() > maxNear || len(c.covers) == 0 {
		return
	}
	for _, act := range c.acts {
		if act.met {
			continue
		}
		act.met, c.anew = true, true
		for i := range c.packet.Len() {
			t := c.tracer.of(int32(i))
			if t.place == act.place || isStatement(t.fact) {
				continue
			}
			if meet(t.own, act.own) && t.fact.At.Sub(act.fact.At).Abs() <= apart || c.meetFew(act.names, t.names) {
				act.near = append(act.near, t)
			}
		}
	}
}

// meetFew reports whether both have a name that few facts have.
func (c *Case) meetFew(a, b set) bool {
	const few = 4
	return slices.ContainsFunc(a, func(name string) bool { return c.names[name] <= few && b.has(name) })
}

// maxNear is up to how many facts a packet is looked through for what they have in common.
const maxNear = 200

// records joins what is said of one record: facts whose entity is a ticket that another
// names, and those of people about the same thing.
func (c *Case) records() {
	if c.packet.Len() > maxRecords {
		return
	}
	for _, one := range c.covers {
		if !one.isRecord() || one.asked {
			continue
		}
		one.asked, c.anew = true, true
		for i := range c.packet.Len() {
			f := c.packet.At(i)
			if f.SourceType != ledger.SourceManual || int32(i) == one.place {
				continue
			}
			other := c.tracer.of(int32(i))
			if c.isTicket(other) && (meet(other.own, one.names) || f.Entity == one.fact.Entity) || c.isTicket(one.trace) && meet(one.own, other.names) {
				one.joined = append(one.joined, other)
			}
		}
	}
}

// maxRecords is up to how many facts records of the packet are joined.
const maxRecords = 2000

// isTicket reports whether a fact is about a record: nothing that a machine observes
// has its name.
func (c *Case) isTicket(t *trace) bool {
	return !slices.ContainsFunc(t.own, func(name string) bool { return c.tracer.seen[name] || c.tracer.actors[name] })
}

// shared counts the names that both have, beside those of one entity.
func (*Case) shared(a, b *trace) int {
	n := 0
	for _, name := range a.names {
		if b.names.has(name) && !(a.own.has(name) && b.own.has(name)) {
			n++
		}
	}
	return n
}

// sameKind reports whether two facts speak of the same kind of thing done, or have a
// longer word in common that few have.
func (c *Case) sameKind(a, b *trace) bool {
	const few = 5
	return a.acts&b.acts != 0 || slices.ContainsFunc(a.stems, func(stem string) bool { return c.stems[stem] <= few && b.stems.has(stem) })
}

func meet(a, b set) bool {
	return slices.ContainsFunc(a, b.has)
}

// reckoned reports whether the times of a trace bound what it is about.
func (t *trace) reckoned() bool { return !t.window.from.IsZero() || !t.window.to.IsZero() }
