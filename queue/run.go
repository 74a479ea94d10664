// Package queue runs many sessions: the plan of a batch, its folder, its limits and its results. A session stays what
// it is, a file that is hash-chained and can be resumed; nothing here is a second truth. An item is known by its
// content, so the same command continues a batch, and a changed line is another item.
//
// Read ReadLines (what the user wrote), Plan (items by content), Folder (what is on disk) and Runner (what runs) in
// this order. How a session is opened and run is the caller's, see Do. queue/jetstream carries the work to other
// machines.
package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"moot/internal/plain"
	"moot/state"
	"moot/state/store"
)

// Job is a session to run: that of an item from its start, or an earlier one that continues.
type Job struct {
	Item *Item
	// Session is the session to continue, or "" for a new one.
	Session string
	// Attempt counts the sessions of the item before this one.
	Attempt int
	// Caps says which cap of the batch is reached. A session asks it before each turn.
	Caps func() Cap
}

// Cap is a cap of a batch that is reached.
type Cap string

// The caps.
const (
	NoCap     Cap = ""
	CapTokens Cap = "tokens"
	CapCost   Cap = "cost"
)

// Pulse says how far a session is that runs.
type Pulse struct {
	Session string `json:"session"`
	Round   int    `json:"round"`
	// Doing says who speaks, or what the session waits for.
	Doing string      `json:"doing"`
	Usage state.Usage `json:"usage"`
	// Worker is the machine that runs it, or "".
	Worker string `json:"worker,omitempty"`
}

// Do runs a job to its end, and returns its session, or "" if none was opened. It calls pulse when something happens.
// When ctx ends, it pauses the session and returns. Do is called from several goroutines.
type Do func(ctx context.Context, job Job, pulse func(Pulse)) (session string, r Result)

// Options configure a Runner. All fields but the caps and Watch are required.
type Options struct {
	Folder *Folder
	Plan   *Plan
	// Only lists the digests of items to run again, whatever their results are. All other items are left alone. nil runs
	// the items that are not finished.
	Only []string
	// Jobs is how many sessions run at once, at least 1.
	Jobs int
	// Remote says that other machines run the sessions: then Jobs bounds what is published, and says nothing of how many
	// run.
	Remote bool
	// MaxTokens and MaxCost cap the batch, with all earlier runs; 0 is no cap.
	MaxTokens int
	MaxCost   float64
	Do        Do
	// Lost is the usage of calls that no session has. It counts towards the caps, and may be nil.
	Lost func() state.Usage
	// Classify reads a whole session file.
	Classify func(path string) Result
	// Watch gets each item that ended, one at a time; it may be nil.
	Watch func(Ended)
	Now   func() time.Time
}

// Ended says that a session of this run ended.
type Ended struct {
	Item    *Item
	Session string
	Result  Result
	// Done and Total count the items that ended, in this run and before, and all.
	Done, Total int
}

// Running is a session that runs.
type Running struct {
	Item  string    `json:"item"`
	Since time.Time `json:"since"`
	Pulse
}

// Runner runs the items of a batch that are not finished.
type Runner struct {
	o     Options
	began time.Time

	mutex   sync.Mutex
	pending []Job
	running map[*Running]context.CancelCauseFunc
	// left are the items that wait or run, by digest.
	left map[string]bool
	// attempts counts the sessions of items when the run began.
	attempts map[string]int
	// earlier is the usage of all sessions that do not run, by session, and sum that of all of them.
	earlier map[string]state.Usage
	sum     state.Usage
	// ended counts the items of this run, and took the time that each took.
	ended int
	// stopping says why no session starts anymore, or is "".
	stopping string
	// wake has a value when something changed.
	wake chan struct{}
	// unread are sessions whose result is not known yet.
	unread []*Entry
	lost   error
}

// ErrPaused is the cause for which a session is paused that a person paused from outside. ErrStopping is the
// cause when the batch is stopped.
var (
	ErrPaused   = errors.New("paused")
	ErrStopping = errors.New("the batch was stopped")
)

// NewRunner decides what is to run. Finished items are kept.
func NewRunner(o Options) *Runner {
	r := &Runner{
		o: o, running: map[*Running]context.CancelCauseFunc{}, left: map[string]bool{}, attempts: map[string]int{},
		earlier: map[string]state.Usage{}, wake: make(chan struct{}, 1), began: o.Now(),
	}
	sessions, failed := o.Folder.Attempts()
	if o.MaxTokens > 0 || o.MaxCost > 0 {
		// The caps count what was spent before.
		for _, list := range sessions {
			for _, e := range list {
				r.classify(e)
			}
		}
	}
	for _, item := range o.Plan.Items {
		list := sessions[item.Digest]
		r.attempts[item.Digest] = len(list)
		for _, e := range list {
			r.setAside(e.Session, e.Result.Usage)
		}
		if o.Only != nil {
			continue
		}
		if job, again := r.next(item, list, failed); again {
			r.enqueue(job)
		}
	}
	r.Retry(o.Only)
	return r
}

