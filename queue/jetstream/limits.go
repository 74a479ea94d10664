package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/time/rate"
)

// Limits are limits of calls that all workers of a server share: how many at once, and how many a minute. Both are
// kept in buckets of the server.
//
// A call at once is a slot, a key that its holder renews: the slots of a worker that dies are free after 30 s. Times
// are those of the server, measured by each worker against its own monotonic clock, so wrong clocks harm nothing. If
// the server cannot be reached, a worker keeps its share: the limits divided by the number of workers seen last, but
// at least one call. Calls that run then, and slots that a restarted server forgot, may exceed a limit for a moment.
type Limits struct {
	q    *Queue
	stop context.CancelFunc
	all  sync.WaitGroup

	mutex  sync.Mutex
	closed bool
	// changed is closed and replaced when a slot or a pause has changed.
	changed chan struct{}
	names   map[string]*limited
	workers map[string]time.Time
	// ahead is how far the clock of the server is ahead of ours, once it was measured.
	ahead    time.Duration
	measured bool
	// ttl is how long a slot lives without renewal.
	ttl time.Duration
	// downUntil is when the server is tried again after a failure.
	downUntil time.Time
}

// limited is what is known of the limits of one name. All times are by the own clock.
type limited struct {
	// turn lets one call of this process try at a time.
	turn chan struct{}
	// taken are the slots, with the time when they are free unless their holder renews them.
	taken map[int]time.Time
	held  map[*slot]bool
	slow  time.Time
	alone *rate.Limiter
}

// slot is a call that is allowed to run. Without a key it is allowed by the own share.
type slot struct {
	mutex    sync.Mutex
	key      string
	revision uint64
	released bool
}

// How long the server may take to answer about limits, and how long it is left alone after it did not.
const (
	limitsTimeout = 2 * time.Second
	limitsRest    = 5 * time.Second
	longestPause  = time.Hour
)

// Limits returns the limits of the server. They end with Close of the queue.
func (q *Queue) Limits() *Limits {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.limits == nil {
		ctx, stop := context.WithCancel(context.Background())
		q.limits = &Limits{
			q: q, stop: stop, changed: make(chan struct{}), names: map[string]*limited{},
			workers: map[string]time.Time{}, ttl: presenceTTL,
		}
		l := q.limits
		l.all.Go(func() { l.watch(ctx) })
		l.all.Go(func() { l.renew(ctx) })
	}
	return q.limits
}

func (l *Limits) close() {
	l.mutex.Lock()
	l.closed = true
	l.mutex.Unlock()
	l.stop()
	l.all.Wait()
}

// background runs what nobody waits for, except close.
func (l *Limits) background(what func()) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.closed {
		l.all.Go(what)
	}
}

// keyFor turns a name into a token of a key, whatever is in it.
func keyFor(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:12])
}

// of returns the limits of a key; the caller holds the mutex.
func (l *Limits) of(key string) *limited {
	one := l.names[key]
	if one == nil {
		one = &limited{turn: make(chan struct{}, 1), taken: map[int]time.Time{}, held: map[*slot]bool{}}
		l.names[key] = one
	}
	return one
}

// wake lets whoever waits look again; the caller holds the mutex.
func (l *Limits) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Acquire waits until a call under name may run: at most most at once and perMinute a minute over all workers. 0
// means no limit. It also waits for the end of a pause by Slow. The caller must call release. The only error is that
// ctx ended.
func (l *Limits) Acquire(ctx context.Context, name string, most int, perMinute float64) (release func(), err error) {
	key := keyFor(name)
	l.mutex.Lock()
	one := l.of(key)
	l.mutex.Unlock()
	select {
	case one.turn <- struct{}{}:
		defer func() { <-one.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	release = func() {}
	if most > 0 {
		held, err := l.slot(ctx, key, one, most)
		if err != nil {
			return nil, err
		}
		release = func() { l.release(one, held) }
	}
	if perMinute > 0 {
		err = l.rated(ctx, key, one, perMinute)
	}
	for err == nil {
		l.mutex.Lock()
		pause, changed := time.Until(one.slow), l.changed
		l.mutex.Unlock()
		if pause <= 0 {
			return release, nil
		}
		err = wait(ctx, pause, changed)
	}
	release()
	return nil, err
}

// wait waits for a time, a change or the end of ctx, which is its only error.
func wait(ctx context.Context, most time.Duration, changed <-chan struct{}) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-changed:
	case <-timer.C:
	}
	return nil
}

