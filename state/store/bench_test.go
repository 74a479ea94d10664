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

// BenchmarkList lists 10,000 sessions: from their files, and from the cache, by a new process and by one that listed them
// before. Target: 150 ms with the cache.
func BenchmarkList(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "sessions")
	for i := range 10_000 {
		f, err := store.Create(dir, fmt.Sprintf("20261121-%06d-aaaa", i))
		if err != nil {
			b.Fatal(err)
		}
		events := append([]state.Event{opened(fmt.Sprintf("Should service %d move from lists to streams, and what does it cost?", i))}, points(2, 20)...)
		events = append(events, state.Event{Seq: 22, At: noon, Data: &state.AnswerGiven{
			By: state.Orchestrator, Sentences: []state.Sentence{{ID: "S1", Text: "Yes: a list loses what a worker had when it died."}},
		}})
		appendTo(b, f, append(events, closing(22)...)...)
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	list := func(b *testing.B, l *store.Lister) {
		b.Helper()
		if all, err := l.List(b.Context(), nil); err != nil || len(all) != 10_000 {
			b.Fatal(len(all), err)
		}
	}
	b.Run("files", func(b *testing.B) {
		for b.Loop() {
			if _, err := store.List(dir); err != nil {
				b.Fatal(err)
			}
		}
	})
	again := store.NewLister(dir)
	list(b, again)
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			again.MarkChanged()
			if err := again.Save(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("cache", func(b *testing.B) {
		for b.Loop() {
			list(b, store.NewLister(dir))
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			list(b, again)
		}
	})
}
