package jetstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"moot/internal/plain"
)

// WorkOptions says how to work.
type WorkOptions struct {
	// Jobs is how many sessions are held at once, at least 1.
	Jobs int
	// Name identifies the worker for people. Version is that of the program.
	Name    string
	Version string
}

// VersionError means that a worker met a task of another version of the program. The item stays in the queue.
type VersionError struct {
	// Batch names the batch, Coordinator is the version that published it, and Worker that of the worker.
	Batch, Coordinator, Worker string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("the batch %s was published by version %s, this worker is version %s: run the same version on "+
		"both; the item stays in the queue", e.Batch, plain.Line(e.Coordinator), plain.Line(e.Worker))
}

// Lease is a session that this worker holds. Nobody else is asked to hold it while the worker lives; if somebody is
// because the worker was silent for too long, Append and End fail with ErrFenced. Its methods are safe for concurrent
// use.
type Lease struct {
	Task Task
	// Units are those that are stored already, in order. The session continues after them. A worker that continues a
	// session appends something at once, before it does anything that costs, so that the former worker is fenced.
	Units [][]byte
	// Takes is how often the item has been handed out, this time included.
	Takes int

	q      *Queue
	worker string
	fence  context.CancelCauseFunc

	mutex  sync.Mutex
	to     appender
	ended  bool
	fenced error
	// unsettled is set if ctx ended an append before its outcome was known.
	unsettled bool
	returned  bool
	delay     time.Duration
}

// Append stores a unit and returns when the server has confirmed it. Without a connection it waits for one, as long
// as ctx lives; if ctx ends first, it is not known whether the unit was stored, and the lease appends nothing more. The
// error wraps ErrFenced if the session was taken over; then its context has ended as well.
func (l *Lease) Append(ctx context.Context, data []byte) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.write(ctx, unit, data)
}

// End stores the result of the session, which then has left this worker. Errors are those of Append.
func (l *Lease) End(ctx context.Context, result []byte) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	err := l.write(ctx, end, result)
	l.ended = l.ended || err == nil
	return err
}

