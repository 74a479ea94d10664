package measure

import "math"

// Moments are the number, the mean, and the spread of some values. Two of them join
// without the values themselves (Chan, Golub and LeVeque 1979).
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

// Join takes all values of the other in.
func (m *Moments) Join(other Moments) {
	if other.N == 0 {
		return
	}
	n, delta := m.N+other.N, other.Mean-m.Mean
	m.Squares += other.Squares + delta*delta*float64(m.N)*float64(other.N)/float64(n)
	m.Mean += delta * float64(other.N) / float64(n)
	m.N = n
}

// Spread is the standard deviation of the sample (divided by n-1), and 0 where there
// are fewer than two values.
func (m Moments) Spread() float64 {
	if m.N < 2 {
		return 0
	}
	return math.Sqrt(m.Squares / float64(m.N-1))
}
