package endpoint

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"moot/protocol"
)

// recovery spaces out the calls that waited because an endpoint asked for it, so
// that they do not all return at once.
const recovery = 250 * time.Millisecond

// Pacer spaces out the calls of one process: those to one server with one key
// share its limits, and wait together when it asks for fewer calls.
type Pacer struct {
	mutex sync.Mutex
	lanes map[[sha256.Size]byte]*lane
}

// NewPacer returns a pacer for endpoints to share.
func NewPacer() *Pacer { return &Pacer{lanes: map[[sha256.Size]byte]*lane{}} }

// lane returns the lane for the scheme, host and key of a config.
func (p *Pacer) lane(c *Config) *lane {
	address := c.Base
	if parsed, err := url.Parse(address); err == nil {
		address = strings.ToLower(parsed.Scheme + "://" + parsed.Host)
	}
	secrets := []string{address, c.Key.reveal(), c.User.reveal(), c.Password.reveal()}
	id := sha256.Sum256([]byte(strings.Join(secrets, "\x00")))
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.lanes[id] == nil {
		p.lanes[id] = &lane{
			limiter: rate.NewLimiter(rate.Inf, 1), recovery: rate.NewLimiter(rate.Every(recovery), 1),
			left: make(chan struct{}),
		}
	}
	return p.lanes[id]
}

// lane paces the calls to one server with one key.
type lane struct {
	mutex sync.Mutex
	// hold is the time until which the server asked not to be called.
	hold              time.Time
	limiter, recovery *rate.Limiter
	running           int
	// left is closed when a call ends.
	left chan struct{}
}

// reserve takes the next turn for a call, after hold. A nil reservation means
// that the call can go out at once.
func (l *lane) reserve(perMinute int, hold time.Time) (*rate.Reservation, time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if hold.After(l.hold) {
		l.hold = hold
	}
	at := time.Now()
	limiter := l.limiter
	switch held := l.hold.After(at); {
	case perMinute > 0:
		limiter.SetLimitAt(at, rate.Every(time.Minute/time.Duration(perMinute)))
	case held || at.Sub(l.hold) < time.Minute:
		limiter = l.recovery
	default:
		return nil, l.hold
	}
	if l.hold.After(at) {
		at = l.hold
	}
	return limiter.ReserveN(at, 1), l.hold
}

// heldUntil returns the end of the wait that the server asked for.
func (l *lane) heldUntil() time.Time {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.hold
}

// begin waits until fewer than parallel calls are running; full is called before
// it waits.
func (l *lane) begin(ctx context.Context, parallel int, full func()) error {
	for waited := false; ; waited = true {
		l.mutex.Lock()
		if parallel <= 0 || l.running < parallel {
			l.running++
			l.mutex.Unlock()
			return nil
		}
		left := l.left
		l.mutex.Unlock()
		if !waited {
			full()
		}
		select {
		case <-left:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *lane) end() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.running--
	close(l.left)
	l.left = make(chan struct{})
}

// enter waits for the call's turn. The caller calls leave when the request has
// ended.
func (r *run) enter(ctx context.Context) (leave func(), err error) {
	began, waited := time.Now(), false
	wait := func(note string, length time.Duration) {
		waited = true
		r.watch(protocol.Delta{Note: note, Wait: length})
	}
	err = r.lane.begin(ctx, r.config.Parallel, func() {
		const full = "at most %s at once to %s: this one waits for another to end"
		wait(fmt.Sprintf(full, callsOf(r.config.Parallel), r.Name()), 0)
	})
	if err != nil {
		return nil, err
	}
	for placed := r.placed; ; placed = true {
		if placed && !r.lane.heldUntil().After(time.Now()) {
			break
		}
		if err = r.awaitTurn(ctx, wait); err != nil {
			r.lane.end()
			return nil, err
		}
	}
	r.placed = false
	if waited {
		r.reply.Waited += time.Since(began)
	}
	return r.lane.end, nil
}

// awaitTurn reserves a turn and waits for it.
func (r *run) awaitTurn(ctx context.Context, announce func(string, time.Duration)) error {
	reservation, hold := r.lane.reserve(r.config.PerMinute, time.Time{})
	if reservation == nil {
		return nil
	}
	now := time.Now()
	wait := reservation.DelayFrom(now)
	if wait <= 0 {
		return nil
	}
	if wait > r.limits.MaxRetryAfter {
		reservation.Cancel()
		what := "was not asked: its turn would come in %s, with %s a minute and other calls before it; " +
			"the longest wait is %s"
		return &failure{
			short: "its turn would come too late",
			what:  fmt.Sprintf(what, roundWait(wait), callsOf(r.config.PerMinute), roundWait(r.limits.MaxRetryAfter)),
			fix:   "continue later, or allow more calls per minute or a longer wait",
		}
	}
	note := fmt.Sprintf("%s asked for fewer calls: sending this one in %s", r.Name(), roundWait(wait))
	switch {
	case hold.After(now):
		until := hold.Format(time.TimeOnly)
		note = fmt.Sprintf("%s asked to wait until %s: sending this call in %s", r.Name(), until, roundWait(wait))
	case r.config.PerMinute > 0:
		calls := callsOf(r.config.PerMinute)
		note = fmt.Sprintf("at most %s a minute to %s: sending this one in %s", calls, r.Name(), roundWait(wait))
	}
	announce(note, wait)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		reservation.Cancel()
		return ctx.Err()
	}
}

// holdAll makes all calls to the endpoint wait if the failure asked for it. It
// returns how long this call has to wait for its own turn after that.
func (r *run) holdAll(failed *failure, wait time.Duration) time.Duration {
	if !failed.asksToWait() {
		return wait
	}
	r.placed = true
	reservation, _ := r.lane.reserve(r.config.PerMinute, time.Now().Add(wait))
	return max(wait, reservation.Delay())
}

// asksToWait reports whether the endpoint asked for fewer calls.
func (f *failure) asksToWait() bool {
	return f.said != nil && (f.said.status == http.StatusTooManyRequests ||
		f.said.status == http.StatusServiceUnavailable && f.after > 0)
}

func callsOf(n int) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}
