//go:build !nobatchqueue

package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/run"
	"moot/queue"
	"moot/queue/jetstream"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// connect connects to a queue.
func (o *queueOptions) connect(ctx context.Context, c *Console, url, token string) (*jetstream.Queue, error) {
	creds := ""
	if o.creds != "" {
		creds = c.path(o.creds)
	}
	q, err := jetstream.Connect(ctx, jetstream.Options{
		URL: url, Token: token, CredsFile: creds, Pin: o.pin, Name: "moot",
		Note: func(text string) { c.Say("queue      %s", plain.Line(text)) },
	})
	if errors.Is(err, jetstream.ErrAddress) {
		return nil, usage("%w", err)
	}
	return q, err
}

// farClocks is the difference of clocks from which doctor warns: sessions have the times of their workers.
const farClocks = 10 * time.Second

// examine prints how a queue is (BB6). If it cannot be used, the exit code is protocol.ExitFound.
func (o *queueOptions) examine(ctx context.Context, c *Console) error {
	o.hideToken(c)
	token, err := o.token(c)
	if err != nil {
		return err
	}
	q, err := o.connect(ctx, c, o.url, token)
	if err != nil {
		if _, coded := errors.AsType[*codeError](err); coded {
			return err
		}
		return found("%w", err)
	}
	defer q.Close()
	h, err := q.Check(ctx)
	if err != nil {
		return found("%w", err)
	}
	var text strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&text, "%-10s %s\n", label, fmt.Sprintf(format, args...))
	}
	line("queue", "%s: NATS %s, server %s, answers in %s", plain.Line(o.url), h.Version,
		view.Join(" of cluster ", h.Server, h.Cluster), h.RoundTrip.Round(10*time.Microsecond))
	if h.TLS == "" {
		line("encrypted", "no: prompts and the token can be read on the way")
	} else {
		line("encrypted", "%s", h.TLS)
	}
	line("jetstream", "on; %s, %s, %s, %s", allowanceWords(h.Memory, "of memory", 1<<20), allowanceWords(h.Storage, "of storage", 1<<20),
		allowanceWords(h.Streams, "streams", 1), allowanceWords(h.Consumers, "consumers", 1))
	line("messages", "up to %d KiB; longer units travel in pieces", h.MaxPayload>>10)
	switch ahead := h.Ahead.Round(time.Millisecond); {
	case !h.ClockKnown:
		line("clock", "not known")
	case ahead.Abs() > farClocks:
		line("clock", "%s %s this machine: sessions of that machine have other times; nothing else depends on clocks", ahead.Abs(),
			map[bool]string{true: "ahead of", false: "behind"}[ahead > 0])
	default:
		line("clock", "within %s of this machine", max(ahead.Abs(), h.RoundTrip.Round(time.Millisecond), time.Millisecond))
	}
	if h.Writable != nil {
		line("streams", "cannot be made: %s", plain.Line(h.Writable.Error()))
	}
	if err := c.Print(text.String()); err != nil {
		return err
	}
	if h.Writable != nil {
		return leaveWith(protocol.ExitFound)
	}
	return nil
}

// allowanceWords says how much of something is used, in units.
func allowanceWords(a jetstream.Allowance, what string, unit int64) string {
	in := ""
	if unit == 1<<20 {
		in = " MiB"
	}
	if a.Most < 0 {
		return fmt.Sprintf("%d%s %s used, no limit", a.Used/unit, in, what)
	}
	return fmt.Sprintf("%d of %d%s %s used", a.Used/unit, a.Most/unit, in, what)
}

