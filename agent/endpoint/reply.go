package endpoint

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"moot/protocol"
)

// maxLeftOut is how many options can be left out of a request one by one, with
// some to spare: whatever happens, no server is asked without end.
const maxLeftOut = 8

// errTotal says that a call used up its time.
var errTotal = errors.New("the time for one call is used up")

// run is one call of Reply.
type run struct {
	*Endpoint
	call  protocol.Call
	watch func(protocol.Delta)
	reply protocol.Reply
	// tries counts attempts; requests that only left out an option are in
	// reply.Attempts alone.
	tries int
	text  strings.Builder
	// finish is why the model stopped, "" while it has not.
	finish string
	// declined is the model's refusal to answer.
	declined string
	// usage is what the attempt under way cost, earlier what those before it did.
	usage, earlier usage
	// sent is how long the prompt was, in bytes.
	sent  int
	aloud aloud
	// placed says that the call has its place in the endpoint's lane already.
	placed bool
	// last is the last failure, told if the time runs out in a wait.
	last *failure
}

// Reply asks the model once. What the server refuses of the request is left
// out and remembered; what fails on the way is tried again, with growing waits
// and for as long as the limits allow, but never after the first piece of the
// reply was shown: from then on a failure is a *protocol.Broken (PH3). A server
// that cannot be used is a *protocol.Unreachable (EX7), a prompt that does not
// fit, or of which the server dropped a part, a *protocol.TooLong. The Reply beside
// an error tells attempts, waits and notes, and beside a *protocol.TooLong what it
// cost; with a text it is one to a prompt that was probably cut. watch may be nil.
func (e *Endpoint) Reply(
	ctx context.Context, call protocol.Call, watch func(protocol.Delta),
) (protocol.Reply, error) {
	if err := ctx.Err(); err != nil {
		return protocol.Reply{}, err
	}
	if watch == nil {
		watch = func(protocol.Delta) {}
	}
	r := &run{Endpoint: e, call: call, watch: watch}
	if e.config.Warning != "" {
		r.noteOnce(e.quote(e.config.Warning))
	}
	if e.config.Temperature != nil && isReasoning(e.config.Model) {
		r.noteOnce(e.Name() + " takes no temperature: it is left out")
	}
	began := time.Now()
	total, cancel := context.WithTimeoutCause(ctx, e.limits.Total, errTotal)
	defer cancel()
	_, err := backoff.Retry(total, func() (struct{}, error) { return struct{}{}, r.try(total) },
		backoff.WithBackOff(e.waits()),
		backoff.WithMaxTries(uint(e.limits.Attempts)),
		backoff.WithMaxElapsedTime(0), // The context bounds it, waits and all.
		backoff.WithNotify(func(err error, wait time.Duration) { r.tellWait(total, err, wait) }))
	r.reply.Took = time.Since(began)
	r.count(err == nil)
	if err == nil {
		err = r.conclude(ctx)
	}
	r.compareModel()
	if err == nil {
		return r.reply, nil
	}
	if gone := ctx.Err(); gone != nil {
		return r.reply, gone
	}
	return r.reply, r.explain(ctx, err)
}

// waits returns the waits between attempts.
func (e *Endpoint) waits() backoff.BackOff {
	return &backoff.ExponentialBackOff{
		InitialInterval:     e.limits.BaseWait,
		MaxInterval:         e.limits.MaxWait,
		Multiplier:          2,
		RandomizationFactor: backoff.DefaultRandomizationFactor,
	}
}

// tellWait says why and how long is waited, and which attempt comes next.
func (r *run) tellWait(ctx context.Context, err error, wait time.Duration) {
	what := "failed"
	var failed *failure
	if errors.As(err, &failed) {
		what = failed.short
	}
	r.reply.Waited += wait
	note := fmt.Sprintf("%s, again in %s (%d/%d)", what, roundWait(wait), r.tries+1, r.limits.Attempts)
	if failed != nil && failed.asksToWait() {
		if failed.after == 0 {
			_ = r.holdAll(ctx, failed, wait)
		}
		if r.shared {
			note += "; other sessions wait too"
		}
	}
	r.watch(protocol.Delta{Note: note, Wait: wait})
}

// roundWait writes a wait as people read it: "340 ms", "2.5 s", "12 s",
// "1 min 30 s", "1 h".
func roundWait(wait time.Duration) string {
	switch {
	case wait < time.Second:
		return fmt.Sprintf("%d ms", wait.Round(time.Millisecond).Milliseconds())
	case wait < 10*time.Second:
		return fmt.Sprintf("%.3g s", wait.Round(100*time.Millisecond).Seconds())
	}
	var parts []string
	left := wait.Round(time.Second)
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}} {
		if count := left / unit.size; count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, unit.name))
			left %= unit.size
		}
	}
	return strings.Join(parts, " ")
}

// try makes one attempt; a request of which an option is refused is sent again
// without it, at once.
func (r *run) try(ctx context.Context) error {
	r.tries++
	for left := maxLeftOut; ; left-- {
		taken := r.ability(r.call.Schema)
		err := r.ask(ctx, taken)
		if err == nil {
			return nil
		}
		var said *refusal
		if errors.As(err, &said) && r.text.Len() == 0 && left > 0 {
			rest, note := taken.without(said, len(r.call.Schema) > 0)
			if note != "" {
				r.learn(rest)
				r.note(note)
				continue
			}
		}
		return r.judge(ctx, err)
	}
}

// judge turns what went wrong in an attempt into a failure, and says by its
// type whether to try again.
func (r *run) judge(ctx context.Context, err error) error {
	failed := r.classify(ctx, err)
	r.last = failed
	switch {
	case !failed.again || r.text.Len() > 0:
		return backoff.Permanent(failed)
	case failed.after > r.limits.MaxRetryAfter:
		failed.again = false
		return backoff.Permanent(failed)
	case failed.after > 0:
		// Many are told the same time: a tenth more at random keeps them from
		// coming back together, and behind it each gets a place of its own.
		spread := time.Duration(rand.Float64() * float64(failed.after) / 10) //nolint:gosec // nobody gains by guessing it
		wait := r.holdAll(ctx, failed, min(failed.after+spread, r.limits.MaxRetryAfter))
		return &waitError{failure: failed, wait: &backoff.RetryAfterError{Duration: wait}}
	}
	return failed
}

// waitError is a failure with the wait that the server asked for.
type waitError struct {
	failure *failure
	wait    *backoff.RetryAfterError
}

// Error implements error.
func (w *waitError) Error() string { return w.failure.Error() }

// Unwrap gives both.
func (w *waitError) Unwrap() []error { return []error{w.failure, w.wait} }

// note tells what happens on the wire, and keeps it with the reply.
func (r *run) note(note string) {
	r.reply.Notes = append(r.reply.Notes, note)
	r.watch(protocol.Delta{Note: note})
}

// noteOnce is note for what is told once for each endpoint.
func (r *run) noteOnce(note string) {
	if r.once(note) {
		r.note(note)
	}
}
