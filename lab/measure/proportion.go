package measure

import (
	"encoding/json"
	"errors"
	"math"
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

// Share is from 0 to 1, and 0 where there is no trial.
func (p Proportion) Share() float64 {
	if p.Total == 0 {
		return 0
	}
	return float64(p.Hits) / float64(p.Total)
}

// z95 is the two-sided 95 % point of the normal distribution.
const z95 = 1.959963984540054

// Wilson is the 95 % score interval of the share (Wilson 1927), without a correction
// for continuity; 0 to 1 where there is no trial.
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

// proportionJSON is a proportion as it is written: with what follows from it, for
// readers of the file.
type proportionJSON struct {
	Hits  int     `json:"hits"`
	Total int     `json:"total"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// MarshalJSON writes the counts, the share, and its interval.
func (p Proportion) MarshalJSON() ([]byte, error) {
	low, high := p.Wilson()
	return json.Marshal(proportionJSON{p.Hits, p.Total, p.Share(), low, high})
}

// UnmarshalJSON reads the counts alone: what follows from them is computed anew.
func (p *Proportion) UnmarshalJSON(text []byte) error {
	var read proportionJSON
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	if read.Hits < 0 || read.Hits > read.Total {
		return errors.New("a proportion has as many hits as trials at most, and no fewer than none")
	}
	*p = Proportion{read.Hits, read.Total}
	return nil
}