// carried is the payload of a task: what the session of an item opens with.
type carried struct {
	Item  string      `json:"item"`
	Parts queue.Parts `json:"parts"`
	// Opened is session-opened without its ID, its nonce and the texts of long documents. Texts are the digests of those,
	// by their index in the context. Events follow it.
	Opened jsontext.Value `json:"opened"`
	Texts  map[int]string `json:"texts,omitempty"`
	Events []carriedEvent `json:"events"`
	// Head is the commit that is checked out in the workspace, or "".
	Head string `json:"head,omitempty"`
	// Commands are those that the session may run without asking; a worker has its own list.
	Commands []string `json:"commands,omitempty"`
	// Calls are the flags of model calls.
	Calls []queue.Field `json:"calls,omitempty"`
	// Body is the digest of the whole payload, if it is long; then the rest is empty.
	Body string `json:"body,omitempty"`
}

type carriedEvent struct {
	Kind string         `json:"kind"`
	Data jsontext.Value `json:"data"`
}

const (
	// longText is the length from which a document travels by its digest, longBody that of the payload.
	longText = 1 << 10
	longBody = 128 << 10
	// published is how many sessions of a batch are on the queue at the same time.
	published = 512
)

// What a coordinator tells the workers of its batch.
const (
	orderStop   = "stop"
	orderTokens = "tokens"
	orderCost   = "cost"
)

const (
	// orderEvery is how often orders are looked at, orderAgain how often they are repeated.
	orderEvery = 300 * time.Millisecond
	orderAgain = 10 * time.Second
	// stopTime is how long workers may take to pause their sessions before these are taken back.
	stopTime = 10 * time.Second
)

// carrier runs the sessions of a batch on other machines: it publishes items, and appends the units that come back to
// the files of the batch.
type carrier struct {
	console  *Console
	maker    *itemMaker
	queue    *jetstream.Queue
	batch    *jetstream.Batch
	server   *jetstream.Server
	folder   *queue.Folder
	settings queue.Settings
	options  *queueOptions
	routes   routes

	mutex sync.Mutex
	// caps returns the cap of the batch that is reached. stopping is set when the batch is stopped.
	caps     func() queue.Cap
	stopping bool
	// capped is the cap that was reached at the last look. spent counts calls of workers whose units were refused.
	capped atomic.Value
	spent  state.Usage
}

// openCarrier starts or reaches the queue, and claims the batch on it.
func (o *batchOptions) openCarrier(
	ctx context.Context, folder *queue.Folder, settings queue.Settings, maker *itemMaker,
) (_ remote, err error) {
	c := o.console
	q := &carrier{console: c, maker: maker, folder: folder, settings: settings, options: &o.queue}
	defer func() {
		if err != nil {
			q.close()
		}
	}()
	token, err := o.queue.token(c)
	if err != nil {
		return nil, err
	}
	url := o.queue.url
	if o.queue.listen != "" {
		if len(token) < jetstream.MinToken {
			return nil, usage("--listen needs a token of at least %d characters, in %s or --token-file; this one is new: %s",
				jetstream.MinToken, tokenVariable, jetstream.NewToken())
		}
		q.server, err = jetstream.Serve(ctx, jetstream.ServerOptions{
			Addr: o.queue.listen, Token: token, Dir: filepath.Join(folder.Path(), "queue"),
			Log: func(text string) { c.Say("queue      %s", plain.Line(text)) },
		})
		if err != nil {
			return nil, err
		}
		url, o.queue.pin = q.server.Local, q.server.Pin
		c.Say("workers    moot worker %s --pin %s", q.server.URL, q.server.Pin)
		c.Say("           with the same token in %s or --token-file", tokenVariable)
	}
	if q.queue, err = o.queue.connect(ctx, c, url, token); err != nil {
		return nil, err
	}
	if q.batch, err = q.queue.Open(ctx, jetstream.BatchOptions{
		ID: settings.Batch, Owner: settings.Batch, AckWait: o.queue.lease,
		Check: cmp.Or(o.queue.lease, 10*time.Second),
	}); err != nil {
		return nil, err
	}
	return q, q.batch.Order(ctx, "")
}

// clear removes what the queue has of a batch that is done.
func (q *carrier) clear(ctx context.Context) error { return q.batch.Remove(ctx) }

