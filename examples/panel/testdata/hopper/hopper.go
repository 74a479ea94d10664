// Package hopper keeps work for later.
package hopper

import (
	"context"
	"time"
)

// Job is a piece of work. It has failed where it returns an error.
type Job func(ctx context.Context) error

// pause is how long a failed job waits before it is run again, and runs is how
// often it is run in all.
const (
	pause = 30 * time.Second
	runs  = 4
)

// Queue holds what waits. There is no file behind it.
type Queue struct {
	jobs chan Job
}

// New returns one with room for size jobs.
func New(size int) *Queue {
	return &Queue{jobs: make(chan Job, size)}
}

// Put waits while the queue is full. It returns an error only where ctx ends
// before there is room.
func (q *Queue) Put(ctx context.Context, job Job) error {
	select {
	case q.jobs <- job:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Work runs jobs one by one until ctx ends. Between two runs of a job that fails
// lies the same pause each time.
func (q *Queue) Work(ctx context.Context) error {
	for {
		select {
		case job := <-q.jobs:
			if err := run(ctx, job); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// run runs one job until it succeeds or is given up. The only error is that of ctx.
func run(ctx context.Context, job Job) error {
	for n := 1; job(ctx) != nil && n < runs; n++ {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
