package doctor

import (
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	// DefaultLimit is how long one check may take.
	DefaultLimit = 2 * time.Second
	// grace is how long a check has to come back after its deadline.
	grace = 300 * time.Millisecond
)

// Task is one thing to check.
type Task struct {
	// Part and Name are those of its check, for as long as it is under way.
	Part Part
	Name string
	// Limit is how long it may take; 0 is DefaultLimit.
	Limit time.Duration
	// Configured is that of its check where it does not come back.
	Configured bool
	// Run checks it. It honours its context where it can; see Examine.
	Run func(ctx context.Context) []Check
}

// Progress is how far an examination is.
type Progress struct {
	Done, Of int
	// Waiting are the names of what is not done yet.
	Waiting []string
}

// Examine runs all tasks side by side and returns their checks in the order of the
// tasks. What does not come back within its limit is broken: the system calls
// that ask a keyring or a dead network drive cannot be called off, and then the
// goroutine that waits for them is left behind. Told is called after each task, one
// call at a time; nil tells nobody. The error is the context's, at once when it
// ends.
func Examine(ctx context.Context, tasks []Task, told func(Progress)) ([]Check, error) {
	type result struct {
		at     int
		checks []Check
	}
	results := make(chan result, len(tasks))
	for i := range tasks {
		go func() { results <- result{i, tasks[i].bounded(ctx)} }()
	}
	parts, waiting := make([][]Check, len(tasks)), make([]bool, len(tasks))
	for i := range waiting {
		waiting[i] = true
	}
	for done := 1; done <= len(tasks); done++ {
		select {
		case r := <-results:
			parts[r.at], waiting[r.at] = r.checks, false
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if told != nil {
			p := Progress{Done: done, Of: len(tasks)}
			for i, still := range waiting {
				if still {
					p.Waiting = append(p.Waiting, tasks[i].Name)
				}
			}
			told(p)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return slices.Concat(parts...), nil
}

// bounded runs the task within its limit.
func (t *Task) bounded(ctx context.Context) []Check {
	limit := t.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan []Check, 1)
	go func() { done <- t.Run(limited) }()
	late := time.NewTimer(limit + grace)
	defer late.Stop()
	select {
	case checks := <-done:
		return checks
	case <-late.C:
		return []Check{{
			Part: t.Part, Name: t.Name, Word: Broken, Configured: t.Configured,
			Found: fmt.Sprintf("it gave no answer within %s", limit),
		}}
	case <-ctx.Done():
		return nil
	}
}