// close gives up the batch, and stops the embedded server.
func (q *carrier) close() {
	if q.batch != nil {
		q.batch.Close()
	}
	if q.queue != nil {
		q.queue.Close()
	}
	if q.server != nil {
		_ = q.server.Close()
	}
}

// order tells the workers what holds for all sessions, until ctx ends: the batch is stopped, or a cap is reached.
func (q *carrier) order(ctx context.Context) {
	ordered, told, looked := "", time.Time{}, time.Now()
	tick := time.NewTicker(orderEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if time.Since(looked) > orderAgain {
			looked = time.Now()
			if calls, tokens, cost, err := q.batch.Spent(ctx); err == nil {
				q.mutex.Lock()
				q.spent = state.Usage{Calls: calls, PromptTokens: tokens, Cost: cost}
				q.mutex.Unlock()
			}
		}
		q.mutex.Lock()
		caps, stopping := q.caps, q.stopping
		q.mutex.Unlock()
		word := ""
		if caps != nil {
			reached := caps()
			q.capped.Store(reached)
			word = map[queue.Cap]string{queue.CapTokens: orderTokens, queue.CapCost: orderCost}[reached]
		}
		if stopping {
			word = orderStop
		}
		if word == ordered && (word == "" || time.Since(told) < orderAgain) {
			continue
		}
		if err := q.batch.Order(ctx, word); err == nil {
			ordered, told = word, time.Now()
		}
	}
}

// reached is the cap that was reached when it was last looked at.
func (q *carrier) reached() queue.Cap {
	reached, _ := q.capped.Load().(queue.Cap)
	return reached
}

// lost returns the usage of calls that no session has.
func (q *carrier) lost() state.Usage {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.spent
}

