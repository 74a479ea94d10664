package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// EventKind is what happened to a session.
type EventKind int

const (
	// Unit is one more unit, with Index and Data. The units of a session arrive in order and without gaps. After a
	// restart of the coordinator they arrive from the first one again.
	Unit EventKind = iota + 1
	// End is the result that a worker gave. Index is the number of units. Nothing follows.
	End
	// Withdrawn follows Withdraw, after the last unit. Nothing follows.
	Withdrawn
	// Lost means that the queue no longer has the session as it was published and delivered, for Reason. The caller
	// sends its material and publishes it again, with the units of its file.
	Lost
)

// Event is what Follow delivers.
type Event struct {
	Key
	Kind   EventKind
	Index  int
	Data   []byte
	Reason string
}

// errRestart makes Follow read the streams from the start.
var errRestart = errors.New("read the streams again")

// callbackError is an error of the function that was passed to Follow.
type callbackError struct{ err error }

func (c *callbackError) Error() string { return c.err.Error() }

// Follow delivers the units and ends of all sessions of the batch, those from before first, until ctx or the function
// ends it with an error. Events of one session come in order. The function may call the methods of the batch.
//
// A session that an earlier coordinator deleted may come again, if the server forgot it: the caller, who has it complete,
// calls Done again.
//
// After each reconnect the streams are read from the start, and what was delivered is skipped. Sessions that the
// server lost meanwhile are reported as Lost.
func (b *Batch) Follow(ctx context.Context, each func(Event) error) error {
	b.mutex.Lock()
	if b.following {
		b.mutex.Unlock()
		return fmt.Errorf("follow the batch %s: it is followed already", b.id)
	}
	b.following = true
	for key, task := range b.tasks {
		if !task.published {
			delete(b.tasks, key)
			continue
		}
		task.generation, task.links, task.ended, task.faulty = "", nil, false, false
	}
	b.mutex.Unlock()
	defer func() {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		b.following = false
	}()
	notes, err := b.q.conn.Subscribe("moot.notes."+b.id, func(m *nats.Msg) { b.q.note("%s", clip(m.Data)) })
	if err != nil {
		return fmt.Errorf("follow the batch %s: %w", b.id, err)
	}
	defer func() { _ = notes.Unsubscribe() }()
	for attempt := 0; ; attempt++ {
		started := time.Now()
		err := b.read(ctx, each)
		var callback *callbackError
		switch {
		case errors.As(err, &callback):
			return callback.err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case b.ours() != nil:
			return b.ours()
		case b.q.conn.IsClosed():
			return fmt.Errorf("follow the batch %s: %w", b.id, err)
		case errors.Is(err, errRestart) || time.Since(started) > time.Minute:
			attempt = 0
		default:
			b.q.note("follow the batch %s: %v; trying again", b.id, err)
		}
		b.q.pause(ctx, attempt)
	}
}

// read delivers what the stream of units has, from the start, and what comes, until it has to start again.
func (b *Batch) read(ctx context.Context, each func(Event) error) error {
	ctx, cancel := context.WithCancel(undated{ctx})
	defer cancel()
	again := b.q.reconnects()
	if err := b.makeStreams(ctx); err != nil {
		return err
	}
	before, err := b.snapshot(ctx)
	if err != nil {
		return err
	}
	b.mutex.Lock()
	b.records = map[Key]*record{}
	b.mutex.Unlock()
	consumer, err := b.q.js.OrderedConsumer(ctx, unitsStream(b.id), jetstream.OrderedConsumerConfig{
		InactiveThreshold: time.Minute,
	})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages(pulls(), jetstream.PullHeartbeat(5*time.Second))
	if err != nil {
		return err
	}
	stopped := make(chan struct{})
	defer func() { cancel(); <-stopped }()
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
		case <-again:
		case <-b.lost:
		case <-b.reread:
		}
		messages.Stop()
	}()
	// A stream that lost its last messages uses their sequences again, which the workers' consumer believes to have had.
	if before.delivered > before.lastItem {
		b.offerAgain(ctx)
	}
	state := reading{before: before, suspects: map[Key]string{}}
	if before.messages == 0 {
		state.compared = true
		if err := b.compare(before, each); err != nil {
			return err
		}
	}
	for {
		message, err := messages.Next(jetstream.NextMaxWait(b.options.Check))
		switch {
		case errors.Is(err, nats.ErrTimeout):
			if err := b.idle(ctx, &state, each); err != nil {
				return err
			}
			continue
		case errors.Is(err, jetstream.ErrMsgIteratorClosed):
			return errRestart
		case err != nil:
			return err
		}
		meta, err := message.Metadata()
		if err != nil {
			return err
		}
		state.last = meta.Sequence.Stream
		if err := b.deliver(ctx, state.last, message, each); err != nil {
			return err
		}
		if !state.compared && meta.NumPending == 0 {
			state.compared = true
			if err := b.compare(before, each); err != nil {
				return err
			}
		}
	}
}

