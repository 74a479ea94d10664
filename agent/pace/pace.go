package pace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// recovery is the time between calls that waited for an endpoint which asked to be
// left alone: they do not come back all at once.
const recovery = 250 * time.Millisecond

// Keeper holds the lanes of this process. It may be used from several goroutines.
type Keeper struct {
	dir   string
	mutex sync.Mutex
	lanes map[string]*Lane
}

// New returns a keeper whose files are in a folder, which is made when it is
// needed; "" keeps to this process alone.
func New(dir string) *Keeper { return &Keeper{dir: dir, lanes: map[string]*Lane{}} }

// Lane returns that of an endpoint: of the scheme and host of its address, and the
// key that it is asked with.
func (k *Keeper) Lane(address, key string) *Lane {
	if parsed, err := url.Parse(address); err == nil {
		address = strings.ToLower(parsed.Scheme + "://" + parsed.Host)
	}
	sum := sha256.Sum256([]byte(address + "\x00" + key))
	name := hex.EncodeToString(sum[:16])
	k.mutex.Lock()
	defer k.mutex.Unlock()
	lane := k.lanes[name]
	if lane == nil {
		lane = &Lane{turn: make(chan struct{}, 1), left: make(chan struct{})}
		if k.dir != "" {
			lane.file = filepath.Join(k.dir, name)
		}
		k.lanes[name] = lane
	}
	return lane
}

// Limits are what one caller keeps to.
type Limits struct {
	// PerMinute is how many calls go out in a minute, evenly spread; 0 is no limit.
	PerMinute int
	// Parallel is how many calls of this process are under way at once; 0 is no
	// limit.
	Parallel int
	// Longest is the longest wait. What asks for more is not obeyed, or refused.
	Longest time.Duration
}

// interval is the time between two calls.
func (l Limits) interval() time.Duration {
	if l.PerMinute <= 0 {
		return 0
	}
	return time.Minute / time.Duration(l.PerMinute)
}

// Reason is why a call waits.
type Reason int

// The reasons.
const (
	// Asked says that the endpoint asked to be left alone.
	Asked Reason = iota
	// Rate says that its turn has not come yet.
	Rate
	// Full says that as many calls are under way as may be.
	Full
)

// Wait is a wait that begins.
type Wait struct {
	Reason Reason
	// For is how long it is, 0 where that is not known; Until is its end, or of an
	// endpoint that asked to be left alone what it asked for.
	For   time.Duration
	Until time.Time
}

// QueueError says that the turn of a call comes too late.
type QueueError struct {
	// For is how long the wait would be.
	For time.Duration
	Limits
}

// Error implements error.
func (e *QueueError) Error() string {
	return fmt.Sprintf("its turn comes in %s, with %d calls a minute and others before it", e.For.Round(time.Second), e.PerMinute)
}

// Lane paces the calls to one endpoint.
type Lane struct {
	// file is "" where the lane is this process's own.
	file string
	// turn is held while the times are read and written: a mutex whose waiters can
	// be cancelled.
	turn chan struct{}
	// own are the times as this process knows them.
	own times
	// trouble is why the file is not used any more.
	trouble error

	mutex   sync.Mutex
	running int
	// left is closed when a call ends.
	left chan struct{}
}

// times are what a lane knows.
type times struct {
	// next is when the next call may go out, hold until when none may.
	next, hold time.Time
}

// later returns the later times of both.
func (t times) later(other times) times {
	if other.next.After(t.next) {
		t.next = other.next
	}
	if other.hold.After(t.hold) {
		t.hold = other.hold
	}
	return t
}

// sane drops times that no call can have set: a clock was wrong, or somebody else
// wrote them.
func (t times) sane(now time.Time, limits Limits) times {
	if t.hold.Sub(now) > limits.Longest {
		t.hold = time.Time{}
	}
	if t.next.Sub(now) > limits.Longest+limits.interval()+time.Minute {
		t.next = time.Time{}
	}
	return t
}

