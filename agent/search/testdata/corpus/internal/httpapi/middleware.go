package httpapi

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"

	"golang.org/x/time/rate"

	"example.com/ferry/internal/auth"
)

const (
	requestsPerSecond = 100
	burst             = 200
)

// rateLimit refuses requests of a token that makes too many, with status 429.
func rateLimit(next http.Handler) http.Handler {
	var mutex sync.Mutex
	limiters := map[string]*rate.Limiter{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := auth.TokenOf(r)
		mutex.Lock()
		limiter, ok := limiters[token]
		if !ok {
			limiter = rate.NewLimiter(requestsPerSecond, burst)
			limiters[token] = limiter
		}
		mutex.Unlock()
		if !limiter.Allow() {
			w.Header().Set("Retry-After", "1")
			writeError(w, http.StatusTooManyRequests, "rate_limited", "slow down")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// recoverPanics answers 500 where a handler panics, and logs the stack.
func recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if cause := recover(); cause != nil {
				slog.Error("handler panicked", "cause", cause, "stack", string(debug.Stack()))
				writeError(w, http.StatusInternalServerError, "internal", "something went wrong")
			}
		}()
		next.ServeHTTP(w, r)
	})
}
