package main

import (
	"context"
	"fmt"
	"io/fs"
	"sort"

	"example.com/ferry/internal/store"
)

// migrationLock is the key of the advisory lock that keeps two daemons from
// migrating at the same time.
const migrationLock = 7_310_001

// migrateUp applies the SQL files that the database has not seen, in the order
// of their names, each in a transaction of its own.
func migrateUp(ctx context.Context, db *store.DB, files fs.FS) error {
	if err := db.AdvisoryLock(ctx, migrationLock); err != nil {
		return fmt.Errorf("another migration is running: %w", err)
	}
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return err
	}
	sort.Strings(names)
	applied, err := db.AppliedMigrations(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if applied[name] {
			continue
		}
		if err := db.ApplyMigration(ctx, files, name); err != nil {
			return fmt.Errorf("migration %s: %w", name, err)
		}
	}
	return nil
}
