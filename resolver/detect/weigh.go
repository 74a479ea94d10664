package detect

import (
	"fmt"
	"math"
	"slices"

	"moot/state"
)

// Sums are what all facts come to: shares of three outcomes, which together are 1.
type Sums struct {
	// Architect speaks for CONFIRMED, Skeptic for DISMISSED, and Neither for neither:
	// the record lacks what would decide, or contradicts itself.
	Architect, Skeptic, Neither float64
}

// evidence is what the facts of a case come to, each from 0 to about 1.
type evidence [evidenceCount]float64

// What facts come to, in the order of the names.
const (
	sumAlways = iota
	// sumStands is how much stands of the acts that nothing accounts for, sumActs how
	// many acts there are, and sumOpen how many of them are left, as a number and as a
	// share.
	sumStands
	sumActs
	sumOpen
	sumOpenShare
	// sumCovered is how far acts are accounted for, sumCovers how many covers there are.
	sumCovered
	sumCovers
	// sumDenied and sumMisfit speak against covers.
	sumDenied
	sumMisfit
	// sumMissing is how much the record lacks, sumGaps in how many places.
	sumMissing
	sumGaps
	// sumFailed is how far nothing took effect.
	sumFailed
	// sumCourses is the first of those that only a hearing about a change has.
	sumCourses
	evidenceCount = sumCourses + courseSums
)

// SumNames are the names that these have in the weights of a domain.
func SumNames() []string {
	return append([]string{
		"always", "acts that stand", "number of acts", "number of acts left", "share of acts left", "acts accounted for",
		"number of covers", "denied", "covers that do not fit", "missing", "number of gaps", "nothing took effect",
	}, marksSummed()...)
}

// verdicts are the weights of evidence, for CONFIRMED and for DISMISSED.
type verdicts [evidenceCount][2]float64

func newVerdicts(w *state.Weights) (verdicts, error) {
	var v verdicts
	for _, one := range w.Sums {
		at := slices.Index(SumNames(), one.Name)
		if at < 0 {
			return v, fmt.Errorf("no sum is named %q", one.Name)
		}
		v[at] = [2]float64{one.Confirmed, one.Dismissed}
	}
	return v, nil
}

// sum turns evidence into shares.
func (v *verdicts) sum(e *evidence) Sums {
	var z [2]float64
	for k, n := range e {
		z[0] += v[k][0] * n
		z[1] += v[k][1] * n
	}
	most := max(z[0], z[1], 0)
	confirmed, dismissed, neither := math.Exp(z[0]-most), math.Exp(z[1]-most), math.Exp(-most)
	total := confirmed + dismissed + neither
	return Sums{Architect: finite(confirmed / total), Skeptic: finite(dismissed / total), Neither: finite(neither / total)}
}

// Weigh sums up what all facts of the packet come to, and takes from each side as much as
// it does not cite of what speaks for it: that speaks for neither. Where a list is nil the
// side cites everything.
func (c *Case) Weigh(architect, skeptic []string) Sums {
	e := c.evidence()
	s := c.detector.verdicts.sum(&e)
	s.Architect *= c.cites(state.Architect, architect)
	s.Skeptic *= c.cites(state.Skeptic, skeptic)
	s.Neither = finite(1 - s.Architect - s.Skeptic)
	return s
}

// enough is the share of what speaks for a side that counts as all of it.
const enough = 0.7

// cites is how much a side cites of what speaks for it, 0 to 1; all where nothing does.
func (c *Case) cites(seat state.Seat, cited []string) float64 {
	if cited == nil {
		return 1
	}
	var total, named []float64
	for _, one := range c.all {
		w := c.comesTo(one, seat)
		total = append(total, w)
		if slices.Contains(cited, one.fact.ID) {
			named = append(named, w)
		}
	}
	all := together(total...)
	if all < least {
		return 1
	}
	return min(1, together(named...)/all/enough)
}

// How much one fact may add to what stands, and to what is accounted for; and by which
// numbers counts are divided.
const (
	mostStands, mostCovered        = 0.5, 0.7
	manyActs, manyCovers, manyGaps = 5, 4, 3
	someActs                       = 0.3
)

// evidence adds up what the facts do.
func (c *Case) evidence() evidence {
	// What is left to 1 of those that take from each other.
	left := [evidenceCount]float64{sumStands: 1, sumCovered: 1, sumDenied: 1, sumMisfit: 1, sumMissing: 1, sumFailed: 1}
	e := evidence{sumAlways: 1}
	acts, open := 0.0, 0.0
	for _, one := range c.all {
		r := &one.reads
		left[sumStands] *= 1 - mostStands*r[readAct]*one.left
		left[sumCovered] *= 1 - mostCovered*r[readCover]*one.bound
		left[sumDenied] *= 1 - r[readDenial]
		left[sumMisfit] *= 1 - r[readMisfit]
		left[sumMissing] *= 1 - r[readGap]
		left[sumFailed] *= 1 - r[readFailed]
		acts += r[readAct]
		open += r[readAct] * one.left
		e[sumCovers] += r[readCover] / manyCovers
		e[sumGaps] += r[readGap] / manyGaps
	}
	for _, k := range []int{sumStands, sumCovered, sumDenied, sumMisfit, sumMissing, sumFailed} {
		e[k] = 1 - left[k]
	}
	e[sumActs], e[sumOpen], e[sumOpenShare] = acts/manyActs, open/manyActs, open/(acts+someActs)
	copy(e[sumCourses:], c.marked[:])
	return e
}
