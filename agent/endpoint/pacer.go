package endpoint

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"moot/internal/plain"
	"moot/protocol"
)

// recovery spreads the calls that waited because an endpoint asked for it, so that
// they do not all return at once.
const recovery = time.Second

// Pacer spaces out the calls of one process: those to one server with one key
// share its limits, and wait together when it asks for fewer calls.
type Pacer struct {
	mutex sync.Mutex
	lanes map[[sha256.Size]byte]*lane
}

// NewPacer returns a pacer for endpoints to share.
func NewPacer() *Pacer { return &Pacer{lanes: map[[sha256.Size]byte]*lane{}} }

// lane returns the lane for the scheme, host, key and limit of a config.
func (p *Pacer) lane(c *Config) *lane {
	address := c.Base
	if parsed, err := url.Parse(address); err == nil {
		address = strings.ToLower(parsed.Scheme + "://" + parsed.Host)
	}
	secrets := []string{address, c.Key.reveal(), c.User.reveal(), c.Password.reveal(), strconv.Itoa(c.PerMinute)}
	id := sha256.Sum256([]byte(strings.Join(secrets, "\x00")))
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.lanes[id] == nil {
		l := &lane{limiter: rate.NewLimiter(rate.Inf, 1)}
		if c.PerMinute > 0 {
			l.limiter.SetLimit(rate.Every(time.Minute / time.Duration(c.PerMinute)))
		}
		p.lanes[id] = l
	}
	return p.lanes[id]
}

// lane paces the calls to one server with one key.
type lane struct {
	limiter *rate.Limiter
	mutex   sync.Mutex
	// hold is the time until which the server asked not to be called.
	hold time.Time
}

func (l *lane) holdUntil(t time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if t.After(l.hold) {
		l.hold = t
	}
}

func (l *lane) heldUntil() time.Time {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.hold
}

// awaitTurn waits until the server may be called again, and then for the next call of
// the minute.
func (r *run) awaitTurn(ctx context.Context) error {
	defer func(began time.Time) {
		if waited := time.Since(began); waited >= time.Millisecond {
			r.reply.Waited += waited
		}
	}(time.Now())
	for {
		hold := r.lane.heldUntil()
		if !hold.After(time.Now()) {
			break
		}
		wait := time.Until(hold) + rand.N(recovery) //nolint:gosec // not a secret
		const note = "%s asked to wait until %s: sending this call in %s"
		r.watch(protocol.Delta{
			Note: fmt.Sprintf(note, r.Name(), hold.Format(time.TimeOnly), roundWait(wait)), Wait: wait,
		})
		if err := waitFor(ctx, wait); err != nil {
			return err
		}
	}
	reservation := r.lane.limiter.Reserve()
	wait := reservation.Delay()
	if wait <= 0 {
		return nil
	}
	calls := plain.Counted(r.config.PerMinute, "call")
	if wait > r.limits.MaxRetryAfter {
		reservation.Cancel()
		what := "was not asked: its turn would come in %s, with %s a minute and other calls before it; " +
			"the longest wait is %s"
		return &failure{
			short: "its turn would come too late",
			what:  fmt.Sprintf(what, roundWait(wait), calls, roundWait(r.limits.MaxRetryAfter)),
			fix:   "continue later, or allow more calls per minute or a longer wait",
		}
	}
	note := fmt.Sprintf("at most %s a minute to %s: sending this one in %s", calls, r.Name(), roundWait(wait))
	r.watch(protocol.Delta{Note: note, Wait: wait})
	if err := waitFor(ctx, wait); err != nil {
		reservation.Cancel()
		return err
	}
	return nil
}
