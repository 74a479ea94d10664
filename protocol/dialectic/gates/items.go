package gates

import (
	"encoding/json"
	"math"
	"slices"
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

// Lack is why a relevant item decides nothing.
type Lack string

// The reasons, in the order in which they are checked.
const (
	// LackFresh means that the item is too old to count (G8).
	LackFresh Lack = "fresh"
	// LackVerified means that it was not checked, or that the check failed.
	LackVerified Lack = "verified"
	// LackKind means that its source kind may not decide at that severity.
	LackKind Lack = "kind"
	// LackConfidence means that it is below the threshold of the category.
	LackConfidence Lack = "confidence"
)

// Shortfall is an item that bears on an objection or is cited by a field, and why it does not count.
type Shortfall struct {
	// Item is its id; Relation is its side.
	Item     string
	Relation ledger.Relation
	Lack     Lack
	// Kind is the source kind that it counts as. Confidence is its own and Threshold the required one, both 0
	// to 1.
	Kind                  ledger.SourceKind
	Confidence, Threshold float64
}

// Shortfalls returns the items that bear on an objection but do not decide it (R1 to R5), in the order of the
// evidence. It returns nil for an unknown objection.
func Shortfalls(in *Input, objection string) []Shortfall {
	ev := newEvaluation(in)
	at, ok := ev.objections[objection]
	if !ok {
		return nil
	}
	o, t := &in.Artifact.Objections[at], ev.items
	about, threshold := t.predicate(o.Predicate), ev.policy.threshold(o.Category)
	var found []Shortfall
	for i := range t.all {
		e := &t.all[i]
		bears := e.Point == o.Target && (slices.Contains(o.Evidence, e.ID) || t.predicate(e.Predicate) == about)
		if lack := ev.lack(i, o.Severity, threshold); bears && lack != "" {
			found = append(found, ev.shortfall(i, lack, threshold))
		}
	}
	return found
}

// FloorShortfalls returns the items that a field cites without meeting its authority floor (G4), in the order
// of the citations. It returns nil for an unknown field.
func FloorShortfalls(in *Input, path string) []Shortfall {
	ev := newEvaluation(in)
	at, ok := ev.fields[path]
	if !ok {
		return nil
	}
	field := &in.Artifact.Proposal.Fields[at]
	var found []Shortfall
	for _, id := range field.Evidence {
		i, ok := ev.items.byID[id]
		if !ok {
			continue
		}
		if lack := ev.lack(i, field.weight(), 0); lack != "" {
			found = append(found, ev.shortfall(i, lack, 0))
		}
	}
	return found
}

// lack returns why an item cannot decide at a severity, or "".
func (ev *evaluation) lack(at int, severity Severity, threshold float64) Lack {
	e, t := &ev.items.all[at], ev.items
	unverified := !e.Verified && e.SourceKind != ledger.UserOverride
	allowed := ev.policy.allow[severity.Gravity()][kindIndex(t.kind(at))]
	short := t.confidence(at) < threshold
	switch {
	case t.stale(at):
		return LackFresh
	case unverified && (short || !allowed):
		return LackVerified
	case !allowed:
		return LackKind
	case short:
		return LackConfidence
	}
	return ""
}

func (ev *evaluation) shortfall(at int, lack Lack, threshold float64) Shortfall {
	e := &ev.items.all[at]
	return Shortfall{
		Item: e.ID, Relation: e.Relation, Lack: lack,
		Kind: ev.items.kind(at), Confidence: ev.items.confidence(at), Threshold: threshold,
	}
}

// Threshold returns the confidence that evidence needs to decide an objection of a category, 0 to 1.
func (c Config) Threshold(category string) float64 { return newPolicy(c).threshold(category) }

// Grounds returns up to 12 distinct values that a field could have instead of its own, found in its cited items
// and then in the directive (G3): numbers for a number, dates or times for a text that is one.
func Grounds(in *Input, path string) []json.RawMessage {
	ev := newEvaluation(in)
	at, ok := ev.fields[path]
	if !ok {
		return nil
	}
	field := &in.Artifact.Proposal.Fields[at]
	atoms := atomsOf(field.Value)
	if len(atoms) != 1 || !atoms[0].whole {
		return nil
	}
	switch atoms[0].kind {
	case atomNumber, atomDate, atomClock:
	case atomURL, atomFile, atomCode, atomHash, atomPassage:
		// Their original case is not kept.
		return nil
	}
	origins := ev.newOrigins()
	var found []atom
	for _, id := range field.Evidence {
		if item, ok := ev.items.byID[id]; ok && ev.grounds(item) {
			found = append(found, origins.item(item).found...)
		}
	}
	return alternatives(field.Value, &atoms[0], append(found, origins.directive.found...))
}

// mostGrounds is how many alternatives are offered.
const mostGrounds = 12

// alternatives returns the atoms of the same kind as JSON values of the same type.
func alternatives(value json.RawMessage, like *atom, found []atom) []json.RawMessage {
	var values []json.RawMessage
	for i := range found {
		a := &found[i]
		if a.kind != like.kind || a.shown == "" || a.with != like.with && value[0] == '"' {
			continue
		}
		other := json.RawMessage(a.text)
		if value[0] == '"' {
			other, _ = json.Marshal(a.shown)
		}
		known := slices.ContainsFunc(values, func(v json.RawMessage) bool { return string(v) == string(other) })
		if !known && string(other) != string(value) && json.Valid(other) {
			values = append(values, other)
		}
		if len(values) == mostGrounds {
			break
		}
	}
	return values
}
