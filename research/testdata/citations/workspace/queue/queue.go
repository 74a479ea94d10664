// Package queue retries deliveries until they succeed or the limit is reached.
package queue

import (
	"context"
	"errors"
	"time"
)

// MaxRetries is how often a delivery is tried again after its first failure.
const MaxRetries = 5

// ErrExhausted says that a delivery failed MaxRetries+1 times.
var ErrExhausted = errors.New("queue: retries exhausted")

// Delivery is one message on its way.
type Delivery struct {
	ID       string
	Attempts int
	NextTry  time.Time
}

// Retry calls send until it succeeds, doubling the wait each time.
func Retry(ctx context.Context, d *Delivery, send func() error) error {
	wait := 100 * time.Millisecond
	for d.Attempts <= MaxRetries {
		if err := send(); err == nil {
			return nil
		}
		d.Attempts++
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		wait *= 2
	}
	return ErrExhausted
}

// Drain sends what is left, once each, and reports the first failure.
func Drain(pending []*Delivery, send func(*Delivery) error) error {
	for _, d := range pending {
		if err := send(d); err != nil {
			return err
		}
		d.Attempts++
	}
	return nil
}
