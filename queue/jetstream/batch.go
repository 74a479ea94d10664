package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"moot/internal/plain"
)

// ErrHeld means that another coordinator works on the batch.
var ErrHeld = errors.New("another coordinator has this batch")

// Times of leases.
const (
	// DefaultAckWait is how long a worker may be silent before its item goes to another one.
	DefaultAckWait = 30 * time.Second
	// presenceTTL is how long a worker, a coordinator or a slot of a limit counts without a sign of life.
	presenceTTL = 30 * time.Second
)

// BatchOptions says which batch a coordinator opens.
type BatchOptions struct {
	// ID is 1 to 64 characters a-z and 0-9.
	ID string
	// Owner identifies the folder of the batch. A coordinator of the same owner takes over at once, which is right if
	// the folder has a lock; one of another owner is refused while the first is alive. "" is an owner of its own.
	Owner string
	// AckWait is how long a worker may be silent before its item goes to another. It holds for all batches of the
	// server. 0 means DefaultAckWait.
	AckWait time.Duration
	// Check is how often Follow compares the queue with what was published, if nothing arrives. 0 means one minute.
	Check time.Duration
}

// Batch is the coordinator's side of a batch. Its methods are safe for concurrent use.
type Batch struct {
	q       *Queue
	id      string
	options BatchOptions

	stop context.CancelFunc
	// done is closed when the goroutine that holds the claim has ended.
	done chan struct{}
	// lost is closed when another coordinator has taken the batch.
	lost chan struct{}
	// reread makes Follow read the stream from the start.
	reread chan struct{}

	mutex     sync.Mutex
	tasks     map[Key]*followed
	records   map[Key]*record
	following bool
	// deleted are the generations of the sessions that Done deleted: a server may forget it.
	deleted map[Key]string
}

// followed is what the coordinator knows of a session in the queue.
type followed struct {
	// wanted is the generation that was published or adopted here; "" if none was.
	wanted string
	// published is set while the session must be in the queue.
	published bool
	// generation is that of links; links are those of the units that were delivered.
	generation string
	links      []link
	ended      bool
	// faulty is set once the loss of this generation was reported.
	faulty bool
}

// Open makes or reuses the streams of a batch and claims it. The caller must call Close.
func (q *Queue) Open(ctx context.Context, o BatchOptions) (*Batch, error) {
	if !isBatch(o.ID) {
		return nil, errors.New("open the batch: its name is 1 to 64 characters a-z and 0-9")
	}
	if o.Owner == "" {
		o.Owner = nonce()
	}
	o.Check, ctx = orElse(o.Check, time.Minute), undated{ctx}
	b := &Batch{
		q: q, id: o.ID, options: o, done: make(chan struct{}), lost: make(chan struct{}),
		reread: make(chan struct{}, 1),
		tasks:  map[Key]*followed{}, records: map[Key]*record{}, deleted: map[Key]string{},
	}
	if err := b.makeStreams(ctx); err != nil {
		return nil, fmt.Errorf("open the batch %s: %w", o.ID, err)
	}
	if err := b.claim(ctx); err != nil {
		return nil, fmt.Errorf("open the batch %s: %w", o.ID, err)
	}
	held, stop := context.WithCancel(context.WithoutCancel(ctx))
	b.stop = stop
	go b.hold(held)
	return b, nil
}

