package lab

import (
	"math"
	"testing"

	"moot/protocol/hearing/judge"
)

// near fails where a figure is not what was computed by hand.
func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > by {
		t.Errorf("%s is %.12g, not %.12g", what, got, want)
	}
}

func TestWilson(t *testing.T) {
	// With z² = 3.8414588: 8 of 10 has its center at (0.8 + 0.1920729)/1.3841459 and
	// half a width of 1.959964·sqrt(0.016 + 0.0096036)/1.3841459; 0 of 10 ends at
	// z²/10 over 1.3841459.
	for _, c := range []struct {
		hits, total int
		low, high   float64
	}{
		{8, 10, 0.490162, 0.943318},
		{0, 10, 0, 0.277533},
		{10, 10, 0.722467, 1},
		{50, 100, 0.403832, 0.596168},
		{1, 1, 0.206549, 1},
		{0, 0, 0, 1},
	} {
		low, high := Proportion{c.hits, c.total}.Wilson()
		near(t, "the lower end", low, c.low, 1e-6)
		near(t, "the upper end", high, c.high, 1e-6)
	}
}

func TestBrier(t *testing.T) {
	for _, c := range []struct {
		outcome    judge.Outcome
		confidence float64
		expected   judge.Outcome
		want       float64
	}{
		{judge.Confirmed, 1, judge.Confirmed, 0},
		{judge.Confirmed, 1, judge.Dismissed, 2},
		// 0.2² + 0.1² + 0.1²
		{judge.Dismissed, 0.8, judge.Dismissed, 0.06},
		// 0.8² + 0.9² + 0.1²
		{judge.Confirmed, 0.8, judge.Inconclusive, 1.46},
		// 0.25² + 0.5² + 0.25² from 0.5, 0.25, 0.25
		{judge.Inconclusive, 0.5, judge.Inconclusive, 0.375},
		{judge.Inconclusive, 1.0 / 3, judge.Confirmed, 2.0 / 3},
	} {
		near(t, string(c.outcome), Brier(c.outcome, c.confidence, c.expected), c.want, 1e-12)
	}
}

func TestCalibrationError(t *testing.T) {
	var c Calibration
	if c.Error() != 0 {
		t.Error("without verdicts there is an error")
	}
	// Bin 9: 0.95 and 0.91, one right: |0.5 - 0.93| = 0.43, twice. Bin 6: 0.65, right:
	// 0.35, once. (2·0.43 + 0.35)/3; the eight others are empty.
	c.Add(0.95, true)
	c.Add(0.91, false)
	c.Add(0.65, true)
	near(t, "the calibration error", c.Error(), (0.86+0.35)/3, 1e-12)
	near(t, "the mean of a bin", c[9].Mean(), 0.93, 1e-12)
	if c[5].Mean() != 0 || c[5].Right.Total != 0 {
		t.Error("an empty bin holds something")
	}
}

func TestMcNemar(t *testing.T) {
	for _, c := range []struct {
		bad, good int
		want      float64
	}{
		{0, 0, 1},
		{3, 3, 1},
		// 2·(1/2)^5
		{5, 0, 0.0625},
		// 2·(1 + 10)/2^10
		{1, 9, 0.021484375},
		// 2·(1 + 8 + 28)/2^8
		{6, 2, 0.2890625},
		// 2·(1 + 15 + 105 + 455)/2^15
		{3, 12, 0.03515625},
		{1, 0, 1},
	} {
		near(t, "p", Paired{Bad: c.bad, Good: c.good}.McNemar(), c.want, 1e-12)
	}
	// Nothing of it is left in a double, and it takes no time to see that.
	if p := (Paired{Bad: 1_000_000_000, Good: 400_000_000}).McNemar(); p != 0 {
		t.Errorf("p is %v where it is smaller than any double", p)
	}
	if p := (Paired{Bad: 25_000}).McNemar(); p != 0 && !(p < 1e-300) {
		t.Errorf("25,000 flips one way have p %v", p)
	}
	// 200 more than half is 0.63 standard deviations of sqrt(100,000)/2 = 158 from the middle.
	if p := (Paired{Bad: 50_100, Good: 49_900}).McNemar(); p < 0.5 || p > 0.56 {
		t.Errorf("200 flips more of 100,000 have p %v", p)
	}
}

func TestPairs(t *testing.T) {
	var p Paired
	for _, c := range [][2]bool{{true, true}, {true, true}, {true, false}, {false, true}, {false, false}} {
		p.Add(c[0], c[1])
	}
	if want := (Paired{Both: 2, Bad: 1, Good: 1, Neither: 1}); p != want {
		t.Errorf("the pairs are %+v, not %+v", p, want)
	}
	if p.Kept() != (Proportion{2, 3}) || p.BadFlips() != (Proportion{1, 5}) || p.GoodFlips() != (Proportion{1, 5}) {
		t.Errorf("kept %v, bad %v, good %v", p.Kept(), p.BadFlips(), p.GoodFlips())
	}
}

func TestMoments(t *testing.T) {
	var m Moments
	for _, v := range []float64{2, 4, 4, 4, 5, 5, 7, 9} {
		m.Add(v)
	}
	near(t, "the mean", m.Mean, 5, 1e-12)
	// The squares of the distances sum to 32; 32/7.
	near(t, "the spread", m.Spread(), math.Sqrt(32.0/7), 1e-12)
	if (Moments{N: 1, Mean: 3}).Spread() != 0 {
		t.Error("one value has a spread")
	}
}

func turn(confidence float64, rebutted ...string) Turn {
	return Turn{Confidence: confidence, Facts: []string{"F1"}, Rebutted: rebutted}
}