func (l *Lease) write(ctx context.Context, k kind, data []byte) error {
	doing := "store a unit of the session " + l.Task.String()
	switch {
	case l.fenced != nil:
		return fmt.Errorf("%s: %w; nothing of this worker is stored any more", doing, l.fenced)
	case l.ended:
		return fmt.Errorf("%s: it has ended", doing)
	case l.returned:
		return fmt.Errorf("%s: it was given back", doing)
	case l.unsettled:
		return fmt.Errorf("%s: it is not known whether the unit before was stored; whoever continues will see", doing)
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", doing, context.Cause(ctx))
	}
	err := l.to.append(ctx, k, data)
	l.unsettled = err != nil && ctx.Err() != nil
	if errors.Is(err, ErrFenced) {
		l.fenceOff(err)
		err = fmt.Errorf("%w; nothing of this worker is stored any more", err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// fenceOff ends the context of the session; the caller holds the mutex.
func (l *Lease) fenceOff(why error) {
	if l.fenced == nil {
		l.fenced = why
		l.fence(why)
	}
}

// Material reads a text by its digest, which must be one of the task.
func (l *Lease) Material(ctx context.Context, digest string) ([]byte, error) {
	if !slices.Contains(l.Task.Material, digest) {
		return nil, fmt.Errorf("read material %s: the task does not name it", plain.Short(plain.Line(digest)))
	}
	text, err := l.q.material(ctx, l.Task.Batch, digest)
	if errors.Is(err, errDamagedText) {
		l.reportDamage()
	}
	return text, err
}

// reportDamage lets the coordinator publish the session again, which fences this worker.
func (l *Lease) reportDamage() {
	if message, err := (header{Kind: damaged, ID: nonce()}).message(l.to.subject, nil); err == nil {
		_ = l.q.conn.PublishMsg(message)
	}
}

// Return gives the session back: after delay another worker, or this one, gets it. The function that holds the lease
// returns after it.
func (l *Lease) Return(delay time.Duration) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.returned, l.delay = true, delay
}

// Fenced reports whether the session was taken over.
func (l *Lease) Fenced() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.fenced != nil
}

// worker is a running Work.
type worker struct {
	q       *Queue
	options WorkOptions
	id      string
	do      func(context.Context, *Lease) error
	// stop ends the taking of items, not the sessions that run.
	stop context.CancelCauseFunc

	mutex    sync.Mutex
	sessions map[string]bool
}

// Work takes items of any batch on the server and calls do for each, Jobs at once, until ctx ends or a task of another
// version is met (a *VersionError). It takes an item only when it has room for it. The lease is extended while do
// runs. If do returns without End or Return, the item is given back, after an error with a delay that grows up to a
// minute. The context of do ends with ErrFenced if the session is taken over.
func (q *Queue) Work(ctx context.Context, o WorkOptions, do func(ctx context.Context, l *Lease) error) error {
	if o.Jobs < 1 {
		return fmt.Errorf("work for the queue at %s: %d jobs are too few", q.host, o.Jobs)
	}
	taking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w := &worker{q: q, options: o, id: nonce(), do: do, stop: stop, sessions: map[string]bool{}}
	beating, rest := context.WithCancel(context.WithoutCancel(ctx))
	var all, heart sync.WaitGroup
	heart.Go(func() { w.beat(beating) })
	heart.Go(func() { q.listen(beating) })
	for range o.Jobs {
		all.Go(func() { w.take(ctx, taking) })
	}
	all.Wait()
	rest()
	heart.Wait()
	var version *VersionError
	if cause := context.Cause(taking); errors.As(cause, &version) || errors.Is(cause, nats.ErrConnectionClosed) {
		return cause
	}
	return context.Cause(ctx)
}

// take takes items one after the other. Sessions run under ctx.
func (w *worker) take(ctx, taking context.Context) {
	var consumer jetstream.Consumer
	for attempt := 0; taking.Err() == nil; {
		var err error
		if consumer == nil {
			consumer, err = w.q.makeItems(undated{taking}, 0)
		}
		var message jetstream.Msg
		if err == nil {
			message, err = w.next(taking, consumer)
		}
		switch {
		case message != nil:
			attempt = 0
			w.handle(ctx, message, consumer.CachedInfo().Config.AckWait)
		case taking.Err() != nil:
			return
		case err == nil, errors.Is(err, nats.ErrTimeout):
			attempt = 0
		case w.q.conn.IsClosed():
			w.stop(fmt.Errorf("work for the queue at %s: %w", w.q.host, nats.ErrConnectionClosed))
			return
		default:
			if !errors.Is(err, jetstream.ErrNoHeartbeat) && w.q.conn.IsConnected() && attempt > 0 {
				w.q.note("take an item from the queue at %s: %v; trying again", w.q.host, err)
			}
			// The server may have lost the consumer.
			consumer = nil
			w.q.pause(taking, attempt)
			attempt++
		}
	}
}

// next waits for an item, and returns none after a reconnect: the server may have been restarted, and then knows nothing
// of the request.
func (w *worker) next(ctx context.Context, consumer jetstream.Consumer) (jetstream.Msg, error) {
	asking, stop := context.WithCancel(ctx)
	defer stop()
	again := w.q.reconnects()
	go func() {
		select {
		case <-again:
			stop()
		case <-asking.Done():
		}
	}()
	message, err := consumer.Next(jetstream.FetchContext(undated{asking}))
	if err != nil && asking.Err() != nil && ctx.Err() == nil {
		return nil, nil
	}
	return message, err
}

// handle does what an item needs.
func (w *worker) handle(ctx context.Context, message jetstream.Msg, ackWait time.Duration) {
	meta, err := message.Metadata()
	if err != nil {
		w.q.note("an item of the queue at %s: %v", w.q.host, err)
		return
	}
	task, generation, err := decodeTask(message.Subject(), message.Data())
	if err != nil {
		w.q.note("an item of the queue at %s is damaged and was dropped, its coordinator publishes it again: %v",
			w.q.host, err)
		_ = message.Term()
		return
	}
	if task.Version != w.options.Version {
		refusal := &VersionError{task.Batch, task.Version, w.options.Version}
		_ = message.NakWithDelay(time.Second)
		w.q.tell(task.Batch, fmt.Sprintf("the worker %s: %v", plain.Line(w.options.Name), refusal))
		w.stop(refusal)
		return
	}
	session, fence := context.WithCancelCause(ctx)
	defer fence(nil)
	l := &Lease{
		Task: task, Takes: int(min(meta.NumDelivered, 1<<30)), q: w.q, worker: w.options.Name, fence: fence,
		to: appender{q: w.q, stream: unitsStream(task.Batch), subject: unitSubject(task.Batch, task.Key)},
	}
	extended, release := context.WithCancel(context.WithoutCancel(ctx))
	var keeper sync.WaitGroup
	// The lease is extended until everything is done, even if ctx has ended and do takes its time.
	keeper.Go(func() { l.keep(extended, message, orElse(ackWait, DefaultAckWait)/3) })
	finish := func() { release(); keeper.Wait() }

	var r record
	unreadable := 0
	err = w.q.persist(session, "read the session "+task.String(), func(ctx context.Context) (err error) {
		r, l.Units, err = w.q.readRecord(ctx, l.to.stream, l.to.subject)
		if errors.Is(err, errUnreadable) {
			// Once may be the network.
			if unreadable++; unreadable > 1 {
				r.standing, err = broken, nil
			}
		}
		return err
	})
	switch {
	case err != nil:
		finish()
		w.giveBack(ctx, l, message, err)
		return
	case r.standing == absent, r.generation != generation, r.standing == ended, r.standing == recalled:
		// Its work is done or nobody wants it; another item was published if somebody does.
		finish()
		w.acknowledge(ctx, message)
		return
	case r.standing == broken:
		finish()
		_ = message.NakWithDelay(10 * time.Second)
		w.q.note("the session %s in the queue is damaged; its coordinator publishes it again", task.Key)
		l.reportDamage()
		return
	}
	l.mutex.Lock()
	l.to.last, l.to.header, l.to.index, l.to.link = r.last, r.header, r.units(), r.links[r.units()]
	l.mutex.Unlock()
	w.running(task, true)
	err = w.do(session, l)
	w.running(task, false)
	finish()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	switch {
	case l.ended:
		w.acknowledge(ctx, message)
	case l.fenced != nil:
		// Somebody else has the item: neither confirm nor return it.
	default:
		w.giveBack(ctx, l, message, err)
	}
}

// acknowledge removes the item from the queue. If it fails, the next worker finds the end and does it.
func (w *worker) acknowledge(ctx context.Context, message jetstream.Msg) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.q.options.Timeout)
	defer cancel()
	if err := message.DoubleAck(ctx); err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
		w.q.note("confirm an item of the queue at %s: %v; it is offered again, and found done", w.q.host, err)
	}
}