// makeStreams makes the streams of the batch, and those that batches share. A cluster answers a while before its
// servers have found each other: makeStreams then tries again for the time that one request may take.
func (b *Batch) makeStreams(ctx context.Context) error {
	for giveUp := time.Now().Add(b.q.options.Timeout); ; {
		err := b.tryStreams(ctx)
		if !gathering(err) || time.Now().After(giveUp) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// gathering reports whether a cluster refused because some of its servers are not there, or have no leader yet.
func gathering(err error) bool {
	var api *jetstream.APIError
	const noPeers, unavailable = 10005, 10008
	return errors.As(err, &api) && (api.ErrorCode == noPeers || api.ErrorCode == unavailable)
}

func (b *Batch) tryStreams(ctx context.Context) error {
	if _, err := b.q.makeItems(ctx, b.options.AckWait); err != nil {
		return err
	}
	if err := b.q.makeStream(ctx, jetstream.StreamConfig{
		Name: unitsStream(b.id), Subjects: []string{"moot.units." + b.id + ".>"},
		Retention: jetstream.LimitsPolicy,
	}); err != nil {
		return err
	}
	if _, err := b.q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: materialBucket(b.id), Storage: jetstream.FileStorage, Replicas: b.q.options.Replicas,
	}); err != nil {
		return fmt.Errorf("make the store of material: %w", err)
	}
	if _, err := b.q.bucket(ctx, limitsBucket); err != nil {
		return err
	}
	_, err := b.q.bucket(ctx, presenceBucket)
	return err
}

// makeItems makes the stream of items and the consumer that all workers share.
func (q *Queue) makeItems(ctx context.Context, ackWait time.Duration) (jetstream.Consumer, error) {
	if err := q.makeStream(ctx, jetstream.StreamConfig{
		Name: itemsStream, Subjects: []string{"moot.items.>"}, Retention: jetstream.WorkQueuePolicy,
	}); err != nil {
		return nil, err
	}
	consumer, err := q.js.Consumer(ctx, itemsStream, workers)
	if errors.Is(err, jetstream.ErrConsumerNotFound) || err == nil && ackWait > 0 && consumer.CachedInfo().Config.AckWait != ackWait {
		consumer, err = q.js.CreateOrUpdateConsumer(ctx, itemsStream, jetstream.ConsumerConfig{
			Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: orElse(ackWait, DefaultAckWait),
			// An item is offered until it is done, however often its worker dies, and to any number of workers.
			MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 4096,
		})
	}
	if err != nil {
		return nil, fmt.Errorf("make the queue of items: %w", err)
	}
	return consumer, nil
}

// makeStream makes a stream or checks that an existing one keeps what it gets.
func (q *Queue) makeStream(ctx context.Context, c jetstream.StreamConfig) error {
	c.Storage, c.Discard, c.Replicas = jetstream.FileStorage, jetstream.DiscardNew, q.options.Replicas
	c.MaxMsgs, c.MaxBytes, c.MaxAge, c.MaxMsgsPerSubject, c.MaxMsgSize, c.MaxConsumers = -1, -1, 0, -1, -1, -1
	stream, err := q.js.Stream(ctx, c.Name)
	if missing(err) {
		stream, err = q.js.CreateStream(ctx, c)
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			stream, err = q.js.Stream(ctx, c.Name)
		}
	}
	if err != nil {
		return fmt.Errorf("make the stream %s: %w", c.Name, err)
	}
	has := stream.CachedInfo().Config
	why := ""
	switch {
	case has.Retention != c.Retention:
		why = "its retention is " + has.Retention.String()
	case has.Storage != c.Storage:
		why = "it is not kept in files"
	case has.MaxAge > 0:
		why = "it drops messages by age"
	case has.MaxMsgs > 0 || has.MaxBytes > 0 || has.MaxMsgsPerSubject > 0:
		why = "it has a limit of messages or bytes"
	case has.AllowDirect || has.MirrorDirect:
		why = "it answers from copies that may be old"
	case len(has.Subjects) != 1 || has.Subjects[0] != c.Subjects[0]:
		why = "it has other subjects"
	}
	if why != "" {
		return fmt.Errorf("the stream %s on %s was set up by somebody else: %s; it would lose sessions: remove it, or "+
			"use an account of its own", c.Name, q.host, why)
	}
	return nil
}