// slot takes one of the slots of a name.
func (l *Limits) slot(ctx context.Context, key string, one *limited, most int) (*slot, error) {
	for {
		l.mutex.Lock()
		now, changed, until := time.Now(), l.changed, time.Now().Add(time.Second)
		if now.Before(l.downUntil) {
			if len(one.held) < max(1, most/max(1, l.alive(now))) {
				alone := &slot{}
				one.held[alone] = true
				l.mutex.Unlock()
				return alone, nil
			}
			until = l.downUntil
		}
		number := -1
		if !now.Before(l.downUntil) {
			start := rand.N(most) //nolint:gosec // spreads the workers, hides nothing
			for i := range most {
				if free := one.taken[(start+i)%most]; !now.Before(free) {
					number = (start + i) % most
					break
				}
			}
		}
		l.mutex.Unlock()
		if number < 0 {
			if err := wait(ctx, time.Until(until), changed); err != nil {
				return nil, err
			}
			continue
		}
		taken := &slot{key: "slot." + key + "." + strconv.Itoa(number)}
		limited, cancel := context.WithTimeout(ctx, limitsTimeout)
		kv, err := l.q.bucket(limited, presenceBucket)
		if err == nil {
			taken.revision, err = kv.Create(limited, taken.key, []byte("1"))
		}
		cancel()
		switch {
		case err == nil:
			l.mutex.Lock()
			one.taken[number] = time.Now().Add(l.ttl)
			one.held[taken] = true
			l.mutex.Unlock()
			return taken, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case wrongSequence(err):
			// Somebody else was faster; how long they hold it, the watcher will say.
			l.mutex.Lock()
			one.taken[number] = time.Now().Add(time.Second)
			l.mutex.Unlock()
		default:
			l.failed(err)
		}
	}
}

// alive is how many workers gave a sign of life; the caller holds the mutex.
func (l *Limits) alive(now time.Time) (many int) {
	for _, until := range l.workers {
		// Signs of life end with the connection; those before it count for as long again.
		if now.Before(until.Add(10 * l.ttl)) {
			many++
		}
	}
	return many
}

// failed leaves the server alone for a while.
func (l *Limits) failed(err error) {
	l.q.note("the shared limits of the queue at %s: %v; this worker keeps its own share", l.q.host, err)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.downUntil = time.Now().Add(limitsRest)
	l.wake()
}

func (l *Limits) release(one *limited, held *slot) {
	l.mutex.Lock()
	was := one.held[held]
	delete(one.held, held)
	l.wake()
	l.mutex.Unlock()
	if !was || held.key == "" {
		return
	}
	// Nobody waits for the server: if it cannot be told, the slot ends by itself.
	l.background(func() {
		held.mutex.Lock()
		defer held.mutex.Unlock()
		held.released = true
		ctx, cancel := context.WithTimeout(context.Background(), limitsTimeout)
		defer cancel()
		kv, err := l.q.bucket(ctx, presenceBucket)
		if err == nil && held.revision > 0 {
			_ = kv.Delete(ctx, held.key, jetstream.LastRevision(held.revision))
		}
	})
}

// renew keeps the slots of running calls.
func (l *Limits) renew(ctx context.Context) {
	for last := time.Now(); ; {
		l.mutex.Lock()
		rest, changed := l.ttl/3-time.Since(last), l.changed
		l.mutex.Unlock()
		if rest > 0 {
			if wait(ctx, rest, changed) != nil {
				return
			}
			continue
		}
		last = time.Now()
		l.mutex.Lock()
		var slots []*slot
		for _, one := range l.names {
			for held := range one.held {
				if held.key != "" {
					slots = append(slots, held)
				}
			}
		}
		l.mutex.Unlock()
		for _, held := range slots {
			held.renew(ctx, l.q)
		}
	}
}

func (s *slot) renew(ctx context.Context, q *Queue) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.released || !q.conn.IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limitsTimeout)
	defer cancel()
	kv, err := q.bucket(ctx, presenceBucket)
	if err != nil {
		return
	}
	revision, err := kv.Update(ctx, s.key, []byte("1"), s.revision)
	if wrongSequence(err) {
		// It ended while the server could not be reached. If it is still free, it is ours again; if not, the call
		// that runs stays one too many.
		if revision, err = kv.Create(ctx, s.key, []byte("1")); wrongSequence(err) {
			s.revision = 0
		}
	}
	if err == nil {
		s.revision = revision
	}
}

// rated waits until the rate of a name allows one more call. The key holds the time of the server from which on the
// next call may start.
func (l *Limits) rated(ctx context.Context, key string, one *limited, perMinute float64) error {
	interval := time.Duration(float64(time.Minute) / max(perMinute, 0.01))
	for {
		l.mutex.Lock()
		down := time.Now().Before(l.downUntil)
		share := rate.Limit(perMinute / 60 / float64(max(1, l.alive(time.Now()))))
		if one.alone == nil {
			one.alone = rate.NewLimiter(share, 1)
		}
		one.alone.SetLimit(share)
		l.mutex.Unlock()
		if down {
			return one.alone.Wait(ctx)
		}
		limited, cancel := context.WithTimeout(ctx, limitsTimeout)
		kv, err := l.q.bucket(limited, limitsBucket)
		var ahead time.Duration
		if err == nil {
			ahead, err = l.lead(limited)
		}
		var now, start time.Time
		if err == nil {
			now = l.q.options.now().Add(ahead)
			start, err = reserve(limited, kv, "rate."+key, now, interval)
		}
		cancel()
		switch {
		case err == nil:
			return wait(ctx, max(0, start.Sub(now)), nil)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !wrongSequence(err):
			l.failed(err)
		}
	}
}