// next returns the job of an item, if there is something to do.
func (r *Runner) next(item *Item, list []*Entry, failed map[string]Failed) (Job, bool) {
	job := Job{Item: item, Attempt: len(list)}
	if len(list) == 0 {
		return job, true
	}
	last := list[len(list)-1]
	resumed := Job{Item: item, Session: last.Session, Attempt: len(list) - 1}
	if one, is := failed[item.Digest]; is && one.At.After(last.Opened) && last.Closed {
		return job, true
	}
	if last.Paused && last.Result.Outcome == "" {
		r.classify(last)
	}
	switch {
	case last.Broken != "":
		return job, true
	case !last.Over(): // It was cut off.
		if _, err := store.Units(r.o.Folder.SessionPath(last.Session)); err != nil {
			return job, true // So early that it has no start, or it is damaged.
		}
		return resumed, true
	case last.Result.Outcome == "":
		r.unread = append(r.unread, last)
		return job, false
	case !last.Result.Outcome.again():
		return job, false
	case last.Paused:
		return resumed, true
	}
	return job, true
}

// classify reads the file of a session that is over, and keeps its result.
func (r *Runner) classify(e *Entry) {
	if e.Result.Outcome != "" || !e.Over() || e.Broken != "" {
		return
	}
	e.Result = r.o.Classify(r.o.Folder.SessionPath(e.Session))
	if err := r.o.Folder.Record(e.Session, e.Item, e.Result); err != nil {
		e.Broken = err.Error()
	}
}

func (r *Runner) enqueue(job Job) {
	job.Caps = r.caps
	r.pending, r.left[job.Item.Digest] = append(r.pending, job), true
}

// Waiting returns how many items are not finished.
func (r *Runner) Waiting() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return len(r.left)
}

// Stopping says why no session starts anymore, or is "".
func (r *Runner) Stopping() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.stopping
}

// Usage returns the usage of all sessions of the batch so far.
func (r *Runner) Usage() state.Usage {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.usage()
}

// setAside sets the usage of a session that does not run.
func (r *Runner) setAside(session string, u state.Usage) {
	was := r.earlier[session]
	r.earlier[session] = u
	r.sum = state.Usage{
		Calls: r.sum.Calls - was.Calls + u.Calls, PromptTokens: r.sum.PromptTokens - was.PromptTokens + u.PromptTokens,
		CompletionTokens: r.sum.CompletionTokens - was.CompletionTokens + u.CompletionTokens,
		Cost:             max(0, r.sum.Cost-was.Cost+u.Cost), Estimated: r.sum.Estimated - was.Estimated + u.Estimated,
		Unpriced: r.sum.Unpriced - was.Unpriced + u.Unpriced,
	}
}

func (r *Runner) usage() state.Usage {
	sum := r.sum
	if r.o.Lost != nil {
		lost := r.o.Lost()
		sum.Add(&lost)
	}
	for one := range r.running {
		sum.Add(&one.Usage)
	}
	return sum
}

func (r *Runner) caps() Cap {
	if r.o.MaxTokens == 0 && r.o.MaxCost == 0 {
		return NoCap
	}
	used := r.Usage()
	switch {
	case r.o.MaxTokens > 0 && used.Tokens() >= r.o.MaxTokens:
		return CapTokens
	case r.o.MaxCost > 0 && used.Cost >= r.o.MaxCost:
		return CapCost
	}
	return NoCap
}

// reached says in words which cap is reached.
func (r *Runner) reached(c Cap) string {
	used := r.Usage()
	switch c {
	case CapTokens:
		return fmt.Sprintf("%d of %d tokens are used", used.Tokens(), r.o.MaxTokens)
	case CapCost:
		return fmt.Sprintf("$%.4f of $%.4f are used", used.Cost, r.o.MaxCost)
	case NoCap:
	}
	return ""
}

// pollEvery is how often the folder is looked at for requests, and how often the live state is written.
const pollEvery = 300 * time.Millisecond

