package judge_test

import (
	"math"
	"testing"

	"moot/protocol/hearing/judge"
)

// The fences by name: what each version says just before and on them.
func TestFences(t *testing.T) {
	below := func(n float64) float64 { return math.Nextafter(n, 0) }
	above := func(n float64) float64 { return math.Nextafter(n, 1) }
	for _, c := range []struct {
		version judge.Version
		a, s    float64
		rule    string
	}{
		{judge.V1, 0.7, below(0.5), "v1.1"},
		{judge.V1, 0.7, 0.5, "else"},
		{judge.V1, below(0.7), 0, "else"},
		{judge.V1, below(0.5), 0.7, "v1.2"},
		{judge.V1, 0.5, 1, "else"},
		{judge.V2, 0.85, 0.85, "else"},
		{judge.V2, above(0.85), 1, "v2.1"},
		{judge.V2, 0.85, above(0.85), "v2.2"},
		{judge.V2, above(0.6), 0, "v2.3"},
		{judge.V2, 0.6, 0, "else"},
		{judge.V2, 0, above(0.6), "v2.3"},
		{judge.V2, 0.83, 0.68, "else"},
		// As doubles, 0.85 - 0.7 is a little more than 0.15, and 0.6 - 0.45 a little less.
		{judge.V2, 0.85, 0.7, "v2.3"},
		{judge.V2, 0.7, 0.85, "v2.3"},
		{judge.V2Bounded, 0.85, 0.65, "v2-bounded.1"},
		{judge.V2Bounded, 0.65, 0.85, "v2-bounded.2"},
		{judge.V2Bounded, 0.85, 0.8, "else"},
		{judge.V2Bounded, 0.6, 0.45, "else"},
		{judge.V2Bounded, 0.6, 0.44, "v2-bounded.3"},
		{judge.V2Bounded, below(0.6), 0, "else"},
		{judge.V2Bounded, 0.6, 0.75, "v2-bounded.4"},
	} {
		got, err := judge.Judge(c.version, judge.Side{Confidence: c.a}, judge.Side{Confidence: c.s})
		if err != nil || got.Rule != c.rule {
			t.Errorf("%s of %v and %v: rule %s, %v; want %s", c.version, c.a, c.s, got.Rule, err, c.rule)
		}
	}
}

func TestNoConfidenceIsNoVerdict(t *testing.T) {
	for _, bad := range []float64{-0.0001, math.Nextafter(1, 2), math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, sides := range [][2]float64{{bad, 0.5}, {0.5, bad}} {
			if v, err := judge.Judge(judge.V2, judge.Side{Confidence: sides[0]}, judge.Side{Confidence: sides[1]}); err == nil {
				t.Errorf("%v: %+v", sides, v)
			}
		}
	}
	if v, err := judge.Judge("v9", judge.Side{}, judge.Side{}); err == nil {
		t.Errorf("claims without claims: %+v", v)
	}
}
