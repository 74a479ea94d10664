package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"moot/agent/pace"
	"moot/protocol"
)

// WithPace paces calls together with all who share the keeper, and by its files
// with all sessions of this machine. Without it each endpoint keeps to its own
// limits alone.
func WithPace(keeper *pace.Keeper) Option {
	return func(e *Endpoint) { e.lane, e.shared = e.config.lane(keeper), true }
}

// lane is that of the endpoint: whoever has another key has other limits.
func (c *Config) lane(keeper *pace.Keeper) *pace.Lane {
	key := c.Key.reveal()
	if !c.User.IsZero() || !c.Password.IsZero() {
		key = c.User.reveal() + ":" + c.Password.reveal()
	}
	return keeper.Lane(c.Base, key)
}

// paceLimits are what calls keep to.
func (e *Endpoint) paceLimits() pace.Limits {
	return pace.Limits{PerMinute: e.config.PerMinute, Parallel: e.config.Parallel, Longest: e.limits.MaxRetryAfter}
}

// enter waits for the endpoint's turn. leave must be called when the request
// ended.
func (r *run) enter(ctx context.Context) (leave func(), err error) {
	began, waited := time.Now(), false
	placed := r.placed
	r.placed = false
	leave, err = r.lane.Enter(ctx, r.paceLimits(), placed, func(w pace.Wait) {
		waited = true
		r.watch(protocol.Delta{Note: r.waitText(w), Wait: w.For})
	})
	if waited {
		r.reply.Waited += time.Since(began)
	}
	if trouble := r.lane.Trouble(); trouble != nil {
		r.note(fmt.Sprintf("what other sessions ask of %s is not known, and calls are paced without them: %s", r.Name(), r.quote(trouble.Error())))
	}
	return leave, err
}

// waitText says why a call waits.
func (r *run) waitText(w pace.Wait) string {
	switch w.Reason {
	case pace.Asked:
		return fmt.Sprintf("%s asked to wait until %s: this call goes out in %s", r.Name(), w.Until.Format("15:04:05"), roundWait(w.For))
	case pace.Rate:
		if r.config.PerMinute > 0 {
			return fmt.Sprintf("%s a minute to %s: this one goes out in %s", callsOf(r.config.PerMinute), r.Name(), roundWait(w.For))
		}
		return fmt.Sprintf("%s asked for fewer calls: this one goes out in %s", r.Name(), roundWait(w.For))
	case pace.Full:
		return fmt.Sprintf("%s at once to %s: this one waits for another to end", callsOf(r.config.Parallel), r.Name())
	}
	return "waiting"
}

// holdAll has all sessions wait for an endpoint that asked for it, by its answer
// or with a 429 by the wait that we choose. It returns how long this call waits.
func (r *run) holdAll(ctx context.Context, failed *failure, wait time.Duration) time.Duration {
	if !failed.asksToWait() {
		return wait
	}
	r.placed = true
	return r.lane.Hold(ctx, r.paceLimits(), time.Now().Add(wait))
}

// asksToWait reports that the failure is the endpoint's wish for fewer calls.
func (f *failure) asksToWait() bool {
	return f.said != nil && (f.said.status == http.StatusTooManyRequests || f.said.status == http.StatusServiceUnavailable && f.after > 0)
}

// classifyQueue says that the call's turn comes too late.
func (r *run) classifyQueue(err error) *failure {
	var queue *pace.QueueError
	if !errors.As(err, &queue) {
		return nil
	}
	return &failure{
		short: "its turn comes too late",
		what: fmt.Sprintf("was not asked: its turn comes in %s, with %s a minute and others before it; the longest wait is %s",
			roundWait(queue.For), callsOf(queue.PerMinute), roundWait(r.limits.MaxRetryAfter)),
		fix: "go on later, allow more calls a minute, or a longer wait",
	}
}

// callsOf writes a number of calls.
func callsOf(n int) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}
