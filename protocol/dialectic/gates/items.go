package gates

import (
	"cmp"
	"slices"
	"time"

	"moot/ledger"
)

// items indexes the evidence of an input.
type items struct {
	all    []Evidence
	config *Config
	asOf   time.Time
	// byID indexes the items by id. The first wins if an id is repeated.
	byID      map[string]int
	bySubject map[subject][]int
}

// subject is the path of a field and a normalized predicate.
type subject struct{ target, predicate string }

func newItems(in *Input, config *Config) *items {
	t := &items{
		all: in.Evidence, config: config, asOf: in.AsOf,
		byID: make(map[string]int, len(in.Evidence)), bySubject: map[subject][]int{},
	}
	for i := range t.all {
		e := &t.all[i]
		place(t.byID, e.ID, i)
		about := subject{e.Point, ledger.Normalized(e.Predicate)}
		t.bySubject[about] = append(t.bySubject[about], i)
	}
	return t
}

// kind returns the source kind that an item counts as. Without a check it counts as llm-inference.
func (t *items) kind(at int) ledger.SourceKind {
	e := &t.all[at]
	if e.Verified || e.SourceKind == ledger.UserOverride {
		return e.SourceKind
	}
	return ledger.LLMInference
}

// confidence returns an item's confidence; the user's is 1.
func (t *items) confidence(at int) float64 {
	if t.all[at].SourceKind == ledger.UserOverride {
		return 1
	}
	return t.all[at].Confidence
}

// stale reports whether an item is too old to count (G8). The age limit depends on the kind that it counts as.
func (t *items) stale(at int) bool {
	if len(t.config.Freshness) == 0 || t.asOf.IsZero() {
		return false
	}
	age, limited := t.config.Freshness[t.kind(at)]
	seen := t.all[at].ObservedAt
	return limited && !seen.IsZero() && seen.Before(t.asOf.Add(-time.Duration(age)))
}

// about returns the items that may count for an objection, and those that do not since they are stale, contested or
// not accepted: items on its target that have its predicate or that it lists.
func (t *items) about(o *Objection) (list, ignored []int) {
	named := slices.Clone(t.bySubject[subject{o.Target, ledger.Normalized(o.Predicate)}])
	for _, id := range o.Evidence {
		if at, ok := t.byID[id]; ok && t.all[at].Point == o.Target {
			named = append(named, at)
		}
	}
	for _, at := range named {
		if t.whyIgnored(at, o) == "" {
			list = append(list, at)
		} else {
			ignored = append(ignored, at)
		}
	}
	return list, ignored
}

// whyIgnored says why an item does not count for an objection, or "".
func (t *items) whyIgnored(at int, o *Objection) string {
	e := &t.all[at]
	switch {
	case t.stale(at):
		return e.ID + " is too old"
	case e.Waiting:
		return e.ID + " waits for the word of the other side"
	case e.Contested:
		return e.ID + " is contested"
	case slices.Contains(o.Unaccepted, e.ID):
		return e.ID + " was not accepted by the pressure-tester, and silence clears nothing that is " + string(
			o.Severity,
		)
	}
	return ""
}

// best returns the best item that counts, or -1: by source kind, then by confidence, then by order.
func (t *items) best(list []int, counts func(at int) bool) int {
	best := -1
	for _, at := range list {
		if counts(at) && (best < 0 || cmp.Or(
			cmp.Compare(t.rank(at), t.rank(best)),
			cmp.Compare(t.confidence(best), t.confidence(at)),
			cmp.Compare(at, best)) < 0) {
			best = at
		}
	}
	return best
}

// eligible returns the best item of a side that may decide, or -1.
func (t *items) eligible(list []int, side ledger.Relation, o *Objection, threshold float64) int {
	return t.best(list, func(at int) bool {
		return t.all[at].Relation == side && t.config.allows(t.kind(at), o.Severity) && t.confidence(at) >= threshold &&
			(side == ledger.Refutes || o.Clears(t.kind(at)))
	})
}

// rank returns the place of an item's kind in the order of authority.
func (t *items) rank(at int) int { return t.config.rank(t.kind(at)) }
