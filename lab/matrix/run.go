package matrix

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"moot/lab/measure"
	"moot/protocol"
)

// Progress is how far a run is, in sessions.
type Progress struct {
	// Done and Failed count those that were held, Kept those of them that a run before
	// had held.
	Done, Kept, Failed int
	Planned            int
}

// Options configures a run. Seats is required.
type Options struct {
	Seats Seating
	// Jobs is how many sessions are held at once, at least 1.
	Jobs int
	// Journal keeps the results; nil keeps them in memory alone.
	Journal *Journal
	// Watch is called with the progress, from one goroutine; it may be nil.
	Watch func(Progress)
}

// outcome is a unit that came to its end, or why it did not.
type outcome struct {
	place   int
	results []measure.Result
	err     error
}

// run is a matrix under way.
type execution struct {
	*Matrix
	options Options
	// heard has the results of each unit by its place, or nil.
	heard    [][]measure.Result
	progress Progress
}

// Run holds all sessions that the journal does not have, and returns what is known
// then. It is the same in every order and with any number of jobs, where participants
// answer the same. The error is protocol.ErrStopped where the context ended first, or
// that of the journal; the document then holds what was done.
func (m *Matrix) Run(ctx context.Context, o Options) (measure.Document, error) {
	r := &execution{Matrix: m, options: o, heard: make([][]measure.Result, m.Sessions())}
	r.progress.Planned = len(r.heard)
	if o.Journal != nil {
		if err := r.takeUp(o.Journal.entries); err != nil {
			return measure.Document{}, err
		}
	}
	parser, err := protocol.NewParser()
	if err != nil {
		return measure.Document{}, err
	}
	r.tell()
	ran := r.hearAll(ctx, parser)
	if ran == nil && ctx.Err() != nil && r.progress.Done < r.progress.Planned {
		ran = protocol.ErrStopped
	}
	document, err := r.document()
	return document, errors.Join(ran, err)
}

// takeUp takes in what a run before had done. The same session twice counts once.
func (r *execution) takeUp(entries []entry) error {
	type key struct {
		id     string
		repeat int
		form   string
	}
	places := map[key]int{}
	for place := range r.heard {
		u := r.unit(place)
		places[key{u.scenario.ID, u.repeat, string(u.course.form) + list(u.course.judges)}] = place
	}
	for i := range entries {
		e := &entries[i]
		place, known := places[key{e.Case, e.Repeat, string(e.Form) + list(e.Judges)}]
		if !known {
			return fmt.Errorf("the results hold a session that this run has not: case %q, repeat %d, form %s, judges %s", e.Case, e.Repeat, e.Form, list(e.Judges))
		}
		if r.heard[place] == nil {
			r.take(outcome{place: place, results: e.Results})
			r.progress.Kept++
		}
	}
	return nil
}

// take keeps the results of a unit.
func (r *execution) take(o outcome) {
	r.heard[o.place] = o.results
	r.progress.Done++
	if slices.ContainsFunc(o.results, func(r measure.Result) bool { return r.Failed != "" }) {
		r.progress.Failed++
	}
}

func (r *execution) tell() {
	if r.options.Watch != nil {
		r.options.Watch(r.progress)
	}
}

// hearAll holds the remaining sessions, several at once, and collects their results.
func (r *execution) hearAll(ctx context.Context, parser *protocol.Parser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := max(r.options.Jobs, 1)
	places, came := make(chan int), make(chan outcome, jobs)
	go func() {
		defer close(places)
		for place := range r.heard {
			if r.heard[place] != nil {
				continue
			}
			select {
			case places <- place:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for place := range places {
				results, err := r.results(ctx, r.unit(place), parser, r.options.Seats)
				came <- outcome{place, results, err}
			}
		})
	}
	go func() {
		workers.Wait()
		close(came)
	}()
	return r.collect(came, cancel)
}

// collect stores results as they arrive. Those that arrive during a write are written together.
func (r *execution) collect(came <-chan outcome, cancel context.CancelFunc) error {
	var failed error
	for o := range came {
		batch := []outcome{o}
		for len(came) > 0 {
			batch = append(batch, <-came)
		}
		batch = slices.DeleteFunc(batch, func(o outcome) bool { return o.err != nil })
		if failed != nil || len(batch) == 0 {
			continue
		}
		if failed = r.keep(batch); failed != nil {
			// Without a journal there is no point in continuing.
			cancel()
			continue
		}
		for _, o := range batch {
			r.take(o)
		}
		r.tell()
	}
	return failed
}

// keep writes results to the journal.
func (r *execution) keep(batch []outcome) error {
	if r.options.Journal == nil {
		return nil
	}
	lines := make([]any, 0, len(batch))
	for _, o := range batch {
		u := r.unit(o.place)
		lines = append(lines, entry{
			Case: u.scenario.ID, Repeat: u.repeat, Form: u.course.form,
			Judges: u.course.judges, Results: o.results,
		})
	}
	return r.options.Journal.append(lines...)
}

// document returns the document of all results so far, in the order of the units.
func (r *execution) document() (measure.Document, error) {
	runs := make([]measure.Run, len(r.modes))
	for i := range runs {
		runs[i] = measure.Run{Mode: r.modes[i], Results: []measure.Result{}}
	}
	for place, results := range r.heard {
		first := r.unit(place).course.first
		for i := range results {
			runs[first+i].Results = append(runs[first+i].Results, results[i])
		}
	}
	return measure.NewDocument(r.title(), r.Stated(), r.planned(), r.plan.Corpus.Cases(), runs)
}
