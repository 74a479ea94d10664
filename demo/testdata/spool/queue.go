// Package spool is a job queue in a folder, for the programs of one machine.
package spool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Queue is a folder with a file per job.
type Queue struct {
	dir string
}

// Job is what a worker gets.
type Job struct {
	Name    string
	Payload []byte
}

// Put adds a job. Names sort by time.
func (q *Queue) Put(payload []byte) error {
	draft, err := os.CreateTemp(q.dir, "draft-*")
	if err != nil {
		return fmt.Errorf("add a job: %w", err)
	}
	_, err = draft.Write(payload)
	if err = errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return errors.Join(fmt.Errorf("add a job: %w", err), os.Remove(draft.Name()))
	}
	name := fmt.Sprintf("%020d-%s.job", time.Now().UnixNano(), filepath.Base(draft.Name()))
	return os.Rename(draft.Name(), filepath.Join(q.dir, name))
}

// Take takes the oldest job out of the queue. It returns nil if there is none.
func (q *Queue) Take() (job *Job, err error) {
	l, err := acquire(q.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.release()) }()
	waiting, err := filepath.Glob(filepath.Join(q.dir, "*.job"))
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	payload, err := os.ReadFile(waiting[0])
	if err != nil {
		return nil, err
	}
	return &Job{Name: filepath.Base(waiting[0]), Payload: payload}, os.Remove(waiting[0])
}

// Drop removes the folder of an empty queue.
func (q *Queue) Drop() error {
	return os.Remove(q.dir)
}
