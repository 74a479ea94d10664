package measure

import (
	"slices"

	"moot/state"
)

// Confusion counts verdicts by what was expected and what came out, both in the order
// of state.Outcomes.
type Confusion [3][3]int

// Add counts a verdict. An outcome that is none is not counted.
func (c *Confusion) Add(expected, outcome state.Outcome) {
	i, j := slices.Index(state.Outcomes(), expected), slices.Index(state.Outcomes(), outcome)
	if i >= 0 && j >= 0 {
		c[i][j]++
	}
}

// Of returns how often the outcome came out where the other was expected.
func (c *Confusion) Of(expected, outcome state.Outcome) int {
	i, j := slices.Index(state.Outcomes(), expected), slices.Index(state.Outcomes(), outcome)
	if i < 0 || j < 0 {
		return 0
	}
	return c[i][j]
}
