// Package turnstile limits how many requests a client may make per second.
package turnstile

import (
	"sync"
	"time"
)

// bucket is the token bucket of one client.
type bucket struct {
	tokens float64
	last   time.Time
}

// Limiter keeps one bucket per client in memory, so each process has its own.
type Limiter struct {
	mu      sync.Mutex
	buckets map[string]*bucket
	rate    float64 // tokens added per second
	burst   float64 // the most tokens a client can save up
	now     func() time.Time
}

// New returns a limiter without clients.
func New(rate, burst float64) *Limiter {
	return &Limiter{buckets: map[string]*bucket{}, rate: rate, burst: burst, now: time.Now}
}

// Allow takes a token from the client's bucket and reports whether there was one.
func (l *Limiter) Allow(client string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b, ok := l.buckets[client]
	if !ok {
		b = &bucket{tokens: l.burst, last: now}
		l.buckets[client] = b
	}
	b.tokens = min(l.burst, b.tokens+now.Sub(b.last).Seconds()*l.rate)
	b.last = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// Sweep forgets the clients that made no request for the given time.
func (l *Limiter) Sweep(idle time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for client, b := range l.buckets {
		if l.now().Sub(b.last) > idle {
			delete(l.buckets, client)
		}
	}
}
