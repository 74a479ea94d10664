package memory_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"moot/memory"
	"moot/protocol/protocoltest"
	"moot/protocol/review"
	"moot/state"
	"moot/state/store"
)

// write stores a review in which the user rules on its only finding a day after it was raised, and returns the file.
func write(t *testing.T, dir, id string) string {
	t.Helper()
	opened := protocoltest.Opened(review.Name)
	opened.ID = id
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s, first, err := state.Extend(&state.State{}, noon, opened, &review.FindingMade{
		Point: "P1", By: review.Reviewer, What: "too many", Severity: review.High, Path: "lock.go", Line: 12, End: 12,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, last, err := state.Extend(s, noon.AddDate(0, 0, 1), &state.OverrideMade{
		What: state.OverrideDismiss, Point: "P1", Reason: "it is right",
	})
	if err != nil {
		t.Fatal(err)
	}
	file, err := store.Create(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	for _, events := range [][]state.Event{first, last} {
		if err := file.Append(events); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Path()
}

func TestTheIndexHasTheUsersRulingsAndReadsChangedSessionsOnly(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "sessions")
	path := write(t, dir, "20260301-120000-aaaa")
	index := func() memory.Indexed {
		t.Helper()
		found, err := memory.Index(dir, "r", review.Format{})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	found := index()
	if len(found.Rulings) != 1 || found.Sessions != 1 {
		t.Fatalf("%+v", found)
	}
	if r := found.Rulings[0]; !r.ByUser || r.Tag != state.TagUser || r.At != "2026-03-02T12:00:00Z" || r.Reason != "it is right" {
		t.Errorf("%+v", r)
	}
	if other, err := memory.Index(dir, "another", review.Format{}); err != nil || len(other.Rulings) > 0 || other.Sessions > 0 {
		t.Errorf("%+v, %v", other, err)
	}

	// A session with the same size and time is not read again.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte("x"), text[1:]...)
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if found := index(); len(found.Rulings) != 1 || len(found.Unread) > 0 {
		t.Errorf("%+v", found)
	}
	// One that changed is, and without the index all are.
	if err := os.Chtimes(path, time.Time{}, info.ModTime().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if found := index(); len(found.Rulings) > 0 || len(found.Unread) != 1 {
		t.Errorf("%+v", found)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "20260301-120000-bbbb")
	for _, broken := range []string{"{", `{"version":99,"sessions":{}}`, ""} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "reviews.json"), []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if found := index(); len(found.Rulings) != 2 || found.Sessions != 2 {
			t.Errorf("%s: %+v", broken, found)
		}
	}
}

func TestASessionThatIsRemovedIsForgotten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "sessions")
	if found, err := memory.Index(dir, "r", review.Format{}); err != nil || len(found.Rulings) > 0 {
		t.Error(found, err)
	}
	path := write(t, dir, "20260301-120000-aaaa")
	for _, want := range []int{1, 0} {
		found, err := memory.Index(dir, "r", review.Format{})
		if err != nil || len(found.Rulings) != want {
			t.Errorf("%+v, %v", found, err)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
}
