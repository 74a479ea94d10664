package lab

import (
	"encoding/json"
	"math"
	"slices"

	"moot/protocol/hearing/judge"
)

// Proportion is a count of hits among trials.
type Proportion struct{ Hits, Total int }

// Add counts one trial.
func (p *Proportion) Add(hit bool) {
	p.Total++
	if hit {
		p.Hits++
	}
}

// Share returns hits/total, or 0 without trials.
func (p Proportion) Share() float64 {
	if p.Total == 0 {
		return 0
	}
	return float64(p.Hits) / float64(p.Total)
}

// z95 is the two-sided 95 % point of the normal distribution.
const z95 = 1.959963984540054

// Wilson returns the 95 % score interval of the share (Wilson 1927), without continuity correction; 0 to 1 without
// trials.
func (p Proportion) Wilson() (low, high float64) {
	if p.Total == 0 {
		return 0, 1
	}
	n, share := float64(p.Total), p.Share()
	center := share + z95*z95/(2*n)
	half := z95 * math.Sqrt(share*(1-share)/n+z95*z95/(4*n*n))
	scale := 1 + z95*z95/n
	low, high = max(0, (center-half)/scale), min(1, (center+half)/scale)
	// At the ends the sums cancel, up to rounding.
	if p.Hits == 0 {
		low = 0
	}
	if p.Hits == p.Total {
		high = 1
	}
	return low, high
}

// MarshalJSON writes the counts, the share, and its interval.
func (p Proportion) MarshalJSON() ([]byte, error) {
	low, high := p.Wilson()
	return json.Marshal(struct {
		Hits  int     `json:"hits"`
		Total int     `json:"total"`
		Share float64 `json:"share"`
		Low   float64 `json:"low"`
		High  float64 `json:"high"`
	}{p.Hits, p.Total, p.Share(), low, high})
}

// Moments are the number, the mean, and the spread of some values.
type Moments struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	// Squares is the sum of the squared distances from the mean.
	Squares float64 `json:"squares"`
}

// Add adds a value.
func (m *Moments) Add(v float64) {
	m.N++
	delta := v - m.Mean
	m.Mean += delta / float64(m.N)
	m.Squares += delta * (v - m.Mean)
}

// Spread returns the sample standard deviation (divided by n-1), or 0 for fewer than two values.
func (m Moments) Spread() float64 {
	if m.N < 2 {
		return 0
	}
	return math.Sqrt(m.Squares / float64(m.N-1))
}

// Paired compares the same hearings in two modes. A case counts once per repeat, if both modes have
// a verdict on it.
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

// Kept returns the share of right verdicts of the first mode that are right in the second.
func (p Paired) Kept() Proportion { return Proportion{p.Both, p.Both + p.Bad} }

// BadFlips returns the share of all pairs that turned wrong.
func (p Paired) BadFlips() Proportion { return Proportion{p.Bad, p.Total()} }

// GoodFlips returns the share of all pairs that turned right.
func (p Paired) GoodFlips() Proportion { return Proportion{p.Good, p.Total()} }

// McNemar returns the exact two-sided p value of McNemar's test: the probability of flips at least
// as one-sided if both directions are equally likely (binomial with one half). It is 1 without
// flips.
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
			// The remaining terms are smaller and change nothing. If the first one is too small for
			// a float64, so are the others.
			break
		}
	}
	return min(1, 2*sum)
}

// Brier returns the score of a verdict over three outcomes (Brier 1950): the sum of the squared differences between
// each probability and 1 for the expected outcome, 0 for the others. A verdict gives its confidence to its own outcome
// and half of the rest to each of the others. 0 is best, 2 worst; a uniform guess scores 2/3.
func Brier(outcome judge.Outcome, confidence float64, expected judge.Outcome) float64 {
	score := 0.0
	for _, o := range judge.Outcomes() {
		distance := (1 - confidence) / 2
		if o == outcome {
			distance = confidence
		}
		if o == expected {
			distance--
		}
		score += distance * distance
	}
	return score
}

// Bins is the number of bins of a Calibration.
const Bins = 10

// Bin holds the verdicts of one tenth of confidence.
type Bin struct {
	// Right counts the verdicts that are as expected.
	Right Proportion `json:"right"`
	// Confidence is the sum of the confidences of the verdicts in the bin.
	Confidence float64 `json:"confidence_sum"`
}

// Mean returns the mean confidence in the bin, or 0.
func (b Bin) Mean() float64 {
	if b.Right.Total == 0 {
		return 0
	}
	return b.Confidence / float64(b.Right.Total)
}

// Calibration groups the verdicts by their confidence.
type Calibration [Bins]Bin

// BinOf returns the bin of a confidence: bin i covers i/10 up to, but not including, (i+1)/10, and
// the last one also 1. Confidences are not rounded, so 0.3 is in the fourth bin.
func BinOf(confidence float64) int {
	at := Bins - 1
	for at > 0 && confidence < float64(at)/Bins {
		at--
	}
	return at
}

// Add adds a verdict.
func (c *Calibration) Add(confidence float64, right bool) {
	b := &c[BinOf(confidence)]
	b.Right.Add(right)
	b.Confidence += confidence
}

// Error is the expected calibration error (Naeini, Cooper and Hauskrecht 2015): the
// distance between the share that is right and the mean confidence, per bin, weighed
// by the verdicts in it. An empty bin adds nothing. 0 is best, 1 worst; 0 without
// verdicts.
func (c *Calibration) Error() float64 {
	total, sum := 0, 0.0
	for _, b := range c {
		total += b.Right.Total
		sum += float64(b.Right.Total) * math.Abs(b.Right.Share()-b.Mean())
	}
	if total == 0 {
		return 0
	}
	return sum / float64(total)
}

// Confusion counts verdicts by expected and actual outcome, both in the order of judge.Outcomes.
type Confusion [3][3]int

// Add counts a verdict, if it has one.
func (c *Confusion) Add(expected, outcome judge.Outcome) {
	i, j := slices.Index(judge.Outcomes(), expected), slices.Index(judge.Outcomes(), outcome)
	if i >= 0 && j >= 0 {
		c[i][j]++
	}
}
