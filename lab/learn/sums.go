package learn

import (
	"math"
	"math/rand/v2"

	"moot/resolver/detect"
	"moot/state"
)

// pair is what a cover and an act have in common, and whether the one accounts for the
// other.
type pair struct {
	ties     []string
	accounts bool
}

// How ties are learnt.
const (
	tiePasses         = 12
	tieStep, tieDecay = 0.2, 0.002
)

// learnTies is a logistic regression.
func learnTies(pairs []pair) []state.Weight {
	weights, moved := map[string]float64{}, map[string]float64{}
	order := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // it is to be the same each time
	for range tiePasses {
		for _, i := range order.Perm(len(pairs)) {
			z := 0.0
			for _, t := range pairs[i].ties {
				z += weights[t]
			}
			wrong := 1 / (1 + math.Exp(-z))
			if pairs[i].accounts {
				wrong--
			}
			for _, t := range pairs[i].ties {
				g := wrong + tieDecay*weights[t]
				moved[t] += g * g
				weights[t] -= tieStep * g / (math.Sqrt(moved[t]) + 1e-6) //nolint:mnd // against 0
			}
		}
	}
	var all []state.Weight
	for _, name := range detect.TieNames() {
		if w, known := weights[name]; known {
			all = append(all, state.Weight{Name: name, Weight: hundredths(w)})
		}
	}
	return all
}

// ended is what the facts of a case came to, and its outcome: 0 CONFIRMED, 1 DISMISSED,
// 2 INCONCLUSIVE.
type ended struct {
	evidence []float64
	outcome  int
}

// How sums are learnt.
const (
	sumPasses         = 4000
	sumStep, sumDecay = 0.5, 0.003
)

// longestStep bounds a step, over the mean square of what cases come to: where they are of
// very many acts, longer steps would go ever further beyond what fits.
const longestStep = 3

// learnSums is a softmax regression, against INCONCLUSIVE.
func learnSums(cases []ended) []state.SumWeight {
	names := detect.SumNames()
	weights := make([][2]float64, len(names))
	total, square := float64(len(cases)), 0.0
	for i := range cases {
		for _, n := range cases[i].evidence {
			square += n * n
		}
	}
	pace := min(sumStep, longestStep*total/max(square, 1))
	for range sumPasses {
		slope := make([][2]float64, len(names))
		for i := range cases {
			c := &cases[i]
			var z [2]float64
			for j, n := range c.evidence {
				z[0] += weights[j][0] * n
				z[1] += weights[j][1] * n
			}
			most := max(z[0], z[1], 0)
			sum := math.Exp(-most) + math.Exp(z[0]-most) + math.Exp(z[1]-most)
			for k := range z {
				wrong := math.Exp(z[k]-most) / sum
				if c.outcome == k {
					wrong--
				}
				for j, n := range c.evidence {
					slope[j][k] += wrong * n
				}
			}
		}
		for j := range weights {
			for k := range weights[j] {
				weights[j][k] -= pace * (slope[j][k]/total + sumDecay*weights[j][k])
			}
		}
	}
	var all []state.SumWeight
	for j, name := range names {
		all = append(all, state.SumWeight{Name: name, Confirmed: hundredths(weights[j][0]), Dismissed: hundredths(weights[j][1])})
	}
	return all
}

// farthest is how far a weight may be from 0, in logits: domains are not read that have
// others.
const farthest = 20

// hundredths rounds a weight as it is written.
func hundredths(n float64) float64 {
	const hundred = 100
	return math.Round(min(max(n, -farthest), farthest)*hundred) / hundred
}
