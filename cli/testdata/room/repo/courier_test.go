package courier

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

func TestDeliver(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(w, r.Body)
	}))
	defer server.Close()
	answer, err := New().Deliver(t.Context(), server.URL, "n1", []byte("hello"))
	if err != nil || answer != "hello" {
		t.Fatalf("answered %q, %v", answer, err)
	}
}

// busy is a subscriber that takes a notice at the attempt with that number, 0
// for never; it keeps the keys that it was sent, and the courier its pauses.
func busy(t *testing.T, takes int) (c *Courier, address string, keys *[]string, pauses *[]time.Duration) {
	keys, pauses = new([]string), new([]time.Duration)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*keys = append(*keys, r.Header.Get("Idempotency-Key"))
		if len(*keys) != takes {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.Close)
	c = New()
	c.Pause = func(_ context.Context, length time.Duration) error {
		*pauses = append(*pauses, length)
		return nil
	}
	return c, server.URL, keys, pauses
}

func TestDeliverAgainWithTheSameKey(t *testing.T) {
	c, address, keys, _ := busy(t, 3)
	if _, err := c.Deliver(t.Context(), address, "n1", nil); err != nil {
		t.Fatal(err)
	}
	if want := []string{"n1", "n1", "n1"}; !slices.Equal(*keys, want) {
		t.Fatalf("sent with the keys %q, want %q", *keys, want)
	}
}

func TestDeliverGivesUp(t *testing.T) {
	c, address, keys, pauses := busy(t, 0)
	if _, err := c.Deliver(t.Context(), address, "n1", nil); !errors.Is(err, errBusy) {
		t.Fatalf("ended with %v, want %v", err, errBusy)
	}
	if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}; len(*keys) != attempts || !slices.Equal(*pauses, want) {
		t.Fatalf("%d attempts with pauses of %v", len(*keys), *pauses)
	}
}

func TestPauseEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pause(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Fatalf("ended with %v", err)
	}
}