// bucket opens one of the two buckets that batches share, and makes it if needed.
func (q *Queue) bucket(ctx context.Context, name string) (jetstream.KeyValue, error) {
	config := jetstream.KeyValueConfig{Bucket: name, History: 1, Storage: jetstream.FileStorage, Replicas: q.options.Replicas}
	if name == presenceBucket {
		// Signs of life: they end by the clock of the server alone, and need not survive it.
		config.TTL, config.Storage = presenceTTL, jetstream.MemoryStorage
	}
	kv, err := q.js.KeyValue(ctx, name)
	if missing(err) {
		kv, err = q.js.CreateKeyValue(ctx, config)
		if errors.Is(err, jetstream.ErrBucketExists) || errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			kv, err = q.js.KeyValue(ctx, name)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the bucket %s: %w", name, err)
	}
	return kv, nil
}

// claimed is the value under the key of a batch in the bucket of presence.
type claimed struct {
	Owner string `json:"owner"`
	Name  string `json:"name"`
}

func claimKey(batch string) string { return "coordinator." + batch }

// claim takes the batch, unless a coordinator of another owner has given a sign of life in the last 30 s.
func (b *Batch) claim(ctx context.Context) error {
	kv, err := b.q.bucket(ctx, presenceBucket)
	if err != nil {
		return err
	}
	value, err := json.Marshal(claimed{b.options.Owner, b.q.options.Name})
	if err != nil {
		return err
	}
	for range 10 {
		if _, err = kv.Create(ctx, claimKey(b.id), value); err == nil || !wrongSequence(err) {
			return err
		}
		entry, getErr := kv.Get(ctx, claimKey(b.id))
		if errors.Is(getErr, jetstream.ErrKeyNotFound) {
			continue
		}
		if getErr != nil {
			return getErr
		}
		var by claimed
		if err := json.Unmarshal(entry.Value(), &by); err != nil || by.Owner != b.options.Owner {
			return fmt.Errorf("%w: %s gave a sign of life at most %s ago; stop it, or wait until it has ended", ErrHeld,
				plain.Short(plain.Line(orElseText(by.Name, "a coordinator without a name"))), presenceTTL)
		}
		if _, err = kv.Update(ctx, claimKey(b.id), value, entry.Revision()); err == nil || !wrongSequence(err) {
			return err
		}
	}
	return err
}

// hold repeats the claim until the batch is closed or another coordinator has it.
func (b *Batch) hold(ctx context.Context) {
	defer close(b.done)
	ticker := time.NewTicker(presenceTTL / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-b.q.reconnects():
		}
		limited, cancel := context.WithTimeout(ctx, b.q.options.Timeout)
		err := b.claim(limited)
		cancel()
		if errors.Is(err, ErrHeld) {
			close(b.lost)
			return
		}
		if err != nil && ctx.Err() == nil {
			b.q.note("keep the claim on the batch %s: %v", b.id, err)
		}
	}
}

// Close gives up the claim on the batch, and keeps everything that is in the queue.
func (b *Batch) Close() {
	b.stop()
	<-b.done
	select {
	case <-b.lost:
		return
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.q.options.Timeout)
	defer cancel()
	if kv, err := b.q.bucket(ctx, presenceBucket); err == nil && b.q.conn.IsConnected() {
		// If it fails, the claim ends by itself.
		_ = kv.Delete(ctx, claimKey(b.id))
	}
}

// ours returns ErrHeld if another coordinator has taken the batch, and an error after Close.
func (b *Batch) ours() error {
	select {
	case <-b.lost:
		return fmt.Errorf("the batch %s: %w", b.id, ErrHeld)
	default:
	}
	select {
	case <-b.done:
		return fmt.Errorf("the batch %s: %w", b.id, errClosed)
	default:
		return nil
	}
}

// errClosed is the answer of a batch after Close.
var errClosed = errors.New("it was closed")

