package detect

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"moot/ledger"
)

// relations are how a fact lies to the change by what it names: whether it is of the same
// thing, whether it says what only the change says, and whether it says what is there now.
func (k *courses) relations(c *Case, place int32) []string {
	t := k.tracer.of(place)
	var all []string
	mine := meet(t.own, k.own)
	switch {
	case mine:
		all = append(all, "of its thing")
	case k.related(t):
		all = append(all, "of a like thing")
	default:
		all = append(all, "of another thing")
	}
	shared := 0
	for _, stem := range t.stems {
		if k.stems[stem] && c.stems[stem] <= max(3, c.packet.Len()/4) {
			shared++
		}
	}
	for _, name := range t.names {
		if k.names.has(name) && !k.own.has(name) && !t.own.has(name) && c.names[name] <= c.packet.Len()/2 {
			shared++
		}
	}
	switch {
	case shared >= 2:
		all = append(all, "shares much")
	case shared == 1:
		all = append(all, "shares")
	default:
		all = append(all, "shares nothing")
	}
	if k.isInPlace(t) {
		all = append(all, "in place")
	}
	return all
}

// related reports whether a thing is named as that of the change is: another host of a
// group, a part of it, one that names it.
func (k *courses) related(t *trace) bool {
	for _, own := range k.own {
		head := strings.TrimRight(own, "0123456789-_.")
		for _, other := range t.own {
			const least = 4
			if strings.TrimRight(other, "0123456789-_.") == head && len(head) >= 3 || len(own) >= least && strings.Contains(other, own) || len(other) >= least && strings.Contains(own, other) {
				return true
			}
		}
	}
	return false
}

// isInPlace reports whether a fact says long after the change that it is there.
func (k *courses) isInPlace(t *trace) bool {
	if k.changes[t.place] || k.change.IsZero() || !t.fact.At.After(k.change.Add(soonEnds)) {
		return false
	}
	for _, l := range leavesOf("", t.fact.Value) {
		s := strings.ToLower(strings.TrimSpace(l.text()))
		if len(s) > 0 && len(s) < 40 && k.set.has(s) {
			return true
		}
		for piece := range strings.FieldsSeq(s) {
			piece = strings.Trim(piece, ",;:()")
			if k.set.has(piece) && meet(t.own, k.own) && hasDigit(piece) {
				return true
			}
		}
	}
	return false
}

// peers compares a fact with those of other things that measure the same at about the same
// time: whether they go alike or apart, where one is of the changed thing or neither.
func (k *courses) peers(place int32) []string {
	f := k.tracer.packet.At(int(place))
	if k.change.IsZero() || f.At.Before(k.change) || !hasNumber(f.Value) {
		return nil
	}
	measure := measureOf(f.Field)
	mine, is := greatest(place, k.tracer)
	if !is {
		return nil
	}
	best, name := 3*time.Hour, ""
	for i := range min(k.tracer.packet.Len(), maxKnown) {
		o := k.tracer.packet.At(i)
		if o.Entity == f.Entity || measureOf(o.Field) != measure || o.At.Before(k.change) {
			continue
		}
		n, is := greatest(int32(i), k.tracer)
		away := o.At.Sub(f.At).Abs()
		if !is || away >= best {
			continue
		}
		best, name = away, "peer alike"
		if isOut(n, mine) {
			name = "peer apart"
		}
	}
	if name == "" {
		return nil
	}
	return []string{name}
}

func hasNumber(v ledger.Value) bool { return strings.ContainsAny(string(v), "0123456789") }

// learnSet takes what the change set: the new of what it has in pairs.
func (k *courses) learnSet(t *trace) {
	for _, stem := range t.stems {
		k.stems[stem] = true
	}
	for _, l := range leavesOf(t.fact.Field, t.fact.Value) {
		s := strings.ToLower(l.text())
		_, after, cut := strings.Cut(s, "->")
		switch {
		case cut:
			for piece := range strings.FieldsSeq(after) {
				k.set.add(strings.Trim(piece, ",;:()"))
				break
			}
		case hasWord(l.name(), "new", "to", "version", "value", "image", "revision", "package", "build") && !k.previous(s):
			k.set.add(s)
		}
	}
	slices.SortFunc(k.set, cmp.Compare[string])
}
