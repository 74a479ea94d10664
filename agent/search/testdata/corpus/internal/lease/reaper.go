// Package lease takes jobs back from workers that no longer answer.
package lease

import (
	"context"
	"log/slog"
	"time"

	"example.com/ferry/internal/config"
)

// A Store is what the reaper needs of the database.
type Store interface {
	ReleaseExpired(ctx context.Context, now time.Time) (released int, err error)
}

// A Reaper puts jobs whose lease has expired back into their queue.
type Reaper struct {
	store    Store
	interval time.Duration
}

// NewReaper returns a reaper that looks every five seconds unless the settings
// say otherwise.
func NewReaper(store Store, settings config.Lease) *Reaper {
	interval := settings.ReapInterval
	if interval == 0 {
		interval = 5 * time.Second
	}
	return &Reaper{store: store, interval: interval}
}

// Run looks for expired leases until the context ends.
func (r *Reaper) Run(ctx context.Context) {
	ticker := time.NewTicker(r.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			released, err := r.store.ReleaseExpired(ctx, now)
			if err != nil {
				slog.Warn("reaper: could not release expired leases", "error", err)
			} else if released > 0 {
				slog.Info("reaper: released leases of silent workers", "jobs", released)
			}
		}
	}
}