// giveBack returns the item, so that nobody has to wait until the lease ends.
func (w *worker) giveBack(ctx context.Context, l *Lease, message jetstream.Msg, err error) {
	delay := time.Duration(0)
	switch {
	case l.returned:
		delay = l.delay
	case ctx.Err() != nil:
	case err != nil:
		delay = min(time.Minute, time.Second<<min(l.Takes-1, 6))
		w.q.note("the session %s was given back: %v", l.Task.Key, err)
	default:
		delay = time.Second
		w.q.note("the session %s was given back: it has no end", l.Task.Key)
	}
	if delay > 0 {
		_ = message.NakWithDelay(delay)
	} else {
		_ = message.Nak()
	}
}

// keep extends the lease, and looks whether the session was taken over while nothing was appended.
func (l *Lease) keep(ctx context.Context, message jetstream.Msg, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		_ = message.InProgress()
		// An append that runs finds out by itself.
		if !l.mutex.TryLock() {
			continue
		}
		if l.to.last > 0 && !l.ended && l.fenced == nil && !l.unsettled {
			sequence, last, err := l.q.lastOf(ctx, l.to.stream, l.to.subject)
			if err == nil && sequence != l.to.last && !last.same(l.to.header) || missing(err) {
				l.fenceOff(ErrFenced)
			}
		}
		l.mutex.Unlock()
	}
}

