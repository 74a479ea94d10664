// Package store keeps jobs in PostgreSQL.
package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/ferry/internal/config"
)

// DB is a pool of connections.
type DB struct{ pool *pgxpool.Pool }

// Connect opens the pool and waits until the database answers.
func Connect(ctx context.Context, settings config.Database) (*DB, error) {
	parsed, err := pgxpool.ParseConfig(settings.URL)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	parsed.MaxConns = settings.MaxConnections
	parsed.MaxConnIdleTime = 5 * time.Minute
	// A statement that runs for longer than this is a bug, not a slow query.
	parsed.ConnConfig.RuntimeParams["statement_timeout"] = "15000"
	pool, err := pgxpool.NewWithConfig(ctx, parsed)
	if err != nil {
		return nil, err
	}
	return &DB{pool: pool}, pool.Ping(ctx)
}

// Close waits for borrowed connections and closes the pool.
func (db *DB) Close() { db.pool.Close() }
