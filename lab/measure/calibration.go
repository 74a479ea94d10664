package measure

import (
	"math"

	"moot/state"
)

// Probabilities are what a verdict gives to each outcome, in the order of
// state.Outcomes: its confidence to its own outcome, and half of the rest to each of
// the two others.
func Probabilities(outcome state.Outcome, confidence float64) [3]float64 {
	var p [3]float64
	for i, o := range state.Outcomes() {
		p[i] = (1 - confidence) / 2
		if o == outcome {
			p[i] = confidence
		}
	}
	return p
}

// Brier is the score of a verdict for three outcomes (Brier 1950): the sum of the
// squared distances between the probability of each outcome and what it turned out
// to be, 1 or 0. 0 is best, 2 worst; 2/3 is that of one third for each.
func Brier(outcome state.Outcome, confidence float64, expected state.Outcome) float64 {
	score := 0.0
	given := Probabilities(outcome, confidence)
	for i, o := range state.Outcomes() {
		distance := given[i]
		if o == expected {
			distance--
		}
		score += distance * distance
	}
	return score
}

// Bins is how many parts the confidences fall into.
const Bins = 10

// Bin holds the verdicts of one tenth of confidence.
type Bin struct {
	// Right counts those that came out as expected.
	Right Proportion `json:"right"`
	// Confidence is that of the verdicts in the bin, its sum over them.
	Confidence float64 `json:"confidence_sum"`
}

// Mean is the mean confidence in the bin, 0 where it is empty.
func (b Bin) Mean() float64 {
	if b.Right.Total == 0 {
		return 0
	}
	return b.Confidence / float64(b.Right.Total)
}

// Calibration are the verdicts by their confidence.
type Calibration [Bins]Bin

// BinOf is the place of a confidence: bin i holds i/10 and what lies below (i+1)/10;
// the last holds 1 as well. Confidences are compared as they are, so that 0.3 lies in
// the fourth bin.
func BinOf(confidence float64) int {
	at := Bins - 1
	for at > 0 && confidence < float64(at)/Bins {
		at--
	}
	return at
}

// Add takes a verdict in.
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
