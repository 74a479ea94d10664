package queue

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// Limiter bounds the calls of all sessions to each participant.
type Limiter interface {
	// Acquire waits until a participant may be called. The caller calls release when the call has ended. The error is
	// that of ctx.
	Acquire(ctx context.Context, participant string) (release func(), err error)
	// Slow stops new calls to a participant until a time.
	Slow(participant string, until time.Time)
}

// Limit bounds the calls to one participant. The zero Limit bounds nothing.
type Limit struct {
	// AtOnce is how many calls may be out at the same time.
	AtOnce int
	// PerMinute is how many calls may begin in a minute, on average; they are spread evenly.
	PerMinute float64
}

// Limits is the Limiter of one process. Its methods are safe for concurrent use.
type Limits struct {
	// Of returns the limit of a participant.
	Of  func(participant string) Limit
	Now func() time.Time

	mutex sync.Mutex
	known map[string]*limited
}

// limited is shared by all calls to one participant.
type limited struct {
	slots chan struct{}
	gap   time.Duration

	mutex sync.Mutex
	// next is when the next call may begin. None begins before slow; over is how long that pause was.
	next, slow time.Time
	over       time.Duration
}

// NewLimits returns a Limiter.
func NewLimits(of func(participant string) Limit) *Limits {
	return &Limits{Of: of, Now: time.Now, known: map[string]*limited{}}
}

func (l *Limits) limited(participant string) *limited {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if known := l.known[participant]; known != nil {
		return known
	}
	limit := l.Of(participant)
	one := &limited{}
	if limit.AtOnce > 0 {
		one.slots = make(chan struct{}, limit.AtOnce)
	}
	if limit.PerMinute > 0 {
		one.gap = time.Duration(float64(time.Minute) / limit.PerMinute)
	}
	l.known[participant] = one
	return one
}

// Acquire implements Limiter.
func (l *Limits) Acquire(ctx context.Context, participant string) (release func(), err error) {
	one := l.limited(participant)
	if one.slots != nil {
		select {
		case one.slots <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	release = func() {
		if one.slots != nil {
			<-one.slots
		}
	}
	if err := one.wait(ctx, l.Now); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// spread is by how much calls that wait for the same moment are spread, as a share of the wait: a server that gets too
// many at once gets them again otherwise.
const spread = 0.25

// Slow implements Limiter. A pause is never made shorter.
func (l *Limits) Slow(participant string, until time.Time) {
	one := l.limited(participant)
	one.mutex.Lock()
	defer one.mutex.Unlock()
	if until.After(one.slow) {
		one.slow, one.over = until, until.Sub(l.Now())
	}
}

// wait waits for the turn of a call.
func (o *limited) wait(ctx context.Context, now func() time.Time) error {
	o.mutex.Lock()
	at := now()
	due := o.next
	if due.Before(at) {
		due = at
	}
	var late time.Duration
	if due.Before(o.slow) {
		due, late = o.slow, time.Duration(rand.Float64()*spread*float64(o.over)) //nolint:gosec // not a secret
	}
	if o.gap > 0 {
		o.next = due.Add(o.gap)
	}
	o.mutex.Unlock()
	if due.Equal(at) {
		return nil
	}
	timer := time.NewTimer(due.Sub(at) + late)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
