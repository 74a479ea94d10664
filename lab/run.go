package lab

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/queue"
	"moot/state"
	"moot/state/store"
)

// Hold holds the hearing of a job: a new one, whose first events are those of Matrix.Opening, or one that continues. It
// is a queue.Do that returns the state of the session, too, which is empty if none was opened. A hearing that is not
// kept has no session.
type Hold func(ctx context.Context, job queue.Job, pulse func(queue.Pulse)) (string, *state.State, queue.Result)

// Progress is how far a run is, in sessions.
type Progress struct {
	// Done counts the sessions that ended, Kept those of them from an earlier run. Failed counts those of this run
	// without a verdict.
	Done, Kept, Failed int
	Planned            int
}

// Options configures a run. All fields but Watch are required.
type Options struct {
	// Folder keeps the sessions.
	Folder *queue.Folder
	Hold   Hold
	// Classify reads the result of a session from its file.
	Classify func(path string) queue.Result
	// Jobs is the number of simultaneous sessions, at least 1.
	Jobs int
	// Watch is called with the progress, never twice at the same time; it may be nil.
	Watch func(Progress)
	Now   func() time.Time
}

// execution is a run in progress.
type execution struct {
	*Matrix
	options Options

	mutex sync.Mutex
	// results has those of each session that ended, by item: one for each judge, and none if it was stopped.
	results map[string][]Result
	// ended counts the items that this run ended, failed and stopped those of them that are so.
	ended, failed, stopped int
}

// Run holds all hearings that the folder does not have. The number of jobs does not affect the results. If the run was
// stopped, the document has the results so far, and the error is the cause of ctx or queue.ErrStopping. Any other
// error is that of the folder.
func (m *Matrix) Run(ctx context.Context, o Options) (Document, error) {
	x := &execution{Matrix: m, options: o, results: map[string][]Result{}}
	runner := queue.NewRunner(queue.Options{
		Folder: o.Folder, Plan: &m.Items, Jobs: o.Jobs, Do: x.do, Classify: o.Classify, Watch: x.watch, Now: o.Now,
	})
	kept := len(m.Items.Items) - runner.Waiting()
	x.tell(Progress{Done: kept, Kept: kept, Planned: len(m.Items.Items)})
	err := runner.Run(ctx)
	if err != nil && ctx.Err() == nil && !errors.Is(err, queue.ErrStopping) {
		return Document{}, err
	}
	x.readKept()
	d := x.document()
	if d.Whole() {
		err = nil
	}
	return d, err
}

// do holds a hearing and computes its results. It is a queue.Do.
func (x *execution) do(ctx context.Context, job queue.Job, pulse func(queue.Pulse)) (string, queue.Result) {
	session, s, r := x.options.Hold(ctx, job, pulse)
	results := x.judged(job.Item, s, r)
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if earlier, again := x.results[job.Item.Digest]; again {
		x.count(earlier, -1)
	}
	x.results[job.Item.Digest] = results
	x.count(results, 1)
	return session, r
}

// count counts the results of an item.
func (x *execution) count(results []Result, by int) {
	x.ended += by
	switch {
	case len(results) == 0:
		x.stopped += by
	case slices.ContainsFunc(results, func(r Result) bool { return r.Failed != "" }):
		x.failed += by
	}
}

// judged computes the results of a session that ended.
func (x *execution) judged(item *queue.Item, s *state.State, r queue.Result) []Result {
	results := []Result{}
	for _, version := range x.byItem[item.Digest].course.judges {
		var one Result
		switch {
		case s.Closed:
			one = ruled(s, version)
		case r.Outcome != queue.Stopped:
			one.Failed = plain.Clip(plain.Line(cmp.Or(r.Reason, "the session did not end")), longestWhy)
		default:
			return results
		}
		one.Usage = s.Usage
		results = append(results, one)
	}
	return results
}

// watch tells that the queue ended an item.
func (x *execution) watch(e queue.Ended) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.tell(Progress{Done: e.Done - x.stopped, Kept: e.Done - x.ended, Failed: x.failed, Planned: e.Total})
}

func (x *execution) tell(p Progress) {
	if x.options.Watch != nil {
		x.options.Watch(p)
	}
}

