package measure

import "math"

// Paired are the same hearings in two modes: a case counts once per repeat, where
// both modes came to a verdict on it.
type Paired struct {
	// Both and Neither were right or wrong in both modes.
	Both    int `json:"both_right"`
	Neither int `json:"both_wrong"`
	// Bad were right in the first mode and are wrong in the second, Good the other
	// way round.
	Bad  int `json:"bad"`
	Good int `json:"good"`
}

// Add counts one pair.
func (p *Paired) Add(first, second bool) {
	switch {
	case first && second:
		p.Both++
	case first:
		p.Bad++
	case second:
		p.Good++
	default:
		p.Neither++
	}
}

// Total counts the pairs.
func (p Paired) Total() int { return p.Both + p.Neither + p.Bad + p.Good }

// Kept is the share of right verdicts of the first mode that are right in the second.
func (p Paired) Kept() Proportion { return Proportion{p.Both, p.Both + p.Bad} }

// BadFlips is the share of all pairs that turned wrong, GoodFlips that turned right.
func (p Paired) BadFlips() Proportion { return Proportion{p.Bad, p.Total()} }

// GoodFlips is the share of all pairs that turned right.
func (p Paired) GoodFlips() Proportion { return Proportion{p.Good, p.Total()} }

// McNemar is the exact two-sided p value of McNemar's test: how likely flips at least
// as one-sided are if either direction were as likely (binomial with one half). It is
// 1 where nothing flipped, and never more.
func (p Paired) McNemar() float64 {
	n, least := p.Bad+p.Good, min(p.Bad, p.Good)
	if n == 0 || p.Bad == p.Good {
		return 1
	}
	logFactorial := func(k int) float64 {
		v, _ := math.Lgamma(float64(k) + 1)
		return v
	}
	sum := 0.0
	for k := least; k >= 0; k-- {
		term := math.Exp(logFactorial(n) - logFactorial(k) - logFactorial(n-k) - float64(n)*math.Ln2)
		sum += term
		if term <= sum*1e-17 {
			// What follows is smaller still, and changes nothing; where the largest is
			// too small for a double, so is the rest.
			break
		}
	}
	return min(1, 2*sum)
}