// reserve takes the next start under a key by compare and set.
func reserve(ctx context.Context, kv jetstream.KeyValue, key string, now time.Time, interval time.Duration) (time.Time, error) {
	start := now
	entry, err := kv.Get(ctx, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		_, err = kv.Create(ctx, key, []byte(strconv.FormatInt(start.Add(interval).UnixNano(), 10)))
		return start, err
	case err != nil:
		return start, err
	}
	// A value that is no time, or one far away, is replaced.
	if nanoseconds, err := strconv.ParseInt(string(entry.Value()), 10, 64); err == nil {
		if next := time.Unix(0, nanoseconds); next.After(now) && next.Before(now.Add(longestPause+interval)) {
			start = next
		}
	}
	_, err = kv.Update(ctx, key, []byte(strconv.FormatInt(start.Add(interval).UnixNano(), 10)), entry.Revision())
	return start, err
}

// Slow stops new calls under name on all workers until a time by the clock of this machine, at most an hour from now,
// because the other side asked for it. A pause is never made shorter.
func (l *Limits) Slow(name string, until time.Time) {
	key := keyFor(name)
	pause := min(until.Sub(l.q.options.now()), longestPause)
	l.mutex.Lock()
	one := l.of(key)
	longer := pause > 0 && time.Now().Add(pause).After(one.slow)
	if longer {
		one.slow = time.Now().Add(pause)
		l.wake()
	}
	l.mutex.Unlock()
	if !longer {
		return
	}
	l.background(func() {
		ctx, cancel := context.WithTimeout(context.Background(), limitsTimeout)
		defer cancel()
		kv, err := l.q.bucket(ctx, limitsBucket)
		var ahead time.Duration
		if err == nil {
			ahead, err = l.lead(ctx)
		}
		if err == nil {
			at := l.q.options.now().Add(ahead).Add(pause)
			_, err = kv.Put(ctx, "slow."+key, []byte(strconv.FormatInt(at.UnixNano(), 10)))
		}
		if err != nil {
			l.q.note("tell the other workers of a pause, queue at %s: %v", l.q.host, err)
		}
	})
}

// watch keeps what is known of slots, pauses and workers, from the start after each reconnect.
func (l *Limits) watch(ctx context.Context) {
	for attempt := 0; ctx.Err() == nil; attempt++ {
		again := l.q.reconnects()
		err := l.follow(ctx, again)
		if err == nil {
			attempt = 0
			continue
		}
		l.q.pause(ctx, attempt)
	}
}

func (l *Limits) follow(ctx context.Context, again <-chan struct{}) error {
	presence, err := l.q.bucket(ctx, presenceBucket)
	if err != nil {
		return err
	}
	shared, err := l.q.bucket(ctx, limitsBucket)
	if err != nil {
		return err
	}
	if err := l.measure(ctx, presence); err != nil {
		return err
	}
	slots, err := presence.WatchFiltered(ctx, []string{"slot.>", "worker.>"})
	if err != nil {
		return err
	}
	defer func() { _ = slots.Stop() }()
	pauses, err := shared.Watch(ctx, "slow.>")
	if err != nil {
		return err
	}
	defer func() { _ = pauses.Stop() }()
	l.mutex.Lock()
	for _, one := range l.names {
		clear(one.taken)
	}
	l.downUntil = time.Time{}
	l.wake()
	l.mutex.Unlock()
	ticker := time.NewTicker(30 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-again:
			return nil
		case <-ticker.C:
			if l.q.conn.IsConnected() {
				_ = l.measure(ctx, presence)
			}
		case entry, ok := <-slots.Updates():
			if !ok {
				return errRestart
			}
			if entry != nil {
				l.seen(entry)
			}
		case entry, ok := <-pauses.Updates():
			if !ok {
				return errRestart
			}
			if entry != nil {
				l.paused(entry)
			}
		}
	}
}

