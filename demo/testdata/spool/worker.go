package spool

import (
	"fmt"
	"log"
)

// Work runs the jobs of a queue one after the other, until there is none.
func (q *Queue) Work(run func(*Job) error) error {
	for {
		job, err := q.Take()
		if err != nil {
			return fmt.Errorf("take a job: %w", err)
		}
		if job == nil {
			return nil
		}
		if err := run(job); err != nil {
			log.Printf("job %s: %v", job.Name, err)
		}
	}
}
