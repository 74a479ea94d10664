package store

import (
	"context"
	"time"
)

// deleteBatch keeps each delete short, so that vacuum can follow.
const deleteBatch = 1000

// PurgeFinished deletes jobs that were done before the given time, a batch at
// a time, and returns how many there were.
func (db *DB) PurgeFinished(ctx context.Context, before time.Time) (int64, error) {
	var total int64
	for {
		tag, err := db.pool.Exec(ctx, `
			DELETE FROM jobs WHERE id IN (
				SELECT id FROM jobs WHERE state = 'done' AND finished_at < $1 LIMIT $2
			)`, before, deleteBatch)
		if err != nil {
			return total, err
		}
		total += tag.RowsAffected()
		if tag.RowsAffected() < deleteBatch {
			return total, nil
		}
	}
}
