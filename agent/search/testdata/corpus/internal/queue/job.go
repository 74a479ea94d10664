// Package queue holds the rules of jobs: their states and what may follow what.
package queue

import (
	"encoding/json"
	"errors"
	"time"
)

// MaxPayload is the largest payload of a job, in bytes.
const MaxPayload = 256 << 10

// DefaultMaxAttempts is how often a job is tried before it is dead.
const DefaultMaxAttempts = 12

// ErrPayloadTooLarge says that a payload exceeds MaxPayload.
var ErrPayloadTooLarge = errors.New("payload too large")

// A State is where a job stands.
type State string

// The states of a job.
const (
	Pending State = "pending"
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed"
	Dead    State = "dead"
)

// A Job is one piece of work.
type Job struct {
	ID          int64
	Queue       string
	State       State
	Priority    int // higher runs first
	Payload     json.RawMessage
	Attempt     int
	MaxAttempts int
	RunAt       time.Time
	LeaseUntil  time.Time
	LastError   string
}

// Validate checks a job before it is stored.
func (j *Job) Validate() error {
	if j.Queue == "" {
		return errors.New("a job needs a queue")
	}
	if len(j.Payload) > MaxPayload {
		return ErrPayloadTooLarge
	}
	return nil
}

// Terminal says whether nothing more happens to the job by itself.
func (s State) Terminal() bool {
	return s == Done || s == Dead
}