// measure compares the clock of the server with ours, and asks for the lifetime of slots.
func (l *Limits) measure(ctx context.Context, presence jetstream.KeyValue) error {
	ctx, cancel := context.WithTimeout(ctx, limitsTimeout)
	defer cancel()
	sent, local := time.Now(), l.q.options.now()
	status, err := presence.Status(ctx)
	if err != nil {
		return err
	}
	half := time.Since(sent) / 2
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if ttl := status.TTL(); ttl > 0 && ttl != l.ttl {
		l.ttl = ttl
		l.wake()
	}
	if bucket, ok := status.(*jetstream.KeyValueBucketStatus); ok && !bucket.StreamInfo().TimeStamp.IsZero() {
		l.measured = true
		l.ahead = bucket.StreamInfo().TimeStamp.Sub(local.Add(half))
	}
	return nil
}

// lead returns how far the clock of the server is ahead of ours, and measures it the first time.
func (l *Limits) lead(ctx context.Context) (time.Duration, error) {
	l.mutex.Lock()
	ahead, measured := l.ahead, l.measured
	l.mutex.Unlock()
	if measured {
		return ahead, nil
	}
	presence, err := l.q.bucket(ctx, presenceBucket)
	if err == nil {
		err = l.measure(ctx, presence)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.ahead, err
}

// seen takes a change of a slot or a worker.
func (l *Limits) seen(entry jetstream.KeyValueEntry) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	gone := entry.Operation() != jetstream.KeyValuePut
	until := time.Now().Add(l.ttl)
	tokens := strings.Split(entry.Key(), ".")
	switch {
	case len(tokens) == 2 && gone:
		delete(l.workers, tokens[1])
	case len(tokens) == 2 && len(l.workers) < 10_000:
		l.workers[tokens[1]] = until
	case len(tokens) == 3:
		number, err := strconv.Atoi(tokens[2])
		one := l.names[tokens[1]]
		// Names that nobody asked for here have no entry; their slots are tried when they are.
		if err != nil || one == nil || number < 0 || len(one.taken) > 10_000 {
			return
		}
		if gone {
			delete(one.taken, number)
			l.wake()
		} else {
			one.taken[number] = until
		}
	}
}

// paused takes a pause of another worker.
func (l *Limits) paused(entry jetstream.KeyValueEntry) {
	nanoseconds, err := strconv.ParseInt(string(entry.Value()), 10, 64)
	key := strings.TrimPrefix(entry.Key(), "slow.")
	if err != nil || entry.Operation() != jetstream.KeyValuePut || len(key) > 64 {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	// Not longer than an hour, whatever it says.
	pause := min(time.Unix(0, nanoseconds).Add(-l.ahead).Sub(l.q.options.now()), longestPause)
	if pause <= 0 || len(l.names) > 10_000 {
		return
	}
	until := time.Now().Add(pause)
	if one := l.of(key); until.After(one.slow) {
		one.slow = until
		l.wake()
	}
}

// spent is a value under spent.BATCH.NONCE.
type spent struct {
	Tokens int     `json:"tokens"`
	Cost   float64 `json:"cost"`
}

// Spent reports what a call cost whose unit was not stored, because the session had been taken over: it counts in the
// budget of the batch. The context of the session has ended then; pass another one.
func (l *Lease) Spent(ctx context.Context, tokens int, cost float64) error {
	value, err := json.Marshal(spent{tokens, cost})
	if err != nil {
		return fmt.Errorf("report what was spent: %w", err)
	}
	// The key is the same at each try, so trying again does not count twice.
	key := "spent." + l.Task.Batch + "." + nonce()
	return l.q.persist(ctx, "report what was spent", func(ctx context.Context) error {
		kv, err := l.q.bucket(ctx, limitsBucket)
		if err == nil {
			_, err = kv.Put(ctx, key, value)
		}
		return err
	})
}

// Spent returns what workers reported as spent on calls that no session has: how many, their tokens and their cost.
func (b *Batch) Spent(ctx context.Context) (calls, tokens int, cost float64, err error) {
	ctx = undated{ctx}
	kv, err := b.q.bucket(ctx, limitsBucket)
	if err != nil {
		return 0, 0, 0, fmt.Errorf("read what was spent: %w", err)
	}
	watcher, err := kv.Watch(ctx, "spent."+b.id+".*", jetstream.IgnoreDeletes())
	if err != nil {
		return 0, 0, 0, fmt.Errorf("read what was spent: %w", err)
	}
	defer func() { _ = watcher.Stop() }()
	for {
		select {
		case <-ctx.Done():
			return 0, 0, 0, fmt.Errorf("read what was spent: %w", context.Cause(ctx))
		case entry := <-watcher.Updates():
			if entry == nil {
				return calls, tokens, cost, nil
			}
			var one spent
			if len(entry.Value()) > 1000 || json.Unmarshal(entry.Value(), &one) != nil || one.Tokens < 0 || one.Cost < 0 {
				continue
			}
			calls, tokens, cost = calls+1, tokens+one.Tokens, cost+one.Cost
		}
	}
}
