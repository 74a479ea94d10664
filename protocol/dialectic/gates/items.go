package gates

import (
	"math"
	"time"

	"moot/ledger"
)

// items indexes the evidence of an input: by id, and for each subject of an objection the best item of each
// source kind on each side. No severity or threshold needs more, so the cost of an objection does not grow with
// the evidence.
type items struct {
	all    []Evidence
	policy *policy
	asOf   time.Time
	// byID indexes the items by id. The first wins if an id is repeated.
	byID map[string]int
	// best holds the tallies by subject; normalized caches the predicates in the form in which they are
	// compared.
	best       map[subject]*tally
	normalized map[string]string
}

// subject is the path of a field and a normalized predicate.
type subject struct{ target, predicate string }

// tally holds the best item of each side and source kind: its index plus 1, or 0.
type tally [2][kinds]int

// The sides of a tally.
const (
	proponents = 0
	opponents  = 1
)

func newItems(in *Input, l *policy) *items {
	t := &items{
		all: in.Evidence, policy: l, asOf: in.AsOf, byID: make(map[string]int, len(in.Evidence)),
		best: map[subject]*tally{}, normalized: map[string]string{},
	}
	for i := range in.Artifact.Objections {
		o := &in.Artifact.Objections[i]
		t.best[subject{o.Target, t.predicate(o.Predicate)}] = &tally{}
	}
	for i := range t.all {
		e := &t.all[i]
		place(t.byID, e.ID, i)
		if best, asked := t.best[subject{e.Point, t.predicate(e.Predicate)}]; asked {
			t.count(best, i)
		}
	}
	return t
}

// predicate returns the form in which a predicate is compared.
func (t *items) predicate(text string) string {
	name, known := t.normalized[text]
	if !known {
		name = ledger.Normalised(text)
		t.normalized[text] = name
	}
	return name
}

// count adds an item to a tally if it is the best of its kind so far: by confidence, then by order.
func (t *items) count(best *tally, at int) {
	side := opponents
	switch t.all[at].Relation {
	case ledger.Supports:
		side = proponents
	case ledger.Refutes:
	case ledger.Neutral:
		return
	default:
		return
	}
	if t.stale(at) || t.all[at].Contested {
		return
	}
	current := &best[side][kindIndex(t.kind(at))]
	if *current == 0 || t.precedes(at, *current-1) {
		*current = at + 1
	}
}

// precedes compares two items of one kind.
func (t *items) precedes(a, b int) bool {
	if x, y := t.confidence(a), t.confidence(b); x != y {
		// NaN comes last.
		return x > y || math.IsNaN(y) && !math.IsNaN(x)
	}
	return a < b
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
	if len(t.policy.freshness) == 0 || t.asOf.IsZero() {
		return false
	}
	age, limited := t.policy.freshness[t.kind(at)]
	seen := t.all[at].ObservedAt
	return limited && !seen.IsZero() && seen.Before(t.asOf.Add(-time.Duration(age)))
}

// undated reports whether an item has an age limit but no time of observation.
func (t *items) undated(at int) bool {
	_, limited := t.policy.freshness[t.kind(at)]
	return limited && t.all[at].ObservedAt.IsZero()
}

// about returns the tally of an objection, including the items that it lists.
func (t *items) about(o *Objection) tally {
	best := *t.best[subject{o.Target, t.predicate(o.Predicate)}]
	for _, id := range o.Evidence {
		if at, ok := t.byID[id]; ok && t.all[at].Point == o.Target {
			t.count(&best, at)
		}
	}
	return best
}

// eligible returns the best item of a side that may decide, or -1.
func (t *items) eligible(best *tally, side int, severity Severity, threshold float64) int {
	allowed := &t.policy.allow[severity.Gravity()]
	for _, kind := range t.policy.order {
		at := best[side][kind] - 1
		if at >= 0 && allowed[kind] && t.confidence(at) >= threshold {
			return at
		}
	}
	return -1
}

// strongest returns the best item of both sides, eligible or not, or -1.
func (t *items) strongest(best *tally) int {
	for _, kind := range t.policy.order {
		for side := range best {
			if at := best[side][kind] - 1; at >= 0 {
				return at
			}
		}
	}
	return -1
}

// rank returns the position of an item's kind in the order of authority.
func (t *items) rank(at int) int {
	kind := kindIndex(t.kind(at))
	for place, k := range t.policy.order {
		if k == kind {
			return place
		}
	}
	return kinds
}
