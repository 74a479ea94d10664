package ledger

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
)

// Incompatible reports whether no value of the same path can satisfy both
// predicates (AC5). What it cannot compare, it does not call incompatible.
func Incompatible(a, b *Predicate) bool {
	if a == nil || b == nil || a.Path == "" || a.Path != b.Path {
		return false
	}
	if discrete, other, ok := discreteFirst(a, b); ok {
		for _, v := range values(discrete) {
			if holds(other, v) {
				return false
			}
		}
		return true
	}
	return disjoint(a, b)
}

// discreteFirst puts a predicate with finitely many values first.
func discreteFirst(a, b *Predicate) (_, _ *Predicate, ok bool) {
	switch {
	case a.Op == "=" || a.Op == "in":
		return a, b, len(values(a)) > 0
	case b.Op == "=" || b.Op == "in":
		return b, a, len(values(b)) > 0
	}
	return a, b, false
}

// values lists the values that a predicate with = or in allows.
func values(p *Predicate) []any {
	var v any
	if json.Unmarshal(p.Value, &v) != nil {
		return nil
	}
	if p.Op != "in" {
		return []any{v}
	}
	list, _ := v.([]any)
	return list
}

// holds reports whether the value satisfies the predicate. A comparison of
// what cannot be ordered holds: in doubt nothing is incompatible.
func holds(p *Predicate, v any) bool {
	var want any
	if json.Unmarshal(p.Value, &want) != nil {
		return true
	}
	number, isNumber := v.(float64)
	limit, isLimit := want.(float64)
	ordered := isNumber && isLimit
	switch p.Op {
	case "=":
		return reflect.DeepEqual(v, want)
	case "≠":
		return !reflect.DeepEqual(v, want)
	case "in":
		allowed := values(p)
		return len(allowed) == 0 || slices.ContainsFunc(allowed, func(w any) bool { return reflect.DeepEqual(v, w) })
	case "<":
		return !ordered || number < limit
	case "≤":
		return !ordered || number <= limit
	case ">":
		return !ordered || number > limit
	case "≥":
		return !ordered || number >= limit
	}
	return true
}

// disjoint reports whether two ranges of numbers share no value.
func disjoint(a, b *Predicate) bool {
	lowA, highA, openA, okA := interval(a)
	lowB, highB, openB, okB := interval(b)
	if !okA || !okB {
		return false
	}
	low, high := math.Max(lowA, lowB), math.Min(highA, highB)
	return low > high || (low == high && (openA || openB))
}

// interval returns the range of a comparison, and whether its end is open.
func interval(p *Predicate) (low, high float64, open, ok bool) {
	var v float64
	if json.Unmarshal(p.Value, &v) != nil {
		return 0, 0, false, false
	}
	switch p.Op {
	case "<", "≤":
		return math.Inf(-1), v, p.Op == "<", true
	case ">", "≥":
		return v, math.Inf(1), p.Op == ">", true
	}
	return 0, 0, false, false
}