// Enter waits until a call may go out. placed says that it has its place already,
// from Hold. tell is told of each wait as it begins, and may be nil. leave must be
// called when the call ended. The error is the context's, or a *QueueError.
func (l *Lane) Enter(ctx context.Context, limits Limits, placed bool, tell func(Wait)) (leave func(), err error) {
	if tell == nil {
		tell = func(Wait) {}
	}
	if err := l.begin(ctx, limits.Parallel, tell); err != nil {
		return nil, err
	}
	for {
		if placed {
			// While it waited the endpoint may have asked for more.
			if known := l.known(ctx, limits); !known.hold.After(time.Now()) {
				return l.leave, nil
			}
		}
		if placed, err = l.wait(ctx, limits, tell); err != nil {
			l.leave()
			return nil, err
		}
		if !placed {
			return l.leave, nil
		}
	}
}

// wait takes a place and waits for it. waited is false where the call can go out
// at once.
func (l *Lane) wait(ctx context.Context, limits Limits, tell func(Wait)) (waited bool, err error) {
	at, known, err := l.place(ctx, limits, time.Time{})
	if err != nil {
		return false, err
	}
	wait := time.Until(at)
	if wait <= 0 {
		return false, nil
	}
	if wait > limits.Longest {
		l.giveBack(at, limits)
		return false, &QueueError{For: wait, Limits: limits}
	}
	told := Wait{Reason: Rate, For: wait, Until: at}
	if known.hold.After(time.Now()) {
		told.Reason, told.Until = Asked, known.hold
	}
	tell(told)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true, nil
	case <-ctx.Done():
		l.giveBack(at, limits)
		return false, ctx.Err()
	}
}

// Hold says that the endpoint asked to be left alone until a time, for all
// sessions. It returns how long the caller waits for its own place behind that,
// with which it then enters. What is longer than the limit is told to nobody.
func (l *Lane) Hold(ctx context.Context, limits Limits, until time.Time) time.Duration {
	if time.Until(until) > limits.Longest {
		return time.Until(until)
	}
	at, _, err := l.place(ctx, limits, until)
	if err != nil || at.Before(until) {
		at = until
	}
	return time.Until(at)
}

// place takes the next free place, behind hold. Where none is waited for and calls
// are not limited, nothing is written.
func (l *Lane) place(ctx context.Context, limits Limits, hold time.Time) (at time.Time, known times, err error) {
	if hold.IsZero() && limits.PerMinute <= 0 {
		if known := l.known(ctx, limits); !known.next.After(time.Now()) && !known.hold.After(time.Now()) {
			return time.Time{}, known, nil
		}
	}
	err = l.change(ctx, limits, func(t times) times {
		now := time.Now()
		t = t.later(times{hold: hold})
		at = now
		for _, other := range []time.Time{t.next, t.hold} {
			if other.After(at) {
				at = other
			}
		}
		step := limits.interval()
		if step == 0 && at.After(now) {
			step = recovery
		}
		t.next, known = at.Add(step), t
		return t
	})
	return at, known, err
}

// giveBack returns a place that is not used, if nobody stands behind it.
func (l *Lane) giveBack(at time.Time, limits Limits) {
	step := limits.interval()
	if step == 0 {
		step = recovery
	}
	ctx, cancel := context.WithTimeout(context.Background(), briefly)
	defer cancel()
	_ = l.change(ctx, limits, func(t times) times {
		if t.next.Equal(at.Add(step)) {
			t.next = at
		}
		return t
	})
}

// begin waits until few enough calls are under way.
func (l *Lane) begin(ctx context.Context, parallel int, tell func(Wait)) error {
	for told := false; ; told = true {
		l.mutex.Lock()
		if parallel <= 0 || l.running < parallel {
			l.running++
			l.mutex.Unlock()
			return nil
		}
		left := l.left
		l.mutex.Unlock()
		if !told {
			tell(Wait{Reason: Full})
		}
		select {
		case <-left:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// leave ends a call.
func (l *Lane) leave() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.running--
	close(l.left)
	l.left = make(chan struct{})
}
