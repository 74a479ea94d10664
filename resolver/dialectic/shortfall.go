package dialectic

import (
	"encoding/json"
	"slices"

	"moot/ledger"
)

// Lack is why an item decides nothing, though it bears on the matter.
type Lack string

// The lacks, in the order in which they are looked for.
const (
	// LackFresh says that the item is too old to count (G8).
	LackFresh Lack = "fresh"
	// LackVerified says that nobody checked it, or that the check refused it.
	LackVerified Lack = "verified"
	// LackKind says that its source kind may not decide at that severity.
	LackKind Lack = "kind"
	// LackConfidence says that it is below the threshold of the category.
	LackConfidence Lack = "confidence"
)

// Shortfall is an item that bears on an objection or is cited by a field, and
// what it lacks.
type Shortfall struct {
	// Item is its id, Relation the side that it is on.
	Item     string
	Relation ledger.Relation
	Lack     Lack
	// Kind is the source kind that it counts as, Confidence its own, Threshold
	// what was asked for; both 0 to 1.
	Kind                  ledger.SourceKind
	Confidence, Threshold float64
}

// Shortfalls returns the items that bear on an objection and do not decide it (R1 to R5), in the order of the
// evidence, nil for an unknown objection.
func Shortfalls(in *Input, objection string) []Shortfall {
	b := newBench(in)
	at, ok := b.objections[objection]
	if !ok {
		return nil
	}
	o, t := &in.Artifact.Objections[at], b.items
	about, threshold := t.predicate(o.Predicate), b.law.threshold(o.Category)
	var found []Shortfall
	for i := range t.all {
		e := &t.all[i]
		bears := e.Point == o.Target && (slices.Contains(o.Evidence, e.ID) || t.predicate(e.Predicate) == about)
		if lack := b.lack(i, o.Severity, threshold); bears && lack != "" {
			found = append(found, b.shortfall(i, lack, threshold))
		}
	}
	return found
}

// FloorShortfalls returns the items that a field cites and that do not carry it (G4), in the order of the citations,
// nil for an unknown field.
func FloorShortfalls(in *Input, path string) []Shortfall {
	b := newBench(in)
	at, ok := b.fields[path]
	if !ok {
		return nil
	}
	field := &in.Artifact.Proposal.Fields[at]
	var found []Shortfall
	for _, id := range field.Evidence {
		i, ok := b.items.byID[id]
		if !ok {
			continue
		}
		if lack := b.lack(i, field.weight(), 0); lack != "" {
			found = append(found, b.shortfall(i, lack, 0))
		}
	}
	return found
}

// lack returns why an item cannot decide at a severity, or "".
func (b *bench) lack(at int, severity Severity, threshold float64) Lack {
	e, t := &b.items.all[at], b.items
	unverified := !e.Verified && e.SourceKind != ledger.UserOverride
	allowed := b.law.allow[severity.Gravity()][kindIndex(t.kind(at))]
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

func (b *bench) shortfall(at int, lack Lack, threshold float64) Shortfall {
	e := &b.items.all[at]
	return Shortfall{
		Item: e.ID, Relation: e.Relation, Lack: lack,
		Kind: b.items.kind(at), Confidence: b.items.confidence(at), Threshold: threshold,
	}
}

// Threshold returns the least confidence that decides an objection of a
// category, 0 to 1.
func (c Config) Threshold(category string) float64 { return newLaw(c).threshold(category) }

// Grounds returns values that a field could have instead of its own, found in its cited items and then in the
// directive (G3): numbers for a number, and dates or times for a text that is one. At most 12, each once.
func Grounds(in *Input, path string) []json.RawMessage {
	b := newBench(in)
	at, ok := b.fields[path]
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
		// Their letters are known in small alone.
		return nil
	}
	origins := b.newOrigins()
	var found []atom
	for _, id := range field.Evidence {
		if item, ok := b.items.byID[id]; ok && b.grounds(item) {
			found = append(found, origins.item(item).found...)
		}
	}
	return likenesses(field.Value, &atoms[0], append(found, origins.directive.found...))
}

// mostGrounds is how many values are offered for one.
const mostGrounds = 12

// likenesses are the atoms of one kind as JSON values of the form of a value.
func likenesses(value json.RawMessage, like *atom, found []atom) []json.RawMessage {
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