// persist is that of the queue. It makes streams again that the server lost.
func (b *Batch) persist(ctx context.Context, doing string, what func(context.Context) error) error {
	return b.q.persist(ctx, doing, func(ctx context.Context) error {
		if err := b.ours(); err != nil {
			return err
		}
		err := what(ctx)
		if !missing(err) {
			return err
		}
		if err := b.makeStreams(ctx); err != nil {
			return err
		}
		return what(ctx)
	})
}

// Material stores a text under its digest, SHA-256 in lowercase hex. One that is there is not sent again.
func (b *Batch) Material(ctx context.Context, digest string, text []byte) error {
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != digest {
		return fmt.Errorf("send material: the digest %s is not that of the text", plain.Short(plain.Line(digest)))
	}
	if len(text) > MaxMaterial {
		return fmt.Errorf("send material %.12s: it has %d bytes, at most %d fit", digest, len(text), MaxMaterial)
	}
	bound := transfers(b.q.options.Timeout)
	return b.persist(ctx, "send material "+digest[:12], func(ctx context.Context) error {
		ctx, cancel := bound(ctx)
		defer cancel()
		store, err := b.q.js.ObjectStore(ctx, materialBucket(b.id))
		if err != nil {
			return err
		}
		if info, err := store.GetInfo(ctx, digest); err == nil && info.Size == uint64(len(text)) {
			return nil
		}
		_, err = store.PutBytes(ctx, digest, text)
		return err
	})
}

// transfers returns a function that bounds one try to send or read a text, longer each time: it is not known how slow
// the connection is.
func transfers(least time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
	most := 5 * least
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		bounded, cancel := context.WithTimeout(ctx, most)
		most = min(2*most, 10*time.Minute)
		return bounded, cancel
	}
}