// readKept computes the results of the sessions that earlier runs ended, several at once.
func (x *execution) readKept() {
	sessions, _ := x.options.Folder.Attempts()
	kept := make([][]Result, len(x.Items.Items))
	var workers sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, item := range x.Items.Items {
		list := sessions[item.Digest]
		if _, known := x.results[item.Digest]; known || len(list) == 0 || !list[len(list)-1].Over() {
			continue
		}
		slots <- struct{}{}
		workers.Go(func() {
			defer func() { <-slots }()
			kept[i] = x.read(item, list[len(list)-1])
		})
	}
	workers.Wait()
	for i, item := range x.Items.Items {
		if kept[i] != nil {
			x.results[item.Digest] = kept[i]
		}
	}
}

// read computes the results of a session from its file.
func (x *execution) read(item *queue.Item, e *queue.Entry) []Result {
	opened, err := store.Read(x.options.Folder.SessionPath(e.Session), hearing.Format{})
	if err == nil {
		var s *state.State
		if s, err = state.Replay(opened.Events); err == nil {
			return x.judged(item, s, e.Result)
		}
	}
	return x.judged(item, &state.State{}, queue.Result{Outcome: queue.Failure, Reason: err.Error()})
}

// document returns the document of all results so far, in the order of the units.
func (x *execution) document() Document {
	runs := make([]Run, len(x.modes))
	for i := range runs {
		runs[i] = Run{Mode: x.modes[i], Results: []Result{}}
	}
	for i := range x.units {
		u := &x.units[i]
		for j, one := range x.results[u.item.Digest] {
			one.Case, one.Repeat = u.scenario.ID, u.repeat
			run := &runs[u.course.first+j]
			run.Results = append(run.Results, one)
		}
	}
	return NewDocument(x.title(), x.Stated(), x.planned(), x.plan.Corpus.Cases(), runs)
}

// longestWhy is the maximum length of the reason why a session failed, in bytes.
const longestWhy = 300

// ruled returns the verdict of a judge on a completed session.
func ruled(s *state.State, version judge.Version) Result {
	v, err := hearing.VerdictBy(s, version, s.Round)
	if err != nil {
		return Result{Failed: plain.Clip(plain.Line(cmp.Or(s.ExitReason, err.Error())), longestWhy)}
	}
	var rounds []Round
	for round := 1; round <= s.Round; round++ {
		rounds = append(rounds, Round{
			Architect: turnOf(s, judge.Architect, round), Skeptic: turnOf(s, judge.Skeptic, round),
		})
	}
	return Result{
		Outcome: v.Outcome, Confidence: v.Confidence, Rule: v.Rule, Rounds: rounds,
		Opened: hearing.Of(s).Gated != nil && hearing.Of(s).Gated.Opens,
	}
}

// turnOf returns the turn of a side in a round. A side that did not state its confidence keeps the previous one.
func turnOf(s *state.State, seat state.Seat, round int) Turn {
	t := Turn{Facts: citedIn(s, seat, round)}
	if a := hearing.Of(s).Argument(seat, round); a != nil {
		t.Confidence = a.Confidence
		if a.Round == round {
			t.Named = a.WouldChange != ""
			t.HeldBack = max(0, a.Confidence-a.Stated)
		}
	}
	if round == 1 {
		return t
	}
	// The state when the side spoke: the rules of an anchored hearing depend on the round.
	then := *s
	then.Round = round
	for _, p := range hearing.ClaimsOf(&then, seat, round-1) {
		for _, c := range hearing.Contradictions(&then, p) {
			t.Rebutted = append(t.Rebutted, hearing.FreshFacts(&then, c, round-1)...)
		}
	}
	t.Rebutted = lists.Distinct(t.Rebutted)
	return t
}

// citedIn returns the distinct facts that a side cites in a round.
func citedIn(s *state.State, seat state.Seat, round int) []string {
	var cited []string
	for _, p := range s.Points.All() {
		if p.Round == round && p.IsAuthor(seat) {
			cited = append(cited, p.Facts...)
		}
	}
	for _, c := range s.Challenges.All() {
		if c.By == seat && c.Round == round {
			cited = append(cited, c.Facts...)
		}
		for i := range c.Defenses {
			if d := &c.Defenses[i]; d.By == seat && d.Round == round {
				cited = append(cited, d.Facts...)
			}
		}
	}
	return lists.Distinct(cited)
}