// reading is what one pass over the stream of units knows.
type reading struct {
	before snapshot
	// compared is set once everything that was there at the start was read.
	compared bool
	// last is the sequence of the last message.
	last uint64
	// stuck and suspects are what the idle check before this one found.
	stuck    bool
	suspects map[Key]string
}

// idle looks whether the queue still has what it should have, when nothing has arrived for a while.
func (b *Batch) idle(ctx context.Context, state *reading, each func(Event) error) error {
	if !state.compared {
		// More should come and does not: the server cannot read what it has. What is behind the damage counts as lost,
		// and publishing it again removes the damage.
		if err := b.compare(state.before, each); err != nil {
			return err
		}
		return errRestart
	}
	now, err := b.snapshot(ctx)
	if err != nil {
		return err
	}
	if !b.consistent(now, state.last) {
		return errRestart
	}
	// Each item waits or is held. If one is neither twice in a row, the server has lost sight of it.
	if now.stuck() && state.stuck {
		b.offerAgain(ctx)
	}
	state.stuck = now.stuck()
	return b.probe(ctx, now, state.suspects, each)
}

// deliver adds one message to the record of its session, and reports what is new.
func (b *Batch) deliver(ctx context.Context, sequence uint64, message jetstream.Msg, each func(Event) error) error {
	batch, key, ok := keyOf(message.Subject())
	if !ok || batch != b.id {
		return nil
	}
	event, zombie := b.fold(key, sequence, message)
	if zombie {
		return b.remove(ctx, key)
	}
	if event.Kind == 0 {
		return nil
	}
	if err := each(event); err != nil {
		return &callbackError{err}
	}
	return nil
}

// fold returns the event that a message makes, or an event without a kind; or that the session was deleted before.
func (b *Batch) fold(key Key, sequence uint64, message jetstream.Msg) (event Event, zombie bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	r := b.records[key]
	if r == nil {
		r = &record{}
		b.records[key] = r
	}
	one, err := r.add(sequence, message.Headers(), message.Data())
	if gone := b.deleted[key]; gone != "" && r.generation == gone && (b.tasks[key] == nil || b.tasks[key].wanted != gone) {
		// Once is enough: this is before its other messages.
		return Event{}, r.messages == 1
	}
	task := b.task(key)
	if task.wanted != "" && r.generation != task.wanted {
		// It was published again meanwhile.
		return Event{}, false
	}
	if task.generation != r.generation {
		task.generation, task.links, task.ended = r.generation, nil, false
	}
	reported := func(reason string) (Event, bool) {
		if task.faulty || !task.published {
			return Event{}, false
		}
		task.faulty = true
		return Event{Key: key, Kind: Lost, Reason: reason}, false
	}
	switch {
	case err != nil:
		return reported(err.Error())
	case one == nil || task.ended:
		return Event{}, false
	case one.kind != withdrawn && one.index > 0 && one.index <= len(task.links) && task.links[one.index-1] != r.links[one.index]:
		// A worker has continued after the server had forgotten units. None of its units are delivered.
		return reported("it continues from other units than those that were delivered")
	case one.kind != withdrawn && one.index > len(task.links):
		return reported("a unit was not delivered")
	}
	// What follows on what was delivered is good, even if the session was reported as lost.
	switch one.kind {
	case unit:
		if one.index < len(task.links) {
			if task.links[one.index] != one.link {
				return reported("a unit differs from the one that was delivered before")
			}
			return Event{}, false
		}
		task.links = append(task.links, one.link)
		return Event{Key: key, Kind: Unit, Index: one.index, Data: one.data}, false
	case end:
		if one.index < len(task.links) {
			return reported("it ends before units that were delivered before")
		}
		task.ended = true
		return Event{Key: key, Kind: End, Index: one.index, Data: one.data}, false
	case withdrawn:
		task.ended = true
		return Event{Key: key, Kind: Withdrawn, Index: one.index}, false
	case begin, part, damaged:
	}
	return Event{}, false
}

// snapshot is what the queue must have at a moment, and the items that it had.
type snapshot struct {
	// wanted are the generations of the sessions that were published.
	wanted map[Key]string
	items  map[Key]bool
	// messages is how many the stream of units had.
	messages uint64
	last     uint64
	units    map[Key]uint64
	// allItems is how many items the server has for all batches, and lastItem the sequence of the last one. offered is
	// how many of them wait or are held, and delivered the sequence of the last one that was handed out.
	allItems, lastItem, offered, delivered uint64
}

func (s snapshot) stuck() bool { return s.allItems > s.offered }

// offerAgain makes the workers' consumer anew, so that every item is handed out again. A worker that holds one is
// fenced by the next; that costs calls, but an item that is never handed out would cost the session.
func (b *Batch) offerAgain(ctx context.Context) {
	b.q.note("the queue at %s has lost sight of items; they are offered again", b.q.host)
	err := b.q.js.DeleteConsumer(ctx, itemsStream, workers)
	if err == nil || errors.Is(err, jetstream.ErrConsumerNotFound) {
		_, err = b.q.makeItems(ctx, b.options.AckWait)
	}
	if err != nil {
		b.q.note("offer the items of the queue at %s again: %v", b.q.host, err)
	}
}

