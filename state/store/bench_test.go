package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"moot/state"
	"moot/state/store"
)

// BenchmarkOpen reads and folds a session. Targets: 60 ms for 10,000 events, 0.6 s for 100,000.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			f, err := store.Create(dir, "s1")
			if err != nil {
				b.Fatal(err)
			}
			appendTo(b, f, append([]state.Event{opened("Which queue?")}, points(2, n-1)...)...)
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				f, session, err := store.Open(filepath.Join(dir, "s1.jsonl"))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := state.Replay(session.Events); err != nil {
					b.Fatal(err)
				}
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
