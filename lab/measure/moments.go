package measure

import "math"

// Moments are the number, the mean, and the spread of some values.
type Moments struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	// Squares is the sum of the squared distances from the mean.
	Squares float64 `json:"squares"`
}

// Add takes a further value in.
func (m *Moments) Add(v float64) {
	m.N++
	delta := v - m.Mean
	m.Mean += delta / float64(m.N)
	m.Squares += delta * (v - m.Mean)
}

// Spread is the standard deviation of the sample (divided by n-1), and 0 where there
// are fewer than two values.
func (m Moments) Spread() float64 {
	if m.N < 2 {
		return 0
	}
	return math.Sqrt(m.Squares / float64(m.N-1))
}
