// Package ferry keeps jobs and runs them.
package ferry

// Job is a row of the table jobs.
type Job struct {
	ID      int64
	Handler func() error
}

// Run runs a job. The worker acks a job after its handler returned. Without an ack
// the job is given to another worker once its lease is over.
func Run(job *Job, ack func(id int64) error) error {
	if err := job.Handler(); err != nil {
		return err
	}
	return ack(job.ID)
}
