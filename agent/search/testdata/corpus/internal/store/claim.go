package store

import (
	"context"
	"time"

	"example.com/ferry/internal/queue"
)

const claimStatement = `
UPDATE jobs SET state = 'running', lease_until = now() + $3, worker = $4
WHERE id IN (
    SELECT id FROM jobs
    WHERE queue = $1 AND state = 'pending' AND run_at <= now()
    ORDER BY priority DESC, run_at
    LIMIT $2
    FOR UPDATE SKIP LOCKED
)
RETURNING id, queue, payload, attempt`

// Claim gives due jobs of a queue to a worker. Rows that another transaction is
// claiming are passed over, so that no two workers get the same job.
func (db *DB) Claim(ctx context.Context, name, worker string, limit int, lease time.Duration) ([]queue.Job, error) {
	rows, err := db.pool.Query(ctx, claimStatement, name, limit, lease, worker)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var jobs []queue.Job
	for rows.Next() {
		var job queue.Job
		if err := rows.Scan(&job.ID, &job.Queue, &job.Payload, &job.Attempt); err != nil {
			return nil, err
		}
		jobs = append(jobs, job)
	}
	return jobs, rows.Err()
}
