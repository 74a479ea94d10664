package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"example.com/ferry/internal/queue"
)

// Enqueue stores a job. With an idempotency key that was used before, it
// returns the id of the job from that time and stores nothing.
func (db *DB) Enqueue(ctx context.Context, job queue.Job, key string) (id int64, existed bool, err error) {
	if err := job.Validate(); err != nil {
		return 0, false, err
	}
	err = db.pool.QueryRow(ctx, `
		INSERT INTO jobs (queue, payload, priority, max_attempts, idempotency_key)
		VALUES ($1, $2, $3, $4, NULLIF($5, ''))
		ON CONFLICT (idempotency_key) DO NOTHING
		RETURNING id`, job.Queue, job.Payload, job.Priority, job.MaxAttempts, key).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = db.pool.QueryRow(ctx, `SELECT id FROM jobs WHERE idempotency_key = $1`, key).Scan(&id)
		return id, true, err
	}
	return id, false, err
}