// snapshot asks for the items before the units: an item is only gone once the end of its session is among the units.
func (b *Batch) snapshot(ctx context.Context) (snapshot, error) {
	s := snapshot{wanted: map[Key]string{}, items: map[Key]bool{}, units: map[Key]uint64{}}
	b.mutex.Lock()
	for key, task := range b.tasks {
		if task.published {
			s.wanted[key] = task.wanted
		}
	}
	b.mutex.Unlock()
	read := func(stream, subjects string) (*jetstream.StreamInfo, error) {
		handle, err := b.q.stream(ctx, stream)
		if err != nil {
			return nil, err
		}
		return handle.Info(ctx, jetstream.WithSubjectFilter(subjects))
	}
	info, err := read(itemsStream, "moot.items."+b.id+".>")
	if err != nil {
		return s, err
	}
	for subject := range info.State.Subjects {
		if _, key, ok := keyOf(subject); ok {
			s.items[key] = true
		}
	}
	s.allItems, s.lastItem = info.State.Msgs, info.State.LastSeq
	consumer, err := b.q.js.Consumer(ctx, itemsStream, workers)
	if err != nil {
		return s, err
	}
	state := consumer.CachedInfo()
	s.offered, s.delivered = state.NumPending+uint64(max(0, state.NumAckPending)), state.Delivered.Stream
	if info, err = read(unitsStream(b.id), "moot.units."+b.id+".>"); err != nil {
		return s, err
	}
	s.messages, s.last = info.State.Msgs, info.State.LastSeq
	for subject, many := range info.State.Subjects {
		if _, key, ok := keyOf(subject); ok {
			s.units[key] = many
		}
	}
	return s, nil
}

// compare reports the sessions that the queue should have had at the snapshot, and does not.
func (b *Batch) compare(before snapshot, each func(Event) error) error {
	var events []Event
	b.mutex.Lock()
	for key, generation := range before.wanted {
		task, r := b.tasks[key], b.records[key]
		if task == nil || !task.published || task.wanted != generation || task.faulty {
			continue
		}
		reason := ""
		switch {
		case r == nil || r.generation != generation:
			reason = "the queue has nothing of it"
		case r.units() < len(task.links) && r.standing != broken:
			reason = "the queue has lost units that were delivered before"
		case r.standing == open && !before.items[key]:
			reason = "the queue has lost its item"
		}
		if reason != "" {
			task.faulty = true
			events = append(events, Event{Key: key, Kind: Lost, Reason: reason})
		}
	}
	b.mutex.Unlock()
	for _, event := range events {
		if err := each(event); err != nil {
			return &callbackError{err}
		}
	}
	return nil
}

// probes is how many items are read at each idle check.
const probes = 64

// probe looks whether items that wait can be read: a damaged store counts items that it cannot hand out. Those that
// fail twice in a row are reported as lost; one that was taken meanwhile is no longer counted the second time.
func (b *Batch) probe(ctx context.Context, now snapshot, suspects map[Key]string, each func(Event) error) error {
	var waiting []Key
	b.mutex.Lock()
	for key, generation := range now.wanted {
		if r := b.records[key]; r != nil && r.standing == open && r.generation == generation && now.items[key] {
			// The order of a map is random, so all are read in the end.
			waiting = append(waiting, key)
		}
	}
	b.mutex.Unlock()
	for _, key := range waiting[:min(len(waiting), probes)] {
		item, err := b.q.lastMessage(ctx, itemsStream, itemSubject(b.id, key))
		if err != nil {
			return err
		}
		generation := now.wanted[key]
		switch {
		case item != nil:
			delete(suspects, key)
			continue
		case suspects[key] != generation:
			suspects[key] = generation
			continue
		}
		b.mutex.Lock()
		task := b.tasks[key]
		lost := task != nil && task.published && task.wanted == generation && !task.faulty && !task.ended
		if lost {
			task.faulty = true
		}
		b.mutex.Unlock()
		if !lost {
			continue
		}
		if err := each(Event{Key: key, Kind: Lost, Reason: "the queue cannot read its item"}); err != nil {
			return &callbackError{err}
		}
	}
	return nil
}

// consistent reports whether the queue still has what was read, and an item for each session that has not ended.
func (b *Batch) consistent(now snapshot, last uint64) bool {
	if now.last < last {
		return false
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for key, generation := range now.wanted {
		r := b.records[key]
		task := b.tasks[key]
		if task == nil || task.faulty || task.wanted != generation {
			continue
		}
		if r == nil || r.standing == broken || now.units[key] < uint64(max(0, r.messages)) || r.standing == open && !now.items[key] {
			return false
		}
	}
	return true
}

// clip bounds foreign text before it is looked at.
func clip(text []byte) string { return string(text[:min(len(text), 4<<10)]) }