// follow hands out what comes back until ctx ends.
func (q *carrier) follow(ctx context.Context) error {
	var orders sync.WaitGroup
	orders.Go(func() { q.order(ctx) })
	defer orders.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := q.batch.Follow(ctx, func(e jetstream.Event) error {
		way := q.routes.take(e)
		if way == nil {
			return nil
		}
		select {
		case way.events <- e:
		case <-way.left:
		case <-ctx.Done():
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// routes lead events to the sessions that wait for them. Events of other sessions are kept until those wait, too: after
// a restart, the queue tells of sessions before their turn has come.
type routes struct {
	mutex sync.Mutex
	ways  map[jetstream.Key]*route
	kept  map[jetstream.Key][]jetstream.Event
}

// route is the way to one session. left is closed when nobody reads events anymore.
type route struct {
	events chan jetstream.Event
	left   chan struct{}
}

// take returns the way of an event, or keeps it and returns nil.
func (r *routes) take(e jetstream.Event) *route {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if way := r.ways[e.Key]; way != nil {
		return way
	}
	if r.kept == nil {
		r.kept = map[jetstream.Key][]jetstream.Event{}
	}
	if e.Kind == jetstream.Lost {
		delete(r.kept, e.Key) // It is published again in its turn.
		return nil
	}
	r.kept[e.Key] = append(r.kept[e.Key], e)
	return nil
}

// add makes the way of a session, with what came before.
func (r *routes) add(key jetstream.Key) *route {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.ways == nil {
		r.ways = map[jetstream.Key]*route{}
	}
	way := &route{events: make(chan jetstream.Event, len(r.kept[key])+64), left: make(chan struct{})}
	for _, e := range r.kept[key] {
		way.events <- e
	}
	delete(r.kept, key)
	r.ways[key] = way
	return way
}

func (r *routes) remove(key jetstream.Key) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	close(r.ways[key].left)
	delete(r.ways, key)
}

// body makes the payload of an item, with the texts that travel beside it.
func (q *carrier) body(ctx context.Context, item *queue.Item) (*carried, map[string][]byte, error) {
	p, b, err := q.maker.planOpen(ctx, item.Fields)
	if err != nil {
		return nil, nil, err
	}
	if b.reviewed != nil {
		defer b.reviewed.Close()
	}
	p.parts.Number = item.Parts.Number
	if changed := item.Parts.Changed(&p.parts); len(changed) > 0 {
		return nil, nil, errChanged(changed)
	}
	if err := q.options.carries(&p.opened.Settings); err != nil {
		return nil, nil, err
	}
	body := &carried{Item: item.Digest, Parts: item.Parts, Commands: b.commands.allowed, Texts: map[int]string{}}
	if s := &p.opened.Settings; s.Workspace != "" {
		body.Head = q.maker.head(s.Workspace)
	}
	texts := map[string][]byte{}
	opened := *p.opened
	opened.Item, opened.Settings.Nonce = item.Digest, ""
	opened.Settings.Context = slices.Clone(opened.Settings.Context)
	for i := range opened.Settings.Context {
		document := &opened.Settings.Context[i]
		if len(document.Text) >= longText {
			body.Texts[i] = digestText([]byte(document.Text))
			texts[body.Texts[i]] = []byte(document.Text)
			document.Text = ""
		}
	}
	var text bytes.Buffer
	if err := state.Encode(&text, &opened); err != nil {
		return nil, nil, err
	}
	body.Opened = jsontext.Value(bytes.Clone(text.Bytes()))
	for _, e := range p.events {
		text.Reset()
		if err := state.Encode(&text, e); err != nil {
			return nil, nil, err
		}
		body.Events = append(body.Events, carriedEvent{Kind: state.KindOf(e), Data: jsontext.Value(bytes.Clone(text.Bytes()))})
	}
	body.Calls = callFields(slices.Concat(q.maker.shared, item.Fields))
	return body, texts, nil
}

func digestText(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// callFields returns the fields that say how models are called.
func callFields(fields []queue.Field) (calls []queue.Field) {
	cmd := &cobra.Command{}
	(&callOptions{}).flags(cmd)
	for _, f := range fields {
		if cmd.Flags().Lookup(f.Name) != nil {
			calls = append(calls, f)
		}
	}
	return calls
}

// task makes the task of a job, and stores its texts.
func (q *carrier) task(ctx context.Context, job queue.Job) (jetstream.Task, error) {
	key := jetstream.Key{Item: job.Item.Digest, Attempt: job.Attempt}
	task := jetstream.Task{Batch: q.settings.Batch, Key: key, Version: workerVersion()}
	body, texts, err := q.body(ctx, job.Item)
	if err != nil {
		return task, err
	}
	payload, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		return task, err
	}
	if len(payload) > longBody {
		digest := digestText(payload)
		texts[digest] = payload
		if payload, err = json.Marshal(carried{Item: job.Item.Digest, Body: digest, Events: []carriedEvent{}}); err != nil {
			return task, err
		}
	}
	task.Payload = payload
	for _, digest := range slices.Sorted(maps.Keys(texts)) {
		if err := q.batch.Material(ctx, digest, texts[digest]); err != nil {
			return task, err
		}
		task.Material = append(task.Material, digest)
	}
	return task, nil
}

// workerVersion must be the same for coordinator and worker: the program, and the version of its files.
func workerVersion() string {
	return fmt.Sprintf("%s, session files of version %d", version(), state.Version)
}

// do has a worker run the session of a job. It is a queue.Do.
func (q *carrier) do(ctx context.Context, job queue.Job, pulse func(queue.Pulse)) (string, queue.Result) {
	q.mutex.Lock()
	q.caps = job.Caps
	q.mutex.Unlock()
	ours := &carriedSession{carrier: q, job: job, pulse: pulse, now: queue.Pulse{Session: job.Session}}
	defer ours.close()
	result, err := ours.run(ctx)
	if err != nil && ctx.Err() != nil {
		return ours.id(), queue.Result{Outcome: queue.Stopped, Reason: run.BatchStopped, Usage: ours.now.Usage}
	}
	if err != nil {
		return ours.id(), queue.Result{Outcome: queue.Failure, Reason: reasonOf(err), Usage: ours.now.Usage}
	}
	return ours.id(), result
}

// carriedSession is the coordinator's side of a session that a worker runs.
type carriedSession struct {
	*carrier
	job   queue.Job
	pulse func(queue.Pulse)
	now   queue.Pulse
	// file is nil as long as no unit came. sums are the SHA-256 of its units.
	file *store.File
	sums [][sha256.Size]byte
}

func (s *carriedSession) id() string { return s.now.Session }

func (s *carriedSession) close() {
	if s.file != nil {
		if err := s.file.Close(); err != nil {
			s.console.Say("moot: %s", err)
		}
		s.file = nil
	}
}

// run publishes the session, and appends its units until it ends.
func (s *carriedSession) run(ctx context.Context) (queue.Result, error) {
	if s.job.Session != "" {
		var units [][]byte
		var err error
		if s.file, units, err = store.OpenUnits(s.folder.SessionPath(s.job.Session)); err != nil {
			return queue.Result{}, err
		}
		for _, unit := range units {
			s.sums = append(s.sums, sha256.Sum256(unit))
			s.count(unit)
		}
	}
	task, err := s.task(ctx, s.job)
	if err != nil {
		return queue.Result{}, err
	}
	way := s.routes.add(task.Key)
	defer s.routes.remove(task.Key)
	if err := s.publish(ctx, task); err != nil {
		return queue.Result{}, err
	}
	done := ctx.Done()
	tick := time.NewTicker(orderEvery)
	defer tick.Stop()
	var late <-chan time.Time
	for {
		select {
		case <-tick.C:
			if s.file == nil && late == nil && s.reached() != queue.NoCap {
				// No session starts beyond a cap.
				late = time.After(0)
			}
		case <-late:
			if err := s.batch.Withdraw(context.WithoutCancel(ctx), task.Key); err != nil {
				return queue.Result{}, err
			}
		case e := <-way.events:
			switch e.Kind {
			case jetstream.Unit:
				if err := s.unit(e); err != nil {
					if !errors.Is(err, store.ErrUnit) {
						return queue.Result{}, err // The disk is full, for example.
					}
					// File and subject part: the file counts (BB3).
					s.console.Say("queue      %s: %s; it is published again from its file", plain.Line(s.job.Item.ID()),
						plain.Line(err.Error()))
					if err := s.publish(context.WithoutCancel(ctx), task); err != nil {
						return queue.Result{}, err
					}
				}
			case jetstream.Lost:
				s.console.Say("queue      %s: %s; it is published again from its file", plain.Line(s.job.Item.ID()), plain.Line(e.Reason))
				// Its texts may be lost, too.
				again, err := s.task(context.WithoutCancel(ctx), s.job)
				if err == nil {
					task, err = again, s.publish(context.WithoutCancel(ctx), again)
				}
				if err != nil {
					return queue.Result{}, err
				}
			case jetstream.End:
				result, err := s.ended(e.Data)
				return result, errors.Join(err, s.batch.Done(context.WithoutCancel(ctx), task.Key))
			case jetstream.Withdrawn:
				if err := s.batch.Done(context.WithoutCancel(ctx), task.Key); err != nil {
					return queue.Result{}, err
				}
				return s.withdrawn(ctx)
			}
		case <-done:
			done = nil
			if s.mutex.Lock(); !errors.Is(context.Cause(ctx), queue.ErrPaused) {
				s.stopping = true
			}
			s.mutex.Unlock()
			// One that runs is paused by its worker; one that nobody began is taken back.
			if late = time.After(stopTime); s.file == nil {
				late = time.After(0)
			}
		}
	}
}

// withdrawn is the result of a session that was taken back: it was stopped, and continues with the batch.
func (s *carriedSession) withdrawn(ctx context.Context) (queue.Result, error) {
	if ctx.Err() != nil {
		return queue.Result{}, context.Cause(ctx)
	}
	reason := map[queue.Cap]string{queue.CapTokens: run.BatchTokens, queue.CapCost: run.BatchCost}[s.reached()]
	return queue.Result{Outcome: queue.Stopped, Reason: reason, Usage: s.now.Usage}, nil
}

// publish puts the session into the queue, with what its file has of it.
func (s *carriedSession) publish(ctx context.Context, task jetstream.Task) error {
	var units [][]byte
	if s.file != nil {
		var err error
		if units, err = store.Units(s.file.Path()); err != nil {
			return err
		}
	}
	return s.batch.Publish(ctx, task, units)
}

// unit appends a unit to the file. One that the file has already is compared.
func (s *carriedSession) unit(e jetstream.Event) error {
	if e.Index < len(s.sums) {
		if s.sums[e.Index] == sha256.Sum256(e.Data) {
			return nil
		}
		return fmt.Errorf("%w: unit %d differs from that of the file", store.ErrUnit, e.Index+1)
	}
	if e.Index > len(s.sums) {
		return fmt.Errorf("%w: unit %d is missing", store.ErrUnit, len(s.sums)+1)
	}
	if s.file == nil {
		id, item, err := store.Begins(e.Data)
		if err != nil {
			return fmt.Errorf("%w: %w", store.ErrUnit, err)
		}
		if item != s.job.Item.Digest {
			return fmt.Errorf("%w: it belongs to another item", store.ErrUnit)
		}
		if s.file, err = store.Create(s.folder.Sessions(), id); err != nil {
			return err
		}
		s.now.Session = id
	}
	if err := s.file.AppendUnit(e.Data); err != nil {
		return err
	}
	s.sums = append(s.sums, sha256.Sum256(e.Data))
	s.count(e.Data)
	s.pulse(s.now)
	return nil
}

// count adds the usage and the rounds that a unit tells.
func (s *carriedSession) count(unit []byte) {
	used, rounds := usageOf(unit)
	s.now.Usage.Add(&used)
	s.now.Round += rounds
}

// usageOf reads the usage of calls and the rounds that begin from the lines of a unit.
func usageOf(unit []byte) (used state.Usage, rounds int) {
	for line := range bytes.Lines(unit) {
		head := line[:min(len(line), 300)]
		switch {
		case bytes.Contains(head, []byte(`"kind":"usage-counted"`)):
			var event struct {
				Data state.UsageCounted `json:"data"`
			}
			if json.Unmarshal(line, &event) != nil {
				continue
			}
			u := state.Usage{
				Calls: event.Data.Calls, PromptTokens: event.Data.PromptTokens, CompletionTokens: event.Data.CompletionTokens,
				Cost: event.Data.Cost,
			}
			if event.Data.Unpriced {
				u.Unpriced = u.Calls
			}
			used.Add(&u)
		case bytes.Contains(head, []byte(`"kind":"round-started"`)):
			rounds++
		}
	}
	return used, rounds
}

// ended is the result of a session that a worker ended. The file says what it came to; only the reason why it could
// not continue comes from the worker.
func (s *carriedSession) ended(said []byte) (queue.Result, error) {
	var told queue.Result
	if err := json.Unmarshal(said, &told); err != nil {
		return told, fmt.Errorf("what the worker says of the end is not understood: %w", err)
	}
	told.Reason = plain.Clip(plain.Line(told.Reason), maxReason)
	if s.file == nil {
		return queue.Result{Outcome: queue.Failure, Reason: told.Reason}, nil
	}
	s.close()
	result := s.console.classify(s.folder.SessionPath(s.id()))
	if told.Outcome == queue.Failure && result.Outcome == queue.Stopped {
		result.Outcome, result.Reason = queue.Failure, told.Reason
	}
	return result, nil
}

// errChanged says that an item is not what was planned.
func errChanged(parts []string) error {
	return fmt.Errorf("the %s changed since the batch was planned: run the batch again with its items",
		strings.Join(parts, " and the "))
}
