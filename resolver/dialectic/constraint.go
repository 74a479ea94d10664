package dialectic

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// constraints is G6: no field contradicts what the user laid down. What cannot
// be compared with it contradicts it, for nothing may pass by being written in
// another way.
func (b *bench) constraints() finding {
	f := finding{note: "no live fact of the user can be checked"}
	for i := range b.in.Facts {
		fact := &b.in.Facts[i]
		if fact.Path == "" {
			continue
		}
		f.note, f.silent = "no field contradicts a fact of the user", true
		f.reads = append(f.reads, fact.ID)
		at, ok := b.fields[fact.Path]
		if !ok {
			continue
		}
		value := b.in.Artifact.Proposal.Fields[at].Value
		if !satisfies(value, fact.Op, fact.Value) {
			f.failures = append(f.failures,
				fmt.Sprintf("%s is %s, and %s says %s %s", fact.Path, brief(value), fact.ID, fact.Op,
					brief(fact.Value)))
		}
	}
	return f
}

// satisfies reports whether a relation holds between a value and a limit.
func satisfies(value json.RawMessage, op string, limit json.RawMessage) bool {
	switch op {
	case "=":
		return same(value, limit)
	case "≠":
		return !same(value, limit)
	case "in":
		return among(value, limit)
	}
	if list, ok := listOf(value); ok {
		return !slices.ContainsFunc(list, func(v json.RawMessage) bool { return !satisfies(v, op, limit) })
	}
	order, ok := compared(value, limit)
	if !ok {
		return false
	}
	switch op {
	case "<":
		return order < 0
	case "≤":
		return order <= 0
	case ">":
		return order > 0
	case "≥":
		return order >= 0
	}
	return false
}

// listOf returns the values of a list; ok is false for other values.
func listOf(raw json.RawMessage) (list []json.RawMessage, ok bool) {
	return list, json.Unmarshal(raw, &list) == nil && list != nil
}

// among reports whether a value, or each value of a list, is in a list.
func among(value, list json.RawMessage) bool {
	allowed, ok := listOf(list)
	if !ok {
		return false
	}
	in := func(v json.RawMessage) bool {
		return slices.ContainsFunc(allowed, func(a json.RawMessage) bool { return same(v, a) })
	}
	given, ok := listOf(value)
	return in(value) || ok && !slices.ContainsFunc(given, func(v json.RawMessage) bool { return !in(v) })
}

// same reports whether two values are equal: numbers as numbers, texts as
// invention sees them, all else as canonical JSON.
func same(a, b json.RawMessage) bool {
	x, textX := wholeQuantity(a)
	y, textY := wholeQuantity(b)
	if textX && textY {
		return x.number.Cmp(y.number) == 0 && (x.unit == y.unit || x.unit == "" || y.unit == "")
	}
	var s, t *string
	if json.Unmarshal(a, &s) == nil && json.Unmarshal(b, &t) == nil && s != nil && t != nil {
		return fold(*s) == fold(*t)
	}
	c, d := jsontext.Value(append([]byte{}, a...)), jsontext.Value(append([]byte{}, b...))
	return c.Canonicalize() == nil && d.Canonicalize() == nil && string(c) == string(d)
}

// wholeAtom reads a value that is one atom and nothing else.
func wholeAtom(raw json.RawMessage) (atom, bool) {
	atoms := atomsOf(raw)
	if len(atoms) != 1 || !atoms[0].whole {
		return atom{}, false
	}
	return atoms[0], true
}

// wholeQuantity reads a value that is a number and nothing else.
func wholeQuantity(raw json.RawMessage) (quantity, bool) {
	if a, ok := wholeAtom(raw); !ok || a.kind != atomNumber {
		return quantity{}, false
	}
	return quantityOf(raw)
}

// longest is how much of a value a reason shows, in bytes.
const longest = 60

// brief is a value as a reason shows it.
func brief(raw json.RawMessage) string {
	if len(raw) > longest {
		return strings.ToValidUTF8(string(raw[:longest]), "") + "…"
	}
	return string(raw)
}
