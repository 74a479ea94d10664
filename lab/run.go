package lab

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/reply"
)

// Progress is how far a run is, in sessions.
type Progress struct {
	// Done and Failed count the sessions that ended, Kept those of them from an earlier run.
	Done, Kept, Failed int
	Planned            int
}

// Options configures a run. Seats is required.
type Options struct {
	Seats Seating
	// Jobs is the number of simultaneous sessions, at least 1.
	Jobs int
	// Journal stores the results; nil keeps them in memory only.
	Journal *Journal
	// Watch is called with the progress, never twice at the same time; it may be nil.
	Watch func(Progress)
}

// execution is a run in progress.
type execution struct {
	*Matrix
	options Options
	// done has the results of each unit by its index, or nil.
	done     [][]Result
	progress Progress
}

// Run runs all sessions that the journal does not have. The number of jobs does not affect the results. The error is
// protocol.ErrStopped if the context ended first, or that of the journal; the document then has the results so far.
func (m *Matrix) Run(ctx context.Context, o Options) (Document, error) {
	r := &execution{Matrix: m, options: o, done: make([][]Result, m.Sessions())}
	r.progress.Planned = len(r.done)
	if o.Journal != nil {
		if err := r.resume(o.Journal.entries); err != nil {
			return Document{}, err
		}
	}
	parser, err := reply.NewParser(formats.All())
	if err != nil {
		return Document{}, err
	}
	r.watch()
	failed := r.runAll(ctx, parser)
	if failed == nil && ctx.Err() != nil && r.progress.Done < r.progress.Planned {
		failed = protocol.ErrStopped
	}
	return r.document(), failed
}

// resume loads the results of an earlier run. A repeated session counts once.
func (r *execution) resume(entries []entry) error {
	type key struct {
		id     string
		repeat int
		form   string
	}
	places := map[key]int{}
	for place := range r.done {
		u := r.unit(place)
		places[key{u.scenario.ID, u.repeat, string(u.course.form) + list(u.course.judges)}] = place
	}
	for i := range entries {
		e := &entries[i]
		place, known := places[key{e.Case, e.Repeat, string(e.Form) + list(e.Judges)}]
		if !known {
			return fmt.Errorf("the results have a session that is not part of this run: case %q, repeat %d, form %s, "+
				"judges %s",
				e.Case, e.Repeat, e.Form, list(e.Judges))
		}
		if r.done[place] == nil {
			r.add(place, e.Results)
			r.progress.Kept++
		}
	}
	return nil
}

// add stores the results of a unit.
func (r *execution) add(place int, results []Result) {
	r.done[place] = results
	r.progress.Done++
	if slices.ContainsFunc(results, func(r Result) bool { return r.Failed != "" }) {
		r.progress.Failed++
	}
}

func (r *execution) watch() {
	if r.options.Watch != nil {
		r.options.Watch(r.progress)
	}
}

// runAll runs the remaining sessions, several at once, and stores their results as they arrive.
func (r *execution) runAll(ctx context.Context, parser *reply.Parser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failed error
	var lock sync.Mutex
	var workers sync.WaitGroup
	slots := make(chan struct{}, max(r.options.Jobs, 1))
	for place := range r.done {
		if r.done[place] != nil {
			continue
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		workers.Go(func() {
			defer func() { <-slots }()
			results, err := r.results(ctx, r.unit(place), parser, r.options.Seats)
			lock.Lock()
			defer lock.Unlock()
			if err != nil || failed != nil {
				return
			}
			if u := r.unit(place); r.options.Journal != nil {
				failed = r.options.Journal.append(entry{
					Case: u.scenario.ID, Repeat: u.repeat, Form: u.course.form, Judges: u.course.judges,
					Results: results,
				})
			}
			if failed != nil {
				// Without a journal there is no point in continuing.
				cancel()
				return
			}
			r.add(place, results)
			r.watch()
		})
	}
	workers.Wait()
	return failed
}

// document returns the document of all results so far, in the order of the units.
func (r *execution) document() Document {
	runs := make([]Run, len(r.modes))
	for i := range runs {
		runs[i] = Run{Mode: r.modes[i], Results: []Result{}}
	}
	for place, results := range r.done {
		first := r.unit(place).course.first
		for i := range results {
			runs[first+i].Results = append(runs[first+i].Results, results[i])
		}
	}
	return NewDocument(r.title(), r.Stated(), r.planned(), r.plan.Corpus.Cases(), runs)
}
