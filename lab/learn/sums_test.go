package learn

import (
	"math"
	"testing"

	"moot/resolver/detect"
)

// However much cases come to, weights are numbers that a domain may have, and tell the
// outcomes apart.
func TestSumsOfVeryMuch(t *testing.T) {
	for _, much := range []float64{0, 1, 60, 1e6} {
		var cases []ended
		for outcome := range 3 {
			for range 5 {
				e := make([]float64, len(detect.SumNames()))
				e[0], e[1+outcome] = 1, much
				cases = append(cases, ended{e, outcome})
			}
		}
		all := learnSums(cases)
		if len(all) != len(detect.SumNames()) {
			t.Fatalf("%d weights", len(all))
		}
		for _, w := range all {
			if !(math.Abs(w.Confirmed) <= farthest && math.Abs(w.Dismissed) <= farthest) {
				t.Errorf("cases of %v: %+v", much, w)
			}
		}
		if much >= 1 && much < 1e6 && !(all[1].Confirmed > 0 && all[2].Dismissed > 0 && all[3].Confirmed < 0) {
			t.Errorf("cases of %v: %+v", much, all)
		}
	}
}

// What always accounts for acts, and what never does, is told apart within bounds.
func TestTiesAreTold(t *testing.T) {
	names := detect.TieNames()
	var pairs []pair
	for i := range 2000 {
		pairs = append(pairs, pair{[]string{names[0], names[1+i%2]}, i%2 == 0})
	}
	all := learnTies(pairs)
	if len(all) != 3 || all[1].Weight < 1 || all[2].Weight > -1 || math.Abs(all[1].Weight) > farthest || math.Abs(all[2].Weight) > farthest {
		t.Errorf("%+v", all)
	}
	if learnTies(nil) != nil {
		t.Error("of no pairs something was learnt")
	}
	if got := hundredths(-300.123); got != -farthest {
		t.Errorf("a weight beyond bounds is written as %v", got)
	}
}
