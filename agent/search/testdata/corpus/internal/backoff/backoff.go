// Package backoff computes how long to wait before a job is tried again.
package backoff

import (
	"math/rand/v2"
	"time"
)

const (
	base    = 2 * time.Second
	ceiling = 1 * time.Hour
)

// Delay returns a random time between zero and base doubled for every attempt,
// but never more than the ceiling. Full jitter spreads jobs that failed
// together, so that they do not all come back in the same second.
func Delay(attempt int) time.Duration {
	window := ceiling
	if attempt < 11 {
		window = min(base<<attempt, ceiling)
	}
	return rand.N(window)
}