// Run runs all jobs. When ctx ends, running sessions are paused, and the cause is returned. The other errors are those
// of the folder: without it there is no point in going on.
func (r *Runner) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var workers sync.WaitGroup
	workers.Go(func() { r.readUnread(ctx) })
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	defer func() { _ = os.Remove(r.o.Folder.file(runningName)) }()
	// A run that was killed may have left its own.
	r.tell()
	for {
		r.startDue(ctx, &workers)
		r.mutex.Lock()
		idle := len(r.running) == 0 && len(r.unread) == 0 &&
			(len(r.pending) == 0 || r.stopping != "" || ctx.Err() != nil)
		lost := r.lost
		r.mutex.Unlock()
		if lost != nil {
			cancel(lost)
		}
		if idle || lost != nil {
			workers.Wait()
			break
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			if r.waitForRunning(); r.isIdle() {
				workers.Wait()
			}
		case <-tick.C:
			r.poll(cancel)
		}
	}
	r.mutex.Lock()
	lost := r.lost
	r.mutex.Unlock()
	if lost != nil {
		return lost
	}
	return context.Cause(ctx)
}

func (r *Runner) isIdle() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return len(r.running) == 0
}

// waitForRunning waits until a session ended, after the context did.
func (r *Runner) waitForRunning() {
	if !r.isIdle() {
		<-r.wake
	}
}

// readUnread reads the sessions whose results are not in the index, while others run.
func (r *Runner) readUnread(ctx context.Context) {
	for {
		r.mutex.Lock()
		if len(r.unread) == 0 || ctx.Err() != nil {
			r.unread = nil
			r.mutex.Unlock()
			r.poke()
			return
		}
		e := r.unread[0]
		r.mutex.Unlock()
		r.classify(e)
		r.mutex.Lock()
		r.unread = r.unread[1:]
		r.setAside(e.Session, e.Result.Usage)
		if item := r.o.Plan.Item(e.Item); e.Result.Outcome.again() && item != nil && !r.left[item.Digest] {
			r.enqueue(Job{Item: item, Attempt: r.attempts[e.Item]})
		}
		r.mutex.Unlock()
		r.poke()
	}
}

func (r *Runner) poke() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// startDue starts jobs while there is room.
func (r *Runner) startDue(ctx context.Context, workers *sync.WaitGroup) {
	for ctx.Err() == nil {
		why := r.reached(r.caps())
		r.mutex.Lock()
		if why != "" && r.stopping == "" {
			r.stopping = why
		}
		if r.stopping != "" || len(r.pending) == 0 || len(r.running) >= r.o.Jobs || r.lost != nil {
			r.mutex.Unlock()
			return
		}
		job := r.pending[0]
		r.pending = r.pending[1:]
		one := &Running{Item: job.Item.Digest, Since: r.o.Now(), Pulse: Pulse{Session: job.Session}}
		session, cancel := context.WithCancelCause(ctx)
		if job.Session != "" {
			one.Usage = r.earlier[job.Session]
			r.setAside(job.Session, state.Usage{})
		}
		r.running[one] = cancel
		r.mutex.Unlock()
		workers.Go(func() {
			defer cancel(nil)
			r.run(session, job, one)
		})
	}
}

// run runs a job and keeps its result.
func (r *Runner) run(ctx context.Context, job Job, one *Running) {
	session, result := r.o.Do(ctx, job, func(p Pulse) {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		one.Pulse = p
	})
	result.Ended = r.o.Now().UTC()
	var err error
	switch {
	case session != "":
		err = r.o.Folder.Record(session, job.Item.Digest, result)
	case result.Outcome == Failure:
		err = r.o.Folder.RecordFailed(Failed{Item: job.Item.Digest, At: result.Ended, Reason: result.Reason})
	}
	if err == nil {
		err = r.o.Folder.SaveIndexAt(r.o.Now())
	}
	r.mutex.Lock()
	delete(r.running, one)
	if session != "" {
		r.setAside(session, result.Usage)
	}
	delete(r.left, job.Item.Digest)
	r.ended++
	if err != nil && r.lost == nil {
		r.lost = fmt.Errorf("keep the result of %s: %w; the sessions are saved: fix the disk, and run the batch again",
			plain.Line(job.Item.ID()), err)
	}
	done := Ended{
		Item: job.Item, Session: session, Result: result, Total: len(r.o.Plan.Items),
		Done: len(r.o.Plan.Items) - len(r.left),
	}
	if r.o.Watch != nil {
		r.o.Watch(done)
	}
	r.mutex.Unlock()
	r.poke()
}

