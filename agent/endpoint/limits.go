package endpoint

import "time"

// Limits bound what one call may cost in time, memory and patience. A field
// that is zero or negative takes its default.
type Limits struct {
	// Attempts is how often a call is tried in all, at least 1; default 5. An
	// option that the server refuses is left out at once, and costs none.
	Attempts int
	// BaseWait is the first wait between attempts, doubled each time and
	// spread by half of itself in both directions; default 1 s.
	BaseWait time.Duration
	// MaxWait caps a wait of our own choosing before it is spread; default 30 s.
	MaxWait time.Duration
	// MaxRetryAfter is the longest wait that a server may ask for
	// (Retry-After); default 2 min. One that asks for more is given up at once:
	// to ask it sooner would only make things worse.
	MaxRetryAfter time.Duration
	// Connect is how long a connection may take; default 10 s.
	Connect time.Duration
	// FirstToken is how long the server may take from the connection to the
	// first piece of its reply or of its reasoning; default 5 min, since a local
	// model first reads the whole prompt.
	FirstToken time.Duration
	// Idle is the longest silence after that; default 60 s. Comment lines, with
	// which proxies keep connections open, do not break it.
	Idle time.Duration
	// Total is how long a call may take with all attempts and waits; default
	// 15 min.
	Total time.Duration
	// MaxReplyBytes is the longest reply in bytes; default 1 MiB.
	MaxReplyBytes int
	// MaxIdleLines is how many lines without data may follow one another in a
	// stream; default 100,000.
	MaxIdleLines int
	// Probe is how long Probe and Models may take; default 1 s.
	Probe time.Duration
}

// DefaultLimits returns the limits that hold where none is set.
func DefaultLimits() Limits { return Limits{}.filled() }

// filled returns the limits with defaults for what is not set.
func (l Limits) filled() Limits {
	return Limits{
		Attempts:      positive(l.Attempts, 5),
		BaseWait:      positive(l.BaseWait, time.Second),
		MaxWait:       positive(l.MaxWait, 30*time.Second),
		MaxRetryAfter: positive(l.MaxRetryAfter, 2*time.Minute),
		Connect:       positive(l.Connect, 10*time.Second),
		FirstToken:    positive(l.FirstToken, 5*time.Minute),
		Idle:          positive(l.Idle, time.Minute),
		Total:         positive(l.Total, 15*time.Minute),
		MaxReplyBytes: positive(l.MaxReplyBytes, 1<<20),
		MaxIdleLines:  positive(l.MaxIdleLines, 100_000),
		Probe:         positive(l.Probe, time.Second),
	}
}

// positive returns value, or otherwise if value is not above 0.
func positive[T int | time.Duration](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}
