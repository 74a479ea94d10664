package learn

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"moot/state"
)

// lesson is a fact with its terms and what it does; role is its place among
// state.Readings, or that of none.
type lesson struct {
	terms []int32
	role  int
	// from is what the fact comes to before, in logits.
	from row
}

// none is the place of a fact that does nothing, behind those of state.Readings.
const none = 6

// vocabulary numbers the terms that enough facts have.
type vocabulary struct {
	numbers map[string]int32
	names   []string
}

// leastFacts is how many facts have a term that is learnt.
const leastFacts = 3

func newVocabulary(facts [][]string, may func(term string) bool) *vocabulary {
	count := map[string]int{}
	for _, terms := range facts {
		for _, t := range terms {
			count[t]++
		}
	}
	v := &vocabulary{numbers: map[string]int32{}}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if count[name] >= leastFacts && may(name) {
			v.numbers[name] = int32(len(v.names)) //nolint:gosec // there are no more
			v.names = append(v.names, name)
		}
	}
	return v
}

func (v *vocabulary) of(terms []string) []int32 {
	var all []int32
	for _, t := range terms {
		if n, known := v.numbers[t]; known {
			all = append(all, n)
		}
	}
	return all
}

// How terms are learnt: passes over all facts, courses whose means are taken, the first
// step, and what draws weights to 0.
const (
	termPasses, termCourses = 12, 4
	termStep, termDecay     = 0.15, 0.01
)

type row [none]float64

// learnTerms is a softmax regression, by steps that shrink with what a weight has moved.
// The mean of several courses in other orders depends less on any order. It ends early
// where the context does, with what is of no use then.
func learnTerms(ctx context.Context, v *vocabulary, lessons []lesson) []row {
	mean := make([]row, len(v.names))
	for course := range uint64(termCourses) {
		weights, moved := make([]row, len(v.names)), make([]row, len(v.names))
		order := rand.New(rand.NewPCG(course, 1)) //nolint:gosec // it is to be the same each time
		for range termPasses {
			if ctx.Err() != nil {
				return mean
			}
			for _, i := range order.Perm(len(lessons)) {
				step(weights, moved, &lessons[i])
			}
		}
		for t := range mean {
			for k := range mean[t] {
				mean[t][k] += weights[t][k] / termCourses
			}
		}
	}
	return mean
}

func step(weights, moved []row, l *lesson) {
	p := likely(weights, l)
	for k := range p {
		wrong := p[k]
		if k == l.role {
			wrong--
		}
		for _, t := range l.terms {
			g := wrong + termDecay*weights[t][k]
			moved[t][k] += g * g
			weights[t][k] -= termStep * g / (math.Sqrt(moved[t][k]) + 1e-6) //nolint:mnd // against 0
		}
	}
}

func likely(weights []row, l *lesson) row {
	z := l.from
	for _, t := range l.terms {
		for k := range z {
			z[k] += weights[t][k]
		}
	}
	most := max(0, slices.Max(z[:]))
	total := math.Exp(-most)
	for k := range z {
		z[k] = math.Exp(z[k] - most)
		total += z[k]
	}
	for k := range z {
		z[k] /= total
	}
	return z
}

// mostTerms is how many terms a domain keeps.
const mostTerms = 6000

// written are the terms that weigh most, by their names.
func (v *vocabulary) written(weights []row, lessons []lesson) []state.Term {
	const hundred, often = 100, 30
	count := make([]int, len(weights))
	for i := range lessons {
		for _, t := range lessons[i].terms {
			count[t]++
		}
	}
	matters := make([]float64, len(weights))
	order := make([]int, len(weights))
	for t, w := range weights {
		order[t] = t
		for _, n := range w {
			matters[t] += n * n * float64(min(count[t], often))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(matters[b], matters[a]) })
	order = order[:min(len(order), mostTerms)]
	slices.Sort(order)
	var all []state.Term
	for _, t := range order {
		one := state.Term{Name: v.names[t]}
		for _, n := range weights[t] {
			one.Weights = append(one.Weights, int(math.Round(hundredths(n)*hundred)))
		}
		all = append(all, one)
	}
	return all
}