func (w *worker) running(task Task, is bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	name := task.Batch + " " + task.String()
	if is {
		w.sessions[name] = true
	} else {
		delete(w.sessions, name)
	}
}

// presence is what a worker says about itself every ten seconds.
type presence struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Jobs     int      `json:"jobs"`
	Sessions []string `json:"sessions"`
}

// beat gives signs of life until ctx ends, and then takes them back.
func (w *worker) beat(ctx context.Context) {
	ticker := time.NewTicker(presenceTTL / 3)
	defer ticker.Stop()
	key := "worker." + w.id
	for {
		w.sign(ctx, key)
		select {
		case <-ctx.Done():
			limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			if kv, err := w.q.bucket(limited, presenceBucket); err == nil {
				_ = kv.Delete(limited, key)
			}
			cancel()
			return
		case <-w.q.reconnects():
		case <-ticker.C:
		}
	}
}

// sign gives one sign of life. If it fails, the next one may work.
func (w *worker) sign(ctx context.Context, key string) {
	w.mutex.Lock()
	now := presence{plain.Clip(w.options.Name, 200), plain.Clip(w.options.Version, maxVersion), w.options.Jobs, nil}
	for name := range w.sessions {
		if len(now.Sessions) < 1000 {
			now.Sessions = append(now.Sessions, name)
		}
	}
	w.mutex.Unlock()
	ctx, cancel := context.WithTimeout(ctx, w.q.options.Timeout)
	defer cancel()
	value, err := json.Marshal(now)
	if err != nil {
		return
	}
	if kv, err := w.q.bucket(ctx, presenceBucket); err == nil {
		_, _ = kv.Put(ctx, key, value)
	}
}

// Worker is a worker that has given a sign of life in the last 30 s, as it describes itself.
type Worker struct {
	Name    string
	Version string
	Jobs    int
	// Sessions are those of the batch that it holds. Others is how many it holds for other batches.
	Sessions []Key
	Others   int
}

// Workers lists the workers of the server.
func (b *Batch) Workers(ctx context.Context) ([]Worker, error) {
	ctx = undated{ctx}
	kv, err := b.q.bucket(ctx, presenceBucket)
	if err != nil {
		return nil, fmt.Errorf("list the workers: %w", err)
	}
	keys, err := kv.ListKeysFiltered(ctx, "worker.*")
	if err != nil {
		return nil, fmt.Errorf("list the workers: %w", err)
	}
	defer func() { _ = keys.Stop() }()
	var list []Worker
	for key := range keys.Keys() {
		entry, err := kv.Get(ctx, key)
		var p presence
		if err != nil || len(entry.Value()) > 1<<20 || json.Unmarshal(entry.Value(), &p) != nil || len(list) >= 10_000 {
			continue
		}
		one := Worker{Name: plain.Short(plain.Line(p.Name)), Version: plain.Short(plain.Line(p.Version)), Jobs: p.Jobs}
		for _, session := range p.Sessions {
			batch, name, _ := strings.Cut(session, " ")
			if _, key, ok := keyOf("moot.items." + batch + "." + name); ok && batch == b.id {
				one.Sessions = append(one.Sessions, key)
			} else {
				one.Others++
			}
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(x, y Worker) int { return strings.Compare(x.Name, y.Name) })
	return list, nil
}

// tell passes a line to whoever follows the batch. It may get lost.
func (q *Queue) tell(batch, line string) {
	_ = q.conn.Publish("moot.notes."+batch, []byte(plain.Clip(line, 500)))
}
