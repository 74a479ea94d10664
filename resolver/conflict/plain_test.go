package conflict_test

import (
	"strings"

	"moot/resolver/conflict"
)

// plain is the reference: the similarity as the rules say it, with a set of words
// for each string, made once, and nothing else that is clever.
type plain struct {
	value  *conflict.Value
	words  map[string]bool
	items  []*plain
	fields map[string]*plain
}

func plainOf(v *conflict.Value) *plain {
	p := &plain{value: v, words: map[string]bool{}, fields: map[string]*plain{}}
	for _, word := range strings.Fields(strings.ToLower(v.Text)) {
		p.words[word] = true
	}
	for i := range v.Items {
		p.items = append(p.items, plainOf(&v.Items[i]))
	}
	for i, name := range v.Names {
		p.fields[name] = p.items[i]
	}
	return p
}

func (p *plain) similarity(o *plain) float64 {
	equal := false
	switch {
	case p.value.Kind != o.value.Kind:
	case p.value.Kind == conflict.Null:
	case p.value.Kind == conflict.Boolean:
		equal = p.value.Truth == o.value.Truth
	case p.value.Kind == conflict.Number:
		equal = p.value.Float == o.value.Float
	case p.value.Kind == conflict.String:
		return p.common(o)
	case len(p.items) == 0 && len(o.items) == 0:
		equal = true
	case p.value.Kind == conflict.Array:
		return p.byPosition(o)
	default:
		return p.byName(o)
	}
	if equal {
		return 1
	}
	return 0
}

func (p *plain) common(o *plain) float64 {
	if len(p.words) == 0 || len(o.words) == 0 {
		return 0
	}
	shared := 0
	for word := range p.words {
		if o.words[word] {
			shared++
		}
	}
	return float64(shared) / float64(len(p.words)+len(o.words)-shared)
}

func (p *plain) byPosition(o *plain) float64 {
	sum := 0.0
	for i := 0; i < len(p.items) && i < len(o.items); i++ {
		sum += p.items[i].similarity(o.items[i])
	}
	return sum / float64(max(len(p.items), len(o.items)))
}

func (p *plain) byName(o *plain) float64 {
	sum, union := 0.0, len(o.fields)
	for i, name := range p.value.Names {
		if other, both := o.fields[name]; both {
			sum += p.items[i].similarity(other)
		} else {
			union++
		}
	}
	return sum / float64(union)
}

// plainPairs are the conflicts by the reference: all pairs, one after the other.
func plainPairs(outputs []conflict.Output, t conflict.Thresholds) []conflict.Pair {
	var read []*plain
	for i := range outputs {
		read = append(read, plainOf(&outputs[i].Value))
	}
	var pairs []conflict.Pair
	for i := range read {
		for j := i + 1; j < len(read); j++ {
			similarity := read[i].similarity(read[j])
			pair := conflict.Pair{First: i, Second: j, Similarity: similarity}
			switch {
			case similarity < t.Contradiction:
				pair.Type = conflict.Contradiction
			case similarity < t.Agreement:
				pair.Type = conflict.Disagreement
			default:
				continue
			}
			pairs = append(pairs, pair)
		}
	}
	return pairs
}
