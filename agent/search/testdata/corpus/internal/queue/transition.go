package queue

import (
	"fmt"
	"time"

	"example.com/ferry/internal/backoff"
)

// allowed lists the states that may follow each state.
var allowed = map[State][]State{
	Pending: {Running, Dead},
	Running: {Done, Failed, Pending},
	Failed:  {Pending, Dead},
	Dead:    {Pending},
}

// A TransitionError says that a job cannot go from one state to another.
type TransitionError struct{ From, To State }

func (e *TransitionError) Error() string {
	return fmt.Sprintf("a %s job cannot become %s", e.From, e.To)
}

// Move changes the state of a job if that is allowed.
func (j *Job) Move(to State) error {
	for _, next := range allowed[j.State] {
		if next == to {
			j.State = to
			return nil
		}
	}
	return &TransitionError{From: j.State, To: to}
}

// Fail records a failed attempt: the job is tried again later, or is dead once
// its attempts are used up.
func (j *Job) Fail(cause string, now time.Time) {
	j.LastError = cause
	j.Attempt++
	if j.Attempt >= j.MaxAttempts {
		j.State = Dead
		return
	}
	j.State = Pending
	j.RunAt = now.Add(backoff.Delay(j.Attempt))
}
