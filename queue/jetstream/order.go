package jetstream

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"moot/internal/plain"
)

// maxOrder bounds an order, in bytes.
const maxOrder = 64

func orderKey(batch string) string { return "order." + batch }

// Order tells all workers that hold sessions of the batch something in a word, such as that a budget is used up. It
// counts for 30 s, so the caller repeats it as long as it holds. An empty word takes it back. It is advice: a worker
// that does not hear it goes on.
func (b *Batch) Order(ctx context.Context, word string) error {
	if err := b.ours(); err != nil {
		return err
	}
	kv, err := b.q.bucket(ctx, presenceBucket)
	if err != nil {
		return err
	}
	if word == "" {
		return kv.Delete(ctx, orderKey(b.id))
	}
	_, err = kv.PutString(ctx, orderKey(b.id), word)
	return err
}

// orders are what coordinators tell, by batch.
type orders struct {
	mutex sync.Mutex
	known map[string]order
}

type order struct {
	word string
	at   time.Time
}

// Order is what the coordinator of the session's batch tells all its workers now, or "".
func (l *Lease) Order() string {
	o := &l.q.orders
	o.mutex.Lock()
	defer o.mutex.Unlock()
	known := o.known[l.Task.Batch]
	if time.Since(known.at) > presenceTTL {
		return ""
	}
	return known.word
}

// listen follows the orders of all batches until ctx ends.
func (q *Queue) listen(ctx context.Context) {
	for ctx.Err() == nil {
		kv, err := q.bucket(ctx, presenceBucket)
		var watcher jetstream.KeyWatcher
		if err == nil {
			watcher, err = kv.Watch(ctx, "order.>")
		}
		if err == nil {
			q.orders.follow(ctx, watcher, q.reconnects())
			_ = watcher.Stop()
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// follow takes in orders until the connection was lost once, or ctx ends.
func (o *orders) follow(ctx context.Context, watcher jetstream.KeyWatcher, again <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-again:
			return
		case entry, open := <-watcher.Updates():
			if !open {
				return
			}
			if entry == nil {
				continue // All that there was has come.
			}
			word := ""
			if entry.Operation() == jetstream.KeyValuePut && len(entry.Value()) <= maxOrder {
				word = plain.Line(string(entry.Value()))
			}
			o.mutex.Lock()
			if o.known == nil {
				o.known = map[string]order{}
			}
			o.known[entry.Key()[len("order."):]] = order{word: word, at: time.Now()}
			o.mutex.Unlock()
		}
	}
}
