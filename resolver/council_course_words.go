package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/state"
)

// Figures are the confidences that count at the end of the step, in the order in
// which the seats speak, and what they make together: "0.85 0.72 0.68 0.70 ->
// 0.749". A seat that reported none is a dash, and so is an aggregate of nothing.
func (c *CourseStep) Figures() string {
	v := &c.Validation
	var figures []string
	for _, seat := range state.CouncilSeats() {
		switch score := v.score(seat); {
		case score != nil:
			figures = append(figures, twoPlaces(score.Admitted))
		case v.misses(seat):
			figures = append(figures, "-")
		}
	}
	aggregate := "-"
	if v.Aggregate != nil {
		aggregate = twoPlaces(*v.Aggregate)
	}
	return strings.Join(append(figures, "->", aggregate), " ")
}

// Came says in clauses what else the round brought, the plainest first: what became
// of challenges, evidence, violations, and of the form itself, and which rules
// failed at its end. It quotes nothing that a seat wrote.
func (c *CourseStep) Came() string {
	var parts []string
	for i := range c.Challenges {
		parts = append(parts, c.Challenges[i].ID+" "+c.Challenges[i].Outcome)
	}
	if len(c.Verified) > 0 {
		parts = append(parts, listed(c.Verified)+" verified")
	}
	for i := range c.Breaches {
		found := "violated"
		switch {
		case c.Breaches[i].Flagged:
			found = "flagged"
		case c.Breaches[i].Mended:
			found = "violated and mended"
		}
		parts = append(parts, c.Breaches[i].Constraint+" "+found)
	}
	parts = append(parts, c.Rules())
	if c.Became != "" {
		how := "worded anew as "
		if c.Merged {
			how = "merged into "
		}
		parts = append(parts, how+c.Became)
	}
	return strings.Join(parts, "; ")
}

// Rules says which of CV1 to CV4 hold at the end of the step: "CV1 to CV4 hold",
// "CV2 and CV4 fail".
func (c *CourseStep) Rules() string {
	var failed []string
	for i := range c.Validation.Rules {
		if r := &c.Validation.Rules[i]; !r.Passed {
			failed = append(failed, r.Rule)
		}
	}
	switch len(failed) {
	case 0:
		return "CV1 to CV4 hold"
	case 1:
		return failed[0] + " fails"
	}
	return listed(failed) + " fail"
}

// Line is the step in one line: "round 1: 0.85 0.72 0.68 0.70 -> 0.749; C1 not
// answered yet; CV2 fails".
func (c *CourseStep) Line() string {
	return fmt.Sprintf("round %d: %s; %s", c.Round, c.Figures(), c.Came())
}

func (v *Validation) score(seat state.Seat) *state.Score {
	for i := range v.Scores {
		if v.Scores[i].Seat == seat {
			return &v.Scores[i]
		}
	}
	return nil
}

// misses reports whether the seat sits in the council and reported nothing.
func (v *Validation) misses(seat state.Seat) bool {
	return slices.Contains(v.Missing, seat)
}

// twoPlaces is a share in two digits behind the point, three where they say more.
func twoPlaces(share float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.3f", share), "0")
}
