package lease

import (
	"errors"
	"time"
)

// Duration is how long a worker may be silent before its job is taken away.
const Duration = 30 * time.Second

// ErrLost says that the job belongs to another worker by now. The worker must
// stop at once and must not report a result.
var ErrLost = errors.New("lease lost")

// Extend returns the new end of a lease, or ErrLost if it ended before now or
// is held by somebody else.
func Extend(holder, worker string, until, now time.Time) (time.Time, error) {
	if holder != worker || now.After(until) {
		return time.Time{}, ErrLost
	}
	return now.Add(Duration), nil
}