// Pause pauses a running session.
func (r *Runner) Pause(session string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for one, cancel := range r.running {
		if one.Session == session {
			cancel(ErrPaused)
		}
	}
}

// Retry runs items again, if they neither run nor wait.
func (r *Runner) Retry(digests []string) {
	sessions, _ := r.o.Folder.Attempts()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, digest := range digests {
		item := r.o.Plan.Item(digest)
		if item == nil || r.left[digest] {
			continue
		}
		r.enqueue(Again(item, sessions[digest]))
	}
	r.poke()
}

// Again is the job that runs an item again: a session that paused continues, else a new one starts.
func Again(item *Item, sessions []*Entry) Job {
	job := Job{Item: item, Attempt: len(sessions)}
	if len(sessions) > 0 {
		if last := sessions[len(sessions)-1]; !last.Closed && last.Broken == "" {
			job.Session, job.Attempt = last.Session, len(sessions)-1
		}
	}
	return job
}

// Request is a request of another process to the one that runs a batch.
type Request struct {
	// Stop pauses all running sessions and ends the run.
	Stop bool `json:"stop,omitempty"`
	// Retry are the digests of items to run again.
	Retry []string `json:"retry,omitempty"`
	// Pause is a session to pause.
	Pause string `json:"pause,omitempty"`
}

// Ask leaves a request for the process that runs the batch.
func (f *Folder) Ask(q Request) error {
	folder := f.file(requestsName)
	if err := os.MkdirAll(folder, dirMode); err != nil {
		return err
	}
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(folder, ".new*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	if err = errors.Join(err, draft.Close()); err == nil {
		number := strings.TrimPrefix(filepath.Base(draft.Name()), ".new")
		name := fmt.Sprintf("%d-%s.json", time.Now().UnixNano(), number)
		err = os.Rename(draft.Name(), filepath.Join(folder, name))
	}
	return err
}

// poll takes requests, and tells other processes what runs.
func (r *Runner) poll(cancel context.CancelCauseFunc) {
	for _, q := range r.o.Folder.takeRequests() {
		if q.Stop {
			cancel(ErrStopping)
		}
		if q.Pause != "" {
			r.Pause(q.Pause)
		}
		r.Retry(q.Retry)
	}
	r.tell()
}

// tell writes what runs for other processes. Only watching from outside needs it, so a failure stops nothing.
func (r *Runner) tell() {
	if text, err := json.Marshal(r.live()); err == nil {
		_ = r.o.Folder.write(runningName, text)
	}
}

// takeRequests returns the requests in the order in which they were made, and removes them.
func (f *Folder) takeRequests() []Request {
	files, err := os.ReadDir(f.file(requestsName))
	if err != nil {
		return nil
	}
	var list []Request
	for _, file := range files {
		if strings.HasPrefix(file.Name(), ".") {
			continue
		}
		path := filepath.Join(f.file(requestsName), file.Name())
		text, err := os.ReadFile(path)
		var q Request
		if err == nil && json.Unmarshal(text, &q) == nil {
			list = append(list, q)
		}
		_ = os.Remove(path)
	}
	return list
}

// Live describes a run of a batch for other processes.
type Live struct {
	Schema string    `json:"schema"`
	At     time.Time `json:"at"`
	Began  time.Time `json:"began"`
	Jobs   int       `json:"jobs"`
	// Ended counts the items that ended in this run, Left those that run or wait.
	Ended    int         `json:"ended"`
	Left     int         `json:"left"`
	Sessions []Running   `json:"sessions"`
	Usage    state.Usage `json:"usage"`
	// MaxTokens and MaxCost are the caps of the batch, or 0. Stopping says why no session starts anymore, or is "".
	MaxTokens int     `json:"max_tokens,omitempty"`
	MaxCost   float64 `json:"max_cost,omitempty"`
	Stopping  string  `json:"stopping,omitempty"`
}

func (r *Runner) live() Live {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	l := Live{
		Schema: Schema,
		At:     r.o.Now(), Began: r.began, Jobs: r.o.Jobs, Ended: r.ended, Left: len(r.left), Usage: r.usage(),
		MaxTokens: r.o.MaxTokens, MaxCost: r.o.MaxCost, Stopping: r.stopping,
	}
	if r.o.Remote {
		l.Jobs = 0
	}
	for one := range r.running {
		if one.Session != "" { // Others are being opened, or wait for a worker.
			l.Sessions = append(l.Sessions, *one)
		}
	}
	slices.SortFunc(l.Sessions, func(a, b Running) int { return a.Since.Compare(b.Since) })
	return l
}
