// Package courier delivers notices to the addresses of subscribers.
package courier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// attempts is how often a notice is tried in all.
const attempts = 4

// firstPause is the pause after the first attempt; each further one is twice as
// long.
const firstPause = time.Second

// errBusy says that another attempt may help.
var errBusy = errors.New("the subscriber is busy")

// Courier delivers notices over HTTP.
type Courier struct {
	// Client sends the requests; its timeout bounds each of them.
	Client *http.Client
	// Pause waits between two attempts, and ends early with the context.
	Pause func(ctx context.Context, length time.Duration) error
}

// New returns a courier whose requests end within ten seconds.
func New() *Courier {
	return &Courier{Client: &http.Client{Timeout: 10 * time.Second}, Pause: pause}
}

// Deliver posts a notice, again where the subscriber is busy, and returns what
// the subscriber answered.
func (c *Courier) Deliver(ctx context.Context, address, id string, notice []byte) (string, error) {
	length := firstPause
	for attempt := 1; ; attempt++ {
		answer, err := c.post(ctx, address, id, notice)
		if !errors.Is(err, errBusy) || attempt == attempts {
			return answer, err
		}
		if err := c.Pause(ctx, length); err != nil {
			return "", fmt.Errorf("notice %s after %d attempts: %w", id, attempt, err)
		}
		length *= 2
	}
}

// post is one attempt. All attempts carry the same key.
func (c *Courier) post(ctx context.Context, address, id string, notice []byte) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(notice))
	if err != nil {
		return "", fmt.Errorf("notice %s for %s: %w", id, address, err)
	}
	request.Header.Set("Idempotency-Key", id)
	response, err := c.Client.Do(request)
	if err != nil {
		return "", fmt.Errorf("deliver notice %s: %w", id, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return "", fmt.Errorf("read the answer to notice %s: %w", id, err)
	}
	switch response.StatusCode {
	case http.StatusOK:
		return string(answer), nil
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return "", fmt.Errorf("notice %s: %w: %s", id, errBusy, response.Status)
	}
	return "", fmt.Errorf("notice %s was refused: %s", id, response.Status)
}

// pause waits, or returns the error of a context that ends before.
func pause(ctx context.Context, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