// material reads a text by its digest.
func (q *Queue) material(ctx context.Context, batch, digest string) (text []byte, err error) {
	if !isDigest(digest) {
		return nil, errors.New("read material: its digest is not 64 lowercase hex digits")
	}
	doing, damage := "read material "+digest[:12], false
	bound, slow := transfers(q.options.Timeout), 0
	err = q.persist(ctx, doing, func(ctx context.Context) error {
		outer := ctx
		ctx, cancel := bound(ctx)
		defer cancel()
		store, err := q.js.ObjectStore(ctx, materialBucket(batch))
		if err != nil {
			return err
		}
		object, err := store.Get(ctx, digest)
		if err == nil {
			text, err = io.ReadAll(io.LimitReader(object, MaxMaterial+1))
			_ = object.Close()
		}
		if err != nil && ctx.Err() != nil && outer.Err() == nil && q.conn.IsConnected() {
			// A piece that is missing never comes.
			slow++
		}
		sum := sha256.Sum256(text)
		wrong := err == nil && hex.EncodeToString(sum[:]) != digest
		if wrong || slow > 3 || errors.Is(err, jetstream.ErrDigestMismatch) {
			// The coordinator sends it again, if it is gone.
			_ = store.Delete(outer, digest)
			damage = true
			return nil
		}
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			damage = true
			return nil
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case damage:
		return nil, fmt.Errorf("%s: %w; nothing was used, and its coordinator sends it again", doing, errDamagedText)
	}
	return text, nil
}

// errDamagedText means that a text is missing, damaged or not what its digest says.
var errDamagedText = errors.New("what the queue has is missing, damaged or not what the digest says")

// Publish puts a session into the queue: the units that are known, and then the item. If the queue has the session
// already, with this task and at least these units, it stays as it is, and a worker that holds it goes on. Otherwise
// what the queue has is removed, and a worker that holds it is fenced. Publishing twice changes nothing.
func (b *Batch) Publish(ctx context.Context, task Task, prefix [][]byte) error {
	doing := "publish the session " + task.String()
	if err := task.check(); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if task.Batch != b.id {
		return fmt.Errorf("%s: it belongs to the batch %s, not %s", doing, task.Batch, b.id)
	}
	size := 0
	for _, data := range prefix {
		size += len(data)
	}
	if len(prefix) >= MaxUnits || size > MaxSession {
		return fmt.Errorf("%s: its %d units of %d bytes are too many", doing, len(prefix), size)
	}
	unreadable := 0
	return b.persist(ctx, doing, func(ctx context.Context) error {
		adopted, err := b.adopt(ctx, task, prefix)
		if errors.Is(err, errUnreadable) {
			// Once may be the network.
			unreadable++
		}
		if adopted || err != nil && unreadable < 2 {
			return err
		}
		return b.publishAnew(ctx, task, prefix)
	})
}

// adopt keeps what the queue has of a session, if it continues the prefix.
func (b *Batch) adopt(ctx context.Context, task Task, prefix [][]byte) (bool, error) {
	r, units, err := b.q.readRecord(ctx, unitsStream(b.id), unitSubject(b.id, task.Key))
	if err != nil {
		return false, err
	}
	sum, err := task.sum()
	if err != nil || r.standing != open && r.standing != ended || r.task != sum || len(units) < len(prefix) {
		return false, err
	}
	if links := chained(r.generation, prefix); links[len(prefix)] != r.links[len(prefix)] {
		return false, nil
	}
	b.wantAgain(task.Key, r.generation, r.links[1:len(prefix)+1])
	if r.standing == open {
		item, err := b.q.lastMessage(ctx, itemsStream, itemSubject(b.id, task.Key))
		if err != nil {
			return false, err
		}
		var generation string
		if item != nil {
			_, generation, err = decodeTask(item.Subject, item.Data)
		}
		if err != nil || generation != r.generation {
			// The item is gone or an old one. If its worker has ended the session in this moment, the next one sees it.
			if err := b.publishItem(ctx, task, r.generation); err != nil {
				return false, err
			}
		}
	}
	b.confirm(task.Key, r.generation)
	return true, nil
}

func (b *Batch) publishAnew(ctx context.Context, task Task, prefix [][]byte) error {
	generation := nonce()
	b.want(task.Key, generation)
	sum, err := task.sum()
	if err != nil {
		return err
	}
	if err := b.remove(ctx, task.Key); err != nil {
		return err
	}
	to := &appender{q: b.q, stream: unitsStream(b.id), subject: unitSubject(b.id, task.Key)}
	if err := to.begin(ctx, generation, sum); err != nil {
		return err
	}
	for _, data := range prefix {
		if err := to.append(ctx, unit, data); err != nil {
			return err
		}
	}
	if err := b.publishItem(ctx, task, generation); err != nil {
		return err
	}
	b.confirm(task.Key, generation)
	return nil
}

// publishItem replaces what the stream of items has under this key.
func (b *Batch) publishItem(ctx context.Context, task Task, generation string) error {
	text, err := task.encode(generation)
	if err != nil {
		return err
	}
	if err := b.purge(ctx, itemsStream, itemSubject(b.id, task.Key)); err != nil {
		return err
	}
	_, err = b.q.js.PublishMsg(ctx, &nats.Msg{Subject: itemSubject(b.id, task.Key), Data: text},
		jetstream.WithExpectStream(itemsStream), jetstream.WithExpectLastSequencePerSubject(0))
	return err
}

// remove deletes the item and the units of a session. The item goes first: nobody takes it any more.
func (b *Batch) remove(ctx context.Context, key Key) error {
	if err := b.purge(ctx, itemsStream, itemSubject(b.id, key)); err != nil {
		return err
	}
	return b.purge(ctx, unitsStream(b.id), unitSubject(b.id, key))
}

func (b *Batch) purge(ctx context.Context, stream, subject string) error {
	handle, err := b.q.stream(ctx, stream)
	if err != nil {
		return err
	}
	return handle.Purge(ctx, jetstream.WithPurgeSubject(subject))
}

// want makes Follow ignore other generations of a session.
func (b *Batch) want(key Key, generation string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	task := b.task(key)
	if task.wanted != generation {
		task.wanted, task.published, task.faulty = generation, false, false
	}
}

// wantAgain is want for a generation that is in the queue already. If Follow has ignored some of it, because the
// session was lost or another generation was wanted, it delivers again what comes after the units in has.
func (b *Batch) wantAgain(key Key, generation string, has []link) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	task := b.task(key)
	ignored := task.faulty || task.wanted != "" && task.wanted != generation
	if task.wanted != generation {
		task.wanted, task.published = generation, false
	}
	if !ignored {
		return
	}
	task.generation, task.links, task.ended, task.faulty = generation, slices.Clone(has), false, false
	select {
	case b.reread <- struct{}{}:
	default:
	}
}

