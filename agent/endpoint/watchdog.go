package endpoint

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// stallError says which limit a server overran.
type stallError struct {
	// what did not happen, and within which time.
	what  string
	limit time.Duration
}

// Error implements error.
func (s *stallError) Error() string { return fmt.Sprintf("%s within %s", s.what, s.limit) }

// watchdog cancels a request when the server is silent for too long. It is a
// timer and no goroutine.
type watchdog struct {
	timer *time.Timer
	stall atomic.Pointer[stallError]
}

// newWatchdog starts a watchdog that cancels with the stall as its cause.
func newWatchdog(first *stallError, cancel context.CancelCauseFunc) *watchdog {
	w := &watchdog{}
	w.stall.Store(first)
	w.timer = time.AfterFunc(first.limit, func() { cancel(w.stall.Load()) })
	return w
}

// expect starts the clock anew, for what is waited for now.
func (w *watchdog) expect(next *stallError) {
	w.stall.Store(next)
	w.timer.Reset(next.limit)
}

// stop ends the watch.
func (w *watchdog) stop() { w.timer.Stop() }