// confirm says that the session is in the queue.
func (b *Batch) confirm(key Key, generation string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if task := b.task(key); task.wanted == generation {
		task.published = true
	}
}

// task returns what is known of a session; the caller holds the mutex.
func (b *Batch) task(key Key) *followed {
	task := b.tasks[key]
	if task == nil {
		task = &followed{}
		b.tasks[key] = task
	}
	return task
}

// Done deletes a session from the queue. The caller has all of it in a file that is synced. Twice changes nothing; a
// worker that still holds the session is fenced. If a server forgets it, Follow deletes the session again.
func (b *Batch) Done(ctx context.Context, key Key) error {
	return b.persist(ctx, "delete the session "+key.String()+" from the queue", func(ctx context.Context) error {
		b.mutex.Lock()
		if task := b.tasks[key]; task != nil {
			task.published = false
		}
		b.mutex.Unlock()
		if err := b.remove(ctx, key); err != nil {
			return err
		}
		b.mutex.Lock()
		defer b.mutex.Unlock()
		if task := b.tasks[key]; task != nil {
			b.deleted[key] = orElseText(task.wanted, task.generation)
		}
		delete(b.tasks, key)
		delete(b.records, key)
		return nil
	})
}

// Withdraw takes a session back: nobody starts it, and a worker that holds it is fenced. Units that the queue has
// confirmed are kept: Follow delivers them, then Withdrawn, and then the caller calls Done. If the session ends in the
// same moment, Follow delivers End instead. If the queue has nothing of the session, Follow delivers Withdrawn only.
func (b *Batch) Withdraw(ctx context.Context, key Key) error {
	return b.persist(ctx, "withdraw the session "+key.String(), func(ctx context.Context) error {
		b.mutex.Lock()
		if task := b.tasks[key]; task != nil {
			task.published, task.wanted = false, ""
		}
		b.mutex.Unlock()
		if err := b.purge(ctx, itemsStream, itemSubject(b.id, key)); err != nil {
			return err
		}
		message, err := header{Kind: withdrawn, ID: nonce()}.message(unitSubject(b.id, key), nil)
		if err != nil {
			return err
		}
		_, err = b.q.js.PublishMsg(ctx, message, jetstream.WithExpectStream(unitsStream(b.id)))
		return err
	})
}

// Remove deletes everything that the queue has of the batch, and closes it.
func (b *Batch) Remove(ctx context.Context) error {
	err := b.persist(ctx, "remove the batch "+b.id+" from the queue", func(ctx context.Context) error {
		if err := b.purge(ctx, itemsStream, "moot.items."+b.id+".>"); err != nil && !missing(err) {
			return err
		}
		if err := b.q.js.DeleteStream(ctx, unitsStream(b.id)); err != nil && !missing(err) {
			return err
		}
		if err := b.q.js.DeleteObjectStore(ctx, materialBucket(b.id)); err != nil && !missing(err) {
			return err
		}
		return b.purge(ctx, "KV_"+limitsBucket, "$KV."+limitsBucket+".spent."+b.id+".>")
	})
	b.Close()
	return err
}
